//! Finds the newest known block that is still on the node's chain.

use domain::chain::{BlockNumber, BlockRef};

use super::WatchError;
use crate::node::{Node, NodeError};

/// Finds the newest block of `known` (newest first, without gaps) that is on the node's chain. Uses binary search: if a
/// block is on the chain, all earlier blocks are as well.
pub(super) async fn find(
    node: &dyn Node,
    head: BlockNumber,
    known: &[BlockRef],
) -> Result<Option<BlockRef>, WatchError> {
    // Try the newest known block first, because there is usually no reorganization.
    let Some(newest) = known.first() else { return Ok(None) };
    if is_on(node, head, newest).await? {
        return Ok(Some(*newest));
    }
    // `known[..apart]` is not on the node's chain; `known[joined..]` is.
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
    // Can happen if the node's responses are inconsistent, or if another node of a quorum reported the head.
    let found =
        found.ok_or_else(|| NodeError::Transient(format!("no block {} below the head {head}", block.number)))?;
    Ok(found.place.hash == block.hash)
}
