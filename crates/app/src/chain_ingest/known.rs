//! Stage 1: reads what is known of the chain, under a lock that keeps other readers out until the commit.

use domain::chain::{BlockHash, BlockNumber, ChainId};
use store::blocks;
use store::{Tx, catalog};

use super::assets::ChainAssets;
use super::range::Range;
use crate::{Error, Result};

/// The stored state of the chain before a range is applied.
pub(super) struct Known {
    pub(super) chain: ChainId,
    /// The newest stored block.
    pub(super) head: Option<BlockNumber>,
    /// The newest final block.
    pub(super) newest_final: Option<BlockNumber>,
    /// The number of confirmations after which a block is final.
    pub(super) confirmations: u64,
    pub(super) assets: ChainAssets,
}

/// Reads and locks the stored state on which a range builds. Returns it with the part of the range that is not stored yet.
/// Returns `None` if the stored blocks have changed since the range was read, or if an album was configured. Refuses a range that does not join them.
pub(super) async fn lock(tx: &mut Tx, range: &Range) -> Result<Option<(Known, Range)>> {
    let (head, newest_final) = blocks::lock_progress(tx, range.chain).await?;
    let stored = match head {
        Some(head) => blocks::at(tx, range.chain, head).await?,
        None => None,
    };
    if stored != range.read_on {
        return Ok(None);
    }
    let confirmations = catalog::escrow_chain(tx).await?.ok_or(Error::Unavailable { what: "the chain" })?.confirmations;
    check_joins(tx, range, head).await?;
    let assets = ChainAssets::load(tx, range.chain).await?;
    if !assets.albums().all(|contract| range.albums.contains(&contract)) {
        return Ok(None);
    }
    let range = without_stored_blocks(tx, range, head).await?;
    Ok(Some((Known { chain: range.chain, head, newest_final, confirmations, assets }, range)))
}

/// Refuses a range that does not join the stored blocks.
async fn check_joins(tx: &mut Tx, range: &Range, head: Option<BlockNumber>) -> Result<()> {
    let gap = |why: &str| Err(Error::Internal(format!("blocks from {} on do not join: {why}", range.replace_from)));
    let next = head.map(|head| head.saturating_add(1));
    if next.is_some_and(|next| range.replace_from > next) {
        return gap("some are missing before them");
    }
    let mut expected = range.replace_from;
    let mut parent: Option<BlockHash> = match range.replace_from.checked_sub(1) {
        Some(below) => blocks::at(tx, range.chain, below).await?.map(|block| block.hash),
        None => None,
    };
    for block in &range.blocks {
        if block.place.number != expected {
            return gap("a height is missing among them");
        }
        if parent.is_some_and(|parent| parent != block.place.parent) {
            return gap("a parent is another block");
        }
        parent = Some(block.place.hash);
        expected = expected.saturating_add(1);
    }
    Ok(())
}

/// Returns the range without the leading blocks that are already stored. If all its blocks are stored, the returned
/// range removes none of the stored blocks above them. Only a range that was read without blocks removes stored blocks
/// without a replacement.
async fn without_stored_blocks(tx: &mut Tx, range: &Range, head: Option<BlockNumber>) -> Result<Range> {
    let mut rest = range.blocks.as_slice();
    while let Some((first, others)) = rest.split_first() {
        if blocks::at(tx, range.chain, first.place.number).await? != Some(first.place) {
            break;
        }
        rest = others;
    }
    let replace_from = match (rest.first(), range.blocks.last()) {
        (Some(first), _) => first.place.number,
        (None, Some(last)) => head.unwrap_or(last.place.number).saturating_add(1),
        (None, None) => range.replace_from,
    };
    Ok(Range { replace_from, blocks: rest.to_vec(), ..range.clone() })
}
