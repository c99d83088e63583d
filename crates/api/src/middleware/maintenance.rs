//! Closes the platform during planned maintenance.

use std::sync::Arc;

use async_trait::async_trait;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use domain::clock::Timestamp;

use super::{Middleware, is_public};
use crate::codes;
use crate::envelope::ApiError;

/// The period in which the platform is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    pub start: Timestamp,
    /// The time at which the platform opens again.
    pub end: Timestamp,
}

#[async_trait]
pub trait MaintenanceCheck: Send + Sync {
    /// Returns the current maintenance window, if any.
    async fn current(&self) -> Option<Window>;
}

/// Refuses all but the public calls during maintenance, with HTTP status 503 and code 401. The message contains the
/// start and end of the window.
pub(super) async fn layer(State(middleware): State<Arc<Middleware>>, request: Request, next: Next) -> Response {
    if is_public(request.uri().path()) {
        return next.run(request).await;
    }
    let Some(window) = middleware.maintenance.current().await else { return next.run(request).await };
    let timestamp = |at: Timestamp| at.to_rfc3339_opts(chrono::SecondsFormat::Secs, true);
    let message = serde_json::json!([timestamp(window.start), timestamp(window.end)]).to_string();
    let mut response = ApiError::from(codes::LOGIN_INVALID).saying(message).into_response();
    *response.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
    response
}
