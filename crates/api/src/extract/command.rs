//! A command and its idempotency key.
//!
//! The request hash covers method, path, query and the canonical body (sorted members, no insignificant whitespace), so
//! a retry may serialize the body differently. The security password is excluded: a retry may encrypt it again, and the
//! password only authorizes the command. A login password is included, so a retry with a wrong one gets no session.

use app::engine::idempotency::IdempotencyKey;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use utoipa::IntoParams;
use utoipa::openapi::Required;
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{ObjectBuilder, Type};

use super::body::{read, read_bytes};
use crate::envelope::ApiError;

const HEADER: &str = "Idempotency-Key";
const MIN_LENGTH: usize = 8;
const MAX_LENGTH: usize = 128;
/// The member of a body that holds the encrypted security password.
const SECURITY_PASSWORD: &str = "securityCode";

/// A command with a JSON body. A retry under the same `Idempotency-Key` does not run again and gets the first response.
/// A different request under the same key is refused.
#[derive(Debug)]
pub struct Command<T> {
    pub key: IdempotencyKey,
    pub body: T,
}

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Command<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        let (parts, body) = request.into_parts();
        let (key, mut hash) = key_of(&parts)?;
        let bytes = read_bytes(Request::from_parts(parts, body), state).await?;
        let body = read(&bytes)?;
        let mut canonical: Map<String, Value> = read(&bytes)?;
        canonical.remove(SECURITY_PASSWORD);
        hash.update(Value::Object(canonical).to_string());
        Ok(Self { key: IdempotencyKey { key, request_hash: hash.finalize().into() }, body })
    }
}

/// The idempotency key of a command without a body.
#[derive(Debug)]
pub(crate) struct CommandKey(pub(crate) IdempotencyKey);

impl<S: Send + Sync> FromRequestParts<S> for CommandKey {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let (key, hash) = key_of(parts)?;
        Ok(Self(IdempotencyKey { key, request_hash: hash.finalize().into() }))
    }
}

/// Documents the header that each command requires.
impl IntoParams for CommandKey {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let schema = ObjectBuilder::new().schema_type(Type::String).pattern(Some("^[!-~]{8,128}$"));
        let schema = schema.min_length(Some(MIN_LENGTH)).max_length(Some(MAX_LENGTH));
        let header = ParameterBuilder::new().name(HEADER).parameter_in(ParameterIn::Header).required(Required::True);
        vec![header.description(Some("The idempotency key of the command")).schema(Some(schema)).build()]
    }
}

/// Returns the `Idempotency-Key` header, and a hash of method, path and query.
fn key_of(parts: &Parts) -> Result<(String, Sha256), ApiError> {
    let value = parts.headers.get(HEADER).ok_or_else(|| ApiError::invalid(HEADER, "missing"))?;
    let key = value.to_str().unwrap_or_default();
    if !(MIN_LENGTH..=MAX_LENGTH).contains(&key.len()) || !key.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(ApiError::invalid(HEADER, "8 to 128 printable ASCII characters"));
    }
    let mut hash = Sha256::new();
    for part in [parts.method.as_str(), parts.uri.path(), parts.uri.query().unwrap_or_default()] {
        hash.update(part.len().to_be_bytes());
        hash.update(part);
    }
    Ok((key.to_owned(), hash))
}

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::*;

    async fn request_hash(path: &str, body: &'static str) -> [u8; 32] {
        let request = Request::post(path).header(HEADER, "some-key-1").header("content-type", "application/json");
        let request = request.body(Body::from(body)).unwrap();
        Command::<Value>::from_request(request, &()).await.unwrap().key.request_hash
    }

    #[tokio::test]
    async fn the_hash_covers_what_is_asked_and_not_how_it_is_written() {
        let first = request_hash("/a?x=1", r#"{"a":1,"b":{"c":"d","e":null}}"#).await;
        assert_eq!(request_hash("/a?x=1", r#" { "b": {"e": null, "c": "d"}, "a": 1 } "#).await, first);
        let authorized = r#"{"a":1,"b":{"c":"d","e":null},"securityCode":{"cipher":"x","keyId":"y"}}"#;
        assert_eq!(request_hash("/a?x=1", authorized).await, first);
        for (path, body) in [
            ("/b?x=1", r#"{"a":1,"b":{"c":"d","e":null}}"#),
            ("/a?x=2", r#"{"a":1,"b":{"c":"d","e":null}}"#),
            ("/a?x=1", r#"{"a":2,"b":{"c":"d","e":null}}"#),
            ("/a?x=1", r#"{"a":1,"b":{"c":"d","e":null},"password":{"cipher":"x","keyId":"y"}}"#),
        ] {
            assert_ne!(request_hash(path, body).await, first, "{path} {body}");
        }
    }
}
