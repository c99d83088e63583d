//! Request IDs, access log and metrics.

use std::sync::Arc;
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderName, HeaderValue, Method};
use axum::middleware::Next;
use axum::response::Response;
use tracing::Instrument;
use uuid::Uuid;

use super::{Middleware, rate_limit::client};
use crate::codes::Code;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Returns the request ID that the client chose, if it is short and plain.
fn named(request: &Request) -> Option<String> {
    let text = request.headers().get(REQUEST_ID)?.to_str().ok()?;
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    ((8..=64).contains(&text.len()) && text.bytes().all(plain)).then(|| text.to_owned())
}

/// Returns the method as a metrics label. Unknown methods share one label, because each label creates a time series and
/// clients can invent methods.
fn label(method: &Method) -> &'static str {
    let known = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];
    known.into_iter().find(|name| *name == method.as_str()).unwrap_or("other")
}

/// Logs and measures each request. The log contains the pattern of the path, and never the query, headers or body,
/// which may contain tokens and personal data.
pub(super) async fn layer(State(middleware): State<Arc<Middleware>>, request: Request, next: Next) -> Response {
    let id = named(&request).unwrap_or_else(|| Uuid::now_v7().simple().to_string());
    let method = request.method().clone();
    let route = request.extensions().get::<MatchedPath>().map_or("-", MatchedPath::as_str).to_owned();
    let address = client(request.extensions(), request.headers(), &middleware.proxies);
    let span = tracing::info_span!("request", id = %id, method = %method, route = %route);
    let began = Instant::now();
    let mut response = next.run(request).instrument(span).await;
    let took = began.elapsed();
    let status = response.status().as_u16();
    let code = response.extensions().get::<Code>().map_or("200", |code| code.code);
    // With the fields of the span instead of the span: the JSON log would parse the fields of the span for each event.
    tracing::info!(
        parent: None,
        id,
        method = %method,
        route,
        status,
        code,
        micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX),
        address = address.map(tracing::field::display),
        "answered"
    );
    let labels = [("method", label(&method).to_owned()), ("route", route), ("status", status.to_string())];
    metrics::counter!("mec2c_http_requests_total", &labels).increment(1);
    metrics::histogram!("mec2c_http_request_seconds", &labels).record(took.as_secs_f64());
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, value);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_method_that_somebody_invents_makes_no_series_of_its_own() {
        assert_eq!(label(&Method::POST), "POST");
        assert_eq!(label(&Method::from_bytes(b"AAAA1").unwrap()), "other");
    }
}
