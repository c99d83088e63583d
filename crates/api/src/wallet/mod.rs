//! Balances, fund records and withdrawals.

pub(crate) mod dto;
pub mod records;
mod withdrawals;

use std::sync::Arc;

use app::Context;
use axum::extract::FromRef;
use utoipa_axum::router::OpenApiRouter;

use crate::commands::SecurityPasswords;
use crate::middleware::Middleware;

pub fn calls<S>() -> OpenApiRouter<S>
where
    S: Clone + Send + Sync + 'static,
    Context: FromRef<S>,
    Arc<Middleware>: FromRef<S>,
    Arc<dyn SecurityPasswords>: FromRef<S>,
{
    OpenApiRouter::new().merge(records::calls()).merge(withdrawals::calls())
}
