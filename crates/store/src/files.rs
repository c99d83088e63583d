//! Uploaded files, and the objects of the file store that no file uses.

use domain::clock::Timestamp;
use domain::files::{Attachment, Content, Look, MediaType, Purpose, StoredFile};
use domain::ids::{FileId, OrderId, PaymentMethodId, UserId};
use uuid::Uuid;

use crate::columns::{column, signed, uuids};
use crate::{Error, Result, Tx};

struct Row {
    id: Uuid,
    owner: Uuid,
    object: Uuid,
    media_type: String,
    bytes: i64,
    width: Option<i32>,
    height: Option<i32>,
    look: Option<i64>,
    grid: Option<Vec<u8>>,
    duration_ms: Option<i32>,
    sha256: Vec<u8>,
    created_at: Timestamp,
    purpose: Option<String>,
    order_id: Option<Uuid>,
    method_id: Option<Uuid>,
    used_before: bool,
}

impl TryFrom<Row> for StoredFile {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self> {
        let wrong = |why| Error::row("files", row.id, why);
        let size = |value: i32| u32::try_from(value).map_err(|_| wrong("size"));
        let content = match (row.width, row.height, row.look, row.grid, row.duration_ms) {
            (Some(width), Some(height), Some(look), Some(grid), None) => Content::Image {
                width: size(width)?,
                height: size(height)?,
                look: Look { hash: look.cast_unsigned(), grid },
            },
            (None, None, None, None, Some(duration)) => Content::Video { milliseconds: size(duration)? },
            _ => return Err(wrong("content")),
        };
        let attached = match (row.purpose.as_deref(), row.order_id, row.method_id) {
            (None, None, None) => None,
            (Some("payment_qr"), None, Some(method)) => Some(Attachment::PaymentMethod(PaymentMethodId(method))),
            (Some(purpose), Some(order), None) => Some(Attachment::Order {
                order: OrderId(order),
                purpose: match purpose {
                    "receipt" => Purpose::Receipt,
                    "evidence" => Purpose::Evidence,
                    "message" => Purpose::Message,
                    _ => return Err(wrong("purpose")),
                },
            }),
            _ => return Err(wrong("attachment")),
        };
        Ok(Self {
            id: FileId(row.id),
            owner: UserId(row.owner),
            object: row.object,
            media: MediaType::named(&row.media_type).ok_or_else(|| wrong("media type"))?,
            bytes: u64::try_from(row.bytes).map_err(|_| wrong("bytes"))?,
            content,
            sha256: row.sha256.try_into().map_err(|_| wrong("sha256"))?,
            created_at: row.created_at,
            attached,
            used_before: row.used_before,
        })
    }
}

macro_rules! select {
    ($tx:expr, $grid:literal, $rest:literal, $argument:expr) => {
        sqlx::query_as!(
            Row,
            "select id, owner, object, media_type, bytes, width, height, look, duration_ms, sha256, created_at,
                    purpose::text, order_id, method_id, used_before, "
                + $grid
                + " from files where "
                + $rest,
            $argument
        )
        .fetch_all($tx.connection())
        .await?
        .into_iter()
        .map(StoredFile::try_from)
        .collect()
    };
}

/// Returns the files with these IDs that exist, without the grids of pictures.
pub async fn by_ids(tx: &mut Tx, ids: &[FileId]) -> Result<Vec<StoredFile>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    select!(tx, "case when look is not null then ''::bytea end as grid", "id = any($1) order by id", &uuids(ids))
}

/// Returns the files with these IDs that exist, with the grids of pictures.
pub(crate) async fn with_grids(tx: &mut Tx, ids: &[FileId]) -> Result<Vec<StoredFile>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    select!(tx, "grid", "id = any($1) order by id", &uuids(ids))
}

/// Locks and returns the files with these IDs that exist, without the grids of pictures.
pub async fn lock(tx: &mut Tx, ids: &[FileId]) -> Result<Vec<StoredFile>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    select!(
        tx,
        "case when look is not null then ''::bytea end as grid",
        "id = any($1) order by id for no key update",
        &uuids(ids)
    )
}

