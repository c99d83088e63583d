//! The chain on disk: written as a whole, and repaired before a node loads it.
//!
//! A node makes a block 0 of its own at every start, before it loads what was saved, and saves that one too. Of several
//! blocks 0 it answers with whichever it read last, in no fixed order: after some restarts the chain would have another
//! genesis than the one that the product's books are about. So only the first block 0 is loaded.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::Path;

use anyhow::{Context as _, bail};
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;
use tokio::sync::Mutex;

use crate::environment;
use crate::rpc::{Node, quantity};

/// One saving at a time: two would write the same unfinished file, and the older dump might be renamed last.
static SAVING: Mutex<()> = Mutex::const_new(());

/// Writes the node's state to a file, as a whole or not at all.
pub(crate) async fn save(node: &Node, file: &Path) -> anyhow::Result<()> {
    let _alone = SAVING.lock().await;
    let dump: String = node.call("anvil_dumpState", json!([])).await?;
    let file = file.to_owned();
    // Unpacking computes and writing waits for the disk: not on the thread that serves everything else.
    tokio::task::spawn_blocking(move || environment::write_bytes(&file, &unpack(&dump)?, 0o600)).await?
}

/// Keeps the first block 0 of a saved chain and drops the others. Says how many it dropped.
pub(crate) fn repair(file: &Path) -> anyhow::Result<usize> {
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let (repaired, dropped) = repaired(&text).with_context(|| format!("{} is no saved chain", file.display()))?;
    if dropped > 0 {
        environment::write_bytes(file, repaired.as_bytes(), 0o600)?;
    }
    Ok(dropped)
}

/// Refuses a chain whose block 1 does not stand on its block 0.
pub(crate) async fn check(node: &Node) -> anyhow::Result<()> {
    let (Some(genesis), Some(first)) = (node.block(0).await?, node.block(1).await?) else { return Ok(()) };
    if first.parent_hash != genesis.hash {
        bail!(
            "the saved chain is damaged: block 1 stands on {}, but block 0 is {}.\n\
             To forget database and chain and begin anew: make reset",
            first.parent_hash,
            genesis.hash
        );
    }
    Ok(())
}

/// The part of a saved block that tells one block 0 from another.
#[derive(Deserialize)]
struct Block {
    header: Header,
}

#[derive(Deserialize)]
struct Header {
    number: String,
    timestamp: String,
}

/// A saved chain with one block 0, and how many were dropped. Everything else stays as it was written.
///
/// The first start made the oldest block 0, and the blocks stand on that one: a later start makes its own at a later time.
fn repaired(text: &str) -> anyhow::Result<(String, usize)> {
    let mut processes: BTreeMap<&str, &RawValue> = serde_json::from_str(text)?;
    let blocks = processes.get("blocks").context("no blocks")?;
    let blocks: Vec<&RawValue> = serde_json::from_str(blocks.get())?;
    let mut first: Option<(u64, &RawValue)> = None;
    let mut kept = Vec::with_capacity(blocks.len());
    for raw in &blocks {
        let Block { header } = serde_json::from_str(raw.get()).context("a block of another shape")?;
        if quantity(&header.number)? > 0 {
            kept.push(*raw);
            continue;
        }
        let time = quantity(&header.timestamp)?;
        if first.is_none_or(|(oldest, _)| time < oldest) {
            first = Some((time, raw));
        }
    }
    kept.extend(first.map(|(_, raw)| raw));
    let dropped = blocks.len().saturating_sub(kept.len());
    let kept = serde_json::value::to_raw_value(&kept)?;
    processes.insert("blocks", &kept);
    Ok((serde_json::to_string(&processes)?, dropped))
}

/// The dump is gzip in hexadecimal; the node loads only what was in it.
fn unpack(dump: &str) -> anyhow::Result<Vec<u8>> {
    let digits = dump.strip_prefix("0x").context("a dump without 0x")?;
    let packed = hex::decode(digits).context("a dump that is not hexadecimal")?;
    let mut state = Vec::new();
    flate2::read::GzDecoder::new(packed.as_slice()).read_to_end(&mut state).context("a dump that is not gzip")?;
    if state.is_empty() {
        bail!("the node's dump is empty");
    }
    Ok(state)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dump_that_is_none_is_refused() {
        for dump in ["", "0x", "0xzz", "0x00"] {
            assert!(unpack(dump).is_err(), "{dump}");
        }
    }

    fn chain(blocks: &[(u64, u64)]) -> String {
        let blocks: Vec<_> = blocks
            .iter()
            .map(|(number, time)| {
                json!({ "header": { "number": format!("{number:#x}"), "timestamp": format!("{time:#x}") }, "ommers": [] })
            })
            .collect();
        json!({ "best_block_number": 2, "blocks": blocks, "accounts": { "0x1": { "balance": "0x7" } } }).to_string()
    }

    fn value(text: &str) -> serde_json::Value {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn of_several_blocks_0_the_first_is_kept() {
        let damaged = chain(&[(2, 900), (0, 500), (1, 200), (0, 100), (0, 700)]);
        let (whole, dropped) = repaired(&damaged).unwrap();
        assert_eq!((value(&whole), dropped), (value(&chain(&[(2, 900), (1, 200), (0, 100)])), 2));
        let (again, dropped) = repaired(&whole).unwrap();
        assert_eq!((again, dropped), (whole, 0));
    }

    #[test]
    fn a_file_that_is_no_chain_is_left_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("state.json");
        for text in ["", "{}", r#"{"blocks": 3}"#, r#"{"blocks": [{"header": {"number": "0x0"}}]}"#] {
            std::fs::write(&file, text).unwrap();
            assert!(repair(&file).is_err(), "{text}");
            assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
        }
    }
}
