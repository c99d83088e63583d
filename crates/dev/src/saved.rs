//! Saves the chain atomically and repairs it before a node loads it.
//!
//! At every start, the node creates a new block 0 before it loads the saved state, and later saves that block as well.
//! If the saved state contains several blocks 0, the node uses whichever it reads last, in no fixed order: after some
//! restarts, the genesis would differ from the genesis that the product knows. Therefore only the original block 0 is
//! kept.

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

/// Allows only one save at a time. Two saves would share a temporary file, and the older state might win.
static SAVING: Mutex<()> = Mutex::const_new(());

/// Writes the node's state to a file, atomically.
pub(crate) async fn save(node: &Node, file: &Path) -> anyhow::Result<()> {
    let _alone = SAVING.lock().await;
    let dump: String = node.call("anvil_dumpState", json!([])).await?;
    let file = file.to_owned();
    // Unpacking and writing would block the thread that serves everything else.
    tokio::task::spawn_blocking(move || environment::write_bytes(&file, &unpack(&dump)?, 0o600)).await?
}

/// Keeps only the original block 0 of a saved chain. Returns the number of removed blocks.
pub(crate) fn repair(file: &Path) -> anyhow::Result<usize> {
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let (repaired, dropped) = repaired(&text).with_context(|| format!("{} is not a saved chain", file.display()))?;
    if dropped > 0 {
        environment::write_bytes(file, repaired.as_bytes(), 0o600)?;
    }
    Ok(dropped)
}

/// Fails if the parent of block 1 is not block 0.
pub(crate) async fn check(node: &Node) -> anyhow::Result<()> {
    let (Some(genesis), Some(first)) = (node.block(0).await?, node.block(1).await?) else { return Ok(()) };
    if first.parent_hash != genesis.hash {
        bail!(
            "the saved chain is damaged: the parent of block 1 is {}, but block 0 is {}.\n\
             To delete database and chain and start over: make reset",
            first.parent_hash,
            genesis.hash
        );
    }
    Ok(())
}

/// The fields of a saved block that tell one block 0 from another.
#[derive(Deserialize)]
struct Block {
    header: Header,
}

#[derive(Deserialize)]
struct Header {
    number: String,
    timestamp: String,
}

/// Returns the saved chain with only the original block 0, and the number of removed blocks. All other content stays
/// the same byte for byte.
///
/// The original is the oldest one, because each start creates a block 0 with a later time.
fn repaired(text: &str) -> anyhow::Result<(String, usize)> {
    let mut processes: BTreeMap<&str, &RawValue> = serde_json::from_str(text)?;
    let blocks = processes.get("blocks").context("no blocks")?;
    let blocks: Vec<&RawValue> = serde_json::from_str(blocks.get())?;
    let mut first: Option<(u64, &RawValue)> = None;
    let mut kept = Vec::with_capacity(blocks.len());
    for raw in &blocks {
        let Block { header } = serde_json::from_str(raw.get()).context("unexpected block format")?;
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

/// Unpacks the node's state: the node returns gzip in hexadecimal but loads only the unpacked content.
fn unpack(dump: &str) -> anyhow::Result<Vec<u8>> {
    let digits = dump.strip_prefix("0x").context("the dump has no 0x prefix")?;
    let packed = hex::decode(digits).context("the dump is not hexadecimal")?;
    let mut state = Vec::new();
    flate2::read::GzDecoder::new(packed.as_slice()).read_to_end(&mut state).context("the dump is not gzip")?;
    if state.is_empty() {
        bail!("the node's dump is empty");
    }
    Ok(state)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invalid_dump_is_refused() {
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
    fn only_the_oldest_block_0_is_kept() {
        let damaged = chain(&[(2, 900), (0, 500), (1, 200), (0, 100), (0, 700)]);
        let (whole, dropped) = repaired(&damaged).unwrap();
        assert_eq!((value(&whole), dropped), (value(&chain(&[(2, 900), (1, 200), (0, 100)])), 2));
        let (again, dropped) = repaired(&whole).unwrap();
        assert_eq!((again, dropped), (whole, 0));
    }

    #[test]
    fn a_file_that_is_not_a_chain_is_left_unchanged() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("state.json");
        for text in ["", "{}", r#"{"blocks": 3}"#, r#"{"blocks": [{"header": {"number": "0x0"}}]}"#] {
            std::fs::write(&file, text).unwrap();
            assert!(repair(&file).is_err(), "{text}");
            assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
        }
    }
}
