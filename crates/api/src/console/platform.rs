//! Administrators plan maintenance and read the audit log.

use app::console::{AuditFilter, MaintenancePlan, MaintenanceState};
use axum::extract::State;
use chrono::{DateTime, Utc};
use domain::ids::OfficerId;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::dto::{AuditEntry, DecisionBody, decision};
use super::officer::Officer;
use crate::envelope::{Answer, ApiError, Done, Envelope};
use crate::extract::{Command, CommandKey, Query};
use crate::state::ApiState;

/// A time in which the platform is closed.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ConsoleClosing)]
pub(super) struct ClosingItem {
    from: DateTime<Utc>,
    until: DateTime<Utc>,
}

/// Current and planned maintenance.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ConsoleMaintenance)]
#[serde(rename_all = "camelCase")]
pub(super) struct MaintenanceItem {
    /// Whether the platform is closed now.
    closed: bool,
    /// Current and planned closings, in order of time.
    closings: Vec<ClosingItem>,
    /// Changes with each plan. Decisions must send it.
    version: String,
}

impl From<MaintenanceState> for MaintenanceItem {
    fn from(state: MaintenanceState) -> Self {
        let closings = state.closings.iter().map(|closing| ClosingItem { from: closing.from, until: closing.until });
        Self { closed: state.closed, closings: closings.collect(), version: state.version }
    }
}

/// Returns current and planned maintenance.
#[utoipa::path(get, path = "/console/maintenance", tag = "console",
    responses((status = 200, body = Envelope<MaintenanceItem>)), security(("officer" = [])))]
pub(super) async fn maintenance(State(state): State<ApiState>, Officer(acting): Officer) -> Answer<MaintenanceItem> {
    Ok(Done(state.console.maintenance(&acting.viewing()).await?.into()))
}

/// A maintenance window.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = ConsoleMaintenanceBody)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct MaintenanceBody {
    /// The start. A time in the past means now.
    #[schema(example = "2030-01-01T02:00:00Z")]
    from: DateTime<Utc>,
    /// The time at which the platform opens again.
    #[schema(example = "2030-01-01T04:00:00Z")]
    until: DateTime<Utc>,
    /// The `version` that the officer saw. If it is out of date, the command is refused with 5050.
    version: String,
    /// The reason, of 1 to 500 characters. Line breaks are the only control characters allowed. It is recorded in the audit log.
    reason: String,
}

/// Plans to close the platform. All users' calls then return 503, and every deadline is extended by the time lost. Replaces
/// an earlier plan.
#[utoipa::path(post, path = "/console/maintenance", tag = "console", request_body = MaintenanceBody,
    params(CommandKey), responses((status = 200, body = Envelope<MaintenanceItem>)), security(("officer" = [])))]
pub(super) async fn plan_maintenance(
    State(state): State<ApiState>,
    Officer(acting): Officer,
    Command { key, body }: Command<MaintenanceBody>,
) -> Answer<MaintenanceItem> {
    let decision = decision(&acting, &key, &body.reason, &body.version)?;
    let plan = MaintenancePlan { from: body.from, until: body.until };
    Ok(Done(state.console.plan_maintenance(plan, &decision).await?.into()))
}

/// Opens the platform again, or cancels the planned maintenance.
#[utoipa::path(post, path = "/console/maintenance/end", tag = "console", request_body = DecisionBody,
    params(CommandKey), responses((status = 200, body = Envelope<MaintenanceItem>)), security(("officer" = [])))]
pub(super) async fn end_maintenance(
    State(state): State<ApiState>,
    Officer(acting): Officer,
    Command { key, body }: Command<DecisionBody>,
) -> Answer<MaintenanceItem> {
    let decision = body.decision(&acting, &key)?;
    Ok(Done(state.console.end_maintenance(&decision).await?.into()))
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct AuditQuery {
    /// The ID of an officer.
    officer: Option<Uuid>,
    /// An action, such as `set_flags`.
    action: Option<String>,
    /// The kind of the subject.
    subject_kind: Option<String>,
    /// The ID of the subject. Requires `subjectKind`.
    subject_id: Option<String>,
    /// The earliest time.
    from: Option<DateTime<Utc>>,
    /// The time before which the entries were made.
    until: Option<DateTime<Utc>>,
    /// Whether to omit what officers only viewed.
    decisions: Option<bool>,
    /// The `next` of the previous page.
    before: Option<i64>,
    /// The number of entries, at most 100; 50 by default.
    #[param(minimum = 1, maximum = 100)]
    size: Option<u32>,
}

/// A page of the audit log.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct AuditLog {
    /// The entries, newest first.
    entries: Vec<AuditEntry>,
    /// The `before` of the next page; null on the last page.
    next: Option<i64>,
}

/// Lists what officers did and viewed, newest first. This call is recorded too.
#[utoipa::path(get, path = "/console/audit", tag = "console", params(AuditQuery),
    responses((status = 200, body = Envelope<AuditLog>)), security(("officer" = [])))]
pub(super) async fn audit_log(
    State(state): State<ApiState>,
    Officer(acting): Officer,
    Query(asked): Query<AuditQuery>,
) -> Answer<AuditLog> {
    let size = asked.size.unwrap_or(50);
    if !(1..=100).contains(&size) {
        return Err(ApiError::invalid("size", "from 1 to 100"));
    }
    let subject = match (asked.subject_kind, asked.subject_id) {
        (Some(kind), id) => Some((kind, id.unwrap_or_default())),
        (None, None) => None,
        (None, Some(_)) => return Err(ApiError::invalid("subjectKind", "missing")),
    };
    let filter = AuditFilter {
        officer: asked.officer.map(OfficerId),
        action: asked.action,
        subject,
        from: asked.from,
        until: asked.until,
        only_decisions: asked.decisions.unwrap_or(false),
    };
    let page = state.console.audit_log(&acting.viewing(), &filter, asked.before, size).await?;
    Ok(Done(AuditLog { entries: page.lines.into_iter().map(Into::into).collect(), next: page.next }))
}
