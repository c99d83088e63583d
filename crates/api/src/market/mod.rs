//! The market: the hall, its best matches, statistics and prices over time.

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

/// The calls of the market. All are open to strangers; a person who is signed in does not see their own adverts, nor
/// those of people with whom there is a block.
pub fn calls<S>() -> OpenApiRouter<S>
where
    S: Clone + Send + Sync + 'static,
    Context: FromRef<S>,
    Arc<Middleware>: FromRef<S>,
{
    OpenApiRouter::new().merge(hall::calls()).merge(prices::calls()).merge(overview::calls())
}
