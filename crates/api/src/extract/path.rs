use axum::extract::path::ErrorKind;
use axum::extract::rejection::PathRejection;
use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use crate::envelope::ApiError;

/// The parameters of the path, for example `PathId<OrderId>` for `/order/{id}`.
#[derive(Debug, Clone, Copy)]
pub struct PathId<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for PathId<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        match Path::<T>::from_request_parts(parts, state).await {
            Ok(Path(read)) => Ok(Self(read)),
            Err(PathRejection::FailedToDeserializePathParams(failed)) => {
                let (field, reason) = match failed.kind() {
                    ErrorKind::ParseErrorAtKey { key, expected_type, .. } => {
                        (key.clone(), format!("not a {expected_type}"))
                    }
                    ErrorKind::InvalidUtf8InPathParam { key } => (key.clone(), "not UTF-8".to_owned()),
                    ErrorKind::DeserializeError { key, .. } => (key.clone(), "not an identifier".to_owned()),
                    _ => ("id".to_owned(), "not an identifier".to_owned()),
                };
                Err(ApiError::invalid(field, reason))
            }
            Err(_) => Err(ApiError::invalid("path", "malformed")),
        }
    }
}
