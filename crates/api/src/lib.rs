//! The HTTP API: calls, envelope, codes, limits and the API document. It contains no business rules and no SQL.

// A handler returns at most one error per request, so the size of the error type does not matter.
#![allow(clippy::result_large_err)]

mod adverts;
mod appeals;
mod certification;
pub mod codes;
mod commands;
mod common;
pub mod console;
pub mod envelope;
pub mod extract;
mod files;
mod identity;
mod language;
mod market;
pub mod middleware;
mod nfts;
mod notifications;
pub mod openapi;
pub mod operations;
mod orders;
mod origin;
mod payment_methods;
mod polls;
pub mod realtime;
mod reputation;
mod requirements;
mod routes;
mod serve;
mod state;
mod talk;
mod traders;
mod wallet;

pub use identity::SealedText;
pub use market::HallRows;
pub use polls::Polls;
pub use serve::{Connections, serve};
pub use state::{AccountSessions, ApiState, Explorer, Explorers, Services};

use std::sync::Arc;

use axum::Router;
use axum::extract::FromRef;
use utoipa::openapi::OpenApi;
use utoipa_axum::router::OpenApiRouter;

use crate::envelope::ApiError;
use crate::middleware::Middleware;

/// The base path of the API.
pub const BASE: &str = "/api";

/// Builds the API and its document.
pub fn router(state: ApiState) -> (Router, OpenApi) {
    assemble(routes::all(), state)
}

/// Builds only the API document, which is committed as `docs/generated/openapi.json`.
pub fn document() -> OpenApi {
    OpenApiRouter::with_openapi(openapi::frame()).merge(routes::all()).into_openapi()
}

/// Combines calls, documents and the web app's files, wrapped in the shared middleware.
///
/// `calls` are the routers of the features, without the base path.
pub fn assemble<S>(calls: OpenApiRouter<S>, state: S) -> (Router, OpenApi)
where
    S: Clone + Send + Sync + 'static,
    Arc<Middleware>: FromRef<S>,
{
    let middleware = Arc::<Middleware>::from_ref(&state);
    let (calls, document) = OpenApiRouter::with_openapi(openapi::frame()).merge(calls).split_for_parts();
    let calls = calls
        .fallback(|| async { ApiError::from(codes::NO_SUCH_CALL) })
        .method_not_allowed_fallback(|| async { ApiError::from(codes::METHOD_NOT_ALLOWED) });
    let mut router = Router::new().nest(BASE, calls.with_state(state)).merge(openapi::pages(&document));
    if let Some(root) = &middleware.web_root {
        router = router.fallback_service(middleware::web(root));
    }
    (middleware::around(router, &middleware), document)
}
