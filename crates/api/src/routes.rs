//! Combines the routes of all features.

use utoipa_axum::router::OpenApiRouter;

use crate::state::ApiState;
use crate::{adverts, common, identity, market, orders, payment_methods, realtime, wallet};

pub(crate) fn all() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new()
        .merge(identity::calls())
        .merge(payment_methods::calls())
        .merge(common::reference::calls())
        .merge(adverts::calls())
        .merge(orders::calls())
        .merge(wallet::calls())
        .merge(market::calls())
        .merge(common::calls())
        .merge(realtime::calls())
}
