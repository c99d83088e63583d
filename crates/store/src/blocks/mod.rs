//! Data of the chain: blocks, transfers that touch vaults, and settlements. Block ranges are replaced as a whole.

mod settlements;
mod transfers;

use domain::chain::{Block, BlockHash, BlockNumber, BlockRef, ChainId};

use crate::columns::signed;
use crate::{Error, Result, Tx};

pub use settlements::*;
pub use transfers::*;

/// Returns the newest block that was read and the newest final block. Locks the row, so that only one process ingests
/// the chain.
pub async fn lock_progress(tx: &mut Tx, chain: ChainId) -> Result<(Option<BlockNumber>, Option<BlockNumber>)> {
    let row = sqlx::query!(
        "select head_number, confirmed_number from chains where chain_id = $1 for no key update",
        signed(chain.0)?
    )
    .fetch_one(tx.connection())
    .await?;
    let height = |number: i64| u64::try_from(number).map_err(|_| Error::row("chains", chain.0, "negative height"));
    Ok((row.head_number.map(height).transpose()?, row.confirmed_number.map(height).transpose()?))
}

/// Stores the newest block that was read and the newest final block.
pub async fn set_progress(
    tx: &mut Tx,
    chain: ChainId,
    head: Option<BlockNumber>,
    confirmed: Option<BlockNumber>,
) -> Result<()> {
    sqlx::query!(
        "update chains set head_number = $2, confirmed_number = $3 where chain_id = $1",
        signed(chain.0)?,
        head.map(signed).transpose()?,
        confirmed.map(signed).transpose()?
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Returns the newest stored blocks, newest first.
pub async fn recent(tx: &mut Tx, chain: ChainId, most: i64) -> Result<Vec<BlockRef>> {
    let rows = sqlx::query!(
        "select number, hash, parent from blocks where chain_id = $1 order by number desc limit $2",
        signed(chain.0)?,
        most
    )
    .fetch_all(tx.connection())
    .await?;
    rows.into_iter().map(|row| block_ref(row.number, &row.hash, &row.parent)).collect()
}

/// Returns the stored block at a height.
pub async fn at(tx: &mut Tx, chain: ChainId, number: BlockNumber) -> Result<Option<BlockRef>> {
    let row = sqlx::query!(
        "select number, hash, parent from blocks where chain_id = $1 and number = $2",
        signed(chain.0)?,
        signed(number)?
    )
    .fetch_optional(tx.connection())
    .await?;
    row.map(|row| block_ref(row.number, &row.hash, &row.parent)).transpose()
}

fn block_ref(number: i64, hash: &[u8], parent: &[u8]) -> Result<BlockRef> {
    let wrong = |why| Error::row("blocks", number, why);
    Ok(BlockRef {
        number: u64::try_from(number).map_err(|_| wrong("height"))?,
        hash: BlockHash::from_slice(hash).ok_or_else(|| wrong("hash"))?,
        parent: BlockHash::from_slice(parent).ok_or_else(|| wrong("parent"))?,
    })
}

/// Returns whether another block is stored at the height of any of these blocks.
pub async fn contradict(tx: &mut Tx, chain: ChainId, blocks: &[BlockRef]) -> Result<bool> {
    let numbers = blocks.iter().map(|block| signed(block.number)).collect::<Result<Vec<_>>>()?;
    let hashes: Vec<_> = blocks.iter().map(|block| block.hash.0.to_vec()).collect();
    Ok(sqlx::query_scalar!(
        r#"select exists (select from unnest($2::bigint[], $3::bytea[]) as read (number, hash)
                          join blocks b on b.chain_id = $1 and b.number = read.number where b.hash <> read.hash) as "other!""#,
        signed(chain.0)?,
        &numbers,
        &hashes
    )
    .fetch_one(tx.connection())
    .await?)
}

/// Deletes all blocks at or above a height, with their transfers and settlements.
pub async fn delete_from(tx: &mut Tx, chain: ChainId, from: BlockNumber) -> Result<()> {
    sqlx::query!(
        "with moved as (delete from nft_transfers where chain_id = $1 and block_number >= $2)
         delete from blocks where chain_id = $1 and number >= $2",
        signed(chain.0)?,
        signed(from)?
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

pub async fn insert(tx: &mut Tx, chain: ChainId, blocks: &[Block]) -> Result<()> {
    let numbers = blocks.iter().map(|block| signed(block.place.number)).collect::<Result<Vec<_>>>()?;
    let hashes: Vec<_> = blocks.iter().map(|block| block.place.hash.0.to_vec()).collect();
    let parents: Vec<_> = blocks.iter().map(|block| block.place.parent.0.to_vec()).collect();
    let times: Vec<_> = blocks.iter().map(|block| block.at).collect();
    sqlx::query!(
        "insert into blocks (chain_id, number, hash, parent, at)
         select $1, * from unnest($2::bigint[], $3::bytea[], $4::bytea[], $5::timestamptz[])",
        signed(chain.0)?,
        &numbers,
        &hashes,
        &parents,
        &times
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}
