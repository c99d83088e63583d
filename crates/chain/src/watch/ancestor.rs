//! The newest block that both the reader and the node know.

use domain::chain::{BlockNumber, BlockRef};

use super::WatchError;
use crate::node::{Node, NodeError};

/// The newest of `known` (newest first, without gaps) that is on the node's chain, found by halving: if a block is on it,
/// all before it are.
pub(super) async fn find(
    node: &dyn Node,
    head: BlockNumber,
    known: &[BlockRef],
) -> Result<Option<BlockRef>, WatchError> {
    // Nearly always it is the newest.
    let Some(newest) = known.first() else { return Ok(None) };
    if is_on(node, head, newest).await? {
        return Ok(Some(*newest));
    }
    // `known[..apart]` are off the node's chain; from `joined` on they are on it.
    let (mut apart, mut joined) = (1, known.len());
    while apart < joined {
        let middle = apart.midpoint(joined);
        match known.get(middle) {
            Some(block) if is_on(node, head, block).await? => joined = middle,
            _ => apart = middle.saturating_add(1),
        }
    }
    Ok(known.get(joined).copied())
}

async fn is_on(node: &dyn Node, head: BlockNumber, block: &BlockRef) -> Result<bool, WatchError> {
    if block.number > head {
        return Ok(false);
    }
    let found = node.header(block.number).await?;
    // A node that has no block below its own head is confused, or another than the one that named the head.
    let found =
        found.ok_or_else(|| NodeError::Transient(format!("no block {} below the head {head}", block.number)))?;
    Ok(found.place.hash == block.hash)
}
