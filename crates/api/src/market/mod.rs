//! The market: the hall, matching adverts, statistics and price history.

mod dto;
mod hall;
mod overview;
mod prices;
mod viewer;

use std::sync::Arc;

use app::Context;
use axum::extract::FromRef;
use utoipa_axum::router::OpenApiRouter;

pub use dto::{Trader, TraderStats};

use crate::middleware::Middleware;

/// The calls of the market. They need no session. Users who are logged in don't see their own adverts, nor those of
/// users whom they have blocked or who have blocked them.
pub fn calls<S>() -> OpenApiRouter<S>
where
    S: Clone + Send + Sync + 'static,
    Context: FromRef<S>,
    Arc<Middleware>: FromRef<S>,
{
    OpenApiRouter::new().merge(hall::calls()).merge(prices::calls()).merge(overview::calls())
}
