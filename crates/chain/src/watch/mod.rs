//! Reads blocks, and extracts the transfers of followed addresses and the Escrow's settlements.
//!
//! Each call returns the blocks that replace all known blocks from a block number upward, so a reorganization is an
//! ordinary update. This module keeps no state between calls.

mod ancestor;
pub(crate) mod facts;
mod past;
mod read;

use std::collections::HashSet;
use std::hash::BuildHasher;

use async_trait::async_trait;
use domain::chain::{Address, Block, BlockNumber, BlockRef};

use crate::node::{Node, NodeError};

pub use past::{Past, past};

/// The accounts whose transfers are reported, such as vaults. There may be millions, so that only those that occur in the
/// blocks are looked up.
#[async_trait]
pub trait Accounts: Send + Sync {
    /// Returns those of the addresses that are followed. Fails with the reason, for operators.
    async fn among(&self, addresses: Vec<Address>) -> Result<HashSet<Address>, String>;
}

#[async_trait]
impl<S: BuildHasher + Send + Sync> Accounts for HashSet<Address, S> {
    async fn among(&self, addresses: Vec<Address>) -> Result<HashSet<Address>, String> {
        Ok(addresses.into_iter().filter(|address| self.contains(address)).collect())
    }
}

/// The contracts to follow. Logs of other contracts are ignored.
#[derive(Debug, Clone)]
pub struct Watched {
    /// ERC-20 contracts. Their transfers from or to followed accounts are reported.
    pub tokens: HashSet<Address>,
    /// ERC-721 contracts. All their transfers are reported.
    pub albums: HashSet<Address>,
    pub escrow: Address,
}

impl Watched {
    /// Creates a value that follows only the Escrow's events.
    pub fn of(escrow: Address) -> Self {
        Self { tokens: HashSet::new(), albums: HashSet::new(), escrow }
    }
}

/// The blocks that replace all known blocks from `replace_from` upward.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RangeUpdate {
    /// The number of the first block to revert.
    pub replace_from: BlockNumber,
    /// The node's newest block when the range was read.
    pub head: BlockNumber,
    /// The new blocks, ascending from `replace_from` without gaps. If the chain became shorter, there may be fewer new
    /// than reverted blocks.
    pub blocks: Vec<Block>,
}

/// Why a range could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WatchError {
    #[error(transparent)]
    Node(#[from] NodeError),
    /// The chain changed while it was read, or the node's responses are inconsistent. A retry may succeed.
    #[error("the node's blocks are inconsistent: {0}")]
    Inconsistent(String),
    /// The followed accounts could not be looked up. A retry may succeed.
    #[error("the accounts cannot be looked up: {0}")]
    Accounts(String),
    /// None of the known blocks is on the node's chain. Retry with older blocks.
    #[error("the chain was reorganized below block {oldest}")]
    DeeperThan {
        /// The oldest known block.
        oldest: BlockNumber,
    },
}

impl WatchError {
    /// Returns whether a retry may succeed.
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Node(error) => error.is_transient(),
            Self::Inconsistent(_) | Self::Accounts(_) => true,
            Self::DeeperThan { .. } => false,
        }
    }
}

/// Reads the next range: at most `most` blocks after the newest known block that is on the node's chain. Returns `None`
/// if nothing has changed.
///
/// `known` contains the newest blocks that were read: newest first, without gaps. If it is empty, reading starts at
/// `start`.
pub async fn next_range(
    node: &dyn Node,
    watched: &Watched,
    accounts: &dyn Accounts,
    most: u64,
    known: &[BlockRef],
    start: BlockNumber,
) -> Result<Option<RangeUpdate>, WatchError> {
    let head = node.head().await?;
    let ancestor = match (known.first(), known.last()) {
        (Some(newest), Some(oldest)) => match ancestor::find(node, head, known).await? {
            Some(common) => Some((common, common == *newest)),
            // Not even the first block that was read is on the node's chain: replace all blocks.
            None if oldest.number == start => None,
            None => return Err(WatchError::DeeperThan { oldest: oldest.number }),
        },
        _ => None,
    };
    let replace_from = ancestor.map_or(start, |(common, _)| common.number.saturating_add(1));
    if head < replace_from {
        // Report it if the node's chain is now shorter than the known chain.
        let shorter = ancestor.map_or(!known.is_empty(), |(_, is_newest)| !is_newest);
        return Ok(shorter.then(|| RangeUpdate { replace_from, head, blocks: Vec::new() }));
    }
    let last = head.min(replace_from.saturating_add(most.saturating_sub(1)));
    let parent = ancestor.map(|(common, _)| common.hash);
    let blocks = read::range(node, watched, accounts, parent, replace_from, last, head).await?;
    Ok(Some(RangeUpdate { replace_from, head, blocks }))
}
