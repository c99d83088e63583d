//! Completed orders of the pairs: their prices over time, what they add up to, and which of them are new.
//!
//! Triggers keep the sums of each hour and day (see the migration), so no function reads more orders than those of two hours.

use chrono::Duration;
use domain::assets::PairId;
use domain::clock::Timestamp;
use domain::ids::{OrderId, UserId};
use domain::market::{MIN_ACCOUNT_AGE, Trade};
use domain::money::{Amount, Price};

use crate::columns::uuids;
use crate::numeric::Units;
use crate::{Error, Result, Tx};

/// The completed orders of a pair in one time span. Spans without such orders have no bucket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bucket {
    pub start: Timestamp,
    pub open: Price,
    pub high: Price,
    pub low: Price,
    pub close: Price,
    /// The mean price, weighted by quantity and rounded down. Never below the lowest or above the highest price.
    pub average: Price,
    /// In base units of the base.
    pub quantity: Amount,
    /// In base units of the quote.
    pub total: Amount,
    pub trades: i64,
}

/// A span of time that begins on the full hour, or at 0:00 UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Period {
    Hour,
    Day,
}

impl Period {
    pub fn length(self) -> Duration {
        match self {
            Self::Hour => Duration::hours(1),
            Self::Day => Duration::days(1),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Hour => "hour",
            Self::Day => "day",
        }
    }
}

/// The trades next to a point in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Neighbors {
    /// The price of the last trade before that time.
    pub last: Option<Price>,
    /// The first trade at that time or later.
    pub next: Option<(Timestamp, Price)>,
}

pub(crate) fn price(steps: Units, pair: PairId) -> Result<Price> {
    Price::new(steps.0.units()).map_err(|_| Error::row("orders", pair.0, "price"))
}

/// Builds the bucket of a row with sums.
macro_rules! bucket {
    ($row:expr, $pair:expr, $start:expr) => {
        Bucket {
            start: $start,
            open: price($row.open, $pair)?,
            high: price($row.high, $pair)?,
            low: price($row.low, $pair)?,
            close: price($row.close, $pair)?,
            average: price($row.average, $pair)?,
            quantity: $row.quantity.into(),
            total: $row.total.into(),
            trades: $row.trades,
        }
    };
}

/// Builds the trade of a row of `orders`.
macro_rules! trade {
    ($row:expr, $pair:expr, $at:expr) => {
        Trade { users: (UserId($row.advertiser), UserId($row.taker)), price: price($row.price, $pair)?, at: $at }
    };
}

/// Returns the trades of a pair from `from` to before `before` by hour or day, oldest first. `from` is the start of an hour or
/// day.
pub async fn buckets(
    tx: &mut Tx,
    pair: PairId,
    from: Timestamp,
    before: Timestamp,
    period: Period,
) -> Result<Vec<Bucket>> {
    let rows = sqlx::query!(
        r#"select start, last_at, open, high, low, close, div(weighted, quantity) as "average!", quantity, total, trades
           from pair_periods
           where pair_id = $1 and period = $4::text::trade_period and start >= $2 and start < $3
           order by start"#,
        pair.0,
        from,
        before,
        period.name()
    )
    .fetch_all(tx.connection())
    .await?;
    let mut buckets = Vec::with_capacity(rows.len());
    for row in rows {
        if row.last_at >= before {
            // Only the last bucket: another process, whose clock is ahead, has completed orders.
            buckets.extend(summary(tx, pair, row.start, before).await?);
            continue;
        }
        buckets.push(bucket!(row, pair, row.start));
    }
    Ok(buckets)
}

/// Returns the trades of a pair from `from` to before `before`, or `None` if there are none. Reads a row for each hour, and the
/// orders of the first and the last hour.
pub async fn summary(tx: &mut Tx, pair: PairId, from: Timestamp, before: Timestamp) -> Result<Option<Bucket>> {
    let row = sqlx::query!(
        r#"with hours as (
               select *, first_at >= $2 and last_at < $3 as whole from pair_periods
               where pair_id = $1 and period = 'hour' and start > $2::timestamptz - interval '1 hour' and start < $3
           ), parts as (
               select first_at, open, high, low, close, weighted, quantity, total, trades from hours where whole
               union all
               select o.* from hours h cross join lateral (
                   select min(settled_at), (array_agg(price order by settled_at, id))[1], max(price), min(price),
                          (array_agg(price order by settled_at desc, id desc))[1],
                          sum(quantity * price), sum(quantity), sum(total), count(*)
                   from orders
                   where pair_id = $1 and state = 'COMPLETED'
                     and settled_at >= greatest(h.start, $2) and settled_at < least(h.start + interval '1 hour', $3)
                   having count(*) > 0
               ) o
               where not h.whole
           )
           select (array_agg(open order by first_at))[1] as "open!", max(high) as "high!", min(low) as "low!",
                  (array_agg(close order by first_at desc))[1] as "close!", div(sum(weighted), sum(quantity)) as "average!",
                  sum(quantity) as "quantity!", sum(total) as "total!", sum(trades)::bigint as "trades!"
           from parts having count(*) > 0"#,
        pair.0,
        from,
        before
    )
    .fetch_optional(tx.connection())
    .await?;
    row.map(|row| Ok(bucket!(row, pair, from))).transpose()
}

