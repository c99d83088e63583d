//! Who asks: the `authorization` header.

use std::sync::Arc;

use async_trait::async_trait;
use axum::extract::{FromRef, FromRequestParts};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use domain::ids::{SessionId, UserId};
use domain::refusal::Refusal;

use crate::codes;
use crate::envelope::ApiError;
use crate::middleware::Middleware;

/// A person and the log-in that speaks for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Who {
    /// The person.
    pub user: UserId,
    /// The log-in.
    pub session: SessionId,
}

/// Finds the person of a token. Given by whoever joins the parts.
#[async_trait]
pub trait SessionCheck: Send + Sync {
    /// The person of a token, or [`Refusal::SessionInvalid`].
    async fn who(&self, token: &str) -> Result<Who, ApiError>;
}

/// The `authorization` header's session; a call that takes it refuses strangers.
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
        let who = middleware.sessions.who(token).await?;
        middleware.limits.account(who.user).map_err(codes::too_many)?;
        Ok(Self(who))
    }
}

/// The token of the `authorization` header, with or without the word `Bearer`.
pub fn token_of(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?.trim();
    let token = value.strip_prefix("Bearer ").unwrap_or(value).trim();
    (!token.is_empty() && token.len() <= 128).then_some(token)
}

/// As [`Session`], where a stranger may come too. A token that is wrong is refused all the same.
#[derive(Debug, Clone, Copy)]
pub struct MaybeSession(pub Option<Who>);

impl<S> FromRequestParts<S> for MaybeSession
where
    S: Send + Sync,
    Arc<Middleware>: FromRef<S>,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        if token_of(&parts.headers).is_none() {
            return Ok(Self(None));
        }
        let Session(who) = Session::from_request_parts(parts, state).await?;
        Ok(Self(Some(who)))
    }
}
