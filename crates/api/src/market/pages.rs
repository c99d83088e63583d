//! Pages of the hall as text, which are sent again for as long as nothing that they show has changed.

use std::sync::Arc;

use app::market::hall::{self, Hall, Shelf, TakerFilter};
use axum::body::Bytes;
use axum::extract::{FromRef, FromRequestParts};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use domain::ids::UserId;
use quick_cache::Weighter;
use quick_cache::sync::Cache;

use super::dto::append;
use crate::codes;
use crate::envelope::ApiError;
use crate::extract::{MaybeUser, Page};
use crate::language::{Language, spoken};
use crate::state::ApiState;

/// The maximum size of all kept pages, in bytes.
const MAX_BYTES: u64 = 64 * 1024 * 1024;
/// The memory that a kept page needs in addition to its text, in bytes.
const OVERHEAD_BYTES: usize = 400;
/// The expected number of kept pages, which only affects how they are divided.
const EXPECTED_PAGES: usize = 10_000;

/// A page as text.
#[derive(Debug)]
pub(super) struct KeptPage {
    pub(super) shelf: Shelf,
    /// Whether the page depends on which requirements the visitor meets.
    pub(super) of_taker: bool,
    pub(super) version: u64,
    pub(super) body: Bytes,
}

type Key = (Language, String);

/// Weighs a page by its memory.
#[derive(Clone)]
struct ByMemory;

impl Weighter<Key, Arc<KeptPage>> for ByMemory {
    fn weight(&self, (_, query): &Key, page: &Arc<KeptPage>) -> u64 {
        let bytes = page.body.len().saturating_add(query.len()).saturating_add(OVERHEAD_BYTES);
        u64::try_from(bytes).unwrap_or(u64::MAX)
    }
}

/// The kept pages by language, call and query string.
pub(crate) struct KeptPages(Cache<Key, Arc<KeptPage>, ByMemory>);

impl Default for KeptPages {
    fn default() -> Self {
        Self(Cache::with_weighter(EXPECTED_PAGES, MAX_BYTES, ByMemory))
    }
}

/// A request for a page that may be kept.
pub(super) struct PageRequest {
    pub(super) hall: Arc<Hall>,
    pub(super) viewer: Option<UserId>,
    /// The query string.
    pub(super) query: String,
    pages: Arc<KeptPages>,
    headers: HeaderMap,
}

impl FromRequestParts<ApiState> for PageRequest {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &ApiState) -> Result<Self, ApiError> {
        let MaybeUser(viewer) = MaybeUser::from_request_parts(parts, state).await?;
        Ok(Self {
            hall: FromRef::from_ref(state),
            viewer,
            query: parts.uri.query().unwrap_or_default().to_owned(),
            pages: FromRef::from_ref(state),
            headers: parts.headers.clone(),
        })
    }
}

impl PageRequest {
    /// Responds with the kept page of this call and query if nothing that this visitor would see on it has changed, and
    /// otherwise with the one that `read` returns.
    pub(super) async fn respond(
        &self,
        call: &str,
        read: impl Future<Output = Result<KeptPage, ApiError>>,
    ) -> Result<Response, ApiError> {
        let key = (spoken(), format!("{call}?{}", self.query));
        if let Some(kept) = self.pages.0.get(&key) {
            let takers = if kept.of_taker { self.hall.takers(self.viewer).await? } else { TakerFilter::All };
            if self.hall.version(kept.shelf, self.viewer, &takers)? == kept.version {
                return Ok(kept.response(&self.headers));
            }
        }
        let page = Arc::new(read.await?);
        self.pages.0.insert(key, Arc::clone(&page));
        Ok(page.response(&self.headers))
    }
}

impl KeptPage {
    /// Returns the response to a request with these headers: 304 if the client has the page already.
    fn response(&self, request: &HeaderMap) -> Response {
        let tag = format!("\"{:x}-{}\"", self.version, spoken().as_str());
        let known = request.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes());
        let mut response = if known {
            StatusCode::NOT_MODIFIED.into_response()
        } else {
            let json = HeaderValue::from_static("application/json");
            ([(header::CONTENT_TYPE, json)], self.body.clone()).into_response()
        };
        if let Ok(tag) = HeaderValue::from_str(&tag) {
            response.headers_mut().insert(header::ETAG, tag);
        }
        // Browsers may keep a page, but must ask whether it has changed.
        response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
        response
    }
}

/// Assembles the JSON of a page from its rows, which are JSON already.
pub(super) fn body(page: Page, found: &hall::Page) -> Bytes {
    let parts: usize = found.rows.iter().map(|row| row.advert.len().saturating_add(row.owner.len())).sum();
    let mut body = Vec::with_capacity(parts.saturating_add(1_024));
    let message = serde_json::to_string(codes::text(codes::OK, spoken())).unwrap_or_default();
    let head = format!(r#"{{"code":"{}","message":{message},"data":{{"records":["#, codes::OK.code);
    body.extend_from_slice(head.as_bytes());
    for (number, row) in found.rows.iter().enumerate() {
        if number > 0 {
            body.push(b',');
        }
        append(&mut body, row, false);
    }
    let end = format!(r#"],"total":{},"page":{},"size":{}}}}}"#, found.total, page.page, page.size);
    body.extend_from_slice(end.as_bytes());
    body.into()
}
