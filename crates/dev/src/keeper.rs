//! Keeps the chain: on disk, and moving while somebody waits for confirmations.
//!
//! Anvil makes a block for each transaction and none otherwise, so a last transaction would never be confirmed; and
//! what it keeps in memory is lost when it is killed. It looks at the blocks and not at who made them.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, bail};
use serde_json::json;
use tokio::sync::Mutex;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::pace::Pace;
use crate::rpc::Node;
use crate::world;

/// How often it looks for new blocks.
const LOOK: Duration = Duration::from_millis(200);
/// How often a block is made while a transaction lacks confirmations.
const BLOCK_TIME: Duration = Duration::from_secs(1);

/// What is known of the chain, and where it is kept.
pub(crate) struct Keeper {
    node: Node,
    file: PathBuf,
    confirmations: u64,
    pace: Pace,
    /// The newest block looked at, by height and hash: a reorganisation may keep the height.
    seen: Option<(u64, String)>,
    /// The newest block that holds a transaction.
    last_with_transaction: Option<u64>,
    block_due: Instant,
}

impl Keeper {
    /// Looks after the chain of `node`, kept in `file`.
    pub(crate) fn new(node: Node, file: PathBuf, confirmations: u64, pace: Pace) -> Self {
        Self { node, file, confirmations, pace, seen: None, last_with_transaction: None, block_due: Instant::now() }
    }

    /// Looks, mines and saves until told to end; then saves once more.
    pub(crate) async fn run(mut self, end: CancellationToken) -> anyhow::Result<()> {
        loop {
            let turn = self.turn().await;
            if end.is_cancelled() {
                turn?;
                return save(&self.node, &self.file).await;
            }
            turn?;
            tokio::select! {
                () = tokio::time::sleep(LOOK) => {}
                () = end.cancelled() => {}
            }
        }
    }

    async fn turn(&mut self) -> anyhow::Result<()> {
        if self.look().await? {
            save(&self.node, &self.file).await?;
        }
        let Some((head, _)) = self.seen else { return Ok(()) };
        if !self.pace.held() && waits(self.last_with_transaction, head, self.confirmations) {
            let now = Instant::now();
            if now >= self.block_due {
                self.node.mine().await?;
                self.block_due = now.checked_add(BLOCK_TIME).unwrap_or(now);
            }
        }
        Ok(())
    }

    /// Reads the blocks that are new. True when one of them holds a transaction.
    async fn look(&mut self) -> anyhow::Result<bool> {
        let head = self.node.head().await?;
        let Some(newest) = self.node.block(head).await? else { return Ok(false) };
        let first = match &self.seen {
            Some((number, hash)) if *number == head && *hash == newest.hash => return Ok(false),
            // Grown: what is new. Not grown, yet another block: reorganised, so all that may still wait.
            Some((number, _)) if *number < head => number.saturating_add(1),
            _ => head.saturating_sub(self.confirmations),
        };
        let mut found = false;
        for number in first..=head {
            let Some(block) = self.node.block(number).await? else { break };
            if !block.transactions.is_empty() {
                self.last_with_transaction = Some(number);
                // The first block after a transaction comes a block time after it.
                self.block_due = Instant::now().checked_add(BLOCK_TIME).unwrap_or_else(Instant::now);
                found = true;
            }
        }
        self.seen = Some((head, newest.hash));
        Ok(found)
    }
}

/// Whether the transaction in block `last` is less than `needed` blocks deep.
fn waits(last: Option<u64>, head: u64, needed: u64) -> bool {
    last.is_some_and(|last| domain::chain::confirmations(last, head) < needed)
}

/// One saving at a time: two would write the same unfinished file, and the older dump might be renamed last.
static SAVING: Mutex<()> = Mutex::const_new(());

/// Writes the node's state to a file, as a whole or not at all.
pub(crate) async fn save(node: &Node, file: &Path) -> anyhow::Result<()> {
    let _alone = SAVING.lock().await;
    let dump: String = node.call("anvil_dumpState", json!([])).await?;
    let state = unpack(&dump)?;
    let file = file.to_owned();
    // Writing waits for the disk: not on the thread that serves everything else.
    tokio::task::spawn_blocking(move || world::write_bytes(&file, &state, 0o600)).await?
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
    fn a_transaction_waits_until_it_is_deep_enough() {
        assert!(waits(Some(7), 7, 3));
        assert!(waits(Some(7), 8, 3));
        assert!(!waits(Some(7), 9, 3));
    }

    #[test]
    fn nothing_waits_on_a_chain_without_transactions() {
        assert!(!waits(None, 9, 3));
    }

    #[test]
    fn a_dump_that_is_none_is_refused() {
        for dump in ["", "0x", "0xzz", "0x00"] {
            assert!(unpack(dump).is_err(), "{dump}");
        }
    }
}
