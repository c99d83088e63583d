//! A name for each request, a line in the log and a mark in the metrics.

use std::sync::Arc;
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use tracing::Instrument;
use uuid::Uuid;

use super::{House, limits::client};
use crate::codes::Code;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// A client's own name for its request is kept when it is short and plain.
fn named(request: &Request) -> Option<String> {
    let text = request.headers().get(REQUEST_ID)?.to_str().ok()?;
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    ((8..=64).contains(&text.len()) && text.bytes().all(plain)).then(|| text.to_owned())
}

/// The log has the path's pattern and never the query, headers or body: they hold tokens and personal data.
pub(super) async fn layer(State(house): State<Arc<House>>, request: Request, next: Next) -> Response {
    let id = named(&request).unwrap_or_else(|| Uuid::now_v7().simple().to_string());
    let method = request.method().clone();
    let route = request.extensions().get::<MatchedPath>().map_or("-", MatchedPath::as_str).to_owned();
    let address = client(request.extensions(), request.headers(), &house.proxies);
    let span = tracing::info_span!("request", id = %id, method = %method, route = %route);
    let began = Instant::now();
    let mut response = next.run(request).instrument(span.clone()).await;
    let took = began.elapsed();
    let status = response.status().as_u16();
    let code = response.extensions().get::<Code>().map_or("200", |code| code.code);
    span.in_scope(|| {
        tracing::info!(
            status,
            code,
            micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX),
            address = address.map(tracing::field::display),
            "answered"
        );
    });
    let labels = [("method", method.to_string()), ("route", route), ("status", status.to_string())];
    metrics::counter!("mec2c_http_requests_total", &labels).increment(1);
    metrics::histogram!("mec2c_http_request_seconds", &labels).record(took.as_secs_f64());
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, value);
    }
    response
}
