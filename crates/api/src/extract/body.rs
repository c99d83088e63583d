//! A JSON body.

use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::field_error;
use crate::codes;
use crate::envelope::ApiError;

/// The body of a request that needs no idempotency key, because it changes nothing or may be repeated. The type of the
/// body rejects unknown fields.
#[derive(Debug)]
pub(crate) struct Body<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        read(&read_bytes(request, state).await?).map(Self)
    }
}

/// Reads the bytes of a JSON body, up to the size limit.
pub(super) async fn read_bytes<S: Send + Sync>(request: Request, state: &S) -> Result<Bytes, ApiError> {
    let kind = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    if !kind.eq_ignore_ascii_case("application/json") {
        return Err(ApiError::invalid("Content-Type", "application/json is needed"));
    }
    Bytes::from_request(request, state).await.map_err(|rejection| {
        if rejection.into_response().status() == StatusCode::PAYLOAD_TOO_LARGE {
            ApiError::from(codes::TOO_LARGE)
        } else {
            ApiError::invalid("body", "the body ended early")
        }
    })
}

/// Parses JSON. Errors name the field.
pub(super) fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, ApiError> {
    // Derived implementations also accept an array for a struct.
    if bytes.trim_ascii_start().first() != Some(&b'{') {
        return Err(ApiError::invalid("body", "a JSON object is needed"));
    }
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let read = serde_path_to_error::deserialize(&mut json)
        .map_err(|error| field_error(&error.path().to_string(), &error.inner().to_string()))?;
    json.end().map_err(|_| ApiError::invalid("body", "something follows the JSON value"))?;
    match no_text(bytes) {
        Some(field) => Err(ApiError::invalid(field, "a character that is no text")),
        None => Ok(read),
    }
}

/// Returns the field that contains a NUL character, which PostgreSQL cannot store. JSON can contain NUL only as an
/// escape sequence.
fn no_text(bytes: &[u8]) -> Option<String> {
    let escape = br"\u0000";
    bytes.windows(escape.len()).any(|part| part == escape).then_some(())?;
    nul_in(&serde_json::from_slice(bytes).ok()?)
}

/// Returns the path to the text that contains NUL, in the form of the other errors, or `None` if the match was an
/// escaped backslash.
fn nul_in(value: &Value) -> Option<String> {
    let join = |name: &str, inner: String| match inner.chars().next() {
        None => name.to_owned(),
        Some('[') => format!("{name}{inner}"),
        Some(_) => format!("{name}.{inner}"),
    };
    match value {
        Value::String(text) => text.contains('\0').then(String::new),
        Value::Array(parts) => parts
            .iter()
            .enumerate()
            .find_map(|(index, part)| nul_in(part).map(|inner| join(&format!("[{index}]"), inner))),
        Value::Object(fields) => fields.iter().find_map(|(name, part)| {
            if name.contains('\0') { Some("body".to_owned()) } else { nul_in(part).map(|inner| join(name, inner)) }
        }),
        _ => None,
    }
}
