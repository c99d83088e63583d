//! Counts the confirmations of blocks.

use crate::memory::reference_data::Current;

/// Counts the confirmations of blocks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Confirmations {
    head: Option<u64>,
    pub(crate) needed: u64,
}

impl Confirmations {
    pub(crate) fn of_chain(current: &Current) -> Self {
        Self { head: current.head, needed: current.data.chain.as_ref().map_or(0, |chain| chain.confirmations) }
    }

    /// Returns whether this number of confirmations grows with the next block.
    pub(crate) fn grows(&self, confirmations: u64) -> bool {
        confirmations < self.needed
    }

    pub(crate) fn of(&self, block: u64) -> u64 {
        self.head.map_or(0, |head| domain::chain::confirmations(block, head)).min(self.needed)
    }
}
