//! What is kept about trades stays right for as long as it says: the statistics, the price history and the reference prices.

use std::collections::BTreeMap;

use app::market::{Range, ReferencePrices, statistics, thread};
use chrono::Duration;
use domain::clock::Timestamp;
use domain::ids::OrderId;
use domain::market::{AnchoredPrice, reference};
use domain::money::Price;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use testkit::market::Market;
use testkit::noon;
use testkit::trades::{Trades, completing};

use crate::Stage;

impl Stage {
    /// Places orders of seven users on two pairs.
    async fn places(&self, count: u128) -> Trades {
        let template = self.ordered("1").await;
        let mut traders = vec![self.anna.clone(), self.ben.clone()];
        for _ in 0..5 {
            traders.push(self.market.trader().await);
        }
        Trades::place(&self.market, template, &traders, count).await
    }
}

const RANGES: [Range; 5] = [Range::Week, Range::Month, Range::Quarter, Range::HalfYear, Range::Year];

/// Returns the statistics and price histories of a pair as text, each with the time at which it changes.
async fn shown(market: &Market) -> Vec<(String, Timestamp)> {
    let (found, lasting) = statistics(&market.context, "MEC", "KRW").await.unwrap();
    let mut shown = vec![(format!("{found:?}"), lasting.until.unwrap())];
    for range in RANGES {
        let (found, lasting) = thread(&market.context, "MEC", "KRW", range).await.unwrap();
        shown.push((format!("{found:?}"), lasting.until.unwrap()));
    }
    shown
}

#[tokio::test]
async fn statistics_and_charts_stay_the_same_until_they_say_so() {
    let minutes = prop::collection::vec((-60 * 50..120_i64, -1..2_i64), 24);
    let mut runner = TestRunner::deterministic();
    let mut changes = 0;
    for _ in 0..3 {
        let stage = Stage::set().await;
        let trades = stage.places(24).await;
        let times = minutes.new_tree(&mut runner).unwrap().current();
        for (order, (minute, micros)) in trades.orders.iter().zip(times) {
            let at = noon() + Duration::minutes(minute) + Duration::microseconds(micros);
            trades.complete(&[*order], at).await;
        }
        let mut now = noon();
        for _ in 0..25 {
            let before = shown(&stage.market).await;
            let next = before.iter().map(|(_, until)| *until).min().unwrap();
            assert!(next > now, "{next} is not after {now}");
            stage.market.at(next - Duration::microseconds(1)).await;
            for ((then, until), (later, _)) in before.iter().zip(shown(&stage.market).await) {
                assert_eq!(*then, later, "from {now} to {next}, of {until}");
            }
            stage.market.at(next).await;
            now = next;
            changes += usize::from(before.iter().zip(shown(&stage.market).await).any(|(then, now)| then.0 != now.0));
        }
    }
    assert!(changes > 40, "{changes} of 75 times changed something");
}

#[derive(Debug, Clone)]
enum Step {
    Complete(Vec<Index>, i64),
    Revoke(Vec<Index>),
    /// Passes time, or puts the clock back.
    Wait(i64),
    /// Restarts the worker.
    Forget,
    /// An officer sets a price.
    Decide(u16),
}

fn step() -> impl Strategy<Value = Step> {
    let orders = || prop::collection::vec(any::<Index>(), 1..8);
    prop_oneof![
        6 => (orders(), -90..30_i64).prop_map(|(orders, minute)| Step::Complete(orders, minute)),
        2 => orders().prop_map(Step::Revoke),
        4 => prop::sample::select(vec![0, 1, 20, 60, 60, 300, 1_380, -120]).prop_map(Step::Wait),
        1 => Just(Step::Forget),
        1 => (900..1_100_u16).prop_map(Step::Decide),
    ]
}

