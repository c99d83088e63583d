//! What the pages and calls of the development world share.

use std::net::{Ipv4Addr, SocketAddr};

use anyhow::Context as _;
use axum::http::{HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Json, Router};
use serde_json::json;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// A call that could not be carried out, with the words for a person.
pub(crate) struct Failure(StatusCode, String);

impl Failure {
    /// The caller's mistake.
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

/// A file of a page, with the headers of a page that loads nothing from elsewhere.
pub(crate) fn file(kind: &'static str, text: &'static str) -> impl IntoResponse + Clone {
    let headers: [(HeaderName, &'static str); 3] = [
        (header::CONTENT_TYPE, kind),
        (header::CACHE_CONTROL, "no-store"),
        (header::CONTENT_SECURITY_POLICY, "default-src 'self'"),
    ];
    (headers, text)
}

/// Answers at a port of this machine until told to stop.
pub(crate) async fn serve(
    port: u16,
    router: Router,
    stop: CancellationToken,
) -> anyhow::Result<JoinHandle<std::io::Result<()>>> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let listener = TcpListener::bind(address).await.with_context(|| format!("cannot listen at {address}"))?;
    Ok(tokio::spawn(async move { axum::serve(listener, router).with_graceful_shutdown(stop.cancelled_owned()).await }))
}
