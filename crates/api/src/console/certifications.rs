//! Applications for certification, which administrators decide.

use app::console::PendingCertification;
use axum::extract::State;
use chrono::{DateTime, Utc};
use domain::ids::CertificationId;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::dto::decision;
use super::officer::Officer;
use super::users::UserItem;
use crate::certification::CertificationCheck;
use crate::envelope::{Answer, ApiError, Done, Envelope, Null};
use crate::extract::{Command, CommandKey, PathId, Query};
use crate::market::TraderStats;
use crate::state::ApiState;

/// An application for certification that waits for an officer.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PendingCertificationItem {
    id: Uuid,
    user: UserItem,
    applied_at: DateTime<Utc>,
    /// The user's statistics of the last 30 days.
    stats: TraderStats,
    /// All requirements, and whether the user meets them now.
    checks: Vec<CertificationCheck>,
    /// Changes with everything on which the decision depends. Send it with the decision.
    version: String,
}

impl From<PendingCertification> for PendingCertificationItem {
    fn from(pending: PendingCertification) -> Self {
        Self {
            id: pending.id.0,
            user: pending.user.into(),
            applied_at: pending.applied_at,
            stats: (&pending.record).into(),
            checks: pending.checks.iter().map(Into::into).collect(),
            version: pending.version,
        }
    }
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct PendingQuery {
    /// The `appliedAt` of the last application on the previous page. Requires `afterId`.
    after: Option<DateTime<Utc>>,
    /// The `id` of the last application on the previous page. Requires `after`.
    after_id: Option<Uuid>,
}

/// Lists the applications for certification that wait for an officer, oldest first, up to 20.
#[utoipa::path(get, path = "/console/certifications", tag = "console", params(PendingQuery),
    responses((status = 200, body = Envelope<Vec<PendingCertificationItem>>)), security(("officer" = [])))]
pub(super) async fn pending(
    State(state): State<ApiState>,
    Officer(acting): Officer,
    Query(asked): Query<PendingQuery>,
) -> Answer<Vec<PendingCertificationItem>> {
    let after = match (asked.after, asked.after_id) {
        (None, None) => None,
        (Some(at), Some(id)) => Some((at, CertificationId(id))),
        (None, Some(_)) => return Err(ApiError::invalid("after", "missing")),
        (Some(_), None) => return Err(ApiError::invalid("afterId", "missing")),
    };
    let pending = state.console.pending_certifications(&acting.viewing(), after).await?;
    Ok(Done(pending.into_iter().map(Into::into).collect()))
}

/// The result of an application for certification.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum CertificationVerdict {
    /// The user becomes a certified trader. Refused with 5062 while a requirement is not met.
    Approve,
    /// The user may apply again after seven days.
    Reject,
}

/// A decision about an application for certification.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct CertificationDecisionBody {
    verdict: CertificationVerdict,
    /// The `version` that the officer saw. If it is out of date, the command is refused with 5050.
    version: String,
    /// The reason, of 1 to 500 characters. Line breaks are the only control characters allowed. The user sees it, and it is recorded
    /// in the audit log.
    reason: String,
}

/// Approves or rejects an application for certification. The user is told.
#[utoipa::path(post, path = "/console/certifications/{id}/decision", tag = "console", request_body = CertificationDecisionBody,
    params(("id" = Uuid, Path, description = "The ID of the application"), CommandKey),
    responses((status = 200, body = Envelope<Null>)), security(("officer" = [])))]
pub(super) async fn decide(
    State(state): State<ApiState>,
    Officer(acting): Officer,
    PathId(id): PathId<CertificationId>,
    Command { key, body }: Command<CertificationDecisionBody>,
) -> Answer<()> {
    let CertificationDecisionBody { verdict, version, reason } = body;
    let decision = decision(&acting, &key, &reason, &version)?;
    let approved = verdict == CertificationVerdict::Approve;
    Ok(Done(state.console.decide_certification(id, approved, &decision).await?))
}
