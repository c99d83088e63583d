#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]
//! What the database keeps about completed orders is the same as what a query over all orders finds, whatever has happened to
//! them.

use std::collections::BTreeSet;

use chrono::{DateTime, Duration, DurationRound, Utc};
use domain::assets::PairId;
use domain::ids::OrderId;
use domain::reputation::day_start;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use sqlx::{AssertSqlSafe, Connection, PgConnection, Row};
use store::trades::{self as stored, Bucket, Neighbors, Period};
use testkit::market::{Market, mec};
use testkit::noon;
use testkit::trades::{Trades, completing, revoking};

/// The query over all orders. Its parameters are the pair, the period and the length of a bucket in seconds.
const NAIVE: &str = "
    select date_bin(make_interval(secs => $4::bigint), settled_at, $2) as start,
           (array_agg(price order by settled_at, id))[1]::text, max(price)::text, min(price)::text,
           (array_agg(price order by settled_at desc, id desc))[1]::text, div(sum(quantity * price), sum(quantity))::text,
           sum(quantity)::text, sum(total)::text, count(*)::text
    from orders where pair_id = $1 and state = 'COMPLETED' and settled_at >= $2 and settled_at < $3
    group by 1 order by 1";

/// The query for volumes over all orders.
const VOLUMES: &str = "
    select p.base_asset, count(*), sum(o.quantity)::text from orders o join pairs p on p.id = o.pair_id
    where o.state = 'COMPLETED' and o.settled_at >= $1 and o.settled_at < $2 group by 1 order by 1";

/// The start of a bucket and everything else about it, as text.
type Shown = (DateTime<Utc>, Vec<String>);

fn shown(bucket: &Bucket) -> Shown {
    let prices = [bucket.open, bucket.high, bucket.low, bucket.close, bucket.average];
    let amounts = [bucket.quantity, bucket.total];
    let prices = prices.iter().map(|price| price.steps().to_string());
    let amounts = amounts.iter().map(|amount| amount.units().to_string());
    (bucket.start, prices.chain(amounts).chain([bucket.trades.to_string()]).collect())
}

struct Platform {
    market: Market,
    template: OrderId,
    trades: Trades,
    naive: PgConnection,
}

impl Platform {
    /// Creates a platform with open orders.
    async fn with_orders(count: u128) -> Self {
        let market = Market::open().await;
        let mut chain = market.chain().await;
        let (anna, ben) = (market.trader().await, market.trader().await);
        let advert = anna.posts(anna.mec_for_krw("10", "1000")).await.unwrap();
        chain.brings(&anna, market.mec, mec("10")).await;
        let template = ben.orders(advert, "1").await.unwrap();
        let trades = Trades::place(&market, template, &[anna, ben, market.trader().await], count).await;
        let naive = PgConnection::connect(&market.database.url).await.unwrap();
        Self { market, template, trades, naive }
    }

    async fn naive(
        &mut self,
        pair: PairId,
        (from, before): (DateTime<Utc>, DateTime<Utc>),
        span: Duration,
    ) -> Vec<Shown> {
        let query = sqlx::query(NAIVE).bind(pair.0).bind(from).bind(before).bind(span.num_seconds());
        let rows = query.fetch_all(&mut self.naive).await.unwrap();
        rows.iter().map(|row| (row.get(0), (1..9).map(|column| row.get(column)).collect())).collect()
    }

    /// Compares all periods between these times, and the trades next to them.
    async fn compare(&mut self, times: &[DateTime<Utc>], after: &str) {
        let mut tx = self.market.database.store.begin().await.unwrap();
        for pair in [self.market.mec_krw, self.market.mec_usdt] {
            for (from, before) in times.iter().flat_map(|from| times.iter().map(move |before| (*from, *before))) {
                let found = stored::summary(&mut tx, pair, from, before).await.unwrap();
                let naive = self.naive(pair, (from, before), Duration::days(1_000)).await;
                assert_eq!(found.iter().map(shown).collect::<Vec<_>>(), naive, "{from} to {before} after {after}");
                for period in [Period::Hour, Period::Day] {
                    let from = match period {
                        Period::Hour => from.duration_trunc(Duration::hours(1)).unwrap(),
                        Period::Day => day_start(from),
                    };
                    let found = stored::buckets(&mut tx, pair, from, before, period).await.unwrap();
                    let naive = self.naive(pair, (from, before), period.length()).await;
                    let found: Vec<_> = found.iter().map(shown).collect();
                    assert_eq!(found, naive, "{from} to {before} by {period:?} after {after}");
                }
            }
            let found = stored::neighbors(&mut tx, pair, times).await.unwrap();
            assert_eq!(found.len(), times.len());
            for (time, Neighbors { last, next }) in times.iter().zip(found) {
                let last = last.map(|price| price.steps().to_string());
                let next = next.map(|(at, price)| (at, price.steps().to_string()));
                assert_eq!((last, next), self.next_to(pair, *time).await, "{time} after {after}");
            }
        }
        for (from, before) in times.iter().flat_map(|from| times.iter().map(move |before| (*from, *before))) {
            let found = store::console::dashboard::volumes(&mut tx, from, before).await.unwrap();
            let found: Vec<_> =
                found.iter().map(|one| (one.base.0, one.orders, one.quantity.units().to_string())).collect();
            let query = sqlx::query(VOLUMES).bind(from).bind(before);
            let rows = query.fetch_all(&mut self.naive).await.unwrap();
            let naive: Vec<_> = rows.iter().map(|row| (row.get(0), row.get(1), row.get(2))).collect();
            assert_eq!(found, naive, "volumes of {from} to {before} after {after}");
        }
        let count = "select pair_id, count(*) from orders where state = 'COMPLETED' group by pair_id";
        let rows = sqlx::query(count).fetch_all(&mut self.naive).await.unwrap();
        let counts: BTreeSet<_> = rows.iter().map(|row| (PairId(row.get(0)), row.get(1))).collect();
        let found: BTreeSet<_> = stored::counts(&mut tx).await.unwrap().into_iter().collect();
        assert_eq!(found, counts, "after {after}");
        tx.commit().await.unwrap();
    }

