//! How far the past of each album is indexed: its transfers in blocks that were read before it was configured, or not at all.

use domain::assets::AssetId;
use domain::chain::{Address, BlockNumber, ChainId};

use crate::columns::{signed, vault_address};
use crate::{Error, Result, Tx};

/// The blocks of an album that are still to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Backfill {
    pub chain: ChainId,
    pub album: AssetId,
    pub contract: Address,
    /// The first of them.
    pub next: BlockNumber,
    /// The first block with which ingestion has read the transfers of the album.
    pub end: BlockNumber,
}

/// Notes which blocks of a new album are to be read. Keeps ingestion out until the transaction ends: every range that is applied
/// later contains the transfers of the album.
pub(crate) async fn plan(tx: &mut Tx, album: AssetId) -> Result<()> {
    sqlx::query!(
        "insert into album_backfills (asset_id, next_block, end_block)
         select l.asset_id, least(l.start_block, coalesce(c.head_number + 1, c.start_block)), coalesce(c.head_number + 1, c.start_block)
         from albums l join assets a on a.id = l.asset_id join chains c on c.chain_id = a.chain_id
         where l.asset_id = $1 for no key update of c
         on conflict do nothing",
        album.0
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Returns the albums with blocks that are still to be read. The one whose last range is oldest comes first.
pub async fn unfinished(tx: &mut Tx) -> Result<Vec<Backfill>> {
    let rows = sqlx::query!(
        r#"select c.chain_id, b.asset_id, a.contract as "contract!", b.next_block, b.end_block
           from album_backfills b join assets a on a.id = b.asset_id join chains c on c.chain_id = a.chain_id
           where b.next_block < b.end_block order by b.turn, b.asset_id"#
    )
    .fetch_all(tx.connection())
    .await?;
    let height =
        |number: i64, album| u64::try_from(number).map_err(|_| Error::row("album_backfills", album, "negative height"));
    rows.into_iter()
        .map(|row| {
            let chain = u64::try_from(row.chain_id).map_err(|_| Error::row("chains", row.chain_id, "negative id"))?;
            Ok(Backfill {
                chain: ChainId(chain),
                album: AssetId(row.asset_id),
                contract: vault_address(&row.contract, row.asset_id)?,
                next: height(row.next_block, row.asset_id)?,
                end: height(row.end_block, row.asset_id)?,
            })
        })
        .collect()
}

/// Notes that the blocks from `backfill.next` to `last` are read. Returns `false` if another worker has read them.
pub async fn advance(tx: &mut Tx, backfill: &Backfill, last: BlockNumber) -> Result<bool> {
    let done = sqlx::query!(
        "update album_backfills set next_block = $3, turn = (select max(turn) + 1 from album_backfills)
         where asset_id = $1 and next_block = $2",
        backfill.album.0,
        signed(backfill.next)?,
        signed(last.saturating_add(1))?
    )
    .execute(tx.connection())
    .await?;
    Ok(done.rows_affected() > 0)
}
