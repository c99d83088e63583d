//! DTOs of appeals.

use app::appeals::AppealView;
use app::files::LinkedFile;
use chrono::{DateTime, Utc};
use domain::orders::{
    self, Appeal, AppealReason, AppealStatus as Status, AppealStatusName, Evidence, EvidenceKind, EvidenceRequest,
};
use domain::trade::Party;
use serde::Serialize;
use utoipa::ToSchema;

use crate::files::FileDto;

/// An appeal about an order.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Appeal)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AppealDto {
    pub(crate) id: String,
    /// 1 for the order's first appeal.
    pub(crate) number: u32,
    /// The party that filed the appeal; null if the platform did.
    pub(crate) filed_by: Option<Party>,
    pub(crate) reason: AppealReason,
    /// The description by the party that filed the appeal.
    pub(crate) specific_reason: Option<String>,
    pub(crate) filed_at: DateTime<Utc>,
    pub(crate) status: AppealStatusName,
    /// The party that wins; null without a verdict.
    pub(crate) winner: Option<Party>,
    /// Whether the party that filed the appeal wins; null without a verdict, or if the platform filed it.
    pub(crate) initiator_wins: Option<bool>,
    /// What the verdict does with the coins in escrow; null without a verdict.
    pub(crate) outcome: Option<orders::Outcome>,
    /// The officer's reasons; null without a decision.
    pub(crate) review_note: Option<String>,
    /// Whether the officer found the appeal malicious.
    pub(crate) malicious: bool,
    /// When the verdict will be executed; null unless the status is `DECIDED`.
    pub(crate) executes_at: Option<DateTime<Utc>>,
    /// When the appeal ended; null while it is open.
    pub(crate) ended_at: Option<DateTime<Utc>>,
    /// The party that withdrew the appeal, if any.
    pub(crate) withdrawn_by: Option<Party>,
    /// The evidence of both parties, in the order in which it was added. Empty in lists of appeals.
    pub(crate) evidence: Vec<EvidenceDto>,
    /// What officers have asked the user to prove, oldest first. Empty in lists of appeals, and once the appeal has ended.
    pub(crate) evidence_requests: Vec<EvidenceRequestDto>,
}

/// A request of an officer for evidence. Any evidence that the user adds after it answers it.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = EvidenceRequest)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EvidenceRequestDto {
    pub(crate) id: i64,
    pub(crate) kind: EvidenceKind,
    /// The officer's own words; null if the kind says it all.
    pub(crate) details: Option<String>,
    pub(crate) asked_at: DateTime<Utc>,
    /// The time until which the user should answer. Nothing happens by itself then.
    pub(crate) due_at: DateTime<Utc>,
    /// When the user added evidence first after the request; null if the user has not.
    pub(crate) answered_at: Option<DateTime<Utc>>,
}

/// A picture or video that a party has added to an appeal.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Evidence)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EvidenceDto {
    pub(crate) by: Party,
    pub(crate) at: DateTime<Utc>,
    pub(crate) file: FileDto,
}

impl AppealDto {
    pub(crate) fn new(appeal: &Appeal, files: &[LinkedFile], requests: &[EvidenceRequest]) -> Self {
        let verdict = appeal.status.verdict();
        let rejected = match &appeal.status {
            Status::Rejected { note, malicious, .. } => Some((note, *malicious)),
            _ => None,
        };
        let decided = verdict.map(|verdict| (&verdict.note, verdict.malicious)).or(rejected);
        Self {
            id: appeal.id.to_string(),
            number: appeal.number,
            filed_by: appeal.initiator,
            reason: appeal.reason,
            specific_reason: appeal.description.clone(),
            filed_at: appeal.filed_at,
            status: (&appeal.status).into(),
            winner: verdict.map(|verdict| verdict.winner),
            initiator_wins: verdict.and_then(|verdict| Some(appeal.initiator? == verdict.winner)),
            outcome: verdict.map(|verdict| verdict.outcome),
            review_note: decided.map(|(note, _)| note.clone()),
            malicious: decided.is_some_and(|(_, malicious)| malicious),
            executes_at: match &appeal.status {
                Status::Decided { delay, .. } => Some(delay.at),
                _ => None,
            },
            ended_at: appeal.status.ended_at(),
            withdrawn_by: match &appeal.status {
                Status::Withdrawn { by, .. } => *by,
                _ => None,
            },
            evidence: appeal.evidence.iter().filter_map(|one| evidence(one, files)).collect(),
            evidence_requests: requests.iter().map(|request| asked(appeal, request)).collect(),
        }
    }
}

fn asked(appeal: &Appeal, request: &EvidenceRequest) -> EvidenceRequestDto {
    EvidenceRequestDto {
        id: request.id,
        kind: request.kind,
        details: request.details.clone(),
        asked_at: request.asked_at,
        due_at: request.due_at,
        answered_at: request.answered_at(&appeal.evidence),
    }
}

fn evidence(evidence: &Evidence, files: &[LinkedFile]) -> Option<EvidenceDto> {
    let linked = files.iter().find(|linked| linked.file.id == evidence.file)?;
    Some(EvidenceDto { by: evidence.by, at: evidence.at, file: FileDto::from(linked) })
}

/// An appeal with the order that it concerns.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = AppealCase)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AppealCaseDto {
    pub(crate) appeal: AppealDto,
    pub(crate) order_id: String,
    pub(crate) order_state: orders::StateName,
    /// The user's role in the order.
    pub(crate) role: Party,
    /// The other party's nickname.
    pub(crate) counterparty: Option<String>,
    pub(crate) base: String,
    pub(crate) quote: String,
    /// The quantity of the base, as a decimal string.
    pub(crate) quantity: String,
    /// The amount of the quote, as a decimal string.
    pub(crate) total: String,
}

impl From<&AppealView> for AppealCaseDto {
    fn from(view: &AppealView) -> Self {
        let (base, quote) = (&view.assets.base, &view.assets.quote);
        Self {
            appeal: AppealDto::new(&view.appeal, &view.evidence, &view.requests),
            order_id: view.order.id.to_string(),
            order_state: (&view.order.state).into(),
            role: view.party,
            counterparty: view.counterparty.nickname.clone(),
            base: base.code.clone(),
            quote: quote.code.clone(),
            quantity: view.order.terms.quantity.format(base.decimals),
            total: view.order.terms.total.format(quote.decimals),
        }
    }
}
