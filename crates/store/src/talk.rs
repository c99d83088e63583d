//! What each party of an order has received, read and seen of the order's log, and the messages that are unread.
//!
//! Whoever changes a row must hold the lock on its user's row.

use domain::clock::Timestamp;
use domain::ids::{OrderId, UserId};
use domain::order_log::LogEntry;
use domain::trade::Party;
use uuid::Uuid;

use crate::columns::{column, count};
use crate::{Error, Result, Tx};

/// How far a party has received and read a log, as reported by its devices: numbers of entries. A party's own entries count
/// neither as unread nor as read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Marks {
    pub delivered_to: i64,
    pub read_to: i64,
    /// The number of unread messages to the user.
    pub unread: u32,
}

fn marks(user: Uuid, delivered_to: i64, read_to: i64, unread: i32) -> Result<Marks> {
    let unread = u32::try_from(unread).map_err(|_| Error::row("conversations", user, "count"))?;
    Ok(Marks { delivered_to, read_to, unread })
}

/// Returns the marks of the users in the order's log. Omits users without marks.
pub async fn marks_of(tx: &mut Tx, order: OrderId) -> Result<Vec<(UserId, Marks)>> {
    let rows = sqlx::query!(
        "select c.user_id, c.delivered_to, c.read_to, c.unread
         from orders o join conversations c on c.user_id in (o.advertiser, o.taker) and c.order_id = o.id where o.id = $1",
        order.0
    )
    .fetch_all(tx.connection())
    .await?;
    rows.into_iter()
        .map(|row| Ok((UserId(row.user_id), marks(row.user_id, row.delivered_to, row.read_to, row.unread)?)))
        .collect()
}

