//! Statistics and prices over time.

use app::Context;
use app::market::{self, Bucket, Range, Statistics};
use axum::extract::{FromRef, State};
use chrono::{DateTime, Utc};
use domain::money::{Amount, Price};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::envelope::{Answer, Done, Envelope};
use crate::extract::Query;

pub(super) fn calls<S>() -> OpenApiRouter<S>
where
    S: Clone + Send + Sync + 'static,
    Context: FromRef<S>,
{
    OpenApiRouter::new().routes(routes!(stats)).routes(routes!(thread))
}

/// Which pair.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct PairQuery {
    /// The base's short name.
    base: String,
    /// The quote's short name.
    quote: String,
}

/// What was traded of a pair in the last 24 hours, over completed orders.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct MarketStats {
    /// The base's short name.
    base: String,
    /// The quote's short name.
    quote: String,
    /// The price of the last order that was ever completed, decimal.
    latest: Option<String>,
    /// The highest price, decimal; null without trades.
    high24h: Option<String>,
    /// The lowest price, decimal; null without trades.
    low24h: Option<String>,
    /// The mean price, weighted by quantity, decimal; null without trades.
    average24h: Option<String>,
    /// Base that changed hands, decimal.
    volume24h: String,
    /// Quote that was paid for it, decimal.
    turnover24h: String,
    /// The change since 0:00 UTC as a ratio, such as `-0.012`; null before the first trade ever.
    change_today: Option<String>,
    /// The last price of each of the 24 hours, decimal, the oldest first; fewer before the first trade ever.
    spark: Vec<String>,
}

/// Millionths as a decimal with a sign.
fn ratio(ppm: i128) -> Option<String> {
    let digits = Amount::new(ppm.checked_abs()?).ok()?.format(6);
    Some(if ppm < 0 { format!("-{digits}") } else { digits })
}

fn shown(price: Option<Price>) -> Option<String> {
    price.map(|price| price.to_string())
}

impl From<Statistics> for MarketStats {
    fn from(stats: Statistics) -> Self {
        Self {
            latest: shown(stats.latest),
            high24h: shown(stats.high),
            low24h: shown(stats.low),
            average24h: shown(stats.average),
            volume24h: stats.volume.format(stats.pair.base.decimals),
            turnover24h: stats.turnover.format(stats.pair.quote.decimals),
            change_today: stats.change_ppm.and_then(ratio),
            spark: stats.spark.iter().map(Price::to_string).collect(),
            base: stats.pair.base.code,
            quote: stats.pair.quote.code,
        }
    }
}

/// What was traded of a pair in the last 24 hours.
#[utoipa::path(get, path = "/market/stats", operation_id = "marketStats", tag = "market", params(PairQuery),
    responses((status = 200, body = Envelope<MarketStats>), (status = 400, description = "400: a field of the query"),
        (status = 422, description = "5028: no such pair")))]
async fn stats(State(context): State<Context>, Query(query): Query<PairQuery>) -> Answer<MarketStats> {
    Ok(Done(market::statistics(&context, &query.base, &query.quote).await?.into()))
}

/// How far back.
#[derive(Debug, Clone, Copy, Deserialize, Serialize, ToSchema)]
enum ThreadRange {
    /// 7 days, by the hour.
    #[serde(rename = "7D")]
    Week,
    /// 30 days, by the day.
    #[serde(rename = "30D")]
    Month,
    /// 3 months, by the day.
    #[serde(rename = "3M")]
    Quarter,
    /// 6 months, by the day.
    #[serde(rename = "6M")]
    HalfYear,
    /// A year, by the day.
    #[serde(rename = "1Y")]
    Year,
}

impl From<ThreadRange> for Range {
    fn from(range: ThreadRange) -> Self {
        match range {
            ThreadRange::Week => Self::Week,
            ThreadRange::Month => Self::Month,
            ThreadRange::Quarter => Self::Quarter,
            ThreadRange::HalfYear => Self::HalfYear,
            ThreadRange::Year => Self::Year,
        }
    }
}

/// Which range.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct RangeQuery {
    /// How far back.
    #[param(inline)]
    range: ThreadRange,
}

/// What was traded in one hour or day of UTC.
#[derive(Debug, Clone, Serialize, ToSchema)]
struct PricePoint {
    /// Its first moment.
    at: DateTime<Utc>,
    /// The first price, decimal.
    open: String,
    /// The highest price, decimal.
    high: String,
    /// The lowest price, decimal.
    low: String,
    /// The last price, decimal.
    close: String,
    /// The mean price, weighted by quantity, decimal.
    average: String,
    /// Base that changed hands, decimal.
    volume: String,
    /// Quote that was paid for it, decimal.
    turnover: String,
    /// How many orders.
    trades: i64,
}

/// The price of a pair over time, over completed orders.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PriceThread {
    /// The base's short name.
    base: String,
    /// The quote's short name.
    quote: String,
    /// How far back.
    range: ThreadRange,
    /// How long each record is: an hour or a day.
    bucket_seconds: i64,
    /// The hours or days that had trades, the oldest first. The whole range in one answer: at most 367.
    records: Vec<PricePoint>,
}

/// The price of a pair over time.
#[utoipa::path(get, path = "/order/price/thread/new/page", operation_id = "priceThread", tag = "market", params(PairQuery, RangeQuery),
    responses((status = 200, body = Envelope<PriceThread>), (status = 400, description = "400: a field of the query"),
        (status = 422, description = "5028: no such pair")))]
async fn thread(
    State(context): State<Context>,
    Query(query): Query<PairQuery>,
    Query(RangeQuery { range }): Query<RangeQuery>,
) -> Answer<PriceThread> {
    let thread = market::thread(&context, &query.base, &query.quote, range.into()).await?;
    let (base, quote) = (&thread.pair.base, &thread.pair.quote);
    let point = |bucket: &Bucket| PricePoint {
        at: bucket.start,
        open: bucket.open.to_string(),
        high: bucket.high.to_string(),
        low: bucket.low.to_string(),
        close: bucket.close.to_string(),
        average: bucket.average.to_string(),
        volume: bucket.quantity.format(base.decimals),
        turnover: bucket.total.format(quote.decimals),
        trades: bucket.trades,
    };
    Ok(Done(PriceThread {
        range,
        bucket_seconds: thread.span.num_seconds(),
        records: thread.points.iter().map(point).collect(),
        base: base.code.clone(),
        quote: quote.code.clone(),
    }))
}
