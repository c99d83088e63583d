//! The published figures about appeals.

use app::appeals::{AppealFigures, DAYS, Figures, MIN_DECIDED};
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::envelope::{Answer, Done, Envelope};
use crate::state::ApiState;

pub(super) fn calls() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new().routes(routes!(appeal_figures))
}

/// How quickly appeals were decided, and for whom.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = AppealFigures)]
#[serde(rename_all = "camelCase")]
struct FiguresDto {
    /// The appeals that were filed, including those that are not decided yet.
    filed: u32,
    /// The appeals that were decided for the buyer.
    buyer: u32,
    /// The appeals that were decided for the seller.
    seller: u32,
    rejected: u32,
    withdrawn: u32,
    /// The median of the time from the filing of an appeal to its decision, in seconds. An appeal that has waited for longer than
    /// 24 hours counts with the time that it has waited so far.
    median_seconds: u32,
    /// The time within which 95% of these appeals were decided, in seconds.
    ninety_five_percent_seconds: u32,
    /// The share of the appeals that were decided within 24 hours, in percent. An appeal that has waited for longer counts as
    /// late.
    within_day_percent: u32,
}

impl From<Figures> for FiguresDto {
    fn from(figures: Figures) -> Self {
        Self {
            filed: figures.filed,
            buyer: figures.for_buyer,
            seller: figures.for_seller,
            rejected: figures.rejected,
            withdrawn: figures.withdrawn,
            median_seconds: figures.median,
            ninety_five_percent_seconds: figures.ninety_fifth,
            within_day_percent: figures.percent_in_time,
        }
    }
}

/// The figures about appeals that are published.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PublishedFigures {
    /// The number of days over which appeals are counted.
    days: u32,
    /// The number of decided appeals that is needed for figures.
    least: u32,
    /// Null while fewer appeals were decided, so that no figure says something about single orders.
    figures: Option<FiguresDto>,
}

/// Returns how quickly the appeals of the last days were decided, and for whom. The figures are up to 15 minutes old.
#[utoipa::path(get, path = "/common/appeal-figures", tag = "common",
    responses((status = 200, body = Envelope<PublishedFigures>)))]
async fn appeal_figures(State(figures): State<AppealFigures>) -> Answer<PublishedFigures> {
    let figures = figures.current().await?.map(FiguresDto::from);
    Ok(Done(PublishedFigures { days: DAYS, least: MIN_DECIDED, figures }))
}