/// Records a message in the conversations of both parties: it is unread by the recipients.
///
/// The marks of its author stay as they are. A message that was written before a connection was lost is sent afterwards, when
/// nothing shows that the author has received what the other party said meanwhile.
pub async fn said(tx: &mut Tx, entry: &LogEntry, parties: [(UserId, Party); 2]) -> Result<()> {
    sqlx::query!(
        "insert into conversations as c (user_id, order_id, unread, talked_at)
         select n.user_id, $1, case when n.wrote then 0 else 1 end, $2
         from unnest($3::uuid[], $4::bool[]) n (user_id, wrote)
         on conflict (user_id, order_id) do update set unread = c.unread + excluded.unread, talked_at = excluded.talked_at",
        entry.order.0,
        entry.at,
        &parties.map(|(user, _)| user.0),
        &parties.map(|(_, party)| entry.author == Some(party))
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Marks entries as delivered to a party. Returns whether the mark has changed.
pub async fn mark_delivered(tx: &mut Tx, order: OrderId, user: UserId, number: i64) -> Result<bool> {
    let done = sqlx::query!(
        "insert into conversations as c (user_id, order_id, delivered_to) values ($1, $2, $3)
         on conflict (user_id, order_id) do update set delivered_to = excluded.delivered_to
             where c.delivered_to < excluded.delivered_to",
        user.0,
        order.0,
        number
    )
    .execute(tx.connection())
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Marks entries as read by a party, which has then also seen the transitions among them, and counts the messages to the party
/// that remain unread. Returns whether the mark has changed.
pub async fn mark_read(tx: &mut Tx, order: OrderId, user: UserId, party: Party, number: i64) -> Result<bool> {
    let done = sqlx::query!(
        "insert into conversations as c (user_id, order_id, delivered_to, read_to, seen_to, unread)
         select $1, $2, $3, $3, $3, count(*)::int from order_log
         where order_id = $2 and number > $3 and kind <> 'SYSTEM' and author is distinct from $4
         on conflict (user_id, order_id) do update
             set delivered_to = greatest(c.delivered_to, excluded.delivered_to), read_to = excluded.read_to,
                 seen_to = greatest(c.seen_to, excluded.seen_to), unread = excluded.unread
             where c.read_to < excluded.read_to",
        user.0,
        order.0,
        number,
        party.into_str()
    )
    .execute(tx.connection())
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Marks the whole log as seen by a party on the order's page. Does nothing if the log has no entries.
pub async fn mark_seen(tx: &mut Tx, order: OrderId, user: UserId) -> Result<()> {
    sqlx::query!(
        "insert into conversations as c (user_id, order_id, seen_to) select $1, order_id, number from order_log_heads where order_id = $2
         on conflict (user_id, order_id) do update set seen_to = excluded.seen_to where c.seen_to < excluded.seen_to",
        user.0,
        order.0
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// What a party has not read of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct News {
    /// The number of unread messages to the user.
    pub messages: u32,
    /// Whether someone else has changed the order since the user last saw it.
    pub changed: bool,
}

/// Returns what parties have not read of orders, for each user and order.
pub async fn news(tx: &mut Tx, wanted: &[(UserId, OrderId, Party)]) -> Result<Vec<(UserId, OrderId, News)>> {
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let rows = sqlx::query!(
        r#"select n.user_id as "user_id!", n.order_id as "order_id!", coalesce(c.unread, 0) as "unread!",
                  exists (select from order_log l where l.order_id = n.order_id and l.number > coalesce(c.seen_to, 0)
                              and l.kind = 'SYSTEM' and l.author is distinct from n.party) as "changed!"
           from unnest($1::uuid[], $2::uuid[], $3::text[]) n (user_id, order_id, party)
                left join conversations c on c.user_id = n.user_id and c.order_id = n.order_id"#,
        &column(wanted, |(user, ..)| user.0),
        &column(wanted, |(_, order, _)| order.0),
        &column(wanted, |(.., party)| party.into_str().to_owned())
    )
    .fetch_all(tx.connection())
    .await?;
    rows.into_iter()
        .map(|row| {
            let (user, messages) = count("conversations", row.user_id, row.unread.into())?;
            Ok((user, OrderId(row.order_id), News { messages, changed: row.changed }))
        })
        .collect()
}

/// Returns the total number of unread messages to a user.
pub async fn unread(tx: &mut Tx, user: UserId) -> Result<u32> {
    let total = sqlx::query_scalar!(
        r#"select coalesce(sum(unread), 0)::bigint as "total!" from conversations where user_id = $1 and unread > 0"#,
        user.0
    )
    .fetch_one(tx.connection())
    .await?;
    Ok(count("conversations", user.0, total)?.1)
}

/// Returns how many of the user's open orders someone else has changed since the user last saw them.
pub async fn changed_orders(tx: &mut Tx, user: UserId) -> Result<(u32, u32)> {
    let row = sqlx::query!(
        r#"select count(*) as "open!", count(*) filter (where exists (
                      select from order_log l left join conversations c on c.user_id = $1 and c.order_id = l.order_id
                      where l.order_id = o.id and l.number > coalesce(c.seen_to, 0) and l.kind = 'SYSTEM'
                            and l.author is distinct from o.party)) as "changed!"
           from (select id, case side when 'SELL' then 'BUYER' else 'SELLER' end as party from orders where taker = $1 and is_open
                 union all select id, case side when 'SELL' then 'SELLER' else 'BUYER' end from orders where advertiser = $1 and is_open) o"#,
        user.0
    )
    .fetch_one(tx.connection())
    .await?;
    Ok((count("orders", user.0, row.open)?.1, count("orders", user.0, row.changed)?.1))
}

/// A user's conversation: the order, the time of the last message, and the number of unread messages.
pub type Recent = (OrderId, Timestamp, u32);

/// Returns a page of the user's conversations that have messages, those with the newest message first, and their number.
pub async fn recent(tx: &mut Tx, user: UserId, offset: i64, limit: i64) -> Result<(Vec<Recent>, i64)> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "many!" from conversations where user_id = $1 and talked_at is not null"#,
        user.0
    )
    .fetch_one(tx.connection())
    .await?;
    let rows = sqlx::query!(
        r#"select order_id, talked_at as "talked_at!: Timestamp", unread from conversations
           where user_id = $1 and talked_at is not null order by talked_at desc, order_id desc offset $2 limit $3"#,
        user.0,
        offset,
        limit
    )
    .fetch_all(tx.connection())
    .await?;
    let recent = rows.into_iter().map(|row| {
        let unread = count("conversations", user.0, row.unread.into())?.1;
        Ok((OrderId(row.order_id), row.talked_at, unread))
    });
    Ok((recent.collect::<Result<_>>()?, total))
}
