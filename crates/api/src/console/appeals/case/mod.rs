//! DTOs of a case.

mod order;
mod parties;

use app::appeals::Ruling;
use app::console::{CaseAct, CaseView, DecisionOption, TransactionKind, TransactionState};
use chrono::{DateTime, Utc};
use domain::assets::Asset;
use domain::identity::address::checksummed;
use domain::order_log::{Content, LogEntry};
use domain::orders;
use domain::orders::Undecidable;
use domain::trade::Party;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use self::order::OrderItem;
use self::parties::PartiesItem;
use super::dto::{AppealItem, RulingKind};
use super::requests::RequestItem;
use crate::appeals::dto::AppealDto;
use crate::orders::dto::MovementDto;
use crate::wallet::dto::ConfirmationsDto;

/// What officers decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = AppealActKind)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum ActKind {
    /// A verdict or a rejection that waits, or waited, for a second officer.
    Proposal,
    Verdict,
    Rejection,
    Reopening,
}

/// A decision about an appeal.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = AppealAct)]
#[serde(rename_all = "camelCase")]
pub(super) struct ActItem {
    kind: ActKind,
    /// The party for which a verdict or its proposal is; null for other decisions, and for the proposal of a rejection.
    winner: Option<Party>,
    malicious: bool,
    note: String,
    /// The name of the officer.
    officer: String,
    /// The ID of the officer.
    officer_id: Uuid,
    at: DateTime<Utc>,
}

impl ActItem {
    fn of(act: &CaseAct) -> Option<Self> {
        let (kind, winner) = match act.action.as_str() {
            "propose_buyer" => (ActKind::Proposal, Some(Party::Buyer)),
            "propose_seller" => (ActKind::Proposal, Some(Party::Seller)),
            "propose_reject" => (ActKind::Proposal, None),
            "decide_buyer" => (ActKind::Verdict, Some(Party::Buyer)),
            "decide_seller" => (ActKind::Verdict, Some(Party::Seller)),
            "reject_appeal" => (ActKind::Rejection, None),
            "reopen_appeal" => (ActKind::Reopening, None),
            _ => return None,
        };
        Some(Self {
            kind,
            winner,
            malicious: act.malicious,
            note: act.note.clone(),
            officer: act.officer.clone(),
            officer_id: act.officer_id.0,
            at: act.at,
        })
    }
}

/// A note of an officer, which the parties never see.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = CaseNote)]
#[serde(rename_all = "camelCase")]
pub(super) struct NoteItem {
    id: i64,
    /// The name of the officer at that time.
    officer: String,
    officer_id: Uuid,
    text: String,
    at: DateTime<Utc>,
}

impl From<&app::console::CaseNote> for NoteItem {
    fn from(note: &app::console::CaseNote) -> Self {
        Self {
            id: note.id,
            officer: note.officer.clone(),
            officer_id: note.officer_id.0,
            text: note.text.clone(),
            at: note.at,
        }
    }
}

/// A transaction on the chain that concerns the order.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = CaseTransaction)]
pub(super) struct TransactionItem {
    kind: TransactionKind,
    /// Who sent the deposit or payment, or receives the payout.
    party: Party,
    state: TransactionState,
    /// The code of the coin.
    asset: String,
    /// A decimal string.
    amount: String,
    /// The transaction hash; null while no block contains the transaction, or if no log explains a deposit.
    hash: Option<String>,
    /// The address of the sender, if known.
    from: Option<String>,
    /// The address of the recipient, if known.
    to: Option<String>,
    /// The number of the block.
    block: Option<u64>,
    confirmations: Option<ConfirmationsDto>,
    /// When the deposit was credited, or the time of the block; null if unknown.
    at: Option<DateTime<Utc>>,
}

/// A transition of the order.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = CaseEvent)]
pub(super) struct EventItem {
    /// The number of the entry in the order's log.
    number: i64,
    at: DateTime<Utc>,
    /// The party who caused it; null for the platform.
    by: Option<Party>,
    /// What the parties were notified of, such as `ORDER_PAID`, if anything.
    notice: Option<String>,
    /// The state of the order afterwards.
    state: String,
    /// The version of the order afterwards.
    version: i64,
}

impl EventItem {
    fn of(entry: &LogEntry) -> Option<Self> {
        let Content::System { notice, state, version, .. } = &entry.content else { return None };
        Some(Self {
            number: entry.number,
            at: entry.at,
            by: entry.author,
            notice: notice.map(|notice| notice.to_string()),
            state: state.clone(),
            version: *version,
        })
    }
}

