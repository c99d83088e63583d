//! Adverts, orders and withdrawals.

mod adverts;
mod balance;
mod dto;
mod orders;

use std::sync::Arc;

use app::Context;
use app::idempotency::{IdempotencyKey, Response};
use app::identity::Device;
use app::trading::{Actor, Command, CommandKind};
use async_trait::async_trait;
use axum::extract::FromRef;
use domain::ids::UserId;
use utoipa_axum::router::OpenApiRouter;

use crate::envelope::ApiError;
use crate::middleware::Middleware;
use crate::routes::SealedText;

/// Knows security passwords. Given by whoever joins the parts.
#[async_trait]
pub trait SecurityPasswords: Send + Sync {
    /// Whether this is the person's security password; wrong ones are counted and lock out. The same command sent again
    /// is answered as the first time.
    async fn check(
        &self,
        user: UserId,
        device: &Device,
        key: &IdempotencyKey,
        password: &SealedText,
    ) -> Result<(), ApiError>;
}

/// The calls of trading.
pub fn calls<S>() -> OpenApiRouter<S>
where
    S: Clone + Send + Sync + 'static,
    Context: FromRef<S>,
    Arc<Middleware>: FromRef<S>,
    Arc<dyn SecurityPasswords>: FromRef<S>,
{
    OpenApiRouter::new().merge(adverts::calls()).merge(orders::calls()).merge(balance::calls())
}

/// Carries out one command of a user.
async fn carry_out(
    context: &Context,
    user: UserId,
    key: IdempotencyKey,
    what: CommandKind,
) -> Result<Response, ApiError> {
    let command = Command { actor: Actor::Person { user, key }, what };
    let mut replies = app::trading::execute(context, &[command]).await;
    let reply = replies.pop().ok_or_else(|| ApiError::internal(&"a command without a reply"))?;
    Ok(reply?)
}
