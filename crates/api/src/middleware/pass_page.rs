//! The callback of the pass, the only call that a browser opens as a page. Whatever the result, the browser is
//! redirected to the web app and never shows an envelope.

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::codes::{self, Code};

/// The path of the callback.
const CALL_BACK: &str = "/api/scan/callBack";

/// The result of a request to the pass, for the page's query string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ended {
    Approved,
    Declined,
    /// The challenge has expired or was answered before.
    Expired,
    /// The answer is invalid.
    Failed,
    /// The platform can't process the answer now.
    Unavailable,
}

impl Ended {
    /// Returns the result as the value of the query parameter.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Approved => "approved",
            Self::Declined => "declined",
            Self::Expired => "expired",
            Self::Failed => "failed",
            Self::Unavailable => "unavailable",
        }
    }
}

/// Returns whether a browser opens the URL as a page, rather than calling it from a script.
pub(crate) fn is_navigation(headers: &HeaderMap) -> bool {
    let has = |name: &str, part: &str| {
        headers.get_all(name).iter().filter_map(|value| value.to_str().ok()).any(|value| value.contains(part))
    };
    has("sec-fetch-mode", "navigate") || has("accept", "text/html")
}

/// Redirects a browser to a page with the result. The path was checked when the challenge was created: printable
/// characters, no fragment.
pub(crate) fn page_of(path: &str, ended: Ended, more: &[(&str, &str)]) -> Response {
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.append_pair("pass", ended.word());
    for (name, value) in more {
        query.append_pair(name, value);
    }
    let separator = if path.contains('?') { '&' } else { '?' };
    let address = format!("{path}{separator}{}", query.finish());
    HeaderValue::from_str(&address).map_or_else(
        |_| StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        |value| (StatusCode::SEE_OTHER, [(header::LOCATION, value)]).into_response(),
    )
}

/// Replaces every response that a browser would display with a redirect to a page, including the responses of rate
/// limits, timeouts and maintenance.
pub(super) async fn layer(request: Request, next: Next) -> Response {
    let shown = request.uri().path() == CALL_BACK && is_navigation(request.headers());
    let response = next.run(request).await;
    if !shown || response.status().is_redirection() {
        return response;
    }
    let code = response.extensions().get::<Code>().copied();
    let ended = match code {
        Some(codes::SCAN_TIMEOUT) => Ended::Expired,
        Some(codes::TOO_MANY | codes::UNAVAILABLE | codes::TIMED_OUT | codes::INTERNAL) => Ended::Unavailable,
        _ if response.status() == StatusCode::SERVICE_UNAVAILABLE => Ended::Unavailable,
        _ => Ended::Failed,
    };
    let mut page = page_of("/login", ended, &[]);
    // Keep the original response for the log and the metrics.
    page.extensions_mut().extend(response.extensions().clone());
    page
}
