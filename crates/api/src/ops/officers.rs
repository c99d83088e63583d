//! Administrators create officers, change their roles, and disable them.

use app::console::{Invitation, NewOfficer, OfficerChange, OfficerLine};
use axum::extract::State;
use chrono::{DateTime, Utc};
use domain::ids::OfficerId;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::dto::{DecisionBody, OfficerRole, decision};
use super::officer::Officer;
use crate::envelope::{Answer, Done, Envelope};
use crate::extract::{Command, CommandKey, PathId};
use crate::state::ApiState;

/// An officer.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OpsOfficer)]
#[serde(rename_all = "camelCase")]
pub(super) struct OfficerItem {
    id: Uuid,
    name: String,
    email: String,
    role: OfficerRole,
    /// When the officer set a password and a second factor; null before that.
    enrolled_at: Option<DateTime<Utc>>,
    /// When the setup link expires; null if it was used.
    link_expires_at: Option<DateTime<Utc>>,
    /// Since when the officer cannot sign in; null if the officer can.
    disabled_at: Option<DateTime<Utc>>,
    created_at: DateTime<Utc>,
    /// When the officer last used the console; null if unknown.
    seen_at: Option<DateTime<Utc>>,
    /// Changes with each change. Decisions must send it.
    version: String,
}

impl From<domain::officers::Officer> for OfficerItem {
    fn from(officer: domain::officers::Officer) -> Self {
        Self {
            id: officer.id.0,
            name: officer.name,
            email: officer.email,
            role: officer.role.into(),
            enrolled_at: officer.enrolled_at,
            link_expires_at: officer.enrollment_expires_at,
            disabled_at: officer.disabled_at,
            created_at: officer.created_at,
            seen_at: None,
            version: officer.version.to_string(),
        }
    }
}

impl From<OfficerLine> for OfficerItem {
    fn from(line: OfficerLine) -> Self {
        Self { seen_at: line.seen_at, ..line.officer.into() }
    }
}

/// An officer and a new setup link.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OpsInvitation)]
pub(super) struct InvitationItem {
    officer: OfficerItem,
    /// The path of the setup link, with its token. It works once and for 24 hours. Null if another link has replaced it.
    link: Option<String>,
}

impl From<Invitation> for InvitationItem {
    fn from(invitation: Invitation) -> Self {
        Self { officer: invitation.officer.into(), link: invitation.token.map(|token| format!("/ops/setup#{token}")) }
    }
}

/// Lists all officers.
#[utoipa::path(get, path = "/ops/officers", tag = "console",
    responses((status = 200, body = Envelope<Vec<OfficerItem>>)), security(("officer" = [])))]
pub(super) async fn list(State(state): State<ApiState>, Officer(acting): Officer) -> Answer<Vec<OfficerItem>> {
    Ok(Done(state.console.officers(&acting.viewing()).await?.into_iter().map(Into::into).collect()))
}

/// A new officer.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = OpsOfficerBody)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct NewOfficerBody {
    /// 1 to 100 characters.
    name: String,
    email: String,
    role: OfficerRole,
    /// The reason, of 1 to 500 characters. Line breaks are the only control characters allowed. It is recorded in the audit log.
    reason: String,
}

/// Creates an officer, who sets a password and a second factor with the setup link. Refused with 6005 if another officer has
/// the email address.
#[utoipa::path(post, path = "/ops/officers", tag = "console", request_body = NewOfficerBody,
    params(CommandKey), responses((status = 200, body = Envelope<InvitationItem>)), security(("officer" = [])))]
pub(super) async fn create(
    State(state): State<ApiState>,
    Officer(acting): Officer,
    Command { key, body }: Command<NewOfficerBody>,
) -> Answer<InvitationItem> {
    let decision = decision(&acting, &key, &body.reason, "")?;
    let new = NewOfficer { name: body.name, email: body.email, role: body.role.into() };
    Ok(Done(state.console.create_officer(&key, &new, &decision).await?.into()))
}

/// A change of an officer.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = OpsOfficerChange)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct OfficerChangeBody {
    /// The new role.
    #[serde(default)]
    role: Option<OfficerRole>,
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
#[utoipa::path(post, path = "/ops/officers/{id}", tag = "console", request_body = OfficerChangeBody,
    params(("id" = Uuid, Path, description = "The ID of the officer"), CommandKey),
    responses((status = 200, body = Envelope<OfficerItem>)), security(("officer" = [])))]
pub(super) async fn change(
    State(state): State<ApiState>,
    Officer(acting): Officer,
    PathId(id): PathId<OfficerId>,
    Command { key, body }: Command<OfficerChangeBody>,
) -> Answer<OfficerItem> {
    let decision = decision(&acting, &key, &body.reason, &body.version)?;
    let change = OfficerChange { role: body.role.map(Into::into), disabled: body.disabled };
    Ok(Done(state.console.change_officer(id, &change, &decision).await?.into()))
}

/// Replaces the password and the second factor of an officer with a new setup link, for example after the loss of a phone, and
/// ends the officer's sessions.
#[utoipa::path(post, path = "/ops/officers/{id}/enrollment", tag = "console", request_body = DecisionBody,
    params(("id" = Uuid, Path, description = "The ID of the officer"), CommandKey),
    responses((status = 200, body = Envelope<InvitationItem>)), security(("officer" = [])))]
pub(super) async fn reset(
    State(state): State<ApiState>,
    Officer(acting): Officer,
    PathId(id): PathId<OfficerId>,
    Command { key, body }: Command<DecisionBody>,
) -> Answer<InvitationItem> {
    let decision = body.decision(&acting, &key)?;
    Ok(Done(state.console.reset_officer(&key, id, &decision).await?.into()))
}
