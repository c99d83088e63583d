//! The market at a glance, for visitors who are not logged in.

use std::sync::Arc;

use app::Context;
use app::overview::{self, Overview, PairView};
use axum::Extension;
use axum::extract::{FromRef, State};
use chrono::{DateTime, Duration, Utc};
use serde::Serialize;
use tokio::sync::Mutex;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::dto::Trader;
use crate::envelope::{Answer, Done, Envelope};

/// How long an answer is given again. The call is open to everybody and reads every pair.
const KEPT: Duration = Duration::seconds(10);
/// How many pairs are shown.
const PAIRS: usize = 12;

pub(super) fn calls<S>() -> OpenApiRouter<S>
where
    S: Clone + Send + Sync + 'static,
    Context: FromRef<S>,
{
    OpenApiRouter::new().routes(routes!(market)).layer(Extension(Arc::<Kept>::default()))
}

/// The last answer, and when it was made by the machine's time. Whoever comes while it is made waits for it.
#[derive(Default)]
struct Kept(Mutex<Option<(DateTime<Utc>, MarketOverview)>>);

/// The whole market at a glance.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct MarketOverview {
    /// How many orders were ever completed.
    completed_trades: i64,
    /// Up to 12 pairs, those with the most completed orders first.
    pairs: Vec<PairOverview>,
}

/// One pair at a glance.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PairOverview {
    /// The base's short name.
    base: String,
    /// The quote's short name.
    quote: String,
    /// The price of the last order that was ever completed, decimal; null before the first.
    latest: Option<String>,
    /// How many adverts sell the base now.
    adverts: usize,
    /// The cheapest of them; null without any.
    best: Option<BestAdvert>,
}

/// An advert, without anything that only its takers need.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct BestAdvert {
    /// Its id.
    id: uuid::Uuid,
    /// Quote for one unit of the base, decimal.
    price: String,
    /// How much of the base can still be ordered, decimal.
    remaining: String,
    /// Who posted it.
    advertiser: Trader,
}

impl From<PairView> for PairOverview {
    fn from(view: PairView) -> Self {
        let (base, quote) = (view.pair.base, view.pair.quote);
        Self {
            latest: view.latest.map(|price| price.to_string()),
            adverts: view.adverts,
            best: view.best.map(|face| BestAdvert {
                id: face.advert.id.0,
                price: face.advert.terms.price.to_string(),
                remaining: face.advert.remaining.format(base.decimals),
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
            pairs: overview.pairs.into_iter().take(PAIRS).map(PairOverview::from).collect(),
        }
    }
}

/// Last prices, best adverts and the number of completed orders, at most ten seconds old.
#[utoipa::path(get, path = "/market/overview", operation_id = "marketOverview", tag = "market",
    responses((status = 200, body = Envelope<MarketOverview>)))]
async fn market(State(context): State<Context>, Extension(kept): Extension<Arc<Kept>>) -> Answer<MarketOverview> {
    let mut last = kept.0.lock().await;
    let now = context.machine_now();
    if let Some((made, overview)) = last.as_ref() {
        let age = now.signed_duration_since(*made);
        if age >= Duration::zero() && age < KEPT {
            return Ok(Done(overview.clone()));
        }
    }
    let overview = MarketOverview::from(overview::overview(&context).await?);
    *last = Some((now, overview.clone()));
    Ok(Done(overview))
}
