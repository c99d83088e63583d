//! The market: the hall, matching adverts, statistics and price history.

mod dto;
mod hall;
mod matching;
mod overview;
mod pages;
mod prices;
mod traits;

use utoipa_axum::router::OpenApiRouter;

pub use dto::HallRows;
pub(crate) use dto::{OrderableAdvert, TradedVolume, Trader, TraderStats};
pub(crate) use hall::positive;
pub(crate) use pages::KeptPages;

use crate::state::ApiState;

/// Returns the routes of the market, which need no session. Logged-in users don't see their own adverts, nor adverts of
/// users on either side of a block.
pub(crate) fn calls() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new()
        .merge(hall::calls())
        .merge(matching::calls())
        .merge(traits::calls())
        .merge(prices::calls())
        .merge(overview::calls())
}
