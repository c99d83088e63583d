//! Administrators review several nicknames at once.

use axum::extract::State;
use domain::ids::UserId;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::officer::Officer;
use super::users::NicknameVerdict;
use crate::envelope::{Answer, Done, Envelope};
use crate::extract::{Command, CommandKey};
use crate::state::ApiState;

/// A nickname to review.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NicknameToReview {
    /// The ID of the user.
    id: Uuid,
    /// The `version` of the user that the officer saw. If it is out of date, the nickname is skipped.
    version: String,
}

/// The review of several nicknames.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NicknamesBody {
    verdict: NicknameVerdict,
    /// 1 to 100 nicknames, each of another user.
    nicknames: Vec<NicknameToReview>,
    /// The reason, of 1 to 500 characters. Line breaks are the only control characters allowed. It is recorded in the audit log
    /// with each nickname, and the users see it if their nicknames are rejected.
    reason: String,
}

/// What became of a review of several nicknames.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ReviewedNicknames {
    /// The IDs of the users whose nicknames were reviewed.
    reviewed: Vec<Uuid>,
    /// The IDs of users who have changed since the officer saw them.
    skipped: Vec<Uuid>,
}

/// Approves or rejects several nicknames under review. Those that have changed since the officer saw them are skipped.
#[utoipa::path(post, path = "/ops/nicknames", tag = "console", request_body = NicknamesBody, params(CommandKey),
    responses((status = 200, body = Envelope<ReviewedNicknames>)), security(("officer" = [])))]
pub(super) async fn review(
    State(state): State<ApiState>,
    Officer(acting): Officer,
    Command { key, body }: Command<NicknamesBody>,
) -> Answer<ReviewedNicknames> {
    let NicknamesBody { verdict, nicknames, reason } = body;
    let nicknames: Vec<_> = nicknames.into_iter().map(|one| (UserId(one.id), one.version)).collect();
    let by = acting.commanding(&key);
    let done = state.console.review_nicknames(&nicknames, verdict.into(), (by, &reason)).await?;
    let ids = |users: Vec<UserId>| users.into_iter().map(|user| user.0).collect();
    Ok(Done(ReviewedNicknames { reviewed: ids(done.reviewed), skipped: ids(done.skipped) }))
}
