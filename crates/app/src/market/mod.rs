//! Market data: prices of completed orders, and the terms of trading.

pub mod hall;
pub mod overview;

use std::collections::BTreeMap;

use chrono::{Duration, DurationRound, Months};
use domain::assets::{Asset, Pair, PairId};
use domain::clock::{Timestamp, after};
use domain::market::{Band, Trade, reference};
use domain::money::{Amount, Price};
use domain::payment_methods::MethodForm;
use domain::refusal::Refusal;
use domain::reputation::day_start;
use store::Tx;

use crate::{Context, Result};

pub use store::market::Bucket;

/// The period of the statistics.
const DAY: Duration = Duration::hours(24);
const HOUR: Duration = Duration::hours(1);

/// The statistics of a pair for the last 24 hours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statistics {
    pub pair: Pair,
    /// The price of the last completed order.
    pub latest: Option<Price>,
    pub high: Option<Price>,
    pub low: Option<Price>,
    /// The average quote paid per unit of the base.
    pub average: Option<Price>,
    /// In base units of the base.
    pub volume: Amount,
    /// In base units of the quote.
    pub turnover: Amount,
    /// The change from the last price before 0:00 UTC to the latest price, in millionths. Without such a price, today's
    /// first price is used.
    pub change_ppm: Option<i128>,
    /// The last price of each of the 24 hours, oldest first. An hour without trades has the price of the previous hour;
    /// hours before the pair's first trade are omitted.
    pub spark: Vec<Price>,
}

/// The period of a price chart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Range {
    /// 7 days, in buckets of an hour.
    Week,
    /// 30 days, in buckets of a day.
    Month,
    /// 3 months, in buckets of a day.
    Quarter,
    /// 6 months, in buckets of a day.
    HalfYear,
    /// A year, in buckets of a day.
    Year,
}

impl Range {
    /// Returns the start of the period and the length of a bucket. Hours and days begin in UTC.
    fn begin(self, now: Timestamp) -> (Timestamp, Duration) {
        let months = |many| now.checked_sub_months(Months::new(many)).unwrap_or(now);
        let days = |many| now.checked_sub_signed(Duration::days(many)).unwrap_or(now);
        match self {
            Self::Week => {
                let from = days(7);
                (from.duration_trunc(HOUR).unwrap_or(from), HOUR)
            }
            Self::Month => (day_start(days(30)), DAY),
            Self::Quarter => (day_start(months(3)), DAY),
            Self::HalfYear => (day_start(months(6)), DAY),
            Self::Year => (day_start(months(12)), DAY),
        }
    }
}

/// The prices of a pair over time, for a chart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thread {
    pub pair: Pair,
    /// The length of a bucket.
    pub span: Duration,
    /// The buckets with trades, oldest first.
    pub points: Vec<Bucket>,
}

/// The current terms of trading a pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Terms {
    pub pair: Pair,
    /// The bounds of a price; `None` without a reference price.
    pub band: Option<Band>,
    /// The price of the last completed order.
    pub latest: Option<Price>,
    /// The kinds of payment methods for a fiat quote; empty otherwise.
    pub method_kinds: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Catalog {
    /// All coins and fiat currencies, but no NFTs.
    pub coins: Vec<Asset>,
    pub pairs: Vec<Terms>,
}

/// Returns a pair by the codes of its assets.
pub async fn pair(context: &Context, base: &str, quote: &str) -> Result<Pair> {
    let (mut tx, _) = context.begin().await?;
    pair_named(context, &mut tx, base, quote).await
}

pub(crate) async fn pair_named(context: &Context, tx: &mut Tx, base: &str, quote: &str) -> Result<Pair> {
    let data = context.reference_data(tx).await?.data;
    let named = data.pairs.values().find(|pair| pair.base.code == base && pair.quote.code == quote);
    Ok(named.cloned().ok_or(Refusal::PairUnsupported)?)
}

pub(crate) async fn pair_by_id(context: &Context, tx: &mut Tx, id: PairId) -> Result<Pair> {
    let data = context.reference_data(tx).await?.data;
    Ok(data.pairs.get(&id).cloned().ok_or(Refusal::PairUnsupported)?)
}

/// Returns the exclusive end of the period. It is after `now`, so that an order that was just completed is included.
fn end(now: Timestamp) -> Timestamp {
    after(now, Duration::microseconds(1))
}

fn day_before(now: Timestamp) -> Timestamp {
    now.checked_sub_signed(DAY).unwrap_or(now)
}

