//! Combines the routes of all features.

use utoipa_axum::router::OpenApiRouter;

use crate::state::ApiState;
use crate::{
    adverts, appeals, certification, common, console, files, identity, market, nfts, notifications, orders,
    payment_methods, realtime, reputation, talk, traders, wallet,
};

pub(crate) fn all() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new()
        .merge(identity::calls())
        .merge(certification::calls())
        .merge(payment_methods::calls())
        .merge(files::calls())
        .merge(common::reference::calls())
        .merge(adverts::calls())
        .merge(orders::calls())
        .merge(appeals::calls())
        .merge(talk::calls())
        .merge(traders::calls())
        .merge(notifications::calls())
        .merge(wallet::calls())
        .merge(market::calls())
        .merge(nfts::calls())
        .merge(common::calls())
        .merge(reputation::calls())
        .merge(common::dictionary::calls())
        .merge(realtime::calls())
        .merge(console::calls())
}
