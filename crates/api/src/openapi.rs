//! The document of the API, made from the code, and the page that shows it.

use axum::Router;
use axum::http::header;
use axum::response::IntoResponse;
use axum::routing::get;
use utoipa::openapi::security::{ApiKey, ApiKeyValue, SecurityScheme};
use utoipa::openapi::{Components, InfoBuilder, OpenApi, OpenApiBuilder, Server};

/// The frame of the document; the calls fill it.
pub(crate) fn frame() -> OpenApi {
    let session = SecurityScheme::ApiKey(ApiKey::Header(ApiKeyValue::with_description(
        "authorization",
        "The session's token, as log-in returns it.",
    )));
    let mut components = Components::new();
    components.add_security_scheme("session", session);
    let info = InfoBuilder::new()
        .title("MEC2C")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some(
            "Answers are `{code, message, data}`; `code` is `200` or a line of the code table (`docs/generated/codes.md`). \
             Commands take the header `Idempotency-Key` (8 to 128 characters) and may be sent twice. \
             Amounts and prices are decimal strings, times ISO 8601 in UTC, identifiers opaque strings. \
             The header `language` (`en_US`, default `zh_CN`) chooses the language of `message`.",
        ))
        .build();
    OpenApiBuilder::new().info(info).servers(Some([Server::new("/api")])).components(Some(components)).build()
}

/// The document as it is committed: stable order, indented, with a line end.
pub fn document_text(document: &OpenApi) -> String {
    // The document is our own value; it has nothing that JSON cannot say.
    document.to_pretty_json().map(|text| text + "\n").unwrap_or_default()
}

/// `/api/openapi.json` and the page at `/api/docs`.
pub(crate) fn pages(document: &OpenApi) -> Router {
    let text: &'static str = Box::leak(document_text(document).into_boxed_str());
    let served = |kind: &'static str, text: &'static str| get(move || async move { of_kind(kind, text) });
    Router::new()
        .route("/api/openapi.json", served("application/json", text))
        .route("/api/docs", served("text/html; charset=utf-8", include_str!("../docs/page.html")))
        .route("/api/docs/page.js", served("text/javascript; charset=utf-8", include_str!("../docs/page.js")))
        .route("/api/docs/page.css", served("text/css; charset=utf-8", include_str!("../docs/page.css")))
}

fn of_kind(kind: &'static str, text: &'static str) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-cache")], text)
}
