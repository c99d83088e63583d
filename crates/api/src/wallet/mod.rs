//! The calls about balances, fund records and withdrawals.

pub(crate) mod dto;
mod records;
mod withdrawals;

use utoipa_axum::router::OpenApiRouter;

use crate::state::ApiState;

pub(crate) fn calls() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new().merge(records::calls()).merge(withdrawals::calls())
}
