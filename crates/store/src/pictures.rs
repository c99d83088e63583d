//! The search for pictures that were attached to another order before.

use domain::files::{Content, LARGEST_DISTANCE, Look, Purpose, StoredFile};
use domain::ids::{FileId, OrderId};

use crate::columns::uuids;
use crate::{Result, Tx, files};

/// The key of the lock that the process which compares pictures holds.
const COMPARISON_LOCK: i64 = 0x6d65_6332_6366_696c;
/// The maximum number of rows of a band that are read: of proofs, and of messages.
const MAX_SCANNED_ROWS: i64 = 5_000;
/// The maximum number of pictures with a similar hash whose grids are compared: of proofs, and of messages.
const MAX_CANDIDATES: i64 = 2_000;
/// The places of the bands in a hash.
const PLACES: [i16; 4] = [0, 1, 2, 3];

/// Locks the comparison until the end of the transaction. Returns `false` if another process compares pictures. Otherwise, of
/// two equal pictures neither might be recognized.
pub async fn lock(tx: &mut Tx) -> Result<bool> {
    let locked = sqlx::query_scalar!(r#"select pg_try_advisory_xact_lock($1) as "locked!""#, COMPARISON_LOCK);
    Ok(locked.fetch_one(tx.connection()).await?)
}

/// Returns pictures that wait for their comparison, in the order in which they were attached.
pub async fn uncompared(tx: &mut Tx, limit: i64) -> Result<Vec<StoredFile>> {
    let ids = sqlx::query_scalar!("select id from files where uncompared order by attached_at, id limit $1", limit)
        .fetch_all(tx.connection())
        .await?;
    let ids: Vec<_> = ids.into_iter().map(FileId).collect();
    let mut found = files::with_grids(tx, &ids).await?;
    found.sort_by_key(|file| ids.iter().position(|id| *id == file.id));
    Ok(found)
}

/// Returns whether a picture with the same content, or one that [`Look::is_same`] recognizes, was attached to another order
/// before. Evidence is compared only with receipts and evidence, and not with what users show in their conversations.
///
/// The same content is always found. Of the similar pictures, the newest of each band are considered, messages apart from proofs,
/// so that many messages do not hide a receipt.
pub async fn was_used(tx: &mut Tx, file: &StoredFile, order: OrderId, purpose: Purpose) -> Result<bool> {
    let Content::Image { look, .. } = &file.content else { return Ok(false) };
    let proofs_only = purpose == Purpose::Evidence;
    // A picture that waits as well counts only if it was attached earlier. Otherwise, of two copies that wait together, the first
    // would be reported, too.
    let same = sqlx::query_scalar!(
        r#"select exists(select from files f join files of on of.id = $4
                         where f.sha256 = $1 and f.order_id is not null and f.order_id <> $2
                           and (f.purpose in ('receipt', 'evidence') or not $3)
                           and (not f.uncompared or (f.attached_at, f.id) < (of.attached_at, of.id))) as "same!""#,
        &file.sha256,
        order.0,
        proofs_only,
        file.id.0
    )
    .fetch_one(tx.connection())
    .await?;
    if same {
        return Ok(true);
    }
    let near = sqlx::query!(
        r#"select f.look as "look!", f.grid as "grid!"
           from unnest(case when $5 then array[true] else array[true, false] end) as kind (is_proof)
           cross join lateral (
               select n.file from unnest($1::smallint[], $2::int[]) as wanted (place, band)
               cross join lateral (
                   select b.file, b.look from picture_bands b
                   where b.place = wanted.place and b.band = wanted.band and b.is_proof = kind.is_proof
                   order by b.file desc limit $8
               ) n
               where bit_count((n.look # $3)::bit(64)) <= $4
               group by n.file order by n.file desc limit $6
           ) found
           join files f on f.id = found.file
           where f.order_id <> $7"#,
        &PLACES,
        &bands(look),
        look.hash.cast_signed(),
        i64::from(LARGEST_DISTANCE),
        proofs_only,
        MAX_CANDIDATES,
        order.0,
        MAX_SCANNED_ROWS
    )
    .fetch_all(tx.connection())
    .await?;
    let mut looks = near.into_iter().map(|row| Look { hash: row.look.cast_unsigned(), grid: row.grid });
    Ok(looks.any(|other| other.is_same(look)))
}

/// Makes a picture that is attached to an order known, so that its next use is recognized.
pub async fn remember(tx: &mut Tx, file: &StoredFile, purpose: Purpose) -> Result<()> {
    let Content::Image { look, .. } = &file.content else { return Ok(()) };
    sqlx::query!(
        "insert into picture_bands (place, band, file, look, is_proof)
         select place, band, $3, $4, $5 from unnest($1::smallint[], $2::int[]) as of (place, band)",
        &PLACES,
        &bands(look),
        file.id.0,
        look.hash.cast_signed(),
        purpose.is_proof()
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Records which of the compared pictures were used before.
pub async fn compared(tx: &mut Tx, all: &[FileId], used: &[FileId]) -> Result<()> {
    sqlx::query!(
        "update files set uncompared = false, used_before = id = any($2) where id = any($1)",
        &uuids(all),
        &uuids(used)
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

fn bands(look: &Look) -> Vec<i32> {
    look.bands().map(i32::from).to_vec()
}
