//! The newest block that the reader and the node have in common.

use domain::chain::{BlockNumber, BlockRef};

use super::WatchError;
use crate::node::{Node, NodeError};

/// Finds the newest of `known` (newest first, without gaps) on the node's chain. Uses binary search: if a block is on
/// the chain, so are all before it.
pub(super) async fn find(
    node: &dyn Node,
    head: BlockNumber,
    known: &[BlockRef],
) -> Result<Option<BlockRef>, WatchError> {
    // Usually it is the newest.
    let Some(newest) = known.first() else { return Ok(None) };
    if is_on(node, head, newest).await? {
        return Ok(Some(*newest));
    }
    // `known[..apart]` are not on the node's chain; those from `joined` on are.
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
    // The node contradicts itself, or another one reported the head.
    let found =
        found.ok_or_else(|| NodeError::Transient(format!("no block {} below the head {head}", block.number)))?;
    Ok(found.place.hash == block.hash)
}
