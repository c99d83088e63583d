//! Administrators find users, restrict them, give them badges, and review their nicknames.

use app::console::{NicknameDecision, PendingNickname, UserChange, UserDetails, UserLine};
use app::engine::idempotency::IdempotencyKey;
use axum::extract::State;
use chrono::{DateTime, Utc};
use domain::identity::address::checksummed;
use domain::ids::UserId;
use domain::refusal::RiskFlag;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::dto::{AuditEntry, DecisionBody, decision};
use super::officer::Officer;
use crate::envelope::{Answer, ApiError, Done, Envelope};
use crate::extract::{Command, CommandKey, PathId, Query};
use crate::state::ApiState;

/// A user, without personal data.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ConsoleUser)]
#[serde(rename_all = "camelCase")]
pub(super) struct UserItem {
    id: Uuid,
    /// The nickname that the user has chosen.
    nickname: Option<String>,
    /// The nickname that others see. After a rejection, it is a neutral name until another nickname is approved.
    public_nickname: Option<String>,
    /// The masked email address, such as `a***@e***.org`.
    email: Option<String>,
    /// The region that the pass reports, as two letters.
    region: String,
    /// The credit score, from 0 to 100.
    reputation: i32,
    online: bool,
    certified: bool,
    verified: bool,
    /// The restrictions.
    flags: Vec<RiskFlag>,
    /// The time until which the user can't withdraw, post adverts or place orders; null if they can.
    hold_until: Option<DateTime<Utc>>,
    /// Since when the nickname is under review; null if it is not.
    nickname_pending_since: Option<DateTime<Utc>>,
    /// Why the last nickname was rejected; null once the user has chosen another one.
    nickname_refusal: Option<String>,
    created_at: Option<DateTime<Utc>>,
    /// Changes with everything that a decision can change. Decisions must send it.
    version: String,
}

impl From<UserLine> for UserItem {
    fn from(line: UserLine) -> Self {
        let user = line.user;
        Self {
            id: user.id.0,
            nickname: line.nickname_proposed.or_else(|| user.nickname.clone()),
            public_nickname: user.nickname,
            email: line.email,
            region: user.region,
            reputation: user.reputation,
            online: user.online,
            certified: user.certified,
            verified: user.verified,
            flags: user.forbidden,
            hold_until: user.held_until,
            nickname_pending_since: line.nickname_pending_since,
            nickname_refusal: line.nickname_refusal,
            created_at: line.created_at,
            version: line.version,
        }
    }
}

/// A user with what is open.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ConsoleUserDetails)]
#[serde(rename_all = "camelCase")]
pub(super) struct UserDetailsItem {
    user: UserItem,
    /// The address to which the user sends deposits.
    custody_address: String,
    has_security_password: bool,
    /// The number of active sessions.
    sessions: i64,
    open_adverts: i64,
    open_orders: i64,
    /// The newest decisions of officers about the user.
    decisions: Vec<AuditEntry>,
}

impl From<UserDetails> for UserDetailsItem {
    fn from(details: UserDetails) -> Self {
        Self {
            custody_address: checksummed(details.line.user.vault),
            user: details.line.into(),
            has_security_password: details.has_security_password,
            sessions: details.open.sessions,
            open_adverts: details.open.adverts,
            open_orders: details.open.orders,
            decisions: details.decisions.into_iter().map(Into::into).collect(),
        }
    }
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct UserQuery {
    /// The ID, the ME ID, a part of the nickname, or the complete email address of a user.
    query: String,
}

/// Finds users by ID, ME ID, complete email address, or a part of the nickname of at least two characters. Nicknames that look
/// alike are found too.
#[utoipa::path(get, path = "/console/users", tag = "console", params(UserQuery),
    responses((status = 200, body = Envelope<Vec<UserItem>>)), security(("officer" = [])))]
pub(super) async fn find(
    State(state): State<ApiState>,
    Officer(acting): Officer,
    Query(asked): Query<UserQuery>,
) -> Answer<Vec<UserItem>> {
    let found = state.console.find_users(&acting.viewing(), &asked.query).await?;
    Ok(Done(found.into_iter().map(Into::into).collect()))
}

