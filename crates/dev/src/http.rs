//! Helpers that the pages and APIs of the development environment share.

use std::net::{Ipv4Addr, SocketAddr};

use anyhow::Context as _;
use axum::http::{HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Json, Router};
use serde_json::json;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// An error response with a message for people.
pub(crate) struct Failure(StatusCode, String);

impl Failure {
    /// Reports a mistake of the caller.
    pub(crate) fn bad(words: impl Into<String>) -> Self {
        Self(StatusCode::BAD_REQUEST, words.into())
    }
}

impl<E: Into<anyhow::Error>> From<E> for Failure {
    fn from(error: E) -> Self {
        Self(StatusCode::BAD_GATEWAY, format!("{:#}", error.into()))
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        (self.0, Json(json!({ "error": self.1 }))).into_response()
    }
}

/// Returns a static file of a page, with headers that forbid loading anything from other origins.
pub(crate) fn file(kind: &'static str, text: &'static str) -> impl IntoResponse + Clone {
    let headers: [(HeaderName, &'static str); 3] = [
        (header::CONTENT_TYPE, kind),
        (header::CACHE_CONTROL, "no-store"),
        (header::CONTENT_SECURITY_POLICY, "default-src 'self'"),
    ];
    (headers, text)
}

/// Serves on a loopback port until `stop` is canceled.
pub(crate) async fn serve(
    port: u16,
    router: Router,
    stop: CancellationToken,
) -> anyhow::Result<JoinHandle<std::io::Result<()>>> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let listener = TcpListener::bind(address).await.with_context(|| format!("cannot listen on {address}"))?;
    Ok(tokio::spawn(async move { axum::serve(listener, router).with_graceful_shutdown(stop.cancelled_owned()).await }))
}
