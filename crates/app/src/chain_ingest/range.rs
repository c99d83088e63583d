//! A range of blocks, as a reader of the chain hands it to ingestion.

use std::collections::HashSet;

use domain::chain::{Address, Block, BlockNumber, BlockRef, ChainId, Token};
use domain::money::Amount;

/// Consecutive blocks that replace all stored blocks from a height upward.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Range {
    pub chain: ChainId,
    /// The newest stored block when this range was read; `None` if no block was stored.
    pub read_on: Option<BlockRef>,
    /// The contracts of the albums whose transfers the blocks contain.
    pub albums: HashSet<Address>,
    /// All stored blocks at this height and above are removed first. The head's height plus one removes nothing.
    pub replace_from: BlockNumber,
    /// The new blocks, in order. Empty if the chain has become shorter. Transfers that touch neither a vault nor an
    /// address to which an order is paid are ignored.
    pub blocks: Vec<Block>,
    /// The holdings of the vaults that [`super::finalizing`] returned. If `None`, the node could not report them: this range
    /// finalizes no blocks, and a later range finalizes them instead.
    pub held: Option<Held>,
}

/// A vault's holdings as of a block, as reported by the node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Balance {
    pub vault: Address,
    pub token: Token,
    pub amount: Amount,
}

/// The known holdings of vaults as of a block.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Held {
    /// The block; `None` if no balance was requested.
    pub at: Option<BlockRef>,
    /// The balances that the node reported.
    pub known: Vec<Balance>,
    /// Vaults and tokens whose balance the token did not report, with the reason.
    pub unknown: Vec<(Address, Token, String)>,
}

impl Range {
    /// Returns the newest block once the range is applied.
    pub(super) fn head(&self) -> Option<BlockNumber> {
        self.blocks.last().map(|block| block.place.number).or_else(|| self.replace_from.checked_sub(1))
    }

    /// Returns the newest final block once the range is applied; `before` is the newest final block now.
    pub(super) fn newest_final(&self, before: Option<BlockNumber>, confirmations: u64) -> Option<BlockNumber> {
        let below = self.replace_from.checked_sub(1);
        let kept = before.filter(|before| *before < self.replace_from).or_else(|| before.and(below));
        let deep_enough = self.head().and_then(|head| head.checked_add(1)?.checked_sub(confirmations));
        if self.held.is_some() { deep_enough.max(kept) } else { kept }
    }
}