/// Returns a user.
#[utoipa::path(get, path = "/console/users/{id}", tag = "console",
    params(("id" = Uuid, Path, description = "The ID of the user")),
    responses((status = 200, body = Envelope<UserDetailsItem>)), security(("officer" = [])))]
pub(super) async fn get(
    State(state): State<ApiState>,
    Officer(acting): Officer,
    PathId(id): PathId<UserId>,
) -> Answer<UserDetailsItem> {
    Ok(Done(state.console.user(&acting.viewing(), id).await?.into()))
}

async fn change(
    state: &ApiState,
    Officer(acting): &Officer,
    key: &IdempotencyKey,
    id: UserId,
    change: UserChange,
    (reason, version): (&str, &str),
) -> Answer<UserDetailsItem> {
    let decision = decision(acting, key, reason, version)?;
    Ok(Done(state.console.change_user(id, change, &decision).await?.into()))
}

/// The restrictions of a user from now on.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct FlagsBody {
    /// All restrictions; restrictions that are not in the list are lifted.
    flags: Vec<RiskFlag>,
    /// The `version` that the officer saw. If it is out of date, the command is refused with 5050.
    version: String,
    /// The reason, of 1 to 500 characters. Line breaks are the only control characters allowed. It is recorded in the audit log.
    reason: String,
}

/// Restricts a user, or lifts restrictions.
#[utoipa::path(post, path = "/console/users/{id}/flags", tag = "console", request_body = FlagsBody,
    params(("id" = Uuid, Path, description = "The ID of the user"), CommandKey),
    responses((status = 200, body = Envelope<UserDetailsItem>)), security(("officer" = [])))]
pub(super) async fn set_flags(
    State(state): State<ApiState>,
    officer: Officer,
    PathId(id): PathId<UserId>,
    Command { key, body }: Command<FlagsBody>,
) -> Answer<UserDetailsItem> {
    let FlagsBody { flags, version, reason } = body;
    let flags = UserChange::Flags(flags);
    change(&state, &officer, &key, id, flags, (&reason, &version)).await
}

/// The badges of a user from now on.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct BadgesBody {
    /// Whether the user is a certified trader, who can post adverts against fiat.
    certified: bool,
    /// Whether other users see the user as verified.
    verified: bool,
    /// The `version` that the officer saw. If it is out of date, the command is refused with 5050.
    version: String,
    /// The reason, of 1 to 500 characters. Line breaks are the only control characters allowed. It is recorded in the audit log.
    reason: String,
}

/// Gives a user badges, or takes them away.
#[utoipa::path(post, path = "/console/users/{id}/badges", tag = "console", request_body = BadgesBody,
    params(("id" = Uuid, Path, description = "The ID of the user"), CommandKey),
    responses((status = 200, body = Envelope<UserDetailsItem>)), security(("officer" = [])))]
pub(super) async fn set_badges(
    State(state): State<ApiState>,
    officer: Officer,
    PathId(id): PathId<UserId>,
    Command { key, body }: Command<BadgesBody>,
) -> Answer<UserDetailsItem> {
    let BadgesBody { certified, verified, version, reason } = body;
    change(&state, &officer, &key, id, UserChange::Badges { certified, verified }, (&reason, &version)).await
}

/// A hold on a user.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct HoldBody {
    /// The time until which the user can't withdraw, post adverts or place orders; null lifts the hold.
    #[schema(example = "2030-01-01T02:00:00Z")]
    until: Option<DateTime<Utc>>,
    /// The `version` that the officer saw. If it is out of date, the command is refused with 5050.
    version: String,
    /// The reason, of 1 to 500 characters. Line breaks are the only control characters allowed. It is recorded in the audit log.
    reason: String,
}

/// Puts a user on hold, or lifts the hold.
#[utoipa::path(post, path = "/console/users/{id}/hold", tag = "console", request_body = HoldBody,
    params(("id" = Uuid, Path, description = "The ID of the user"), CommandKey),
    responses((status = 200, body = Envelope<UserDetailsItem>)), security(("officer" = [])))]