/// Returns the trades of a pair next to each of these times, in the same order.
pub async fn neighbors(tx: &mut Tx, pair: PairId, times: &[Timestamp]) -> Result<Vec<Neighbors>> {
    let rows = sqlx::query!(
        r#"select l.price as "last?", n.settled_at as "next_at?", n.price as "next?"
           from unnest($2::timestamptz[]) with ordinality t (at, place)
           left join lateral (select price from orders where pair_id = $1 and state = 'COMPLETED' and settled_at < t.at
                              order by settled_at desc, id desc limit 1) l on true
           left join lateral (select settled_at, price from orders where pair_id = $1 and state = 'COMPLETED' and settled_at >= t.at
                              order by settled_at, id limit 1) n on true
           order by t.place"#,
        pair.0,
        times
    )
    .fetch_all(tx.connection())
    .await?;
    rows.into_iter()
        .map(|row| {
            let next =
                row.next_at.zip(row.next).map(|(at, next)| Ok::<_, Error>((at, price(next, pair)?))).transpose()?;
            Ok(Neighbors { last: row.last.map(|last| price(last, pair)).transpose()?, next })
        })
        .collect()
}

/// Returns the last price of each pair before a timestamp. Omits pairs without trades.
pub async fn last_prices(tx: &mut Tx, before: Timestamp) -> Result<Vec<(PairId, Price)>> {
    let rows = sqlx::query!(
        r#"select p.id, o.price as "price!" from pairs p
           join lateral (select price from orders where pair_id = p.id and state = 'COMPLETED' and settled_at < $1
                         order by settled_at desc, id desc limit 1) o on true"#,
        before
    )
    .fetch_all(tx.connection())
    .await?;
    rows.into_iter().map(|row| Ok((PairId(row.id), price(row.price, PairId(row.id))?))).collect()
}

/// Returns the number of completed orders of each pair. Omits pairs without completed orders.
pub async fn counts(tx: &mut Tx) -> Result<Vec<(PairId, i64)>> {
    let rows =
        sqlx::query!("select pair_id, trades from pair_totals where trades > 0").fetch_all(tx.connection()).await?;
    Ok(rows.into_iter().map(|row| (PairId(row.pair_id), row.trades)).collect())
}

/// Returns all trades that were completed at `from` or later.
pub async fn since(tx: &mut Tx, from: Timestamp) -> Result<Vec<(OrderId, PairId, Trade)>> {
    let rows = sqlx::query!(
        r#"select o.id as "id!", p.id as "pair_id!", o.advertiser as "advertiser!", o.taker as "taker!",
                  o.price as "price!: Units", o.settled_at
           from pairs p
           join lateral (select id, advertiser, taker, price, settled_at from orders
                         where pair_id = p.id and state = 'COMPLETED' and settled_at >= $1) o
               on counts_as_reference(o.advertiser, o.taker, o.settled_at, $2)"#,
        from,
        MIN_ACCOUNT_AGE.num_seconds()
    )
    .fetch_all(tx.connection())
    .await?;
    rows.into_iter()
        .map(|row| {
            let at = row.settled_at.ok_or_else(|| Error::row("orders", row.id, "settled_at"))?;
            let pair = PairId(row.pair_id);
            Ok((OrderId(row.id), pair, trade!(row, pair, at)))
        })
        .collect()
}

/// Returns those of these orders that are completed and count for reference prices.
pub async fn of(tx: &mut Tx, orders: &[OrderId]) -> Result<Vec<(OrderId, PairId, Trade)>> {
    let rows = sqlx::query!(
        r#"select id, pair_id, advertiser, taker, price as "price: Units", settled_at as "at!" from orders
           where id = any($1) and state = 'COMPLETED' and settled_at is not null
             and counts_as_reference(advertiser, taker, settled_at, $2)"#,
        &uuids(orders),
        MIN_ACCOUNT_AGE.num_seconds()
    )
    .fetch_all(tx.connection())
    .await?;
    rows.into_iter()
        .map(|row| {
            let pair = PairId(row.pair_id);
            Ok((OrderId(row.id), pair, trade!(row, pair, row.at)))
        })
        .collect()
}
