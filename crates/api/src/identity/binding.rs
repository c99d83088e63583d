//! The address on the escrow chain to which the user's account is bound.

use app::identity::{BindingChange, ChangeBinding, Device};
use axum::extract::State;
use domain::identity::address::checksummed;
use domain::identity::binding::BindingObstacle;
use domain::ids::UserId;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::dto::SealedText;
use super::profile::{UserInfo, own};
use crate::envelope::{Answer, Done, Envelope};
use crate::extract::{Client, Command, CommandKey, PathId, Session};
use crate::state::ApiState;

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PassBinding {
    /// Whether the account has a bound address.
    bound: bool,
    /// The user's ID at the pass.
    me_id: String,
    bound_address: Option<String>,
    /// Why the bound address may not change now; empty if it may.
    obstacles: Vec<BindingObstacle>,
}

/// Returns the user's bound address, and whether it may change.
#[utoipa::path(get, path = "/user/isBind/{id}", tag = "account",
    params(("id" = Uuid, Path, description = "The user's own ID")),
    responses((status = 200, body = Envelope<PassBinding>)), security(("session" = [])))]
pub(super) async fn is_bound(
    State(state): State<ApiState>,
    Session(who): Session,
    PathId(id): PathId<UserId>,
) -> Answer<PassBinding> {
    own(id, who)?;
    let profile = state.identity.profile(id).await?;
    let obstacles = state.identity.binding_obstacles(id).await?;
    let bound_address = profile.user.bound.map(checksummed);
    Ok(Done(PassBinding { bound: bound_address.is_some(), me_id: profile.me_id, bound_address, obstacles }))
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct BindingBody {
    /// The ticket of a challenge from `/scan/proof` with the purpose of this call.
    pass_ticket: String,
    security_code: SealedText,
}

impl BindingBody {
    fn with(self, device: Device) -> ChangeBinding {
        ChangeBinding { pass_ticket: self.pass_ticket, security_code: self.security_code.into(), device }
    }
}

/// Binds the account to the address that the pass states. The pass must be that of the account.
///
/// Refused with 1011 and `obstacles` while the platform holds or owes anything of the user. Ends the other sessions, and for a day
/// the user can't withdraw, post adverts or place orders.
#[utoipa::path(post, path = "/user/bind", tag = "account", request_body = BindingBody, params(CommandKey),
    responses((status = 200, body = Envelope<UserInfo>)), security(("session" = [])))]
pub(super) async fn bind(
    State(state): State<ApiState>,
    Session(who): Session,
    Client(device): Client,
    Command { key, body }: Command<BindingBody>,
) -> Answer<UserInfo> {
    let ask = body.with(device);
    Ok(Done(state.identity.change_binding(&key, who.user, who.session, BindingChange::Bind, &ask).await?.into()))
}

/// Removes the bound address. The user then can't withdraw, post adverts or place orders before binding another one.
///
/// Refused with 1002 if there is none, and like `/user/bind`.
#[utoipa::path(post, path = "/user/unbind", tag = "account", request_body = BindingBody, params(CommandKey),
    responses((status = 200, body = Envelope<UserInfo>)), security(("session" = [])))]
pub(super) async fn unbind(
    State(state): State<ApiState>,
    Session(who): Session,
    Client(device): Client,
    Command { key, body }: Command<BindingBody>,
) -> Answer<UserInfo> {
    let ask = body.with(device);
    Ok(Done(state.identity.change_binding(&key, who.user, who.session, BindingChange::Unbind, &ask).await?.into()))
}
