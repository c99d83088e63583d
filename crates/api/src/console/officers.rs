//! Administrators create officers, change their roles, and disable them.

use app::console::{NewOfficer, OfficerChange, OfficerLine};
use axum::extract::State;
use chrono::{DateTime, Utc};
use domain::console::{OfficerRefusal, Role};
use domain::ids::OfficerId;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::dto::{DecisionBody, decision};
use super::officer::Officer;
use crate::envelope::{Answer, Done, Envelope};
use crate::extract::{Command, CommandKey, PathId};
use crate::state::ApiState;

/// An officer.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ConsoleOfficer)]
#[serde(rename_all = "camelCase")]
pub(super) struct OfficerItem {
    id: Uuid,
    name: String,
    email: String,
    role: Role,
    /// Whether another administrator must approve that the officer was created or reset. Until then, there is no setup link.
    awaits_approval: bool,
    /// The name of the administrator who created the officer, or reset the officer since then; null for `mec2c officer`.
    appointed_by: Option<String>,
    /// Whether the administrator who asks can send a setup link.
    setup_link: SetupLink,
    /// When the officer set a password and a second factor; null before that.
    enrolled_at: Option<DateTime<Utc>>,
    /// When the setup link expires; null if it was used or not sent yet.
    link_expires_at: Option<DateTime<Utc>>,
    /// Since when the officer cannot sign in; null if the officer can.
    disabled_at: Option<DateTime<Utc>>,
    created_at: DateTime<Utc>,
    /// When the officer last used the console; null if unknown.
    seen_at: Option<DateTime<Utc>>,
    /// Changes with each change. Decisions must send it.
    version: String,
}

impl From<OfficerLine> for OfficerItem {
    fn from(line: OfficerLine) -> Self {
        let OfficerLine { officer, seen_at, appointed_by, link } = line;
        let setup_link = match link {
            None if officer.approved_at.is_none() => SetupLink::Approve,
            None => SetupLink::Send,
            Some(OfficerRefusal::ApproverNotIndependent) => SetupLink::AnotherAdministrator,
            Some(_) => SetupLink::NotNeeded,
        };
        Self {
            id: officer.id.0,
            name: officer.name,
            email: officer.email,
            role: officer.role,
            awaits_approval: officer.approved_at.is_none(),
            appointed_by,
            setup_link,
            enrolled_at: officer.enrolled_at,
            link_expires_at: officer.enrollment_expires_at,
            disabled_at: officer.disabled_at,
            created_at: officer.created_at,
            seen_at,
            version: officer.version.to_string(),
        }
    }
}

/// Whether an administrator can send an officer a setup link.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum SetupLink {
    /// Sending it approves that the officer was created or reset.
    Approve,
    /// Sending it replaces an earlier link.
    Send,
    /// Another administrator must approve first.
    AnotherAdministrator,
    /// The officer can already sign in, or is disabled.
    NotNeeded,
}

/// Lists all officers.
#[utoipa::path(get, path = "/console/officers", tag = "console",
    responses((status = 200, body = Envelope<Vec<OfficerItem>>)), security(("officer" = [])))]
pub(super) async fn list(State(state): State<ApiState>, Officer(acting): Officer) -> Answer<Vec<OfficerItem>> {
    Ok(Done(state.console.officers(&acting).await?.into_iter().map(Into::into).collect()))
}

/// A new officer.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = ConsoleOfficerBody)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct NewOfficerBody {
    /// 1 to 100 characters.
    name: String,
    email: String,
    role: Role,
    /// The reason, of 1 to 500 characters. Line breaks are the only control characters allowed. It is recorded in the audit log.
    reason: String,
}

/// Creates an officer, who cannot do anything until another administrator approves it by sending the setup link. Refused with
/// 6005 if another officer has the email address.
#[utoipa::path(post, path = "/console/officers", tag = "console", request_body = NewOfficerBody,
    params(CommandKey), responses((status = 200, body = Envelope<OfficerItem>)), security(("officer" = [])))]
pub(super) async fn create(
    State(state): State<ApiState>,
    Officer(acting): Officer,
    Command { key, body }: Command<NewOfficerBody>,
) -> Answer<OfficerItem> {
    let decision = decision(&acting, &key, &body.reason, "")?;
    let new = NewOfficer { name: body.name, email: body.email, role: body.role };
    Ok(Done(state.console.create_officer(&new, &decision).await?.into()))
}

/// A change of an officer.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = ConsoleOfficerChange)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct OfficerChangeBody {
    /// The new role.
    #[serde(default)]
    role: Option<Role>,
    /// Whether the officer can no longer sign in.
    #[serde(default)]
    disabled: Option<bool>,
    /// The `version` that the administrator saw. If it is out of date, the command is refused with 5050.
    version: String,
    /// The reason, of 1 to 500 characters. Line breaks are the only control characters allowed. It is recorded in the audit log.
    reason: String,
}

/// Changes the role of an officer, or disables or enables the officer, and ends the officer's sessions. Refused with 6004 if
/// no active administrator would remain.
#[utoipa::path(post, path = "/console/officers/{id}", tag = "console", request_body = OfficerChangeBody,
    params(("id" = Uuid, Path, description = "The ID of the officer"), CommandKey),
    responses((status = 200, body = Envelope<OfficerItem>)), security(("officer" = [])))]
pub(super) async fn change(
    State(state): State<ApiState>,
    Officer(acting): Officer,
    PathId(id): PathId<OfficerId>,
    Command { key, body }: Command<OfficerChangeBody>,
) -> Answer<OfficerItem> {
    let decision = decision(&acting, &key, &body.reason, &body.version)?;
    let change = OfficerChange { role: body.role, disabled: body.disabled };
    Ok(Done(state.console.change_officer(id, &change, &decision).await?.into()))
}

/// Takes the password and the second factor of an officer away, for example after the loss of a phone, and ends the officer's
/// sessions. Another administrator must approve it by sending the setup link.
#[utoipa::path(post, path = "/console/officers/{id}/enrollment", tag = "console", request_body = DecisionBody,
    params(("id" = Uuid, Path, description = "The ID of the officer"), CommandKey),
    responses((status = 200, body = Envelope<OfficerItem>)), security(("officer" = [])))]
pub(super) async fn reset(
    State(state): State<ApiState>,
    Officer(acting): Officer,
    PathId(id): PathId<OfficerId>,
    Command { key, body }: Command<DecisionBody>,
) -> Answer<OfficerItem> {
    let decision = body.decision(&acting, &key)?;
    Ok(Done(state.console.reset_officer(id, &decision).await?.into()))
}

/// Sends a setup link to the officer's mailbox, with which the officer sets a password and a second factor. It works once and for
/// 24 hours, and replaces an earlier link. For an officer who was created or reset, this is the approval: refused with 6011 for
/// the administrator who did it, and for an administrator whom that one created, reset or promoted within seven days, or the
/// other way around. Refused with 6012 if the officer can sign in or is disabled.
#[utoipa::path(post, path = "/console/officers/{id}/link", tag = "console", request_body = DecisionBody,
    params(("id" = Uuid, Path, description = "The ID of the officer"), CommandKey),
    responses((status = 200, body = Envelope<OfficerItem>)), security(("officer" = [])))]
pub(super) async fn send_link(
    State(state): State<ApiState>,
    Officer(acting): Officer,
    PathId(id): PathId<OfficerId>,
    Command { key, body }: Command<DecisionBody>,
) -> Answer<OfficerItem> {
    let decision = body.decision(&acting, &key)?;
    Ok(Done(state.console.send_link(id, &decision).await?.into()))
}