    async fn next_to(
        &mut self,
        pair: PairId,
        time: DateTime<Utc>,
    ) -> (Option<String>, Option<(DateTime<Utc>, String)>) {
        let query = "select settled_at, price::text from orders where pair_id = $1 and state = 'COMPLETED' order by settled_at, id";
        let rows = sqlx::query(query).bind(pair.0).fetch_all(&mut self.naive).await.unwrap();
        let all: Vec<(DateTime<Utc>, String)> = rows.iter().map(|row| (row.get(0), row.get(1))).collect();
        let last = all.iter().rfind(|(at, _)| *at < time).map(|(_, price)| price.clone());
        (last, all.into_iter().find(|(at, _)| *at >= time))
    }
}

/// Returns times around the boundaries of hours and days, of today, yesterday and a month ago.
fn times() -> Vec<DateTime<Utc>> {
    let midnight = day_start(noon());
    let boundaries =
        [midnight - Duration::days(30), midnight - Duration::hours(1), midnight, noon() - Duration::hours(1), noon()];
    let around = [Duration::microseconds(-1), Duration::zero(), Duration::microseconds(1), Duration::minutes(20)];
    boundaries.iter().flat_map(|boundary| around.iter().map(move |by| *boundary + *by)).collect()
}

/// A statement that changes orders.
#[derive(Debug, Clone)]
enum Change {
    Complete(Vec<Index>, Index),
    Revoke(Vec<Index>),
    /// Revokes some orders and completes others.
    Both(Vec<Index>, Vec<Index>, Index),
    /// Changes the price of an order, as no command would.
    Price(Index, u16),
    /// Inserts an order that is completed already.
    Insert(Index),
    /// Changes something that has nothing to do with trades.
    Touch(Vec<Index>),
}

fn change() -> impl Strategy<Value = Change> {
    let orders = || prop::collection::vec(any::<Index>(), 1..6);
    prop_oneof![
        6 => (orders(), any::<Index>()).prop_map(|(orders, at)| Change::Complete(orders, at)),
        3 => orders().prop_map(Change::Revoke),
        3 => (orders(), orders(), any::<Index>()).prop_map(|(old, new, at)| Change::Both(old, new, at)),
        1 => (any::<Index>(), 1..3_000_u16).prop_map(|(order, price)| Change::Price(order, price)),
        1 => any::<Index>().prop_map(Change::Insert),
        1 => orders().prop_map(Change::Touch),
    ]
}

impl Platform {
    fn statement(&self, number: usize, change: &Change) -> String {
        let some =
            |orders: &[Index]| -> Vec<OrderId> { orders.iter().map(|one| *one.get(&self.trades.orders)).collect() };
        let ids = |orders: &[Index]| some(orders).iter().map(|id| format!("'{id}'")).collect::<Vec<_>>().join(", ");
        let time = |at: &Index| *at.get(&times());
        match change {
            Change::Complete(orders, at) => completing(&some(orders), time(at)),
            Change::Revoke(orders) => revoking(&some(orders)),
            Change::Both(old, new, at) => format!(
                "update orders set settled_at = case when id in ({new}) then '{}'::timestamptz end,
                       state_data = jsonb_build_object('v', 1, 'state', case when id in ({new}) then 'COMPLETED' else 'RELEASE_REVOKED' end)
                   where id in ({new}, {})",
                time(at).to_rfc3339(),
                ids(old),
                new = ids(new),
            ),
            Change::Price(order, price) => {
                format!("update orders set price = {price} where id in ({})", ids(&[*order]))
            }
            Change::Insert(at) => format!(
                r#"select copy_order('{}', '{{"id": "{:032x}", "settled_at": "{}", "state_data": {{"v": 1, "state": "COMPLETED"}}}}')"#,
                self.template,
                1_000_000 + number,
                time(at).to_rfc3339()
            ),
            Change::Touch(orders) => format!("update orders set version = version + 1 where id in ({})", ids(orders)),
        }
    }
}