/// Returns the statistics of a pair for the last 24 hours.
pub async fn statistics(context: &Context, base: &str, quote: &str) -> Result<Statistics> {
    let (mut tx, now) = context.begin().await?;
    let pair = pair_named(context, &mut tx, base, quote).await?;
    let from = end(day_before(now));
    let hours = store::market::buckets(&mut tx, pair.id, from, end(now), HOUR).await?;
    let before = store::market::last_price(&mut tx, pair.id, from).await?;
    let latest = hours.last().map(|hour| hour.close).or(before);
    let today = store::market::buckets(&mut tx, pair.id, day_start(now), end(now), DAY).await?;
    let yesterday = store::market::last_price(&mut tx, pair.id, day_start(now)).await?;
    let baseline = yesterday.or_else(|| today.first().map(|day| day.open));
    let whole = store::market::buckets(&mut tx, pair.id, from, end(now), DAY).await?;
    let whole = whole.first();
    Ok(Statistics {
        latest,
        high: whole.map(|whole| whole.high),
        low: whole.map(|whole| whole.low),
        // Rounding down must not go below the lowest price, which may have more decimals than the pair allows today.
        average: whole
            .map(|whole| whole.average.floor(pair.price_decimals).map_or(whole.low, |mean| mean.max(whole.low))),
        change_ppm: latest.zip(baseline).and_then(|(latest, baseline)| change_ppm(latest, baseline)),
        spark: spark(&hours, before, from),
        volume: whole.map_or(Amount::ZERO, |whole| whole.quantity),
        turnover: whole.map_or(Amount::ZERO, |whole| whole.total),
        pair,
    })
}

/// Computes the change between two prices, in millionths.
fn change_ppm(latest: Price, baseline: Price) -> Option<i128> {
    latest.steps().checked_sub(baseline.steps())?.checked_mul(1_000_000)?.checked_div(baseline.steps())
}

/// Returns a price for each of the 24 hours: the last price of the hour, or else the price of the previous hour.
fn spark(hours: &[store::market::Bucket], before: Option<Price>, from: Timestamp) -> Vec<Price> {
    let closes: BTreeMap<_, _> = hours.iter().map(|hour| (hour.start, hour.close)).collect();
    let mut last = before;
    (0..24)
        .filter_map(|hour| {
            let start = after(from, Duration::hours(hour));
            last = closes.get(&start).copied().or(last);
            last
        })
        .collect()
}

/// Returns the prices of a pair over time.
pub async fn thread(context: &Context, base: &str, quote: &str, range: Range) -> Result<Thread> {
    let (mut tx, now) = context.begin().await?;
    let pair = pair_named(context, &mut tx, base, quote).await?;
    let (from, span) = range.begin(now);
    let buckets = store::market::buckets(&mut tx, pair.id, from, end(now), span).await?;
    Ok(Thread { pair, span, points: buckets })
}

/// Stores the reference price of each pair whose trades of the last 24 hours qualify. Other pairs keep their stored
/// price. Must be called periodically. Returns the number of stored prices.
pub async fn keep_references(context: &Context) -> Result<usize> {
    let (mut tx, now) = context.begin().await?;
    let mut trades: BTreeMap<PairId, Vec<Trade>> = BTreeMap::new();
    for (pair, trade) in store::market::trades_between(&mut tx, end(day_before(now)), end(now)).await? {
        trades.entry(pair).or_default().push(trade);
    }
    let mut kept = 0_usize;
    for (pair, trades) in trades {
        if let Some(price) = reference(&trades) {
            store::market::keep_reference(&mut tx, pair, price, now).await?;
            kept = kept.saturating_add(1);
        }
    }
    tx.commit().await?;
    Ok(kept)
}

/// Returns all assets, and the pairs with their terms.
pub async fn catalog(context: &Context) -> Result<Catalog> {
    let (mut tx, now) = context.begin().await?;
    let data = context.reference_data(&mut tx).await?.data;
    let coins = data.assets.values().filter(|asset| !is_nft(asset)).cloned().collect();
    let latest: BTreeMap<_, _> = store::market::last_prices(&mut tx, end(now)).await?.into_iter().collect();
    let pairs = data
        .pairs
        .values()
        .map(|pair| Terms {
            band: pair.band(data.reference_prices.get(&pair.id).copied()),
            latest: latest.get(&pair.id).copied(),
            method_kinds: method_kinds(pair, &data.forms),
            pair: pair.clone(),
        })
        .collect();
    Ok(Catalog { coins, pairs })
}

fn is_nft(asset: &Asset) -> bool {
    use domain::assets::Home;
    use domain::chain::Token;
    matches!(asset.home, Home::Chain { token: Token::Erc721(..), .. })
}

fn method_kinds(pair: &Pair, forms: &[MethodForm]) -> Vec<String> {
    if !pair.is_fiat() {
        return Vec::new();
    }
    forms.iter().filter(|form| form.currencies.contains(&pair.quote.code)).map(|form| form.kind.clone()).collect()
}
