//! Blocks in, facts out: what came to and left the addresses that matter, and what the Escrow did.
//!
//! A reader that asks for the next range gets the blocks that replace everything it knows from a height on. A
//! reorganisation is therefore an ordinary range. Nothing is kept here between two calls.

mod ancestor;
mod facts;
mod read;

use std::collections::HashSet;

use domain::chain::{Address, BlockNumber, BlockRef, Reference, Token, TxHash};
use domain::money::Amount;

use crate::node::{Node, NodeError};
use crate::settlements::SettlementOutcome;

/// Whose coins and which contracts are followed. Logs of any other contract are never believed.
#[derive(Debug, Clone)]
pub struct Watched {
    /// Vaults, and other addresses whose transfers are asked for.
    pub accounts: HashSet<Address>,
    /// ERC-20 contracts: transfers from or to the accounts.
    pub tokens: HashSet<Address>,
    /// ERC-721 contracts: all transfers.
    pub albums: HashSet<Address>,
    /// The Escrow.
    pub escrow: Address,
}

impl Watched {
    /// The Escrow's own events and nothing else yet.
    pub fn of(escrow: Address) -> Self {
        Self { accounts: HashSet::new(), tokens: HashSet::new(), albums: HashSet::new(), escrow }
    }
}

/// How much is read at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The most blocks of one range.
    pub blocks: u64,
    /// How deep below the head logs are asked for by ranges of heights. Above that they are asked for block by block, by
    /// hash, because a node that lags answers a range that it has not reached with nothing.
    pub settled_depth: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { blocks: 500, settled_depth: 64 }
    }
}

/// Coins or an NFT that moved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transfer {
    /// In which transaction.
    pub tx: TxHash,
    /// The log's place in the block, or below zero for the native coin: −1 − the transaction's place, or the least number
    /// there is + the reference for what the Escrow paid.
    pub position: i64,
    /// Of what.
    pub token: Token,
    /// From where; the zero address for what was created.
    pub from: Address,
    /// To where; the zero address for what was destroyed.
    pub to: Address,
    /// How much, in base units; 1 for an NFT. Never zero.
    pub amount: Amount,
}

/// What the Escrow did with a reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settlement {
    /// In which transaction.
    pub tx: TxHash,
    /// Which leg.
    pub reference: Reference,
    /// What happened.
    pub outcome: SettlementOutcome,
}

/// One block and what it says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockFacts {
    /// Its height and hashes.
    pub block: BlockRef,
    /// Its time, in seconds since 1970.
    pub timestamp: u64,
    /// In the order of the block: the native coin's first.
    pub transfers: Vec<Transfer>,
    /// In the order of the block.
    pub settlements: Vec<Settlement>,
}

/// The blocks that replace all that is known from a height on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RangeUpdate {
    /// The first height to forget.
    pub replace_from: BlockNumber,
    /// The height of the node's newest block when this was read.
    pub head: BlockNumber,
    /// Ascending from `replace_from`, without gaps. Fewer than were forgotten if the chain has become shorter.
    pub blocks: Vec<BlockFacts>,
}

/// Why there is no range.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WatchError {
    /// The node gave no answer.
    #[error(transparent)]
    Node(#[from] NodeError),
    /// The chain changed while it was read, or the node contradicts itself: ask again.
    #[error("the node's blocks do not fit together: {0}")]
    Inconsistent(String),
    /// None of the known blocks is on the node's chain: ask again with older ones.
    #[error("the chain was reorganised below block {oldest}")]
    DeeperThan {
        /// The height of the oldest block that was given.
        oldest: BlockNumber,
    },
}

impl WatchError {
    /// Whether asking the same again later may help.
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Node(error) => error.is_transient(),
            Self::Inconsistent(_) => true,
            Self::DeeperThan { .. } => false,
        }
    }
}

/// Reads the next range: from the newest block that both sides know, at most [`Limits::blocks`] of them. Nothing if there
/// is nothing new.
///
/// `known` are the newest blocks that were read, newest first, without gaps; with none, reading begins at `start`.
pub async fn next_range(
    node: &dyn Node,
    watched: &Watched,
    limits: Limits,
    known: &[BlockRef],
    start: BlockNumber,
) -> Result<Option<RangeUpdate>, WatchError> {
    let head = node.head().await?;
    let ancestor = match (known.first(), known.last()) {
        (Some(newest), Some(oldest)) => match ancestor::find(node, head, known).await? {
            Some(common) => Some((common, common == *newest)),
            // The first block of all that we read has no ancestor that we know: all of it is replaced.
            None if oldest.number == start => None,
            None => return Err(WatchError::DeeperThan { oldest: oldest.number }),
        },
        _ => None,
    };
    let replace_from = ancestor.map_or(start, |(common, _)| common.number.saturating_add(1));
    if head < replace_from {
        // Shorter than what is known: that is news. Otherwise there is none.
        let shorter = ancestor.map_or(!known.is_empty(), |(_, is_newest)| !is_newest);
        return Ok(shorter.then(|| RangeUpdate { replace_from, head, blocks: Vec::new() }));
    }
    let last = head.min(replace_from.saturating_add(limits.blocks.saturating_sub(1)));
    let parent = ancestor.map(|(common, _)| common.hash);
    let blocks = read::range(node, watched, limits, parent, replace_from, last, head).await?;
    Ok(Some(RangeUpdate { replace_from, head, blocks }))
}
