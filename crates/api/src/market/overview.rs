//! The market overview for visitors who are not logged in.

use std::sync::Arc;

use app::Context;
use app::market::hall::Hall;
use app::market::overview::{self, Overview, PairView};
use axum::Extension;
use axum::extract::State;
use chrono::{DateTime, Duration, Utc};
use serde::Serialize;
use tokio::sync::Mutex;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::dto::Trader;
use crate::envelope::{Answer, Done, Envelope};
use crate::state::ApiState;

/// The time for which a response is cached, because the call is public and reads every pair.
const CACHED_FOR: Duration = Duration::seconds(10);
/// The maximum number of pairs.
const MAX_PAIRS: usize = 12;

pub(super) fn calls() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new().routes(routes!(market)).layer(Extension(Arc::<Kept>::default()))
}

/// The cached response and the machine time at which it was computed. Concurrent requests share one computation.
#[derive(Default)]
struct Kept(Mutex<Option<(DateTime<Utc>, MarketOverview)>>);

#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct MarketOverview {
    /// The number of orders completed so far.
    completed_trades: i64,
    /// Up to 12 pairs, those with the most completed orders first.
    pairs: Vec<PairOverview>,
}

#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PairOverview {
    /// The code of the base.
    base: String,
    /// The code of the quote.
    quote: String,
    /// The price of the latest completed order, as a decimal string; null before the first.
    latest: Option<String>,
    /// The number of adverts that sell the base now.
    adverts: usize,
    /// The cheapest of these adverts; null if there are none.
    best: Option<BestAdvert>,
}

/// The public part of an advert.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct BestAdvert {
    id: uuid::Uuid,
    /// The price of one unit of the base, in the quote, as a decimal string.
    price: String,
    /// The quantity of the base that can still be ordered, as a decimal string.
    remaining: String,
    advertiser: Trader,
}

impl From<PairView> for PairOverview {
    fn from(view: PairView) -> Self {
        let (base, quote) = (view.pair.base, view.pair.quote);
        Self {
            latest: view.latest.map(|price| price.to_string()),
            adverts: view.adverts,
            best: view.best.map(|face| BestAdvert {
                id: face.offer.advert.0,
                price: face.offer.price.to_string(),
                remaining: face.offer.remaining.format(base.decimals),
                advertiser: Trader::new(&face.owner, &face.record),
            }),
            base: base.code,
            quote: quote.code,
        }
    }
}

impl From<Overview> for MarketOverview {
    fn from(overview: Overview) -> Self {
        Self {
            completed_trades: overview.trades,
            pairs: overview.pairs.into_iter().take(MAX_PAIRS).map(PairOverview::from).collect(),
        }
    }
}

/// Returns the latest prices, the best adverts and the number of completed orders. The response is at most ten seconds
/// old.
#[utoipa::path(get, path = "/market/overview", tag = "market",
    responses((status = 200, body = Envelope<MarketOverview>)))]
async fn market(
    State(context): State<Context>,
    State(hall): State<Arc<Hall>>,
    Extension(kept): Extension<Arc<Kept>>,
) -> Answer<MarketOverview> {
    let mut last = kept.0.lock().await;
    let now = context.machine_now();
    if let Some((made, overview)) = last.as_ref() {
        let age = now.signed_duration_since(*made);
        if age >= Duration::zero() && age < CACHED_FOR {
            return Ok(Done(overview.clone()));
        }
    }
    let overview = MarketOverview::from(overview::overview(&context, &hall).await?);
    *last = Some((now, overview.clone()));
    Ok(Done(overview))
}
