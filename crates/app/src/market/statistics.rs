//! The statistics of a pair for the last 24 hours, and its prices over time.
//!
//! Both come with how long they stay the same, so that the API can keep them. With time, trades leave a period, pass from one
//! hour of it to the previous one, or enter it, if they were completed by a process whose clock is ahead.

use chrono::{Duration, DurationRound, Months};
use domain::assets::Pair;
use domain::clock::{Timestamp, after};
use domain::market::average;
use domain::money::{Amount, Price};
use domain::refusal::Refusal;
use domain::reputation::day_start;
use serde::{Deserialize, Serialize};
use store::trades::{Bucket, Neighbors, Period, buckets, neighbors, summary};

use super::{DAY, day_before, end, pair_named};
use crate::memory::feed::Change;
use crate::{Context, Lasting, Result};

/// The number of hours that [`Statistics::spark`] covers.
const HOURS: i64 = 24;

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

/// The range of the price history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = ThreadRange))]
pub enum Range {
    /// 7 days, in buckets of an hour.
    #[serde(rename = "7D")]
    Week,
    /// 30 days, in buckets of a day.
    #[serde(rename = "30D")]
    Month,
    /// 3 months, in buckets of a day.
    #[serde(rename = "3M")]
    Quarter,
    /// 6 months, in buckets of a day.
    #[serde(rename = "6M")]
    HalfYear,
    /// A year, in buckets of a day.
    #[serde(rename = "1Y")]
    Year,
}

impl Range {
    /// Returns the start of the period and what a bucket covers. Hours and days begin in UTC.
    fn begin(self, now: Timestamp) -> (Timestamp, Period) {
        let months = |many| now.checked_sub_months(Months::new(many)).unwrap_or(now);
        let days = |many| now.checked_sub_signed(Duration::days(many)).unwrap_or(now);
        match self {
            Self::Week => (hour_start(days(7)), Period::Hour),
            Self::Month => (day_start(days(30)), Period::Day),
            Self::Quarter => (day_start(months(3)), Period::Day),
            Self::HalfYear => (day_start(months(6)), Period::Day),
            Self::Year => (day_start(months(12)), Period::Day),
        }
    }
}

fn hour_start(now: Timestamp) -> Timestamp {
    now.duration_trunc(Period::Hour.length()).unwrap_or(now)
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

/// Returns how long data about trades stays the same, unless time changes it at one of these times.
fn lasting(times: impl Iterator<Item = Timestamp>) -> Lasting {
    Lasting { on: vec![Change::Trade, Change::Reference], until: times.min(), deadlines: false }
}

/// Returns the statistics of a pair for the last 24 hours.
pub async fn statistics(context: &Context, base: &str, quote: &str) -> Result<(Statistics, Lasting)> {
    let (mut tx, now) = context.begin().await?;
    let pair = pair_named(context, &mut tx, base, quote).await?;
    let (from, before, midnight) = (day_before(now), end(now), day_start(now));
    let times: Vec<_> = [midnight].into_iter().chain(boundaries(from)).collect();
    let mut around = neighbors(&mut tx, pair.id, &times).await?.into_iter();
    let at_midnight = around.next().unwrap_or_default();
    let hours: Vec<_> = around.collect();
    let latest = hours.last().and_then(|hour| hour.last);
    let today = at_midnight.next.filter(|(at, _)| *at < before).map(|(_, open)| open);
    let baseline = at_midnight.last.or(today);
    let whole = summary(&mut tx, pair.id, from, before).await?;
    let statistics = Statistics {
        latest,
        high: whole.map(|whole| whole.high),
        low: whole.map(|whole| whole.low),
        // Rounding down must not go below the lowest price, which may have more decimals than the pair allows today.
        average: whole
            .map(|whole| whole.average.floor(pair.price_decimals).map_or(whole.low, |mean| mean.max(whole.low))),
        change_ppm: latest.zip(baseline).and_then(|(latest, baseline)| change_ppm(latest, baseline)),
        spark: hours.iter().skip(1).filter_map(|hour| hour.last).collect(),
        volume: whole.map_or(Amount::ZERO, |whole| whole.quantity),
        turnover: whole.map_or(Amount::ZERO, |whole| whole.total),
        pair,
    };
    Ok((statistics, lasting(passed_at(&hours).chain([after(midnight, DAY)]))))
}

/// What NFTs of all albums cost in the last 24 hours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NftAverage {
    pub average: Option<Price>,
    /// The number of sales.
    pub trades: i64,
}

