//! Adverts, orders and withdrawals.

mod adverts;
mod balance;
mod dto;
mod orders;

use std::sync::Arc;

use app::Context;
use app::identity::Device;
use app::trading::{Actor, Answer as Carried, Command, CommandKind};
use async_trait::async_trait;
use axum::extract::FromRef;
use domain::ids::UserId;
use sha2::{Digest, Sha256};
use utoipa_axum::router::OpenApiRouter;

use crate::envelope::ApiError;
use crate::extract::IdempotencyKey;
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

/// What a person asks, under the key that they chose. The same key with another request is refused.
fn command(user: UserId, key: &IdempotencyKey, what: CommandKind) -> Command {
    let actor = match &what {
        // Whether the password was asked for depends on how the order stood: it may differ when the request comes again.
        CommandKind::Order { id, seen, act, password_verified: _ } => actor(user, key, &(id, seen, act)),
        what => actor(user, key, what),
    };
    Command { actor, what }
}

fn actor(user: UserId, key: &IdempotencyKey, request: &impl std::fmt::Debug) -> Actor {
    let fingerprint = Sha256::digest(format!("{request:?}")).into();
    Actor::Person { user, key: key.0.clone(), fingerprint }
}

/// Carries out one command: a set of one.
async fn carry_out(context: &Context, command: Command) -> Result<Carried, ApiError> {
    let mut replies = app::trading::execute(context, &[command]).await;
    let reply = replies.pop().ok_or_else(|| ApiError::internal(&"a command without a reply"))?;
    Ok(reply?)
}