pub(super) async fn set_hold(
    State(state): State<ApiState>,
    officer: Officer,
    PathId(id): PathId<UserId>,
    Command { key, body }: Command<HoldBody>,
) -> Answer<UserDetailsItem> {
    let HoldBody { until, version, reason } = body;
    change(&state, &officer, &key, id, UserChange::Hold(until), (&reason, &version)).await
}

/// Ends all sessions of a user, who can log in again.
#[utoipa::path(post, path = "/console/users/{id}/sessions/end", tag = "console", request_body = DecisionBody,
    params(("id" = Uuid, Path, description = "The ID of the user"), CommandKey),
    responses((status = 200, body = Envelope<UserDetailsItem>)), security(("officer" = [])))]
pub(super) async fn end_sessions(
    State(state): State<ApiState>,
    Officer(acting): Officer,
    PathId(id): PathId<UserId>,
    Command { key, body }: Command<DecisionBody>,
) -> Answer<UserDetailsItem> {
    let decision = body.decision(&acting, &key)?;
    Ok(Done(state.console.change_user(id, UserChange::EndSessions, &decision).await?.into()))
}

/// The result of a review.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum NicknameVerdict {
    Approve,
    /// The nickname stays refused, and others see a neutral name. The user sees the reason and may choose another nickname at once,
    /// which others see once it is approved.
    Reject,
}

impl From<NicknameVerdict> for NicknameDecision {
    fn from(verdict: NicknameVerdict) -> Self {
        match verdict {
            NicknameVerdict::Approve => Self::Approve,
            NicknameVerdict::Reject => Self::Reject,
        }
    }
}

/// The review of a nickname.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct NicknameBody {
    verdict: NicknameVerdict,
    /// The `version` that the officer saw. If it is out of date, the command is refused with 5050.
    version: String,
    /// The reason, of 1 to 500 characters. Line breaks are the only control characters allowed. It is recorded in the audit log,
    /// and the user sees it if the nickname is rejected.
    reason: String,
}

/// Approves or rejects a nickname under review.
#[utoipa::path(post, path = "/console/users/{id}/nickname", tag = "console", request_body = NicknameBody,
    params(("id" = Uuid, Path, description = "The ID of the user"), CommandKey),
    responses((status = 200, body = Envelope<UserDetailsItem>)), security(("officer" = [])))]
pub(super) async fn review_nickname(
    State(state): State<ApiState>,
    officer: Officer,
    PathId(id): PathId<UserId>,
    Command { key, body }: Command<NicknameBody>,
) -> Answer<UserDetailsItem> {
    let NicknameBody { verdict, version, reason } = body;
    change(&state, &officer, &key, id, UserChange::Nickname(verdict.into()), (&reason, &version)).await
}

/// A nickname under review.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PendingNicknameItem {
    user: UserItem,
    /// When the user chose the nickname.
    since: DateTime<Utc>,
}

impl From<PendingNickname> for PendingNicknameItem {
    fn from(pending: PendingNickname) -> Self {
        Self { user: pending.line.into(), since: pending.since }
    }
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct PendingQuery {
    /// The `since` of the last nickname on the previous page. Requires `afterUser`.
    after: Option<DateTime<Utc>>,
    /// The user of the last nickname on the previous page. Requires `after`.
    after_user: Option<Uuid>,
}

/// Lists nicknames under review, oldest first, up to 20.
#[utoipa::path(get, path = "/console/nicknames", tag = "console", params(PendingQuery),
    responses((status = 200, body = Envelope<Vec<PendingNicknameItem>>)), security(("officer" = [])))]
pub(super) async fn nicknames(
    State(state): State<ApiState>,
    Officer(acting): Officer,
    Query(asked): Query<PendingQuery>,
) -> Answer<Vec<PendingNicknameItem>> {
    let after = match (asked.after, asked.after_user) {
        (None, None) => None,
        (Some(since), Some(user)) => Some((since, UserId(user))),
        (None, Some(_)) => return Err(ApiError::invalid("after", "missing")),
        (Some(_), None) => return Err(ApiError::invalid("afterUser", "missing")),
    };
    let pending = state.console.pending_nicknames(&acting.viewing(), after).await?;
    Ok(Done(pending.into_iter().map(Into::into).collect()))
}
