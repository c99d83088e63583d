//! The market: the hall, matching adverts, statistics and price history.

mod dto;
mod hall;
mod overview;
mod prices;

use utoipa_axum::router::OpenApiRouter;

pub(crate) use dto::{Trader, TraderStats};

use crate::state::ApiState;

/// The calls of the market. They need no session. Users who are logged in don't see their own adverts, nor those of
/// users whom they have blocked or who have blocked them.
pub(crate) fn calls() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new().merge(hall::calls()).merge(prices::calls()).merge(overview::calls())
}
