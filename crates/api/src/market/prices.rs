//! Market statistics and price history.

use std::sync::Arc;

use app::Context;
use app::market::{self, Bucket, Range, Statistics, Thread};
use axum::extract::State;
use axum::response::Response;
use chrono::{DateTime, Utc};
use domain::money::{Amount, Price};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::dto::PairQuery;
use crate::envelope::{ApiError, Envelope};
use crate::extract::Query;
use crate::polls::{Poll, Polls};
use crate::state::ApiState;

pub(super) fn calls() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new().routes(routes!(stats)).routes(routes!(nft_average)).routes(routes!(thread))
}

/// The statistics of a pair's completed orders in the last 24 hours.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct MarketStats {
    /// The code of the base.
    base: String,
    /// The code of the quote.
    quote: String,
    /// The price of the latest completed order, as a decimal string; null before the first.
    latest: Option<String>,
    /// The highest price, as a decimal string; null without trades.
    high24h: Option<String>,
    /// The lowest price, as a decimal string; null without trades.
    low24h: Option<String>,
    /// The average price, weighted by quantity, as a decimal string; null without trades.
    average24h: Option<String>,
    /// The traded quantity of the base, as a decimal string.
    volume24h: String,
    /// The traded total in the quote, as a decimal string.
    turnover24h: String,
    /// The change of the price since 00:00 UTC, as a ratio such as `-0.012`; null before the first trade.
    change_today: Option<String>,
    /// The closing price of each of the 24 hours, as decimal strings, oldest first; fewer if the first trade is more
    /// recent.
    spark: Vec<String>,
}

/// Formats millionths as a signed decimal.
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

/// Returns the statistics of a pair in the last 24 hours.
#[utoipa::path(get, path = "/market/stats", tag = "market", params(PairQuery),
    responses((status = 200, body = Envelope<MarketStats>)))]
async fn stats(
    State(context): State<Context>,
    State(polls): State<Arc<Polls>>,
    Query(PairQuery { base, quote }): Query<PairQuery>,
) -> Result<Response, ApiError> {
    let compute = async || {
        let (statistics, lasting) = market::statistics(&context, &base, &quote).await?;
        Ok((MarketStats::from(statistics), Some(lasting)))
    };
    polls.answer(Poll::Statistics { base: base.clone(), quote: quote.clone() }, compute).await
}

#[derive(Debug, Clone, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct QuoteQuery {
    /// The code of the quote.
    quote: String,
}

/// What NFTs of all albums cost in the last 24 hours.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct NftAverage {
    /// The average price, as a decimal string; null without sales.
    average24h: Option<String>,
    /// The number of sales.
    trades24h: i64,
}

/// Returns what NFTs of all albums cost in the last 24 hours, of those that are paid in one quote.
#[utoipa::path(get, path = "/market/nft/average", tag = "market", params(QuoteQuery),
    responses((status = 200, body = Envelope<NftAverage>)))]
async fn nft_average(
    State(context): State<Context>,
    State(polls): State<Arc<Polls>>,
    Query(QuoteQuery { quote }): Query<QuoteQuery>,
) -> Result<Response, ApiError> {
    let compute = async || {
        let (seen, lasting) = market::nft_average(&context, &quote).await?;
        Ok((NftAverage { average24h: shown(seen.average), trades24h: seen.trades }, Some(lasting)))
    };
    polls.answer(Poll::NftAverage { quote: quote.clone() }, compute).await
}

#[derive(Debug, Clone, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct RangeQuery {
    #[param(inline)]
    range: Range,
}

/// The trades of one hour or UTC day.
#[derive(Debug, Clone, Serialize, ToSchema)]
struct PricePoint {
    /// The start of the hour or day.
    at: DateTime<Utc>,
    /// The opening price, as a decimal string.
    open: String,
    /// The highest price, as a decimal string.
    high: String,
    /// The lowest price, as a decimal string.
    low: String,
    /// The closing price, as a decimal string.
    close: String,
    /// The average price, weighted by quantity, as a decimal string.
    average: String,
    /// The traded quantity of the base, as a decimal string.
    volume: String,
    /// The traded total in the quote, as a decimal string.
    turnover: String,
    /// The number of orders.
    trades: i64,
}

/// The price history of a pair, from completed orders.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PriceThread {
    /// The code of the base.
    base: String,
    /// The code of the quote.
    quote: String,
    range: Range,
    /// The length of the period that each record covers, in seconds: an hour or a day.
    bucket_seconds: i64,
    /// The hours or days with trades, oldest first. The list is complete, with at most 367 records.
    records: Vec<PricePoint>,
}

impl PriceThread {
    fn of(thread: &Thread, range: Range) -> Self {
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
        Self {
            range,
            bucket_seconds: thread.span.num_seconds(),
            records: thread.points.iter().map(point).collect(),
            base: base.code.clone(),
            quote: quote.code.clone(),
        }
    }
}

/// Returns the price history of a pair.
#[utoipa::path(get, path = "/order/price/thread/new/page", tag = "market", params(PairQuery, RangeQuery),
    responses((status = 200, body = Envelope<PriceThread>)))]
async fn thread(
    State(context): State<Context>,
    State(polls): State<Arc<Polls>>,
    Query(PairQuery { base, quote }): Query<PairQuery>,
    Query(RangeQuery { range }): Query<RangeQuery>,
) -> Result<Response, ApiError> {
    let compute = async || {
        let (thread, lasting) = market::thread(&context, &base, &quote, range).await?;
        Ok((PriceThread::of(&thread, range), Some(lasting)))
    };
    polls.answer(Poll::Prices { base: base.clone(), quote: quote.clone(), range }, compute).await
}
