//! The past of albums: indexes the transfers of an album in blocks that ingestion read before the album was configured, or that
//! precede the first block that it reads.
//!
//! This completes the holders and the history of NFTs. It credits nothing: an NFT that a vault received in these blocks, and
//! still holds, is credited when the balances of the vault are compared ([`super::apply_balances`]).

use domain::chain::{Block, BlockNumber};
use store::album_backfills;
use store::{blocks, nfts};

use super::assets::ChainAssets;
use super::record::nft_transfers;
use crate::{Context, Result};

pub use store::album_backfills::Backfill;

/// Returns the albums with blocks that are still to be read, in the order of their turns.
pub async fn unfinished(context: &Context) -> Result<Vec<Backfill>> {
    let mut tx = context.store.alone().await?;
    Ok(album_backfills::unfinished(&mut tx).await?)
}

/// Indexes the transfers in the blocks from `backfill.next` to `last`, all of them final. `past` contains the blocks that have any.
///
/// Returns `false` and changes nothing if another worker was faster or blocks were replaced meanwhile: read again.
pub async fn apply(context: &Context, backfill: &Backfill, past: &[Block], last: BlockNumber) -> Result<bool> {
    let chain = backfill.chain;
    let (mut tx, now) = context.begin().await?;
    let (_, newest_final) = blocks::lock_progress(&mut tx, chain).await?;
    let places: Vec<_> = past.iter().map(|block| block.place).collect();
    if newest_final.is_none_or(|newest| newest < last)
        || blocks::contradict(&mut tx, chain, &places).await?
        || !album_backfills::advance(&mut tx, backfill, last).await?
    {
        tx.rollback().await?;
        return Ok(false);
    }
    let mut assets = ChainAssets::load(&mut tx, chain).await?;
    assets.discover(&mut tx, past, now).await?;
    nfts::insert_transfers(&mut tx, chain, &nft_transfers(past, &assets)).await?;
    tx.commit().await?;
    Ok(true)
}
