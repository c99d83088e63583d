//! DTOs of appeals in the queue.

use app::appeals::Proposal;
use app::console::QueueRow;
use chrono::{DateTime, Utc};
use domain::console::risk::{self, RiskSignal};
use domain::orders::{self, AppealReason, AppealStatus as Status, AppealStatusName, RequiredOfficers};
use domain::trade::{Party, Side};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::adverts::dto::AdvertKind;
use crate::nfts::dto::NftDto;

/// Who filed an appeal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum FiledBy {
    Buyer,
    Seller,
    Platform,
}

/// A decision about an appeal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = AppealRuling)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(in crate::console) enum RulingKind {
    /// The buyer wins.
    Buyer,
    /// The seller wins.
    Seller,
    /// The appeal is rejected, and the order resumes.
    Reject,
    /// The verdict is revoked before its execution.
    Reopen,
}

/// An officer on a case.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = CaseOfficer)]
pub(super) struct OnCase {
    id: Uuid,
    name: String,
}

/// A value in the asset in which orders are compared with the limits.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = OrderValue)]
pub(in crate::console) struct ValueItem {
    /// A decimal string.
    pub(in crate::console) amount: String,
    /// The code of the asset.
    pub(in crate::console) unit: String,
}

/// A verdict or a rejection that waits for a second officer.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = AppealProposal)]
#[serde(rename_all = "camelCase")]
pub(super) struct ProposalItem {
    /// The name of the officer.
    officer: String,
    officer_id: Uuid,
    /// `BUYER`, `SELLER` or `REJECT`.
    ruling: RulingKind,
    malicious: bool,
    at: DateTime<Utc>,
}

impl From<&Proposal> for ProposalItem {
    fn from(proposal: &Proposal) -> Self {
        Self {
            officer: proposal.officer.clone(),
            officer_id: proposal.officer_id.0,
            ruling: match proposal.winner {
                Some(Party::Buyer) => RulingKind::Buyer,
                Some(Party::Seller) => RulingKind::Seller,
                None => RulingKind::Reject,
            },
            malicious: proposal.malicious,
            at: proposal.at,
        }
    }
}

/// An appeal in the list of officers, without personal data.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = ConsoleAppeal)]
#[serde(rename_all = "camelCase")]
pub(in crate::console) struct AppealItem {
    id: Uuid,
    order_id: Uuid,
    /// The code of the base.
    base: String,
    /// The base, if it is an NFT.
    nft: Option<NftDto>,
    /// The code of the quote.
    quote: String,
    /// Whether the advertiser sells or buys the base.
    side: Side,
    kind: AdvertKind,
    order_state: orders::StateName,
    /// 1 for the order's first appeal.
    number: u32,
    status: AppealStatusName,
    reason: AppealReason,
    filed_at: DateTime<Utc>,
    filed_by: FiledBy,
    /// The ordered quantity of the base, as a decimal string.
    amount: String,
    /// The value of the order; null if there is no reference price.
    value: Option<ValueItem>,
    /// Heaviest first.
    signals: Vec<RiskSignal>,
    /// The sum of the weights of the signals.
    risk: u32,
    /// The officers on the case.
    officers: Vec<OnCase>,
    /// The officer who is responsible for the appeal; null if nobody is.
    assignee: Option<OnCase>,
    /// Whether the officer who asks is on the case and may read it.
    joined: bool,
    proposal: Option<ProposalItem>,
    /// Who can decide or reject the appeal.
    requires: RequiredOfficers,
    /// The time by which officers should decide the appeal; null once it is decided or has ended.
    due_at: Option<DateTime<Utc>>,
    /// The time until which a party should answer the earliest open request for evidence; null if none waits for an answer.
    evidence_due_at: Option<DateTime<Utc>>,
    /// When the verdict will be executed; null unless the status is `DECIDED`.
    executes_at: Option<DateTime<Utc>>,
    /// When the appeal ended; null while it is open.
    ended_at: Option<DateTime<Utc>>,
}

impl From<&QueueRow> for AppealItem {
    fn from(row: &QueueRow) -> Self {
        let (appeal, terms) = (&row.appeal, &row.order.terms);
        let (base, quote) = (&row.assets.base, &row.assets.quote);
        Self {
            id: appeal.id.0,
            order_id: row.order.id.0,
            base: base.code.clone(),
            nft: row.assets.nft.as_ref().map(NftDto::from),
            quote: quote.code.clone(),
            side: terms.side,
            kind: AdvertKind::of(terms.automatic()),
            order_state: (&row.order.state).into(),
            number: appeal.number,
            status: (&appeal.status).into(),
            reason: appeal.reason,
            filed_at: appeal.filed_at,
            filed_by: match appeal.initiator {
                Some(Party::Buyer) => FiledBy::Buyer,
                Some(Party::Seller) => FiledBy::Seller,
                None => FiledBy::Platform,
            },
            amount: terms.quantity.format(base.decimals),
            value: row.value.clone().map(|(amount, unit)| ValueItem { amount, unit }),
            signals: row.signals.clone(),
            risk: risk::score(&row.signals),
            officers: row.officers.iter().map(|(id, name)| OnCase { id: id.0, name: name.clone() }).collect(),
            assignee: row.assignee.clone().map(|(id, name)| OnCase { id: id.0, name }),
            joined: row.joined,
            proposal: row.proposal.as_ref().map(Into::into),
            requires: row.required_officers,
            due_at: row.due_at,
            evidence_due_at: row.evidence_due_at,
            executes_at: match &appeal.status {
                Status::Decided { delay, .. } => Some(delay.at),
                _ => None,
            },
            ended_at: appeal.status.ended_at(),
        }
    }
}
