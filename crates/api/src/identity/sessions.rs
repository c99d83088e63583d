//! The user's own sessions.

use app::identity::Requester;
use axum::extract::State;
use chrono::{DateTime, Utc};
use domain::ids::SessionId;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::envelope::{Answer, Done, Envelope, Null};
use crate::extract::{Command, CommandKey, PathId, Session};
use crate::identity::dto::EmptyBody;
use crate::state::ApiState;

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct SessionItem {
    id: Uuid,
    opened_at: DateTime<Utc>,
    /// The time at which the session expires.
    expires_at: DateTime<Utc>,
    /// The browser's name, such as `Firefox`; null if unknown.
    browser: Option<String>,
    /// The operating system, such as `Android`; null if unknown.
    system: Option<String>,
    /// The user agent of the browser.
    agent: String,
    /// The network address.
    address: String,
    /// Whether this session made the request.
    current: bool,
}

/// Lists the user's active sessions, newest first.
#[utoipa::path(get, path = "/user/session/list", tag = "account",
    responses((status = 200, body = Envelope<Vec<SessionItem>>)), security(("session" = [])))]
pub(super) async fn list(State(state): State<ApiState>, Session(who): Session) -> Answer<Vec<SessionItem>> {
    let lines = state.identity.sessions(who.user, who.session).await?;
    let item = |line: app::identity::SessionLine| {
        let Requester { browser, system, region: _ } = Requester::new(&line.device.agent, None);
        SessionItem {
            id: line.id.0,
            opened_at: line.opened_at,
            expires_at: line.expires_at,
            browser,
            system,
            agent: line.device.agent,
            address: line.device.address,
            current: line.current,
        }
    };
    Ok(Done(lines.into_iter().map(item).collect()))
}

/// Ends one of the user's sessions. Refuses a session of another user with 1016.
#[utoipa::path(post, path = "/user/session/revoke/{id}", tag = "account", request_body = EmptyBody,
    params(("id" = Uuid, Path, description = "The ID of the session"), CommandKey),
    responses((status = 200, body = Envelope<Null>)), security(("session" = [])))]
pub(super) async fn revoke(
    State(state): State<ApiState>,
    Session(who): Session,
    PathId(id): PathId<SessionId>,
    Command { .. }: Command<EmptyBody>,
) -> Answer<()> {
    Ok(Done(state.identity.revoke(who.user, id).await?))
}

/// Ends all other sessions of the user. Log out afterwards to end this one as well.
#[utoipa::path(post, path = "/user/session/revokeOthers", tag = "account", request_body = EmptyBody,
    params(CommandKey), responses((status = 200, body = Envelope<Null>)), security(("session" = [])))]
pub(super) async fn revoke_others(
    State(state): State<ApiState>,
    Session(who): Session,
    Command { .. }: Command<EmptyBody>,
) -> Answer<()> {
    Ok(Done(state.identity.revoke_others(who.user, who.session).await?))
}