/// The number of random sequences, and their length.
const SEQUENCES: usize = 3;
const LENGTH: usize = 30;

#[tokio::test]
async fn sums_are_those_of_all_orders_after_any_changes() {
    let mut runner = TestRunner::deterministic();
    for _ in 0..SEQUENCES {
        let some = prop::collection::vec(any::<Index>(), 3);
        let steps = prop::collection::vec((change(), some), LENGTH).new_tree(&mut runner).unwrap().current();
        let mut platform = Platform::with_orders(24).await;
        for (number, (change, some)) in steps.iter().enumerate() {
            let statement = platform.statement(number, change);
            platform.market.sql(&statement).await;
            let some: Vec<_> = some.iter().map(|time| *time.get(&times())).collect();
            platform.compare(&some, &format!("{number}. {change:?}")).await;
        }
        let some: Vec<_> = times().into_iter().step_by(3).collect();
        platform.compare(&some, "all changes").await;
        let orders = platform.trades.orders.clone();
        platform.trades.revoke(&orders).await;
        let left = "select count(*) from pair_periods where pair_id <> (select pair_id from orders where id = '";
        let left = format!("{left}{}')", platform.template);
        assert_eq!(platform.market.count(&left).await, 0, "periods without trades have no row");
    }
}

/// Two transactions change the same hour: the second one waits for the first, and then takes it into account.
#[tokio::test]
async fn transactions_that_overlap_lose_nothing() {
    let hour = noon() - Duration::hours(1);
    let minute = |minute| hour + Duration::minutes(minute);
    let mut platform = Platform::with_orders(16).await;
    // Orders with even numbers are of one pair.
    let orders: Vec<_> = platform.trades.orders.iter().step_by(2).copied().collect();
    let cheap = format!("update orders set price = 1 where id = '{}'", orders[0]);
    platform.market.sql(&cheap).await;
    for (number, (first, end, second)) in [
        (completing(&orders[..2], minute(10)), "commit", completing(&orders[2..4], minute(5))),
        // The orders that are no longer completed were the first and the cheapest.
        (completing(&orders[4..5], minute(3)), "commit", revoking(&[orders[0], orders[2]])),
        (revoking(&orders[3..4]), "commit", completing(&orders[5..6], minute(59))),
        (revoking(&orders[4..5]), "commit", revoking(&[orders[1], orders[5]])),
        (completing(&orders[6..7], minute(20)), "commit", revoking(&orders)),
        (completing(&orders[..2], minute(10)), "rollback", completing(&orders[2..4], minute(5))),
        (revoking(&orders[2..3]), "rollback", revoking(&orders[3..4])),
    ]
    .into_iter()
    .enumerate()
    {
        let mut late = platform.market.session().await;
        assert!(late.runs(&format!("begin; {first}")).await);
        let market = platform.market.clone();
        let other = tokio::spawn(async move { market.sql(&second).await });
        platform.market.somebody_waits().await;
        let around = [hour - Duration::minutes(1), minute(5), minute(20), noon()];
        platform.compare(&around, "nothing is committed").await;
        assert!(late.runs(end).await);
        other.await.unwrap();
        late.ends().await;
        platform.compare(&around, &format!("{end} of {number}")).await;
    }
}

/// The rows of a reader that follows the feed.
#[tokio::test]
async fn the_feed_names_each_order_that_is_completed_or_revoked() {
    let mut platform = Platform::with_orders(6).await;
    let orders = platform.trades.orders.clone();
    let mut tx = platform.market.database.store.alone().await.unwrap();
    let mut position = store::changes::end(&mut tx).await.unwrap();
    let statements = [
        (completing(&orders[..2], noon()), &orders[..2]),
        (revoking(&orders[1..3]), &orders[1..2]),
        (completing(&orders[..1], noon() + Duration::hours(1)), &orders[..1]),
        (format!("update orders set version = version + 1 where id = '{}'", orders[0]), &orders[..0]),
    ];
    for (statement, named) in statements {
        sqlx::raw_sql(AssertSqlSafe(statement.clone())).execute(&mut platform.naive).await.unwrap();
        let (changed, next) = store::changes::trades_since(&mut tx, &position, 10).await.unwrap();
        let changed: BTreeSet<_> = changed.unwrap().into_iter().collect();
        assert_eq!(changed, named.iter().copied().collect(), "{statement}");
        position = next;
    }
    platform.trades.complete(&orders, noon()).await;
    assert_eq!(store::changes::trades_since(&mut tx, &position, 5).await.unwrap().0, None, "six are too many");
}
