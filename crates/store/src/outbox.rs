//! What people are told: written with its cause, read in order, handed on at least once.

use domain::clock::Timestamp;
use domain::ids::UserId;
use serde_json::Value;

use crate::{Error, Result, Tx};

/// Something to tell somebody.
#[derive(Debug, Clone, PartialEq)]
pub struct OutboxEvent {
    /// Whom.
    pub user: UserId,
    /// What kind: the type of the websocket's message.
    pub kind: &'static str,
    /// The message.
    pub body: Value,
}

/// Something that somebody was told.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredEvent {
    /// Who.
    pub user: UserId,
    /// The person's own count, from 1, without gaps.
    pub number: i64,
    /// The type of the websocket's message.
    pub kind: String,
    /// The message.
    pub body: Value,
    /// When.
    pub at: Timestamp,
}

/// Where a reader of all events stands.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cursor {
    xact: String,
    sequence: i64,
}

/// Writes events. The people's rows must be locked: their counts are kept there.
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

/// What somebody was told after the number that they had last.
pub async fn since(tx: &mut Tx, user: UserId, after: i64, most: i64) -> Result<Vec<StoredEvent>> {
    let rows = sqlx::query!(
        "select user_id, number, kind, body, at from outbox_events where user_id = $1 and number > $2 order by number limit $3",
        user.0,
        after,
        most
    )
    .fetch_all(tx.connection())
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| StoredEvent {
            user: UserId(row.user_id),
            number: row.number,
            kind: row.kind,
            body: row.body,
            at: row.at,
        })
        .collect())
}

/// The number of the last event that somebody was told; 0 before the first.
pub async fn last_number(tx: &mut Tx, user: UserId) -> Result<i64> {
    let number = sqlx::query_scalar!("select last_event from users where id = $1", user.0)
        .fetch_optional(tx.connection())
        .await?;
    Ok(number.unwrap_or(0))
}

/// The end of all events that are final: where a new reader begins.
pub async fn end(tx: &mut Tx) -> Result<Cursor> {
    let xact = sqlx::query_scalar!(r#"select pg_snapshot_xmin(pg_current_snapshot())::text as "xact!""#)
        .fetch_one(tx.connection())
        .await?;
    Ok(Cursor { xact, sequence: 0 })
}

/// The events behind a cursor, of everybody, up to the oldest running transaction; with the cursor behind the last.
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
    let events = rows
        .into_iter()
        .map(|row| StoredEvent {
            user: UserId(row.user_id),
            number: row.number,
            kind: row.kind,
            body: row.body,
            at: row.at,
        })
        .collect();
    Ok((events, cursor))
}

impl Cursor {
    /// The cursor as text, to be kept.
    pub fn to_text(&self) -> String {
        format!("{}/{}", self.xact, self.sequence)
    }

    /// Reads a kept cursor.
    pub fn parse(text: &str) -> Result<Self> {
        let wrong = || Error::row("outbox_events", text, "not a cursor");
        let (xact, sequence) = text.split_once('/').ok_or_else(wrong)?;
        let xact = xact.parse::<u64>().map_err(|_| wrong())?.to_string();
        Ok(Self { xact, sequence: sequence.parse().map_err(|_| wrong())? })
    }
}
