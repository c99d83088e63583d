//! Sends the content of files to those for whom a link was made.

use std::ops::Range;

use app::files::{Files, OpenFile, Viewer};
use axum::body::Body;
use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use domain::ids::{FileId, UserId};
use domain::refusal::Refusal;
use futures::stream;
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::log_failure;
use crate::codes;
use crate::envelope::ApiError;
use crate::extract::{PathId, Query, token_of};
use crate::realtime::cookie_token;
use crate::state::ApiState;

/// The number of bytes that are read from the file store at once.
const BYTES_AT_ONCE: u64 = 512 * 1024;
/// A document in a file could load nothing and run nothing.
pub(crate) const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; sandbox";

pub(super) fn calls() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new().routes(routes!(file))
}

/// The signature of a link.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Link {
    /// The time at which the link expires, in seconds since 1970.
    pub(crate) expires: i64,
    pub(crate) signature: String,
}

/// The user who opens a link. Pictures and videos on a page are requested with the session's cookie.
struct Viewing(UserId);

impl FromRequestParts<ApiState> for Viewing {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &ApiState) -> Result<Self, ApiError> {
        let token = token_of(&parts.headers).or_else(|| cookie_token(&parts.headers));
        let who = state.middleware.sessions.who_recently(token.ok_or(Refusal::SessionInvalid)?).await?;
        state.middleware.limits.account(who.user).map_err(codes::too_many)?;
        Ok(Self(who.user))
    }
}

/// Returns the content of a file. The links in other responses contain the parameters. The session may also be in the
/// cookie, and a part of the file can be requested with `Range`.
///
/// Refused with 403 if the link has expired, was made for another user, or was altered.
#[utoipa::path(get, path = "/file/{id}", tag = "files", security(("session" = [])),
    params(("id" = String, Path), Link),
    responses((status = 200, content_type = "application/octet-stream", description = "The content of the file")))]
async fn file(
    State(files): State<Files>,
    Viewing(user): Viewing,
    PathId(id): PathId<FileId>,
    Query(link): Query<Link>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let opened = files.open(Viewer::User(user), id, link.expires, &link.signature).await?;
    let opened = opened.ok_or(ApiError::from(codes::FORBIDDEN))?;
    Ok(content(&opened, &headers))
}

/// Returns the content of a file, or the requested range of it.
pub(crate) fn content(opened: &OpenFile, request: &HeaderMap) -> Response {
    let file = &opened.file;
    let length = file.bytes;
    let wanted = request.get(header::RANGE).and_then(|value| value.to_str().ok()).map(|text| range_of(text, length));
    let mut response = match wanted {
        Some(Some(Wanted::Part(range))) => {
            let shown = format!("bytes {}-{}/{length}", range.start, range.end.saturating_sub(1));
            let headers = [(header::CONTENT_RANGE, shown)];
            let size = range.end.saturating_sub(range.start);
            (StatusCode::PARTIAL_CONTENT, headers, sized(size), body(opened.clone(), range)).into_response()
        }
        Some(Some(Wanted::Nothing)) => {
            let headers = [(header::CONTENT_RANGE, format!("bytes */{length}"))];
            (StatusCode::RANGE_NOT_SATISFIABLE, headers).into_response()
        }
        None | Some(None) => (sized(length), body(opened.clone(), 0..length)).into_response(),
    };
    let headers = response.headers_mut();
    // Shown inside a page, a file is not saved. Opened on its own, it is saved and not shown.
    let name = format!("attachment; filename=\"{}.{}\"", file.id, file.media.extension());
    for (name, value) in [
        (header::CONTENT_TYPE, file.media.name().to_owned()),
        (header::CONTENT_DISPOSITION, name),
        (header::ACCEPT_RANGES, "bytes".to_owned()),
        (header::CACHE_CONTROL, "private, max-age=600, immutable".to_owned()),
        (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY.to_owned()),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin".to_owned()),
    ] {
        if let Ok(value) = HeaderValue::from_str(&value) {
            headers.insert(name, value);
        }
    }
    response
}

fn sized(length: u64) -> [(HeaderName, HeaderValue); 1] {
    [(header::CONTENT_LENGTH, HeaderValue::from(length))]
}

/// Reads a range piece by piece, while it is sent.
fn body(opened: OpenFile, range: Range<u64>) -> Body {
    Body::from_stream(stream::try_unfold((opened, range), async |(opened, left)| {
        if left.is_empty() {
            return Ok(None);
        }
        let end = left.start.saturating_add(BYTES_AT_ONCE).min(left.end);
        let piece = opened.read(left.start..end).await.inspect_err(log_failure)?;
        Ok::<_, app::Error>(Some((piece, (opened, end..left.end))))
    }))
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Wanted {
    Part(Range<u64>),
    /// The range lies behind the end.
    Nothing,
}

/// Reads a `Range` header with a single range. Returns `None` for anything else, which is then ignored.
fn range_of(text: &str, length: u64) -> Option<Wanted> {
    let (from, to) = text.strip_prefix("bytes=")?.split_once('-')?;
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(from) || !digits(to) {
        return None;
    }
    let range = match (from, to) {
        ("", "") => return None,
        ("", last) => length.saturating_sub(last.parse().ok()?)..length,
        (from, "") => from.parse().ok()?..length,
        (from, to) => {
            let (from, to): (u64, u64) = (from.parse().ok()?, to.parse().ok()?);
            if to < from {
                return None;
            }
            from..to.saturating_add(1).min(length)
        }
    };
    Some(if range.is_empty() { Wanted::Nothing } else { Wanted::Part(range) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_a_part_of_the_file() {
        for (text, range) in [
            ("bytes=0-0", 0..1),
            ("bytes=2-5", 2..6),
            ("bytes=2-500", 2..10),
            ("bytes=4-", 4..10),
            ("bytes=-3", 7..10),
            ("bytes=-30", 0..10),
        ] {
            assert_eq!(range_of(text, 10), Some(Wanted::Part(range)), "{text}");
        }
        for text in ["bytes=10-", "bytes=10-20", "bytes=-0"] {
            assert_eq!(range_of(text, 10), Some(Wanted::Nothing), "{text}");
        }
        for text in [
            "bytes=",
            "bytes=-",
            "bytes=5-2",
            "bytes=0-1,3-4",
            "lines=0-1",
            "bytes=a-b",
            "bytes=+1-2",
            "bytes=99999999999999999999-",
        ] {
            assert_eq!(range_of(text, 10), None, "{text}");
        }
    }
}
