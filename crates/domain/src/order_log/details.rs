//! What an entry of an order log records about a transition besides the state: the facts that disputes are about. The log
//! commits to them, so that none of them can be exchanged later.

use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

use super::hash::Hash;
use crate::chain::{Address, TxHash};
use crate::ids::{FileId, PaymentMethodId};
use crate::orders::{Appeal, AppealReason, AppealStatus, Movement, Order, Outcome, Paid};
use crate::trade::Party;

/// An uploaded file, with the hash of its content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileReference {
    pub id: FileId,
    pub sha256: Hash,
}

/// What caused a transition or was added by it. The JSON form is stored, and must stay readable for ever.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct TransitionDetails {
    /// The hash of where the buyer was told to pay ([`super::pay_to_hash`]), when the order is accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pay_to: Option<Hash>,
    /// What the buyer said about the payment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payment: Option<PaymentDetails>,
    /// The receipts or the evidence that a party added.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<FileReference>,
    /// The appeal after the transition, if the transition changed it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub appeal: Option<AppealDetails>,
    /// The transactions that settled the order's payout.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub transactions: Vec<TransactionReference>,
    /// Where a payout goes instead of the address that refused it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redirect: Option<Redirect>,
    /// Why the advertiser rejected the order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rejection: Option<String>,
}

impl TransitionDetails {
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Adds what the order itself says about a transition. `before` is `None` if the order was just placed.
    pub(super) fn add_changes(&mut self, before: Option<&Order>, after: &Order) {
        self.rejection = after.state.rejection().map(str::to_owned);
        let reported = before.and_then(|order| order.progress.paid.as_ref());
        let paid = after.progress.paid.as_ref().filter(|paid| Some(*paid) != reported);
        self.payment = paid.map(PaymentDetails::from);
    }
}

/// What the buyer said when marking the order as paid.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PaymentDetails {
    /// The seller's payment method that the buyer used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method: Option<PaymentMethodId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// The hash of the transfer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
}

impl From<&Paid> for PaymentDetails {
    fn from(paid: &Paid) -> Self {
        Self { method: paid.method, reference: paid.reference.clone(), hash: paid.hash.clone() }
    }
}

/// What was said and decided in an appeal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AppealDetails {
    /// 1 for the order's first appeal.
    pub number: u32,
    pub status: String,
    pub reason: AppealReason,
    /// The initiator's description.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// For whom an officer decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub winner: Option<Party>,
    /// What the verdict does with the escrow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// The coins that the verdict moves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub movements: Vec<Movement>,
    /// The officer's reasons.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Whether the officer found the appeal malicious.
    #[serde(default)]
    pub malicious: bool,
}

impl From<&Appeal> for AppealDetails {
    fn from(appeal: &Appeal) -> Self {
        let verdict = appeal.status.verdict();
        let (note, malicious) = match &appeal.status {
            AppealStatus::Pending | AppealStatus::Withdrawn { .. } => (None, false),
            AppealStatus::Rejected { note, malicious, .. } => (Some(note.clone()), *malicious),
            AppealStatus::Decided { verdict, .. } | AppealStatus::Executed { verdict, .. } => {
                (Some(verdict.note.clone()), verdict.malicious)
            }
        };
        Self {
            number: appeal.number,
            status: appeal.status.into_str().to_owned(),
            reason: appeal.reason,
            description: appeal.description.clone(),
            winner: verdict.map(|verdict| verdict.winner),
            outcome: verdict.map(|verdict| verdict.outcome),
            movements: verdict.map(|verdict| verdict.movements.clone()).unwrap_or_default(),
            note,
            malicious,
        }
    }
}

/// A payout that goes to another address than before, because the recipient's contract refused it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Redirect {
    /// The party that receives the payout.
    pub party: Party,
    pub to: Address,
}

/// What became of a payout in a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, IntoStaticStr)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE", const_into_str)]
pub enum TransactionKind {
    /// Paid the escrow to the other party.
    Release,
    /// Paid the escrow back.
    Refund,
    /// Spent the payout's reference without paying.
    Void,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TransactionReference {
    pub kind: TransactionKind,
    pub hash: TxHash,
}

/// Returns the facts of a transition's details: their names and values.
pub(super) fn facts(details: &TransitionDetails) -> Vec<(&'static str, String)> {
    let mut facts = Vec::new();
    facts.extend(details.pay_to.map(|hash| ("payTo", hash.to_string())));
    if let Some(payment) = &details.payment {
        facts.extend(payment.method.map(|method| ("paymentMethod", method.to_string())));
        facts.extend(payment.reference.clone().map(|text| ("paymentReference", text)));
        facts.extend(payment.hash.clone().map(|text| ("paymentHash", text)));
    }
    facts.extend(details.files.iter().map(|file| ("file", file_fact(file))));
    if let Some(appeal) = &details.appeal {
        facts.push(("appeal", format!("{} {} {}", appeal.number, appeal.status, appeal.reason.into_str())));
        facts.extend(appeal.description.clone().map(|text| ("description", text)));
        facts.extend(appeal.winner.map(|winner| ("winner", winner.into_str().to_owned())));
        facts.extend(appeal.outcome.map(|outcome| ("outcome", outcome.into_str().to_owned())));
        facts.extend(appeal.movements.iter().map(|movement| ("movement", movement_fact(movement))));
        facts.extend(appeal.note.clone().map(|note| ("note", note)));
        facts.extend(appeal.malicious.then(|| ("malicious", "true".to_owned())));
    }
    let transaction = |one: &TransactionReference| ("transaction", format!("{} {}", one.kind.into_str(), one.hash));
    facts.extend(details.transactions.iter().map(transaction));
    facts.extend(details.redirect.as_ref().map(|to| ("redirect", format!("{} {}", to.party.into_str(), to.to))));
    facts.extend(details.rejection.clone().map(|text| ("rejection", text)));
    facts
}

pub(super) fn file_fact(file: &FileReference) -> String {
    format!("{} {}", file.id, file.sha256)
}

fn movement_fact(movement: &Movement) -> String {
    let Movement { kind, leg, amount, party, address } = movement;
    let asset = leg.map_or("PREPAYMENT", |leg| leg.into_str());
    let fact = format!("{} {asset} {} {}", kind.into_str(), amount.units(), party.into_str());
    address.map_or(fact.clone(), |address| format!("{fact} {address}"))
}
