//! The outbox: events are written in the transaction of their cause, read in order, and delivered at least once.

use domain::clock::Timestamp;
use domain::ids::UserId;
use serde_json::Value;
use uuid::Uuid;

use crate::{Result, Tx};

/// A message to a user.
#[derive(Debug, Clone, PartialEq)]
pub struct OutboxEvent {
    pub user: UserId,
    /// The type of the websocket message.
    pub kind: &'static str,
    pub body: Value,
}

/// A stored message to a user.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredEvent {
    pub user: UserId,
    /// Event number: consecutive per user, starting at 1.
    pub number: i64,
    /// The type of the websocket message.
    pub kind: String,
    pub body: Value,
    pub at: Timestamp,
}

/// A position in the stream of all events.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cursor {
    xact: String,
    sequence: i64,
}

/// Inserts events. The caller must hold locks on the users' rows, which contain the event numbers.
pub async fn write(tx: &mut Tx, events: &[OutboxEvent], at: Timestamp) -> Result<()> {
    if events.is_empty() {
        return Ok(());
    }
    let users: Vec<_> = events.iter().map(|events| events.user.0).collect();
    let kinds: Vec<_> = events.iter().map(|events| events.kind.to_owned()).collect();
    let bodies: Vec<_> = events.iter().map(|events| events.body.clone()).collect();
    sqlx::query!(
        "with told as (
             select n.*, row_number() over (partition by user_id order by place) as offset_in
             from unnest($1::uuid[], $2::text[], $3::jsonb[]) with ordinality as n (user_id, kind, body, place)
         ), counted as (
             update users u set last_event = last_event + c.many
             from (select user_id, count(*) as many from told group by user_id) c where u.id = c.user_id
             returning u.id, u.last_event - c.many as before
         )
         insert into outbox_events (user_id, number, kind, body, at)
         select t.user_id, c.before + t.offset_in, t.kind, t.body, $4
         from told t join counted c on c.id = t.user_id order by t.place",
        &users,
        &kinds,
        &bodies,
        at
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

fn event(user: Uuid, number: i64, kind: String, body: Value, at: Timestamp) -> StoredEvent {
    StoredEvent { user: UserId(user), number, kind, body, at }
}

/// Returns the user's events after an event number.
pub async fn since(tx: &mut Tx, user: UserId, after: i64, most: i64) -> Result<Vec<StoredEvent>> {
    let rows = sqlx::query!(
        "select user_id, number, kind, body, at from outbox_events where user_id = $1 and number > $2 order by number limit $3",
        user.0,
        after,
        most
    )
    .fetch_all(tx.connection())
    .await?;
    Ok(rows.into_iter().map(|row| event(row.user_id, row.number, row.kind, row.body, row.at)).collect())
}

/// Returns the number of the user's last event; 0 if there is none.
pub async fn last_number(tx: &mut Tx, user: UserId) -> Result<i64> {
    let number = sqlx::query_scalar!("select last_event from users where id = $1", user.0)
        .fetch_optional(tx.connection())
        .await?;
    Ok(number.unwrap_or(0))
}

/// Returns where a new reader starts: after the last event before which no other event can still commit.
pub async fn end(tx: &mut Tx) -> Result<Cursor> {
    let xact = sqlx::query_scalar!(r#"select pg_snapshot_xmin(pg_current_snapshot())::text as "xact!""#)
        .fetch_one(tx.connection())
        .await?;
    Ok(Cursor { xact, sequence: 0 })
}

/// Returns all users' events after a cursor, up to the oldest running transaction, and the cursor after the last of
/// them.
pub async fn tail(tx: &mut Tx, from: &Cursor, most: i64) -> Result<(Vec<StoredEvent>, Cursor)> {
    let rows = sqlx::query!(
        r#"select user_id, number, kind, body, at, xact::text as "xact!", sequence from outbox_events
           where (xact, sequence) > ($1::text::xid8, $2::bigint) and xact < pg_snapshot_xmin(pg_current_snapshot())
           order by xact, sequence limit $3"#,
        from.xact,
        from.sequence,
        most
    )
    .fetch_all(tx.connection())
    .await?;
    let cursor =
        rows.last().map_or_else(|| from.clone(), |row| Cursor { xact: row.xact.clone(), sequence: row.sequence });
    let events = rows.into_iter().map(|row| event(row.user_id, row.number, row.kind, row.body, row.at)).collect();
    Ok((events, cursor))
}
