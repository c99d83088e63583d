//! A command: its body, the name its sender gave it, and a hash of what it asks.

use app::identity::Once;
use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Request};
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

use super::IdempotencyKey;
use super::body::{read, read_bytes};
use crate::envelope::ApiError;

/// A command. Sent again under the same `Idempotency-Key`, it is done once and answered the same; under the same key
/// with other content, it is refused.
#[derive(Debug)]
pub struct Command<T> {
    /// The key, and a hash of method, path, query and body.
    pub once: Once,
    /// What is asked.
    pub body: T,
}

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Command<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        let (mut parts, body) = request.into_parts();
        let IdempotencyKey(key) = IdempotencyKey::from_request_parts(&mut parts, state).await?;
        let mut hash = Sha256::new();
        for part in [parts.method.as_str(), parts.uri.path(), parts.uri.query().unwrap_or_default()] {
            hash.update(part.len().to_be_bytes());
            hash.update(part);
        }
        let bytes: Bytes = read_bytes(Request::from_parts(parts, body), state).await?;
        hash.update(&bytes);
        let body = read(&bytes)?;
        Ok(Self { once: Once { key, fingerprint: hash.finalize().into() }, body })
    }
}
