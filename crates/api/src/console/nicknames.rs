//! Administrators review several nicknames at once.

use app::console::ReviewedNicknames as Reviewed;
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
    /// The `version` of the user that the officer saw. If it is out of date, nothing happens to the nickname.
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

/// What became of a nickname.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum NicknameResult {
    /// It was approved or rejected, as the officer has decided.
    Reviewed,
    /// Nothing happened, because the user has changed since the officer saw it.
    Changed,
    /// It was not approved, because another user has it, or one that looks like it, meanwhile.
    Taken,
}

/// What became of the nickname of a user.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ReviewedNickname {
    /// The ID of the user.
    id: Uuid,
    result: NicknameResult,
}

/// What became of a review of several nicknames.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ReviewedNicknames {
    /// Each nickname once.
    results: Vec<ReviewedNickname>,
}

impl From<Reviewed> for ReviewedNicknames {
    fn from(Reviewed { reviewed, skipped, taken }: Reviewed) -> Self {
        let of =
            |users: Vec<UserId>, result| users.into_iter().map(move |user| ReviewedNickname { id: user.0, result });
        let reviewed = of(reviewed, NicknameResult::Reviewed);
        let rest = of(taken, NicknameResult::Taken).chain(of(skipped, NicknameResult::Changed));
        Self { results: reviewed.chain(rest).collect() }
    }
}

/// Approves or rejects several nicknames under review. Those that have changed since the officer saw them, or that another
/// user has meanwhile, are left as they are.
#[utoipa::path(post, path = "/console/nicknames", tag = "console", request_body = NicknamesBody, params(CommandKey),
    responses((status = 200, body = Envelope<ReviewedNicknames>)), security(("officer" = [])))]
pub(super) async fn review(
    State(state): State<ApiState>,
    Officer(acting): Officer,
    Command { key, body }: Command<NicknamesBody>,
) -> Answer<ReviewedNicknames> {
    let NicknamesBody { verdict, nicknames, reason } = body;
    let nicknames: Vec<_> = nicknames.into_iter().map(|one| (UserId(one.id), one.version)).collect();
    let by = acting.commanding(&key);
    Ok(Done(state.console.review_nicknames(&nicknames, verdict.into(), (by, &reason)).await?.into()))
}