/// Returns what NFTs of all albums cost in the last 24 hours, of those that are paid in the asset with this code.
pub async fn nft_average(context: &Context, quote: &str) -> Result<(NftAverage, Lasting)> {
    let (mut tx, now) = context.begin().await?;
    let data = context.reference_data(&mut tx).await?.data;
    let pairs: Vec<_> = data.pairs.values().filter(|pair| pair.of_nfts() && pair.quote.code == quote).collect();
    let first = *pairs.first().ok_or(Refusal::PairUnsupported)?;
    let (from, before) = (day_before(now), end(now));
    let (mut sold, mut paid, mut trades, mut times) = (Amount::ZERO, Amount::ZERO, 0_i64, Vec::new());
    for pair in pairs {
        if let Some(whole) = summary(&mut tx, pair.id, from, before).await? {
            (sold, paid) = (sold.saturating_add(whole.quantity), paid.saturating_add(whole.total));
            trades = trades.saturating_add(whole.trades);
        }
        let next = neighbors(&mut tx, pair.id, &[from, before]).await?.into_iter().map(|around| around.next);
        let ahead = [DAY, Duration::zero()];
        times.extend(next.zip(ahead).filter_map(|(next, ahead)| next.map(|(at, _)| after(at, ahead))));
    }
    let average = average(first, sold, paid);
    let average = average.and_then(|mean| mean.floor(first.price_decimals).or(Some(mean)));
    Ok((NftAverage { average, trades }, lasting(times.into_iter())))
}

/// Returns the start of each of the 24 hours that begin at `from`, and the end of the last one.
fn boundaries(from: Timestamp) -> impl Iterator<Item = Timestamp> {
    (0..=HOURS).map(move |hour| after(from, Duration::hours(hour)))
}

/// Returns when a trade is first before each of the boundaries, which move on with time: the last of them is the present.
fn passed_at(boundaries: &[Neighbors]) -> impl Iterator<Item = Timestamp> {
    let ahead = (0..=HOURS).rev().map(Duration::hours);
    boundaries.iter().zip(ahead).filter_map(|(boundary, ahead)| boundary.next.map(|(at, _)| after(at, ahead)))
}

/// Computes the change between two prices, in millionths.
fn change_ppm(latest: Price, baseline: Price) -> Option<i128> {
    latest.steps().checked_sub(baseline.steps())?.checked_mul(1_000_000)?.checked_div(baseline.steps())
}

/// Returns the prices of a pair over time.
pub async fn thread(context: &Context, base: &str, quote: &str, range: Range) -> Result<(Thread, Lasting)> {
    let (mut tx, now) = context.begin().await?;
    let pair = pair_named(context, &mut tx, base, quote).await?;
    let (from, period) = range.begin(now);
    let points = buckets(&mut tx, pair.id, from, end(now), period).await?;
    let later = neighbors(&mut tx, pair.id, &[end(now)]).await?;
    let later = later.iter().filter_map(|after| after.next.map(|(at, _)| at));
    // The period begins on the full hour or day, and its start moves on by one whenever the present passes one.
    let moves_on = match period {
        Period::Hour => after(hour_start(now), Period::Hour.length()),
        Period::Day => after(day_start(now), DAY),
    };
    let lasting = lasting(later.chain([moves_on]));
    Ok((Thread { pair, span: period.length(), points }, lasting))
}