/// Computes the medians from all trades of the last day, of one pair only from those since an officer has set its price. This is
/// what the worker did before it kept any.
async fn naive(market: &Market, decided: Option<Timestamp>) -> BTreeMap<i64, i128> {
    let end = market.now().await;
    let from = end.checked_sub_signed(Duration::hours(24)).unwrap();
    let mut tx = market.database.store.begin().await.unwrap();
    let mut trades = store::trades::since(&mut tx, from).await.unwrap();
    tx.commit().await.unwrap();
    trades.retain(|(_, _, trade)| trade.at > from && trade.at <= end);
    let decided = decided.filter(|at| *at > from);
    trades.retain(|(_, pair, trade)| *pair != market.mec_krw || decided.is_none_or(|at| trade.at >= at));
    trades.sort_by_key(|(order, _, trade)| (trade.at, *order));
    let mut pairs: BTreeMap<i64, Vec<_>> = BTreeMap::new();
    for (_, pair, trade) in trades {
        pairs.entry(pair.0).or_default().push(trade);
    }
    pairs.into_iter().filter_map(|(pair, trades)| Some((pair, reference(&trades)?.steps()))).collect()
}

#[tokio::test]
async fn kept_trades_give_the_same_reference_prices_as_all_trades() {
    let mut runner = TestRunner::deterministic();
    let (mut qualified, mut none) = (0, 0);
    for _ in 0..3 {
        let steps = prop::collection::vec(step(), 40).new_tree(&mut runner).unwrap().current();
        let stage = Stage::set().await;
        let market = &stage.market;
        let trades = stage.places(30).await;
        let (mut first, second) = (ReferencePrices::default(), ReferencePrices::default());
        let mut stored: BTreeMap<i64, (AnchoredPrice, Timestamp)> = BTreeMap::new();
        let mut decided: Option<AnchoredPrice> = None;
        for (number, step) in steps.iter().enumerate() {
            let some =
                |orders: &[Index]| -> Vec<OrderId> { orders.iter().map(|one| *one.get(&trades.orders)).collect() };
            let now = market.now().await;
            match step {
                Step::Complete(orders, minute) => {
                    trades.complete(&some(orders), now + Duration::minutes(*minute)).await;
                }
                Step::Revoke(orders) => trades.revoke(&some(orders)).await,
                Step::Wait(minutes) => market.at(now + Duration::minutes(*minutes)).await,
                Step::Forget => first = ReferencePrices::default(),
                Step::Decide(price) => {
                    super::references::decides(market, &price.to_string()).await;
                    decided = Some(AnchoredPrice::at(testkit::market::price(&price.to_string()), now));
                }
            }
            // A worker that is behind catches up with several changes at once.
            let workers = if number % 3 == 0 { vec![&first, &second] } else { vec![&first] };
            let medians = naive(market, decided.map(|decided| decided.anchored_at)).await;
            for worker in workers {
                assert_eq!(worker.keep(&market.context).await.unwrap(), medians.len(), "after {number}. {step:?}");
            }
            if medians.is_empty() {
                none += 1;
            } else {
                qualified += 1;
            }
            let now = market.now().await;
            for (pair, steps) in medians {
                let median = Price::new(steps).unwrap();
                let kept = stored.get(&pair).copied();
                // An officer has set a price for one of the pairs, perhaps later than the last median.
                let decided = decided.filter(|_| pair == market.mec_krw.0);
                let earlier = match (kept, decided) {
                    (Some((anchored, at)), Some(decided)) if decided.anchored_at <= at => Some(anchored),
                    (Some((anchored, _)), None) => Some(anchored),
                    (_, decided) => decided,
                };
                let anchored = earlier.map_or(AnchoredPrice::at(median, now), |earlier| earlier.toward(median, now));
                // A later price remains when the clock is put back.
                if kept.is_none_or(|(_, at)| at <= now) {
                    stored.insert(pair, (anchored, now));
                }
            }
            for (pair, (anchored, at)) in &stored {
                let AnchoredPrice { price, anchor, anchored_at } = anchored;
                let (price, anchor) = (price.steps(), anchor.steps());
                let same = "select count(*) from reference_prices where (pair_id, price, anchor, anchored_at, at)";
                let (anchored_at, at) = (anchored_at.to_rfc3339(), at.to_rfc3339());
                let same = format!("{same} = ({pair}, {price}, {anchor}, '{anchored_at}', '{at}')");
                assert_eq!(market.count(&same).await, 1, "{pair} at {anchored:?} after {number}. {step:?}");
            }
        }
    }
    assert!(qualified > 30 && none > 10, "{qualified} with a median, {none} without");
}