/// Returns everything that is attached to an order, oldest first, without the grids of pictures.
pub async fn of_order(tx: &mut Tx, order: OrderId) -> Result<Vec<StoredFile>> {
    select!(tx, "case when look is not null then ''::bytea end as grid", "order_id = $1 order by id", order.0)
}

/// Returns the number of the user's files that are not attached to anything.
pub async fn count_loose(tx: &mut Tx, user: UserId) -> Result<u32> {
    let count = sqlx::query_scalar!(
        r#"select count(*) as "count!" from files where owner = $1 and loose_since is not null"#,
        user.0
    )
    .fetch_one(tx.connection())
    .await?;
    u32::try_from(count).map_err(|_| Error::row("files", user, "count"))
}

/// Returns the size of what a user has uploaded since a time and not lost again, in bytes.
pub async fn bytes_since(tx: &mut Tx, user: UserId, since: Timestamp) -> Result<u64> {
    let bytes = sqlx::query_scalar!(
        r#"select coalesce(sum(bytes), 0)::bigint as "bytes!" from files where owner = $1 and created_at > $2"#,
        user.0,
        since
    )
    .fetch_one(tx.connection())
    .await?;
    u64::try_from(bytes).map_err(|_| Error::row("files", user, "bytes"))
}

/// Returns the number of files that a user has attached to the messages about an order, and their size in bytes.
pub async fn in_messages(tx: &mut Tx, order: OrderId, user: UserId) -> Result<(u64, u64)> {
    let row = sqlx::query!(
        r#"select count(*) as "count!", coalesce(sum(bytes), 0)::bigint as "bytes!" from files
           where order_id = $1 and owner = $2 and purpose = 'message'"#,
        order.0,
        user.0
    )
    .fetch_one(tx.connection())
    .await?;
    let number = |value| u64::try_from(value).map_err(|_| Error::row("files", user, "count"));
    Ok((number(row.count)?, number(row.bytes)?))
}

/// Stores a file that is not attached to anything. Its object is no longer loose.
///
/// Returns `false`, and stores nothing, if the object was cleaned up in the meantime.
pub async fn insert(tx: &mut Tx, file: &StoredFile) -> Result<bool> {
    let (mut width, mut height, mut look, mut grid, mut duration) = (None, None, None, None, None);
    let pixels = |size: u32| i32::try_from(size).map_err(|_| Error::row("files", file.id, "size"));
    match &file.content {
        Content::Image { width: of, height: by, look: shown } => {
            (width, height) = (Some(pixels(*of)?), Some(pixels(*by)?));
            (look, grid) = (Some(shown.hash.cast_signed()), Some(shown.grid.as_slice()));
        }
        Content::Video { milliseconds } => duration = Some(pixels(*milliseconds)?),
    }
    let taken =
        sqlx::query!("delete from loose_objects where object = $1", file.object).execute(tx.connection()).await?;
    if taken.rows_affected() == 0 {
        return Ok(false);
    }
    sqlx::query!(
        "insert into files (id, owner, object, media_type, bytes, width, height, look, grid, duration_ms, sha256, created_at,
                            loose_since)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12)",
        file.id.0,
        file.owner.0,
        file.object,
        file.media.name(),
        signed(file.bytes)?,
        width,
        height,
        look,
        grid,
        duration,
        &file.sha256,
        file.created_at
    )
    .execute(tx.connection())
    .await?;
    Ok(true)
}

