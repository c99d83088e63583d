//! The address on the escrow chain to which the user's account is bound.

use app::identity::{Binding, BindingChange, ChangeBinding, Device};
use axum::extract::State;
use domain::identity::address::checksummed;
use domain::identity::binding::BindingObstacle;
use domain::ids::UserId;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::dto::SealedText;
use super::profile::{UserInfo, own};
use crate::envelope::{Answer, Done, Envelope};
use crate::extract::{Client, Command, CommandKey, PathId, Session, Who};
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
    let Binding { bound, me_id, obstacles } = state.identity.binding(id).await?;
    let bound_address = bound.map(checksummed);
    Ok(Done(PassBinding { bound: bound_address.is_some(), me_id, bound_address, obstacles }))
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct BindingBody {
    /// The ticket of a challenge from `/scan/proof` with the purpose of this call.
    pass_ticket: String,
    security_code: SealedText,
}

async fn change(
    state: &ApiState,
    who: Who,
    device: Device,
    command: Command<BindingBody>,
    change: BindingChange,
) -> Answer<UserInfo> {
    let Command { key, body } = command;
    let ask = ChangeBinding { pass_ticket: body.pass_ticket, security_code: body.security_code.into(), device };
    Ok(Done(state.identity.change_binding(&key, who.user, who.session, change, &ask).await?.into()))
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
    command: Command<BindingBody>,
) -> Answer<UserInfo> {
    change(&state, who, device, command, BindingChange::Bind).await
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
    command: Command<BindingBody>,
) -> Answer<UserInfo> {
    change(&state, who, device, command, BindingChange::Unbind).await
}
