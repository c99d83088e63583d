//! The user who views the market, if they are logged in.

use std::sync::Arc;

use axum::extract::{FromRef, FromRequestParts};
use axum::http::header;
use axum::http::request::Parts;
use domain::ids::UserId;

use crate::envelope::ApiError;
use crate::extract::Session;
use crate::middleware::Middleware;

/// The user of the session, or `None` without an `authorization` header. An invalid token is refused, so that the
/// client learns that its session has ended.
#[derive(Debug, Clone, Copy)]
pub(super) struct Viewer(pub(super) Option<UserId>);

impl<S> FromRequestParts<S> for Viewer
where
    S: Send + Sync,
    Arc<Middleware>: FromRef<S>,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        if !parts.headers.contains_key(header::AUTHORIZATION) {
            return Ok(Self(None));
        }
        let Session(who) = Session::from_request_parts(parts, state).await?;
        Ok(Self(Some(who.user)))
    }
}
