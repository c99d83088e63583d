//! Reads transfers of one album in old blocks, with as few requests as possible: the logs of a range of blocks, and the headers
//! of the blocks that have any.

use std::collections::BTreeMap;

use domain::chain::{Address, Block, BlockHash, BlockNumber};

use super::read::SETTLED_DEPTH;
use super::{WatchError, facts};
use crate::node::{LogFilter, LogRange, Node, NodeError};

/// A part of an album's past.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Past {
    /// The last block that was read.
    pub last: BlockNumber,
    /// The blocks with transfers of the album, ascending. They contain nothing else.
    pub blocks: Vec<Block>,
}

/// Reads the transfers of an album's NFTs from block `from` to block `to`, or to an earlier one if the node refuses so many blocks at
/// once. Returns `None` if `from` is so new that a lagging node might not have reached it.
pub async fn past(
    node: &dyn Node,
    album: Address,
    from: BlockNumber,
    to: BlockNumber,
) -> Result<Option<Past>, WatchError> {
    let settled = node.head().await?.checked_sub(SETTLED_DEPTH);
    let Some(mut last) = settled.map(|settled| to.min(settled)).filter(|last| *last >= from) else { return Ok(None) };
    let filter = LogFilter { contracts: vec![album], events: vec![facts::TRANSFER] };
    let logs = loop {
        match node.logs(LogRange::Heights(from, last), &filter).await {
            Err(NodeError::TooMuch(_)) if last > from => last = from.midpoint(last),
            answer => break answer?,
        }
    };
    let mut moved: BTreeMap<(BlockNumber, BlockHash), Vec<_>> = BTreeMap::new();
    for log in &logs {
        if let Some(transfer) = facts::nft(log) {
            moved.entry((log.block, log.block_hash)).or_default().push(transfer);
        }
    }
    let mut blocks = Vec::with_capacity(moved.len());
    for ((number, hash), transfers) in moved {
        let header = node.header_of(hash).await?.filter(|header| header.place.number == number);
        let header = header.filter(|_| (from..=last).contains(&number));
        let Some(header) = header else {
            return Err(WatchError::Inconsistent(format!("block {number} of a log is not on the chain")));
        };
        let at = facts::time(&header);
        blocks.push(Block {
            place: header.place,
            at,
            transfers,
            settlements: Vec::new(),
            metadata_updates: Vec::new(),
        });
    }
    Ok(Some(Past { last, blocks }))
}
