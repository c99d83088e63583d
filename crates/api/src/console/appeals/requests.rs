//! Officers ask the parties of a case for evidence.

use app::console::CaseView;
use axum::extract::State;
use chrono::{DateTime, Utc};
use domain::ids::AppealId;
use domain::orders::{EvidenceKind, EvidenceRequest, NewEvidenceRequest};
use domain::trade::Party;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::case::CaseItem;
use crate::console::officer::Officer;
use crate::envelope::{Answer, Done, Envelope};
use crate::extract::{Command, CommandKey, PathId};
use crate::state::ApiState;

/// A request for evidence, for the officers on the case.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = ConsoleEvidenceRequest)]
#[serde(rename_all = "camelCase")]
pub(super) struct RequestItem {
    id: i64,
    /// Who is asked.
    party: Party,
    kind: EvidenceKind,
    /// The officer's own words; null if the kind says it all.
    details: Option<String>,
    /// The name of the officer at that time.
    officer: String,
    asked_at: DateTime<Utc>,
    due_at: DateTime<Utc>,
    /// When the party added evidence first after the request; null if it has not.
    answered_at: Option<DateTime<Utc>>,
    /// When an officer took the unanswered request back, or asked the party for something else.
    closed_at: Option<DateTime<Utc>>,
}

impl RequestItem {
    pub(super) fn of(view: &CaseView, request: &EvidenceRequest) -> Self {
        Self {
            id: request.id,
            party: request.party,
            kind: request.kind,
            details: request.details.clone(),
            officer: request.officer.clone(),
            asked_at: request.asked_at,
            due_at: request.due_at,
            answered_at: request.answered_at(&view.row.appeal.evidence),
            closed_at: request.closed_at,
        }
    }
}

/// What to ask a party for.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = ConsoleEvidenceRequestBody)]
#[serde(deny_unknown_fields)]
pub(in crate::console) struct RequestBody {
    party: Party,
    kind: EvidenceKind,
    /// The officer's own words, of 1 to 300 characters. Line breaks are the only control characters allowed. Required if the kind
    /// is `OTHER`.
    #[serde(default)]
    details: Option<String>,
    /// How long the party has for an answer: 1 to 168 hours.
    hours: u32,
}

/// Asks a party for evidence. Only this party sees the request, and is notified. An earlier request to the party that is still
/// unanswered is closed. Refused once the appeal has ended, and to a party that can add no more evidence. Returns the case.
#[utoipa::path(post, path = "/console/appeals/{id}/evidence-requests", tag = "console", request_body = RequestBody,
    params(("id" = Uuid, Path, description = "The ID of the appeal"), CommandKey),
    responses((status = 200, body = Envelope<CaseItem>)), security(("officer" = [])))]
pub(in crate::console) async fn ask(
    State(state): State<ApiState>,
    Officer(acting): Officer,
    PathId(id): PathId<AppealId>,
    Command { key, body }: Command<RequestBody>,
) -> Answer<CaseItem> {
    let RequestBody { party, kind, details, hours } = body;
    let new = NewEvidenceRequest { party, kind, details, hours };
    Ok(Done(CaseItem::from(&state.console.request_evidence(&acting, id, &new, &key).await?)))
}

/// The request to close.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = ConsoleClosedRequestBody)]
#[serde(deny_unknown_fields)]
pub(in crate::console) struct CloseBody {
    /// The ID of the request.
    request: i64,
}

/// Takes an unanswered request for evidence back. The party no longer sees it. Refused with 5050 if it was answered or closed
/// meanwhile. Returns the case.
#[utoipa::path(post, path = "/console/appeals/{id}/evidence-requests/close", tag = "console", request_body = CloseBody,
    params(("id" = Uuid, Path, description = "The ID of the appeal"), CommandKey),
    responses((status = 200, body = Envelope<CaseItem>)), security(("officer" = [])))]
pub(in crate::console) async fn close(
    State(state): State<ApiState>,
    Officer(acting): Officer,
    PathId(id): PathId<AppealId>,
    Command { key, body }: Command<CloseBody>,
) -> Answer<CaseItem> {
    Ok(Done(CaseItem::from(&state.console.close_evidence_request(&acting, id, body.request, &key).await?)))
}
