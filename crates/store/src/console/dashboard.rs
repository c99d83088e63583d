//! The figures of the dashboard. Each statement reads sums, or at most as many rows as it counts.

use domain::assets::AssetId;
use domain::clock::Timestamp;
use domain::money::Amount;
use domain::orders::StateName;

use crate::{Error, Result, Tx};

/// Orders in one state are counted up to this.
pub const MAX_ORDERS: i64 = 10_000;

/// The completed orders of a period with the same base.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Volume {
    pub base: AssetId,
    pub orders: i64,
    /// In base units of the base.
    pub quantity: Amount,
}

/// Returns the volume of the orders that were completed from `from` to before `before`, by base. Of each pair, it reads the
/// sums of at most 48 hours and of the days between them, and the orders of the first and the last hour.
pub async fn volumes(tx: &mut Tx, from: Timestamp, before: Timestamp) -> Result<Vec<Volume>> {
    let rows = sqlx::query!(
        r#"with bounds as (
               select date_trunc('day', $1::timestamptz + interval '1 day', 'UTC') as first,
                      date_trunc('day', $2::timestamptz, 'UTC') as last
           ), hours as (
               select p.base_asset, h.*, h.first_at >= $1 and h.last_at < $2 as whole
               from bounds cross join pairs p cross join lateral (
                   select * from pair_periods
                   where pair_id = p.id and period = 'hour' and start > $1::timestamptz - interval '1 hour'
                     and start < least(first, $2)
                   union all
                   select * from pair_periods
                   where pair_id = p.id and period = 'hour' and start >= greatest(first, last) and start < $2
               ) h
           ), parts as (
               select p.base_asset, d.trades, d.quantity
               from bounds cross join pairs p cross join lateral (
                   select * from pair_periods
                   where pair_id = p.id and period = 'day' and start >= first and start < last
               ) d
               union all
               select base_asset, trades, quantity from hours where whole
               union all
               select h.base_asset, o.trades, o.quantity
               from hours h cross join lateral (
                   select count(*) as trades, sum(quantity) as quantity from orders
                   where pair_id = h.pair_id and state = 'COMPLETED'
                     and settled_at >= greatest(h.start, $1) and settled_at < least(h.start + interval '1 hour', $2)
               ) o
               where not h.whole
           )
           select base_asset as "base_asset!", sum(trades)::bigint as "orders!", sum(quantity) as "quantity!"
           from parts group by base_asset having sum(trades) > 0 order by base_asset"#,
        from,
        before
    )
    .fetch_all(tx.connection())
    .await?;
    let volume = |base, orders, quantity| Volume { base: AssetId(base), orders, quantity };
    Ok(rows.into_iter().map(|row| volume(row.base_asset, row.orders, row.quantity.into())).collect())
}

/// Returns how many open orders are in each of these states, each counted up to [`MAX_ORDERS`].
pub async fn open_orders(tx: &mut Tx, states: &[StateName]) -> Result<Vec<(StateName, i64)>> {
    let names: Vec<_> = states.iter().map(|state| state.into_str().to_owned()).collect();
    let counts = sqlx::query_scalar!(
        r#"select (select count(*) from (select from orders where is_open and state = s.name limit $2) o) as "many!"
           from unnest($1::text[]) with ordinality s (name, place) order by place"#,
        &names,
        MAX_ORDERS
    )
    .fetch_all(tx.connection())
    .await?;
    Ok(states.iter().copied().zip(counts).collect())
}

/// The appeals without a verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Undecided {
    /// Counted up to [`crate::console::waiting::MAX_COUNT`], as is `overdue`.
    pub waiting: i64,
    pub overdue: i64,
    /// When the oldest one was filed.
    pub oldest: Option<Timestamp>,
}

/// Counts the appeals without a verdict, and those of them that were filed at `overdue_from` or earlier.
pub async fn undecided(tx: &mut Tx, overdue_from: Timestamp) -> Result<Undecided> {
    let row = sqlx::query_as!(
        Undecided,
        r#"select count(*) as "waiting!", count(*) filter (where filed_at <= $1) as "overdue!", min(filed_at) as oldest
           from (select filed_at from appeals where status = 'PENDING' order by filed_at, id limit $2) a"#,
        overdue_from,
        crate::console::waiting::MAX_COUNT
    );
    Ok(row.fetch_one(tx.connection()).await?)
}

/// How long the decisions of a period took, in seconds from the filing of the appeal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Decisions {
    pub decided: i64,
    /// `None` without decisions, as is `ninetieth`.
    pub median: Option<i64>,
    /// The 90th percentile.
    pub ninetieth: Option<i64>,
}

/// Returns how long the decisions took that were made after `after`, up to `until`. A percentile is the time of one of them.
pub async fn decisions(tx: &mut Tx, after: Timestamp, until: Timestamp) -> Result<Decisions> {
    let row = sqlx::query!(
        r#"select count(*) as "decided!", percentile_disc(0.5) within group (order by seconds) as median,
                  percentile_disc(0.9) within group (order by seconds) as ninetieth
           from (select extract(epoch from decided_at - filed_at)::bigint as seconds from appeals
                 where decided_at > $1 and decided_at <= $2) d"#,
        after,
        until
    )
    .fetch_one(tx.connection())
    .await?;
    let time = |seconds: Option<i64>| match seconds {
        Some(seconds) if seconds < 0 => Err(Error::row("appeals", seconds, "decided before it was filed")),
        known => Ok(known),
    };
    Ok(Decisions { decided: row.decided, median: time(row.median)?, ninetieth: time(row.ninetieth)? })
}
