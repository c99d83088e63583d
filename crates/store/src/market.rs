//! Reference prices, and the statistics of traders.

use std::collections::BTreeMap;

use chrono::{Duration, NaiveDate};
use domain::assets::{AssetId, PairId};
use domain::clock::{Timestamp, after};
use domain::ids::UserId;
use domain::market::AnchoredPrice;
use domain::money::{Amount, Price};
use domain::reputation::{Record, day_start};

use crate::columns::uuids;
use crate::console::audit::By;
use crate::trade::steps;
use crate::trades::price;
use crate::{Error, Result, Tx};

/// Stores the reference price of a pair whose trades qualify, unless a later one is already stored.
pub async fn keep_reference(tx: &mut Tx, pair: PairId, reference: &AnchoredPrice, at: Timestamp) -> Result<()> {
    sqlx::query!(
        "insert into reference_prices (pair_id, price, anchor, anchored_at, at) values ($1, $2, $3, $4, $5)
         on conflict (pair_id) do update
         set price = excluded.price, anchor = excluded.anchor, anchored_at = excluded.anchored_at, at = excluded.at
         where reference_prices.at <= excluded.at",
        pair.0,
        steps(reference.price)? as _,
        steps(reference.anchor)? as _,
        reference.anchored_at,
        at
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// The reference price of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoredReference {
    pub price: AnchoredPrice,
    /// When an officer last set it; `None` if none ever did.
    pub decided_at: Option<Timestamp>,
}

/// Returns the reference price of each pair: the last one that followed a qualifying median, unless an officer has set a price
/// later or no median has ever qualified. Omits pairs without a reference price.
pub async fn stored_references(tx: &mut Tx) -> Result<BTreeMap<PairId, StoredReference>> {
    let rows = sqlx::query!(
        r#"select p.id as "id!", s.at as "decided_at?",
                  case when s.at > r.at or r.at is null then s.price else r.price end as "price!",
                  case when s.at > r.at or r.at is null then s.price else r.anchor end as "anchor!",
                  case when s.at > r.at or r.at is null then s.at else r.anchored_at end as "anchored_at!"
           from pairs p left join reference_prices r on r.pair_id = p.id
           left join lateral (select price, at from reference_price_acts where pair_id = p.id order by id desc limit 1) s on true
           where r.price is not null or s.price is not null"#
    )
    .fetch_all(tx.connection())
    .await?;
    rows.into_iter()
        .map(|row| {
            let pair = PairId(row.id);
            let (price, anchor) = (price(row.price, pair)?, price(row.anchor, pair)?);
            let price = AnchoredPrice { price, anchor, anchored_at: row.anchored_at };
            Ok((pair, StoredReference { price, decided_at: row.decided_at }))
        })
        .collect()
}

/// Returns the [reference price](stored_references) of each pair that has one.
pub async fn references(tx: &mut Tx) -> Result<Vec<(PairId, Price)>> {
    let stored = stored_references(tx).await?;
    Ok(stored.into_iter().map(|(pair, reference)| (pair, reference.price.price)).collect())
}

/// Stores the reference price that an officer has set, with the officer and the reason.
pub async fn set_reference(
    tx: &mut Tx,
    pair: PairId,
    reference: Price,
    by: &By,
    reason: &str,
    at: Timestamp,
) -> Result<()> {
    sqlx::query!(
        "insert into reference_price_acts (pair_id, price, officer, officer_id, reason, at) values ($1, $2, $3, $4, $5, $6)",
        pair.0,
        steps(reference)? as _,
        by.name,
        by.officer.map(|officer| officer.0),
        reason,
        at
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Returns when an administrator last set the reference price of each pair in the console. Omits pairs of which none did.
pub async fn decided_at(tx: &mut Tx) -> Result<Vec<(PairId, Timestamp)>> {
    let rows = sqlx::query!(
        r#"select pair_id, max(at) as "at!" from reference_price_acts where officer_id is not null group by pair_id"#
    )
    .fetch_all(tx.connection())
    .await?;
    Ok(rows.into_iter().map(|row| (PairId(row.pair_id), row.at)).collect())
}

/// Returns the day of a timestamp, and when the next day begins. Of the days after it, `user_days` knows the sums; of the
/// first day, only the orders from the timestamp on count.
fn first_day(since: Timestamp) -> (NaiveDate, Timestamp) {
    (since.date_naive(), after(day_start(since), Duration::days(1)))
}

/// Returns the volume of a user's orders completed since a timestamp, by base. NFTs count as their albums.
pub async fn volume_of(tx: &mut Tx, user: UserId, since: Timestamp) -> Result<Vec<(AssetId, Amount)>> {
    let (first_day, next_day) = first_day(since);
    let rows = sqlx::query!(
        r#"select coalesce(a.album, a.id) as "base_asset!", sum(quantity) as "quantity!" from (
               select base_asset, quantity from user_days where user_id = $1 and day > $3 and completed > 0
               union all
               select base_asset, quantity from orders
               where advertiser = $1 and state = 'COMPLETED' and ended_at >= $2 and ended_at < $4
               union all
               select base_asset, quantity from orders
               where taker = $1 and state = 'COMPLETED' and ended_at >= $2 and ended_at < $4) o join assets a on a.id = base_asset
           group by 1 order by 1"#,
        user.0,
        since,
        first_day,
        next_day
    )
    .fetch_all(tx.connection())
    .await?;
    Ok(rows.into_iter().map(|row| (AssetId(row.base_asset), row.quantity.into())).collect())
}

/// Returns when the first order or cancellation of these users that ended on the day of `since`, but not before it, ended:
/// what [`records`] and [`volume_of`] return changes when `since` passes this time. Returns `None` if there is none.
pub async fn first_ended(tx: &mut Tx, users: &[UserId], since: Timestamp) -> Result<Option<Timestamp>> {
    let (_, next_day) = first_day(since);
    let first = sqlx::query_scalar!(
        r#"select min(at) as "at: Timestamp" from unnest($1::uuid[]) u cross join lateral (
               (select ended_at as at from orders
                where advertiser = u and ended_at >= $2 and ended_at < $3 order by ended_at limit 1)
               union all
               (select ended_at from orders where taker = u and ended_at >= $2 and ended_at < $3 order by ended_at limit 1)
               union all
               (select at from reputation_changes
                where user_id = u and at >= $2 and at < $3 and order_id is not null order by at limit 1)
           ) ended"#,
        &uuids(users),
        since,
        next_day
    )
    .fetch_one(tx.connection())
    .await?;
    Ok(first)
}

/// Returns the statistics of each user's orders that ended since a timestamp.
pub async fn records(tx: &mut Tx, users: &[UserId], since: Timestamp) -> Result<Vec<(UserId, Record)>> {
    let (first_day, next_day) = first_day(since);
    let rows = sqlx::query!(
        r#"select u as "user!", o.completed as "completed!", o.confirmations as "confirmations!", o.confirming as "confirming!",
                  o.late as "late!", o.accepted as "accepted!", o.unaccepted as "unaccepted!",
                  (select count(*) from reputation_changes c
                   where c.user_id = u and c.at >= $2 and c.order_id is not null) as "failed!"
           from unnest($1::uuid[]) u
           cross join lateral (
               select coalesce(sum(completed), 0) as completed, coalesce(sum(confirmations), 0) as confirmations,
                      coalesce(sum(confirming_micros), 0)::bigint as confirming, coalesce(sum(late), 0) as late,
                      coalesce(sum(accepted), 0) as accepted, coalesce(sum(unaccepted), 0) as unaccepted
               from (
                   select completed, confirmations, confirming_micros, late, accepted, unaccepted
                   from user_days where user_id = u and day > $3
                   union all
                   select (state = 'COMPLETED')::int, (confirming is not null)::int,
                          coalesce((extract(epoch from confirming) * 1000000)::bigint, 0),
                          (confirming is not null and late)::int, accepted::int, unaccepted::int
                   from (
                       -- A confirmation is the seller's own, of a payment that the buyer marked.
                       select is_late(orders) as late, is_accepted(orders) as accepted, is_unaccepted(orders) as unaccepted,
                              state, case when side = 'SELL' and payment <> 'AUTOMATIC' then
                                     (progress ->> 'received_at')::timestamptz - (progress -> 'paid' ->> 'at')::timestamptz end as confirming
                       from orders where advertiser = u and ended_at >= $2 and ended_at < $4
                       union all
                       select is_late(orders), false, false, state, case when side = 'BUY' and payment <> 'AUTOMATIC' then
                                     (progress ->> 'received_at')::timestamptz - (progress -> 'paid' ->> 'at')::timestamptz end
                       from orders where taker = u and ended_at >= $2 and ended_at < $4
                   ) ended
               ) days
           ) o"#,
        &uuids(users),
        since,
        first_day,
        next_day
    )
    .fetch_all(tx.connection())
    .await?;
    rows.into_iter()
        .map(|row| {
            let count = |many: i64| u32::try_from(many).map_err(|_| Error::row("orders", row.user, "count"));
            let record = Record {
                completed: count(row.completed)?,
                failed: count(row.failed)?,
                confirmations: count(row.confirmations)?,
                confirming: Duration::microseconds(row.confirming),
                late: count(row.late)?,
                accepted: count(row.accepted)?,
                unaccepted: count(row.unaccepted)?,
            };
            Ok((UserId(row.user), record))
        })
        .collect()
}
