//! The change feed: what transactions have changed, for processes that keep data in memory. Triggers write the rows (see the
//! migration); readers read them by snapshot, so that a long transaction neither delays nor hides the changes of others.

use chrono::Duration;
use domain::clock::Timestamp;
use domain::ids::{AdvertId, OrderId, UserId};
use uuid::Uuid;

use crate::reference_data::Freshness;
use crate::{Error, Result, Tx};

/// Something that was changed and must be read again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Change {
    /// An advert was inserted or updated.
    Advert(AdvertId),
    /// What others see of a user: name, region, reputation, statistics, blocks, payment methods and risk flags.
    Profile(UserId),
    /// What a user sees: their account, money, adverts and orders.
    User(UserId),
    /// A session of the user was ended, or the user may no longer log in.
    Session(UserId),
    /// An order was completed, or is no longer completed.
    Trade,
    /// What every user sees, such as a payout stop.
    Platform,
    /// The reference data. Has no row: a reader compares versions.
    Reference,
    /// The newest block that ingestion has read. Has no row: a reader compares block numbers.
    Head,
}

impl Change {
    fn of_row(kind: &str, id: Uuid) -> Result<Self> {
        Ok(match kind {
            "advert" => Self::Advert(AdvertId(id)),
            "profile" => Self::Profile(UserId(id)),
            "user" => Self::User(UserId(id)),
            "session" => Self::Session(UserId(id)),
            "trade" => Self::Trade,
            "platform" => Self::Platform,
            _ => return Err(Error::row("changes", id, "unknown kind")),
        })
    }
}

/// How far a reader has read: a snapshot, which tells exactly which transactions had committed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Position(String);

/// What a reader finds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// The changes since the previous position, each once for each transaction; `None` if some of them are deleted already
    /// or there are too many.
    pub changes: Option<Vec<Change>>,
    pub freshness: Freshness,
    pub position: Position,
}

/// Returns the position of a new reader, which reads what is committed later.
pub async fn end(tx: &mut Tx) -> Result<Position> {
    let snapshot =
        sqlx::query_scalar!(r#"select pg_current_snapshot()::text as "snapshot!""#).fetch_one(tx.connection()).await?;
    Ok(Position(snapshot))
}

/// Returns what was committed since a position. Returns no changes if there are more than `most`.
pub async fn since(tx: &mut Tx, from: &Position, most: i64) -> Result<Reading> {
    let row = sqlx::query!(
        r#"select pg_current_snapshot()::text as "snapshot!", d.before > pg_snapshot_xmin($1::text::pg_snapshot) as "missed!",
                  v.version, h.at as "at?: Timestamp", h.machine_at as "machine_at?: Timestamp",
                  (select head_number from chains order by chain_id limit 1) as head, c.kinds as "kinds?", c.ids as "ids?"
           from changes_deleted d cross join reference_data_version v left join heartbeats h on h.part = 'watcher'
                cross join lateral (
                    select array_agg(n.kind::text) as kinds, array_agg(n.id) as ids
                    from (select kind, id from changes
                          where xact >= pg_snapshot_xmin($1::text::pg_snapshot)
                            and not pg_visible_in_snapshot(xact, $1::text::pg_snapshot)
                            -- Holds for every visible row. Without it, the planner expects too many rows to use the index.
                            and xact < pg_snapshot_xmax(pg_current_snapshot())
                          limit $2) n
                ) c"#,
        from.0,
        most.saturating_add(1)
    )
    .fetch_optional(tx.connection())
    .await?
    .ok_or_else(|| Error::row("changes_deleted", "?", "no row"))?;
    let (kinds, ids) = (row.kinds.unwrap_or_default(), row.ids.unwrap_or_default());
    let complete = !row.missed && i64::try_from(ids.len()).is_ok_and(|count| count <= most);
    let changes = if complete {
        Some(kinds.iter().zip(ids).map(|(kind, id)| Change::of_row(kind, id)).collect::<Result<_>>()?)
    } else {
        None
    };
    let freshness = Freshness::of_columns(row.version, row.at.zip(row.machine_at), row.head)?;
    Ok(Reading { changes, freshness, position: Position(row.snapshot) })
}

/// Returns the orders that were completed or are no longer completed since a position, and the next position. Returns `None`
/// instead of the orders if some changes are deleted already or there are more than `most`.
pub async fn trades_since(tx: &mut Tx, from: &Position, most: i64) -> Result<(Option<Vec<OrderId>>, Position)> {
    let row = sqlx::query!(
        r#"select pg_current_snapshot()::text as "snapshot!", d.before > pg_snapshot_xmin($1::text::pg_snapshot) as "missed!",
                  c.ids as "ids?"
           from changes_deleted d
                cross join lateral (
                    select array_agg(n.id) as ids
                    from (select id from changes
                          where xact >= pg_snapshot_xmin($1::text::pg_snapshot)
                            and not pg_visible_in_snapshot(xact, $1::text::pg_snapshot)
                            -- As in the statement above.
                            and xact < pg_snapshot_xmax(pg_current_snapshot())
                            and kind = 'trade'
                          limit $2) n
                ) c"#,
        from.0,
        most.saturating_add(1)
    )
    .fetch_optional(tx.connection())
    .await?
    .ok_or_else(|| Error::row("changes_deleted", "?", "no row"))?;
    let orders: Vec<_> = row.ids.unwrap_or_default().into_iter().map(OrderId).collect();
    let complete = !row.missed && i64::try_from(orders.len()).is_ok_and(|count| count <= most);
    Ok((complete.then_some(orders), Position(row.snapshot)))
}

/// Deletes the changes of transactions that had ended by the previous call, and notes which have ended by now. Does nothing if
/// the previous call is more recent than `kept`. `now` is the machine's time.
pub async fn delete_old(tx: &mut Tx, now: Timestamp, kept: Duration) -> Result<u64> {
    let before = now.checked_sub_signed(kept).unwrap_or(now);
    let deleted = sqlx::query!(
        "with turn as (
             update changes_deleted set before = noted, noted = pg_snapshot_xmin(pg_current_snapshot()), at = $1
             where at is null or at <= $2 or at > $1
             returning before
         )
         delete from changes where xact < (select before from turn)",
        now,
        before
    )
    .execute(tx.connection())
    .await?;
    Ok(deleted.rows_affected())
}