#[tokio::test]
async fn a_trade_that_commits_late_counts() {
    let stage = Stage::set().await;
    let market = &stage.market;
    let trades = stage.places(20).await;
    // Orders with even numbers are of one pair.
    let orders: Vec<_> = trades.orders.iter().step_by(2).copied().collect();
    let prices = ReferencePrices::default();
    let mut late = market.session().await;
    assert!(late.runs("begin").await);
    // Each user counts once an hour.
    for (order, hours) in orders.iter().zip(0..) {
        let at = noon() - Duration::minutes(10) - Duration::hours(hours);
        assert!(late.runs(&completing(&[*order], at)).await);
    }
    for _ in 0..3 {
        market.waits(Duration::minutes(5)).await;
        assert_eq!(prices.keep(&market.context).await.unwrap(), 0);
    }
    assert!(late.runs("commit").await);
    assert_eq!(prices.keep(&market.context).await.unwrap(), 1);
    trades.revoke(&orders).await;
    assert_eq!(prices.keep(&market.context).await.unwrap(), 0);
    late.ends().await;
}

#[tokio::test]
async fn a_step_reads_only_new_trades_and_a_lasting_median_changes_no_reference_data() {
    let stage = Stage::set().await;
    let trades = stage.places(400).await;
    let (old, new) = trades.orders.split_at(390);
    // Each user counts once an hour.
    for (part, hours) in old.chunks(65).zip(1..) {
        trades.complete(part, noon() - Duration::hours(hours)).await;
    }
    let market = &stage.market;
    market
        .sql("do $$ begin execute format('alter database %I set enable_seqscan = off', current_database()); end $$")
        .await;
    market.sql("vacuum analyze").await;
    let prices = ReferencePrices::default();
    // What connections read of the feed depends on transactions of other tests.
    let orders_read = async || {
        market.database.rows_read().await;
        let read = "select (select sum(idx_tup_read) from pg_stat_user_indexes where relname = 'orders')::bigint
                         + (select seq_tup_read from pg_stat_user_tables where relname = 'orders')";
        market.database.count(read).await
    };
    let cost = async || {
        market.database.store.close().await;
        let before = orders_read().await;
        let own = market.reconnected();
        own.waits(Duration::seconds(10)).await;
        let stored = prices.keep(&own.context).await.unwrap();
        own.database.store.close().await;
        (stored, orders_read().await - before)
    };
    let version = async || market.count("select version from reference_data_version").await;
    let (stored, all) = cost().await;
    assert_eq!(stored, 2);
    assert!(all >= 390, "the first step reads all trades: {all} rows");
    let same = version().await;
    let (stored, none) = cost().await;
    assert_eq!((stored, version().await), (2, same), "the medians are the same");
    let stale = format!("select count(*) from reference_prices where at < '{}'", market.reconnected().now().await);
    assert_eq!(market.count(&stale).await, 0, "they are stored with the time");
    trades.complete(new, noon()).await;
    let (_, some) = cost().await;
    // The index has an entry for each version of a row.
    assert!(none == 0 && (10..=20).contains(&some), "{none} and {some} rows");
    market.reconnected().waits(Duration::seconds(1)).await;
    super::references::decides(&market.reconnected(), "1040").await;
    let decided = version().await;
    assert!(decided > same);
    let (stored, _) = cost().await;
    assert_eq!((stored, version().await), (1, decided), "the officer's price holds until later trades qualify");
}
