//! The calls about certification: what it takes, and the application for it.

use app::certification::Certification;
use axum::extract::State;
use chrono::{DateTime, Utc};
use domain::certification::{Application, CertificationRequirement, Check};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::envelope::{Answer, Done, Envelope};
use crate::extract::{Command, CommandKey, Session};
use crate::identity::EmptyBody;
use crate::state::ApiState;

pub(crate) fn calls() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new().routes(routes!(show, apply))
}

/// Whether a user meets a requirement of certification.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CertificationCheck {
    requirement: CertificationRequirement,
    met: bool,
    /// What the user has; null if the requirement is not a number.
    has: Option<i64>,
    /// What is needed; null if the requirement is not a number.
    needed: Option<i64>,
}

impl From<&Check> for CertificationCheck {
    fn from(check: &Check) -> Self {
        Self {
            requirement: check.requirement,
            met: check.met,
            has: check.count.map(|count| count.has),
            needed: check.count.map(|count| count.needed),
        }
    }
}

/// What has become of an application.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum ApplicationStatus {
    /// An officer has yet to decide.
    Pending,
    Approved,
    Rejected,
}

/// An application for certification.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CertificationApplication {
    status: ApplicationStatus,
    applied_at: DateTime<Utc>,
    decided_at: Option<DateTime<Utc>>,
    /// What the officer tells the user about the decision.
    reason: Option<String>,
}

impl From<Application> for CertificationApplication {
    fn from(application: Application) -> Self {
        let status = match &application.decision {
            None => ApplicationStatus::Pending,
            Some(decision) if decision.approved => ApplicationStatus::Approved,
            Some(_) => ApplicationStatus::Rejected,
        };
        let (decided_at, reason) = application.decision.map(|decision| (decision.at, decision.reason)).unzip();
        Self { status, applied_at: application.applied_at, decided_at, reason }
    }
}

/// What certification takes, and how far the user is.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CertificationDto {
    /// Whether the user is a certified trader, who may post adverts against fiat.
    certified: bool,
    /// All requirements.
    checks: Vec<CertificationCheck>,
    /// The latest application.
    application: Option<CertificationApplication>,
    /// The time from which the user may apply again after a rejection; null if there is nothing to wait for.
    apply_from: Option<DateTime<Utc>>,
    /// Whether the user can apply now.
    may_apply: bool,
}

impl From<Certification> for CertificationDto {
    fn from(view: Certification) -> Self {
        Self {
            certified: view.certified,
            checks: view.checks.iter().map(CertificationCheck::from).collect(),
            application: view.application.map(Into::into),
            apply_from: view.rests_until,
            may_apply: view.may_apply,
        }
    }
}

/// Returns what certification takes, what of it the user meets, and what has become of the latest application.
#[utoipa::path(get, path = "/user/certification", tag = "account",
    responses((status = 200, body = Envelope<CertificationDto>)), security(("session" = [])))]
async fn show(State(state): State<ApiState>, Session(who): Session) -> Answer<CertificationDto> {
    Ok(Done(app::certification::show(&state.context, who.user).await?.into()))
}

/// Applies for certification. An officer decides.
///
/// Refused with 5062 while the user does not meet every requirement, and with 5063 for seven days after a rejection. Changes
/// nothing if the user is certified or has applied already.
#[utoipa::path(post, path = "/user/certification", tag = "account", request_body = EmptyBody,
    params(CommandKey), responses((status = 200, body = Envelope<CertificationDto>)), security(("session" = [])))]
async fn apply(
    State(state): State<ApiState>,
    Session(who): Session,
    Command { key, .. }: Command<EmptyBody>,
) -> Answer<CertificationDto> {
    Ok(Done(app::certification::apply(&state.context, &key, who.user).await?.into()))
}
