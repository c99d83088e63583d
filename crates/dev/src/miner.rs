//! Mines blocks while transactions lack confirmations, and saves the chain to disk.
//!
//! Anvil mines a block only when it receives a transaction, so the last transaction would never be confirmed. It keeps
//! its state in memory, which is lost if it is killed.

use std::path::PathBuf;
use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::block_production::BlockProduction;
use crate::rpc::Node;
use crate::saved;

/// The interval at which the miner checks for new blocks.
const LOOK: Duration = Duration::from_millis(200);
/// The time between blocks while a transaction lacks confirmations.
const BLOCK_TIME: Duration = Duration::from_secs(1);

pub(crate) struct Miner {
    node: Node,
    file: PathBuf,
    confirmations: u64,
    block_production: BlockProduction,
    /// Height and hash of the newest block that was processed. A reorganization can keep the height.
    seen: Option<(u64, String)>,
    /// The newest block that contains a transaction.
    last_with_transaction: Option<u64>,
    block_due: Instant,
}

impl Miner {
    /// Creates a miner that saves the chain of `node` to `file`.
    pub(crate) fn new(node: Node, file: PathBuf, confirmations: u64, block_production: BlockProduction) -> Self {
        Self {
            node,
            file,
            confirmations,
            block_production,
            seen: None,
            last_with_transaction: None,
            block_due: Instant::now(),
        }
    }

    /// Mines and saves until canceled, then saves once more.
    pub(crate) async fn run(mut self, end: CancellationToken) -> anyhow::Result<()> {
        loop {
            let turn = self.turn().await;
            if end.is_cancelled() {
                turn?;
                return saved::save(&self.node, &self.file).await;
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
            saved::save(&self.node, &self.file).await?;
        }
        let Some((head, _)) = self.seen else { return Ok(()) };
        if !self.block_production.held() && waits(self.last_with_transaction, head, self.confirmations) {
            let now = Instant::now();
            if now >= self.block_due {
                self.node.mine().await?;
                self.block_due = now.checked_add(BLOCK_TIME).unwrap_or(now);
            }
        }
        Ok(())
    }

    /// Reads new blocks. Returns whether there were any. If so, the chain must be saved, because after a restart the
    /// product must find every block that it has read.
    async fn look(&mut self) -> anyhow::Result<bool> {
        let head = self.node.head().await?;
        let Some(newest) = self.node.block(head).await? else { return Ok(false) };
        let first = match &self.seen {
            Some((number, hash)) if *number == head && *hash == newest.hash => return Ok(false),
            // If the block is higher, read the new blocks. Another block at the same height is a reorganization, so
            // read all blocks that may lack confirmations.
            Some((number, _)) if *number < head => number.saturating_add(1),
            _ => head.saturating_sub(self.confirmations),
        };
        for number in first..=head {
            let Some(block) = self.node.block(number).await? else { break };
            if !block.transactions.is_empty() {
                self.last_with_transaction = Some(number);
                // The next block is due one block time after the transaction's.
                self.block_due = Instant::now().checked_add(BLOCK_TIME).unwrap_or_else(Instant::now);
            }
        }
        self.seen = Some((head, newest.hash));
        Ok(true)
    }
}

/// Returns whether a transaction in block `last` has fewer than `needed` confirmations.
fn waits(last: Option<u64>, head: u64, needed: u64) -> bool {
    last.is_some_and(|last| domain::chain::confirmations(last, head) < needed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transaction_waits_for_its_confirmations() {
        assert!(waits(Some(7), 7, 3));
        assert!(waits(Some(7), 8, 3));
        assert!(!waits(Some(7), 9, 3));
    }

    #[test]
    fn nothing_waits_on_a_chain_without_transactions() {
        assert!(!waits(None, 9, 3));
    }
}
