//! Keeps the chain: on disk, and moving while somebody waits for confirmations.
//!
//! Anvil makes a block for each transaction and none otherwise, so a last transaction would never be confirmed; and
//! what it keeps in memory is lost when it is killed. It looks at the blocks and not at who made them.

use std::path::PathBuf;
use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::block_production::BlockProduction;
use crate::rpc::Node;
use crate::saved;

/// How often it looks for new blocks.
const LOOK: Duration = Duration::from_millis(200);
/// How often a block is made while a transaction lacks confirmations.
const BLOCK_TIME: Duration = Duration::from_secs(1);

/// What is known of the chain, and where it is kept.
pub(crate) struct Miner {
    node: Node,
    file: PathBuf,
    confirmations: u64,
    block_production: BlockProduction,
    /// The newest block looked at, by height and hash: a reorganisation may keep the height.
    seen: Option<(u64, String)>,
    /// The newest block that holds a transaction.
    last_with_transaction: Option<u64>,
    block_due: Instant,
}

impl Miner {
    /// Looks after the chain of `node`, kept in `file`.
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

    /// Looks, mines and saves until told to end; then saves once more.
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

    /// Reads the blocks that are new. True when there are any: whoever read them must find them again after a restart.
    async fn look(&mut self) -> anyhow::Result<bool> {
        let head = self.node.head().await?;
        let Some(newest) = self.node.block(head).await? else { return Ok(false) };
        let first = match &self.seen {
            Some((number, hash)) if *number == head && *hash == newest.hash => return Ok(false),
            // Grown: what is new. Not grown, yet another block: reorganised, so all that may still wait.
            Some((number, _)) if *number < head => number.saturating_add(1),
            _ => head.saturating_sub(self.confirmations),
        };
        for number in first..=head {
            let Some(block) = self.node.block(number).await? else { break };
            if !block.transactions.is_empty() {
                self.last_with_transaction = Some(number);
                // The first block after a transaction comes a block time after it.
                self.block_due = Instant::now().checked_add(BLOCK_TIME).unwrap_or_else(Instant::now);
            }
        }
        self.seen = Some((head, newest.hash));
        Ok(true)
    }
}

/// Whether the transaction in block `last` is less than `needed` blocks deep.
fn waits(last: Option<u64>, head: u64, needed: u64) -> bool {
    last.is_some_and(|last| domain::chain::confirmations(last, head) < needed)
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
}
