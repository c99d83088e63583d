//! The session of a request, from the `authorization` header.

use std::sync::Arc;

use async_trait::async_trait;
use axum::extract::{FromRef, FromRequestParts};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use domain::ids::{SessionId, UserId};
use domain::refusal::Refusal;

use crate::codes;
use crate::envelope::ApiError;
use crate::middleware::{Middleware, requested_by};
use crate::state::ApiState;

/// A user and their session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Who {
    pub user: UserId,
    pub session: SessionId,
}

/// Finds the user of a token.
#[async_trait]
pub trait SessionCheck: Send + Sync {
    /// Returns the user of a token, or [`Refusal::SessionInvalid`].
    async fn who(&self, token: &str) -> Result<Who, ApiError>;

    /// Does the same for a request that only reads. The session may have ended in another process up to half a second ago.
    async fn who_recently(&self, token: &str) -> Result<Who, ApiError> {
        self.who(token).await
    }

    /// Called after each request of a user that may have changed something, before its response is sent.
    fn has_acted(&self, user: UserId);
}

/// The session in the `authorization` header. Requests without one are refused.
#[derive(Debug, Clone, Copy)]
pub struct Session(pub Who);

impl<S> FromRequestParts<S> for Session
where
    S: Send + Sync,
    Arc<Middleware>: FromRef<S>,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let middleware = Arc::<Middleware>::from_ref(state);
        let token = token_of(&parts.headers).ok_or(Refusal::SessionInvalid)?;
        let sessions = &middleware.sessions;
        let only_reads = parts.method.is_safe();
        let who = if only_reads { sessions.who_recently(token).await? } else { sessions.who(token).await? };
        middleware.limits.account(who.user).map_err(codes::too_many)?;
        requested_by(who.user);
        Ok(Self(who))
    }
}

/// Returns the token in the `authorization` header, with or without the prefix `Bearer`.
pub(crate) fn token_of(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?.trim();
    let token = value.strip_prefix("Bearer ").unwrap_or(value).trim();
    (!token.is_empty() && token.len() <= 128).then_some(token)
}

/// The user of the session, or `None` without the header. An invalid token is refused, so that the client learns that
/// its session has ended.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MaybeUser(pub(crate) Option<UserId>);

impl FromRequestParts<ApiState> for MaybeUser {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &ApiState) -> Result<Self, ApiError> {
        if !parts.headers.contains_key(header::AUTHORIZATION) {
            return Ok(Self(None));
        }
        let Session(who) = Session::from_request_parts(parts, state).await?;
        Ok(Self(Some(who.user)))
    }
}
