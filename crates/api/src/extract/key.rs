//! The name that a client gives to one command, so that sending it twice does it once.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;

use crate::envelope::ApiError;

/// The header's name.
pub(crate) const HEADER: &str = "Idempotency-Key";
/// The most characters of a key.
const LONGEST: usize = 128;

/// The `Idempotency-Key` header, which every command needs: 8 to 128 printable ASCII characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotencyKey(pub String);

impl<S: Send + Sync> FromRequestParts<S> for IdempotencyKey {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let value = parts.headers.get(HEADER).ok_or_else(|| ApiError::invalid(HEADER, "missing"))?;
        let text = value.to_str().unwrap_or_default();
        if (8..=LONGEST).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic()) {
            Ok(Self(text.to_owned()))
        } else {
            Err(ApiError::invalid(HEADER, "8 to 128 printable ASCII characters"))
        }
    }
}
