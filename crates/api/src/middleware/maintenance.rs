//! Planned closing times.

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

/// From when to when the product is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// Its first moment.
    pub start: Timestamp,
    /// When the product opens again.
    pub end: Timestamp,
}

/// Says whether the product is closed now.
#[async_trait]
pub trait MaintenanceCheck: Send + Sync {
    /// The window in which the present moment lies.
    async fn current(&self) -> Option<Window>;
}

/// During a window every call but the public ones answers 503 with code 401, its message the two moments.
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
