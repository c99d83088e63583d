//! The calls, a module a feature.

mod common;
mod dto;
mod identity;
mod payment_methods;

pub use dto::SealedText;

use utoipa_axum::router::OpenApiRouter;

use crate::state::ApiState;

/// All calls.
pub(crate) fn all() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new()
        .merge(identity::calls())
        .merge(payment_methods::calls())
        .merge(common::calls())
        .merge(crate::trading::calls())
        .merge(crate::market::calls())
        .merge(crate::common::calls())
        .merge(crate::funds::calls())
        .merge(crate::realtime::calls())
}