/// A decision that the officer may make, or the reason why not.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = DecisionOption)]
#[serde(rename_all = "camelCase")]
pub(super) struct OptionItem {
    ruling: RulingKind,
    /// Whether the officer may decide so now.
    allowed: bool,
    /// Why not; null if the officer may.
    refusal: Option<Undecidable>,
    /// What a verdict does with the coins in escrow; null if it can't be made, and for other decisions.
    outcome: Option<orders::Outcome>,
    /// The coins that the decision moves if the order stays as it is: a verdict when it is executed, a rejection at once.
    movements: Vec<MovementDto>,
    /// The party that loses credit score by the decision, unless the appeal is marked as malicious; null if neither does.
    charged: Option<Party>,
    /// Whether the proposal that waits for a second officer is of this ruling, and still moves the same coins. If it does not,
    /// another officer who decides the same replaces it.
    is_proposed: bool,
}

/// A case, for an officer who has joined it.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = ConsoleCase)]
#[serde(rename_all = "camelCase")]
pub(in crate::console) struct CaseItem {
    /// The appeal as in the list.
    summary: AppealItem,
    order: OrderItem,
    /// The appeal with its evidence.
    appeal: AppealDto,
    /// The decisions about the appeal, oldest first.
    history: Vec<ActItem>,
    /// The newest notes of the officers on the case, oldest first, up to 200. The parties never see them.
    notes: Vec<NoteItem>,
    /// The newest requests for evidence, oldest first, up to 50.
    requests: Vec<RequestItem>,
    parties: PartiesItem,
    /// What the chain shows about the order, by kind and time.
    transactions: Vec<TransactionItem>,
    /// The transitions of the order until the end of the appeal, oldest first.
    timeline: Vec<EventItem>,
    /// All decisions: those that the officer may make now, and why not the others.
    allowed: Vec<OptionItem>,
    /// The seconds between a verdict and its execution.
    verdict_delay_seconds: i64,
    /// Changes with the order, the appeal and the proposals. Decisions must send it.
    version: String,
    /// The time from which the officers on the case can no longer read it; null while the appeal is open.
    readable_until: Option<DateTime<Utc>>,
    /// The time of the product's clock.
    server_time: DateTime<Utc>,
}

impl From<&CaseView> for CaseItem {
    fn from(view: &CaseView) -> Self {
        let (base, quote) = (&view.row.assets.base, &view.row.assets.quote);
        let asset = |id| -> &Asset { if id == base.id { base } else { quote } };
        let needed = view.confirmations_needed;
        let transactions = view.transactions.iter().map(|one| TransactionItem {
            kind: one.kind,
            party: one.party,
            state: one.state,
            asset: asset(one.asset).code.clone(),
            amount: one.amount.format(asset(one.asset).decimals),
            hash: one.hash.map(|hash| hash.to_string()),
            from: one.from.map(checksummed),
            to: one.to.map(checksummed),
            block: one.block,
            confirmations: one.block.map(|_| ConfirmationsDto { seen: one.confirmations, needed }),
            at: one.at,
        });
        Self {
            summary: (&view.row).into(),
            order: OrderItem::new(view),
            appeal: AppealDto::new(&view.row.appeal, &view.evidence, &[]),
            history: view.history.iter().filter_map(ActItem::of).collect(),
            notes: view.notes.iter().map(Into::into).collect(),
            requests: view.requests.iter().map(|request| RequestItem::of(view, request)).collect(),
            parties: PartiesItem::new(view),
            transactions: transactions.collect(),
            timeline: view.timeline.iter().filter_map(EventItem::of).collect(),
            allowed: view.options.iter().map(|option| option_item(view, option)).collect(),
            verdict_delay_seconds: view.verdict_delay.num_seconds(),
            version: view.version.clone(),
            readable_until: view.readable_until,
            server_time: view.now,
        }
    }
}

fn option_item(view: &CaseView, option: &DecisionOption) -> OptionItem {
    OptionItem {
        ruling: match option.ruling {
            Ruling::Verdict { winner: Party::Buyer, .. } => RulingKind::Buyer,
            Ruling::Verdict { winner: Party::Seller, .. } => RulingKind::Seller,
            Ruling::Reject { .. } => RulingKind::Reject,
            Ruling::Reopen => RulingKind::Reopen,
        },
        allowed: option.refusal.is_none(),
        refusal: option.refusal,
        outcome: option.outcome,
        movements: MovementDto::all(&option.effects.movements, &view.row.assets),
        charged: option.effects.charged,
        is_proposed: option.is_proposed,
    }
}
