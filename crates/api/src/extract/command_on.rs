//! Extracts a command about the object whose ID is in the path.

use app::Context;
use app::commands::Executor;
use app::engine::idempotency::IdempotencyKey;
use app::identity::{Device, Identity};
use axum::extract::{FromRequest, FromRequestParts, Request};
use domain::ids::UserId;
use serde::de::DeserializeOwned;

use super::{Client, Command, PathId, Session};
use crate::envelope::ApiError;
use crate::state::ApiState;

/// A command about one object. Its parts are read in the order of the fields, and the first invalid part is refused.
pub(crate) struct CommandOn<I, B> {
    pub(crate) user: UserId,
    pub(crate) device: Device,
    /// The ID in the path.
    pub(crate) id: I,
    pub(crate) key: IdempotencyKey,
    pub(crate) body: B,
    pub(crate) context: Context,
    pub(crate) executor: Executor,
    pub(crate) identity: Identity,
}

impl<I: DeserializeOwned + Send, B: DeserializeOwned> FromRequest<ApiState> for CommandOn<I, B> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &ApiState) -> Result<Self, ApiError> {
        let (mut parts, body) = request.into_parts();
        let Session(who) = Session::from_request_parts(&mut parts, state).await?;
        let Client(device) = Client::from_request_parts(&mut parts, state).await?;
        let PathId(id) = PathId::from_request_parts(&mut parts, state).await?;
        let Command { key, body } = Command::from_request(Request::from_parts(parts, body), state).await?;
        let (context, executor, identity) = (state.context.clone(), state.executor.clone(), state.identity.clone());
        Ok(Self { user: who.user, device, id, key, body, context, executor, identity })
    }
}