/// Attaches locked files. Returns `false`, and the transaction must be rolled back, if one of them is attached already.
/// Pictures of orders then wait to be compared with earlier ones.
pub async fn attach(tx: &mut Tx, files: &[(FileId, Attachment)], now: Timestamp) -> Result<bool> {
    if files.is_empty() {
        return Ok(true);
    }
    let order = |to: &Attachment| match to {
        Attachment::Order { order, .. } => Some(order.0),
        Attachment::PaymentMethod(_) => None,
    };
    let method = |to: &Attachment| match to {
        Attachment::Order { .. } => None,
        Attachment::PaymentMethod(method) => Some(method.0),
    };
    let done = sqlx::query!(
        "update files set purpose = f.purpose::file_purpose, order_id = f.order_id, method_id = f.method_id, attached_at = $5,
                loose_since = null, uncompared = f.order_id is not null and look is not null
         from unnest($1::uuid[], $2::text[], $3::uuid[], $4::uuid[]) as f (id, purpose, order_id, method_id)
         where files.id = f.id and loose_since is not null",
        &column(files, |(id, _)| id.0),
        &column(files, |(_, to)| purpose_of(to).to_owned()),
        &column(files, |(_, to)| order(to)) as _,
        &column(files, |(_, to)| method(to)) as _,
        now
    )
    .execute(tx.connection())
    .await?;
    Ok(u64::try_from(files.len()).is_ok_and(|count| count == done.rows_affected()))
}

fn purpose_of(to: &Attachment) -> &'static str {
    match to {
        Attachment::PaymentMethod(_) => "payment_qr",
        Attachment::Order { purpose: Purpose::Receipt, .. } => "receipt",
        Attachment::Order { purpose: Purpose::Evidence, .. } => "evidence",
        Attachment::Order { purpose: Purpose::Message, .. } => "message",
    }
}

/// Detaches the pictures of a payment method, except `kept`.
pub async fn release_pictures(tx: &mut Tx, method: PaymentMethodId, kept: &[FileId], now: Timestamp) -> Result<()> {
    sqlx::query!(
        "update files set purpose = null, method_id = null, attached_at = null, loose_since = $3
         where method_id = $1 and not id = any($2)",
        method.0,
        &uuids(kept),
        now
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Notes an object that no file uses yet.
pub async fn insert_loose_object(tx: &mut Tx, object: Uuid, now: Timestamp) -> Result<()> {
    sqlx::query!("insert into loose_objects (object, since) values ($1, $2)", object, now)
        .execute(tx.connection())
        .await?;
    Ok(())
}

/// Deletes files that have been loose since before a time. Their objects become loose objects. Returns their number.
pub async fn delete_loose(tx: &mut Tx, before: Timestamp, limit: i64) -> Result<u64> {
    let done = sqlx::query!(
        "with oldest as (
             select id from files where loose_since < $1 order by loose_since limit $2 for update skip locked
         ), deleted as (
             delete from files where id in (select id from oldest) returning object, loose_since
         )
         insert into loose_objects (object, since) select object, loose_since from deleted",
        before,
        limit
    )
    .execute(tx.connection())
    .await?;
    Ok(done.rows_affected())
}

/// Locks and returns objects that no file has used since before a time, unless another process has locked them.
pub async fn lock_loose_objects(tx: &mut Tx, before: Timestamp, limit: i64) -> Result<Vec<Uuid>> {
    Ok(sqlx::query_scalar!(
        "select object from loose_objects where since < $1 order by since limit $2 for update skip locked",
        before,
        limit
    )
    .fetch_all(tx.connection())
    .await?)
}

/// Forgets objects that were deleted from the file store.
pub async fn delete_objects(tx: &mut Tx, objects: &[Uuid]) -> Result<()> {
    sqlx::query!("delete from loose_objects where object = any($1)", objects).execute(tx.connection()).await?;
    Ok(())
}

/// Returns the key that signs links, if there is one.
pub async fn link_key(tx: &mut Tx) -> Result<Option<[u8; 32]>> {
    let key = sqlx::query_scalar!("select key from link_keys").fetch_optional(tx.connection()).await?;
    key.map(|key| key.try_into().map_err(|_| Error::row("link_keys", "key", "length"))).transpose()
}

/// Stores the key that signs links, unless there is one.
pub async fn put_link_key(tx: &mut Tx, key: &[u8; 32]) -> Result<()> {
    sqlx::query!("insert into link_keys (key) values ($1) on conflict do nothing", key.as_slice())
        .execute(tx.connection())
        .await?;
    Ok(())
}
