//! The logs of orders: entries, which never change, and the head of each log.

use std::collections::BTreeMap;

use domain::clock::Timestamp;
use domain::ids::OrderId;
use domain::order_log::{Content, Hash, Head, LogEntry};
use domain::trade::Party;
use serde_json::Value;
use uuid::Uuid;

use crate::columns::{column, uuids};
use crate::{Error, Result, Tx};

pub(crate) fn party(name: &str) -> Option<Party> {
    [Party::Buyer, Party::Seller].into_iter().find(|party| party.into_str() == name)
}

fn hash_of(bytes: Vec<u8>, order: Uuid) -> Result<Hash> {
    bytes.try_into().map(Hash).map_err(|_| Error::row("order_log", order, "hash"))
}

/// Locks and returns the heads of logs in the order of the orders' IDs. Omits orders without entries. The caller must have
/// locked the orders.
pub async fn lock_heads(tx: &mut Tx, orders: &[OrderId]) -> Result<Vec<(OrderId, Head)>> {
    if orders.is_empty() {
        return Ok(Vec::new());
    }
    let rows = sqlx::query!(
        "select order_id, number, hash, at from order_log_heads where order_id = any($1) order by order_id for no key update",
        &uuids(orders)
    )
    .fetch_all(tx.connection())
    .await?;
    rows.into_iter()
        .map(|row| {
            let hash = hash_of(row.hash, row.order_id)?;
            Ok((OrderId(row.order_id), Head { number: row.number, hash, at: row.at }))
        })
        .collect()
}

/// Returns the number of the last entry of a log; 0 if there is none.
pub async fn last_number(tx: &mut Tx, order: OrderId) -> Result<i64> {
    let number = sqlx::query_scalar!("select number from order_log_heads where order_id = $1", order.0)
        .fetch_optional(tx.connection())
        .await?;
    Ok(number.unwrap_or(0))
}

/// Returns the number of the last entry that gives an appeal a status; 0 if there is none.
pub async fn number_of_appeal(tx: &mut Tx, order: OrderId, number: u32, status: &str) -> Result<i64> {
    let number = sqlx::query_scalar!(
        "select number from order_log
         where order_id = $1 and kind = 'SYSTEM' and (data #>> '{details,appeal,number}')::bigint = $2
           and data #>> '{details,appeal,status}' = $3
         order by number desc limit 1",
        order.0,
        i64::from(number),
        status
    )
    .fetch_optional(tx.connection())
    .await?;
    Ok(number.unwrap_or(0))
}

/// Appends entries, each log's in order, and moves the heads. An entry that another transaction has appended meanwhile is
/// refused by the primary key.
pub async fn append(tx: &mut Tx, entries: &[LogEntry]) -> Result<()> {
    if entries.is_empty() {
        return Ok(());
    }
    let data = entries.iter().map(|entry| {
        serde_json::to_value(&entry.content).map_err(|_| Error::row("order_log", entry.order, "cannot be encoded"))
    });
    let data = data.collect::<Result<Vec<_>>>()?;
    let heads: BTreeMap<_, _> = entries.iter().map(|entry| (entry.order, entry)).collect();
    let heads: Vec<_> = heads.into_values().collect();
    sqlx::query!(
        "with appended as (
             insert into order_log (order_id, number, author, data, at, hash)
             select * from unnest($1::uuid[], $2::bigint[], $3::text[], $4::jsonb[], $5::timestamptz[], $6::bytea[])
         )
         insert into order_log_heads (order_id, number, hash, at)
         select * from unnest($7::uuid[], $8::bigint[], $9::bytea[], $10::timestamptz[])
         on conflict (order_id) do update set number = excluded.number, hash = excluded.hash, at = excluded.at",
        &column(entries, |entry| entry.order.0),
        &column(entries, |entry| entry.number),
        &column(entries, |entry| entry.author.map(|party| party.into_str().to_owned())) as _,
        &data,
        &column(entries, |entry| entry.at),
        &column(entries, |entry| entry.hash.0.to_vec()),
        &column(&heads, |entry| entry.order.0),
        &column(&heads, |entry| entry.number),
        &column(&heads, |entry| entry.hash.0.to_vec()),
        &column(&heads, |entry| entry.at)
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

struct Row {
    order_id: Uuid,
    number: i64,
    author: Option<String>,
    data: Value,
    at: Timestamp,
    hash: Vec<u8>,
}

impl TryFrom<Row> for LogEntry {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self> {
        let wrong = |why| Error::row("order_log", format!("{} {}", row.order_id, row.number), why);
        let author = row.author.as_deref().map(|name| party(name).ok_or_else(|| wrong("author"))).transpose()?;
        let content: Content = serde_json::from_value(row.data).map_err(|_| wrong("data"))?;
        Ok(Self {
            order: OrderId(row.order_id),
            number: row.number,
            author,
            content,
            at: row.at,
            hash: hash_of(row.hash, row.order_id)?,
        })
    }
}

macro_rules! select {
    ($tx:expr, $rest:literal $(, $argument:expr)*) => {
        sqlx::query_as!(Row, "select order_id, number, author, data, at, hash from order_log where " + $rest $(, $argument)*)
            .fetch_all($tx.connection())
            .await?
            .into_iter()
            .map(LogEntry::try_from)
            .collect()
    };
}

/// Returns at most `most` entries after a number, in order.
pub async fn after(tx: &mut Tx, order: OrderId, number: i64, most: i64) -> Result<Vec<LogEntry>> {
    select!(tx, "order_id = $1 and number > $2 order by number limit $3", order.0, number, most)
}

/// Returns the last entries before a number, at most `most`, in order.
pub async fn before(tx: &mut Tx, order: OrderId, number: i64, most: i64) -> Result<Vec<LogEntry>> {
    let entries: Result<Vec<LogEntry>> =
        select!(tx, "order_id = $1 and number < $2 order by number desc limit $3", order.0, number, most);
    entries.map(|mut entries| {
        entries.reverse();
        entries
    })
}

/// Returns the first entries that record transitions, at most `most`, in order.
pub async fn transitions(tx: &mut Tx, order: OrderId, most: i64) -> Result<Vec<LogEntry>> {
    select!(tx, "order_id = $1 and kind = 'SYSTEM' order by number limit $2", order.0, most)
}

/// Returns the last message of each log. Omits logs without messages.
pub async fn last_messages(tx: &mut Tx, orders: &[OrderId]) -> Result<Vec<LogEntry>> {
    let rows = sqlx::query_as!(
        Row,
        r#"select l.order_id, l.number, l.author, l.data, l.at, l.hash
           from unnest($1::uuid[]) n (id)
                cross join lateral (select * from order_log where order_id = n.id and kind <> 'SYSTEM'
                                    order by number desc limit 1) l"#,
        &uuids(orders)
    )
    .fetch_all(tx.connection())
    .await?;
    rows.into_iter().map(LogEntry::try_from).collect()
}
