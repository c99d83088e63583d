//! A JSON body.

use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use serde::de::DeserializeOwned;

use super::field_error;
use crate::codes;
use crate::envelope::ApiError;

/// The body of a command, read as JSON. Its type refuses unknown fields.
#[derive(Debug)]
pub struct Body<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        let kind =
            request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let kind = kind.split(';').next().unwrap_or_default().trim();
        if !kind.eq_ignore_ascii_case("application/json") {
            return Err(ApiError::invalid("Content-Type", "application/json is needed"));
        }
        let bytes = Bytes::from_request(request, state).await.map_err(|rejection| {
            if rejection.into_response().status() == StatusCode::PAYLOAD_TOO_LARGE {
                ApiError::from(codes::TOO_LARGE)
            } else {
                ApiError::invalid("body", "the body ended early")
            }
        })?;
        let mut json = serde_json::Deserializer::from_slice(&bytes);
        let read = serde_path_to_error::deserialize(&mut json)
            .map_err(|error| field_error(&error.path().to_string(), &error.inner().to_string()))?;
        json.end().map_err(|_| ApiError::invalid("body", "something follows the JSON value"))?;
        Ok(Self(read))
    }
}
