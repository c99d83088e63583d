//! A command about one object, which the path names.

use std::sync::Arc;

use app::Context;
use app::idempotency::IdempotencyKey;
use app::identity::Device;
use axum::extract::{FromRef, FromRequest, FromRequestParts, Request};
use domain::ids::UserId;
use serde::de::DeserializeOwned;

use super::{Command, From, PathId, Session};
use crate::envelope::ApiError;
use crate::middleware::Middleware;

/// A command about one object. The parts are read, and refused, in the order of the fields.
pub struct Asked<I, B> {
    pub user: UserId,
    pub device: Device,
    /// The ID in the path.
    pub id: I,
    pub key: IdempotencyKey,
    pub body: B,
    pub context: Context,
}

impl<S, I, B> FromRequest<S> for Asked<I, B>
where
    S: Send + Sync,
    I: DeserializeOwned + Send,
    B: DeserializeOwned,
    Context: FromRef<S>,
    Arc<Middleware>: FromRef<S>,
{
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        let (mut parts, body) = request.into_parts();
        let Session(who) = Session::from_request_parts(&mut parts, state).await?;
        let From(device) = From::from_request_parts(&mut parts, state).await?;
        let PathId(id) = PathId::from_request_parts(&mut parts, state).await?;
        let Command { key, body } = Command::from_request(Request::from_parts(parts, body), state).await?;
        Ok(Self { user: who.user, device, id, key, body, context: Context::from_ref(state) })
    }
}
