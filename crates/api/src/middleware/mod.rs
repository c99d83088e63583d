//! Middleware of all calls: request IDs, logging, limits, timeouts, headers and the web app's files.

mod access;
mod acted;
mod bodies;
mod files;
mod headers;
mod internal;
mod maintenance;
mod observe;
mod pass_page;
mod rate_limit;

use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use access::is_upload;
pub use access::{has_login_limit, is_public};
pub(crate) use acted::requested_by;
pub(crate) use bodies::Shared;
pub use files::web;
pub use headers::CONTENT_SECURITY_POLICY;
pub use internal::{Check, internal_router};
pub use maintenance::{MaintenanceCheck, Window};
pub(crate) use pass_page::{Ended, is_navigation, page_of};
pub use rate_limit::{Limits, Rate, RateLimitSettings, Ticks};
pub(crate) use rate_limit::{client, told_by_proxy};

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use tower_http::catch_panic::CatchPanicLayer;

use crate::codes;
use crate::envelope::ApiError;
use crate::extract::SessionCheck;
use crate::language;

/// The maximum size of a request body.
pub const BODY_LIMIT: usize = 1024 * 1024;

/// The shared parts of all calls.
pub struct Middleware {
    pub sessions: Arc<dyn SessionCheck>,
    pub maintenance: Arc<dyn MaintenanceCheck>,
    pub limits: Limits,
    /// The folder with the web app's built files, unless only the API is served.
    pub web_root: Option<PathBuf>,
    /// The trusted proxies, whose `X-Forwarded-For` is used.
    pub proxies: Vec<IpAddr>,
    /// The header in which a trusted proxy reports the region of a network address.
    pub region_header: Option<String>,
    /// The timeout of a call.
    pub time_out: Duration,
    /// The timeout of an upload.
    pub upload_time_out: Duration,
}

/// Adds the middleware to the router. The layer that is added last sees a request first.
pub(crate) fn around(router: Router, middleware: &Arc<Middleware>) -> Router {
    router
        .layer(DefaultBodyLimit::max(BODY_LIMIT))
        .layer(from_fn_with_state(Arc::clone(middleware), maintenance::layer))
        .layer(from_fn_with_state(Arc::clone(middleware), rate_limit::layer))
        .layer(from_fn_with_state(Arc::clone(middleware), time_out))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(from_fn_with_state(Arc::clone(middleware), acted::layer))
        .layer(from_fn(language::layer))
        .layer(from_fn(pass_page::layer))
        .layer(from_fn(headers::layer))
        .layer(from_fn(bodies::layer))
        .layer(from_fn_with_state(Arc::clone(middleware), observe::layer))
}

async fn time_out(State(middleware): State<Arc<Middleware>>, request: Request, next: Next) -> Response {
    let uploads = is_upload(request.uri().path());
    let limit = if uploads { middleware.upload_time_out } else { middleware.time_out };
    let body = request.extensions().get::<bodies::Shared>().cloned();
    match tokio::time::timeout(limit, next.run(request)).await {
        Ok(response) => response,
        Err(_) if body.is_some_and(|body| body.is_awaited()) => ApiError::from(codes::TOO_SLOW).into_response(),
        Err(_) => ApiError::from(codes::TIMED_OUT).into_response(),
    }
}

#[expect(clippy::needless_pass_by_value, reason = "the layer requires this signature")]
fn panicked(cause: Box<dyn std::any::Any + Send + 'static>) -> Response {
    let text = cause.downcast_ref::<&str>().copied().or_else(|| cause.downcast_ref::<String>().map(String::as_str));
    ApiError::internal(&text.unwrap_or("a panic without a message")).into_response()
}
