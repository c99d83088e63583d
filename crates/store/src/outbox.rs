//! The outbox: events are written in the transaction of their cause, read in order, and delivered at least once.

use domain::clock::Timestamp;
use domain::ids::UserId;
use domain::notifications::Category;
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
    /// What the notification is about; `None` for what only refreshes or alerts the user's devices.
    pub category: Option<Category>,
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
    pub category: Option<Category>,
}

/// A reader's position in the stream of all events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cursor {
    /// The snapshot up to which everything was read.
    read: String,
    /// The snapshot up to which events are being read, and the last of them. `None` if the next read takes a new snapshot.
    reading: Option<(String, i64)>,
}

/// Inserts events, and the emails about them that their users want. The caller must hold locks on the users' rows, which contain
/// the event numbers.
pub async fn write(tx: &mut Tx, events: &[OutboxEvent], at: Timestamp) -> Result<()> {
    if events.is_empty() {
        return Ok(());
    }
    let users: Vec<_> = events.iter().map(|events| events.user.0).collect();
    let kinds: Vec<_> = events.iter().map(|events| events.kind.to_owned()).collect();
    let bodies: Vec<_> = events.iter().map(|events| events.body.clone()).collect();
    let categories: Vec<_> =
        events.iter().map(|event| event.category.map(|category| category.into_str().to_owned())).collect();
    let emailed: Vec<_> =
        Category::emailed_by_default().into_iter().map(|category| category.into_str().to_owned()).collect();
    sqlx::query!(
        "with told as (
             select n.*, row_number() over (partition by user_id order by place) as offset_in
             from unnest($1::uuid[], $2::text[], $3::jsonb[], $5::text[]) with ordinality
                  as n (user_id, kind, body, category, place)
         ), counted as (
             update users u set last_event = last_event + c.many
             from (select user_id, count(*) as many from told group by user_id) c where u.id = c.user_id
             returning u.id, u.last_event - c.many as before
         ), written as (
             insert into outbox_events (user_id, number, kind, body, at, category)
             select t.user_id, c.before + t.offset_in, t.kind, t.body, $4, t.category
             from told t join counted c on c.id = t.user_id order by t.place
             returning user_id, number, category
         )
         insert into emails (user_id, event, category, written_at, due_at)
         select w.user_id, w.number, w.category, $4, $4
         from written w join accounts a on a.user_id = w.user_id
         left join notification_preferences p
             on p.user_id = w.user_id and p.category = w.category and p.channel = 'EMAIL'
         where w.category is not null and coalesce(p.enabled, w.category = any($6))
         order by w.number",
        &users,
        &kinds,
        &bodies,
        at,
        &categories as _,
        &emailed
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

fn event(user: Uuid, number: i64, kind: String, body: Value, at: Timestamp) -> StoredEvent {
    StoredEvent { user: UserId(user), number, kind, body, at, category: None }
}

/// Returns one of a user's events.
pub async fn one(tx: &mut Tx, user: UserId, number: i64) -> Result<Option<StoredEvent>> {
    let row = sqlx::query!(
        "select kind, body, at, category from outbox_events where user_id = $1 and number = $2",
        user.0,
        number
    )
    .fetch_optional(tx.connection())
    .await?;
    Ok(row.map(|row| StoredEvent {
        category: row.category.and_then(|category| category.parse().ok()),
        ..event(user.0, number, row.kind, row.body, row.at)
    }))
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

/// Returns where a new reader starts: after all events that are committed.
pub async fn end(tx: &mut Tx) -> Result<Cursor> {
    let snapshot =
        sqlx::query_scalar!(r#"select pg_current_snapshot()::text as "snapshot!""#).fetch_one(tx.connection()).await?;
    Ok(Cursor { read: snapshot, reading: None })
}

/// Returns at most `most` events of all users after a cursor, each user's in order, and the cursor after the last of them.
///
/// Transactions commit in another order than they begin. A reader therefore remembers the snapshot up to which it has
/// read, and reads what has become visible since. The events of a user are numbered under a lock that is held until the
/// commit, so an event is not visible before the user's earlier events.
pub async fn tail(tx: &mut Tx, from: &Cursor, most: i64) -> Result<(Vec<StoredEvent>, Cursor)> {
    let (to, after) = from.reading.as_ref().map(|(to, after)| (to, *after)).unzip();
    let rows = sqlx::query!(
        r#"select s.upto as "upto!", e.user_id as "user_id?", e.number as "number?", e.kind as "kind?", e.body as "body?",
                  e.at as "at?: Timestamp", e.sequence as "sequence?"
           from (select coalesce($2, pg_current_snapshot()::text) as upto) s left join lateral (
               select user_id, number, kind, body, at, sequence from outbox_events
               where xact >= pg_snapshot_xmin($1::text::pg_snapshot)
                 and not pg_visible_in_snapshot(xact, $1::text::pg_snapshot)
                 and pg_visible_in_snapshot(xact, s.upto::pg_snapshot)
                 -- Follows from the line above. Without it, the planner expects too many rows to use the index.
                 and xact < pg_snapshot_xmax(pg_current_snapshot())
                 and sequence > $3
               order by sequence limit $4
           ) e on true order by e.sequence"#,
        from.read,
        to,
        after.unwrap_or(0),
        most
    )
    .fetch_all(tx.connection())
    .await?;
    let upto = rows.first().map_or_else(|| from.read.clone(), |row| row.upto.clone());
    let last = rows.last().and_then(|row| row.sequence);
    let events: Vec<_> = rows
        .into_iter()
        .filter_map(|row| Some(event(row.user_id?, row.number?, row.kind?, row.body?, row.at?)))
        .collect();
    let full = i64::try_from(events.len()).is_ok_and(|count| count >= most);
    let cursor = match last.filter(|_| full) {
        Some(sequence) => Cursor { read: from.read.clone(), reading: Some((upto, sequence)) },
        None => Cursor { read: upto, reading: None },
    };
    Ok((events, cursor))
}
