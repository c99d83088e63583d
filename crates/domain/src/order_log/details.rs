//! What an entry of an order log records about a transition besides the state: files, the appeal and transactions. The log
//! commits to them, so that none of them can be exchanged later.

use serde::{Deserialize, Serialize};

use super::hash::Hash;
use crate::chain::TxHash;
use crate::ids::FileId;
use crate::orders::{Appeal, AppealReason, AppealStatus};
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
    /// The receipts or the evidence that a party added.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<FileReference>,
    /// The appeal after the transition, if the transition changed it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub appeal: Option<AppealDetails>,
    /// The transactions that settled the order's payout.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub transactions: Vec<TransactionReference>,
    /// Why the advertiser rejected the order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rejection: Option<String>,
}

impl TransitionDetails {
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
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
    /// The officer's reasons.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Whether the officer found the appeal malicious.
    #[serde(default)]
    pub malicious: bool,
}

impl From<&Appeal> for AppealDetails {
    fn from(appeal: &Appeal) -> Self {
        let (winner, note, malicious) = match &appeal.status {
            AppealStatus::Pending | AppealStatus::Withdrawn { .. } => (None, None, false),
            AppealStatus::Rejected { note, malicious, .. } => (None, Some(note.clone()), *malicious),
            AppealStatus::Decided { verdict, .. } | AppealStatus::Executed { verdict, .. } => {
                (Some(verdict.winner), Some(verdict.note.clone()), verdict.malicious)
            }
        };
        Self {
            number: appeal.number,
            status: appeal.status.name().to_owned(),
            reason: appeal.reason,
            description: appeal.description.clone(),
            winner,
            note,
            malicious,
        }
    }
}

/// What became of a payout in a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum TransactionKind {
    /// Paid the escrow to the other party.
    Release,
    /// Paid the escrow back.
    Refund,
    /// Spent the payout's reference without paying.
    Void,
}

impl TransactionKind {
    pub fn name(self) -> &'static str {
        match self {
            Self::Release => "RELEASE",
            Self::Refund => "REFUND",
            Self::Void => "VOID",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TransactionReference {
    pub kind: TransactionKind,
    pub hash: TxHash,
}

/// Returns the facts of a transition's details: their names and values.
pub(super) fn facts(details: &TransitionDetails) -> Vec<(&'static str, String)> {
    let mut facts: Vec<_> = details.files.iter().map(|file| ("file", file_fact(file))).collect();
    if let Some(appeal) = &details.appeal {
        facts.push(("appeal", format!("{} {} {}", appeal.number, appeal.status, appeal.reason.name())));
        facts.extend(appeal.description.clone().map(|text| ("description", text)));
        facts.extend(appeal.winner.map(|winner| ("winner", winner.name().to_owned())));
        facts.extend(appeal.note.clone().map(|note| ("note", note)));
        facts.extend(appeal.malicious.then(|| ("malicious", "true".to_owned())));
    }
    let transaction = |one: &TransactionReference| ("transaction", format!("{} {}", one.kind.name(), one.hash));
    facts.extend(details.transactions.iter().map(transaction));
    facts.extend(details.rejection.clone().map(|text| ("rejection", text)));
    facts
}

pub(super) fn file_fact(file: &FileReference) -> String {
    format!("{} {}", file.id, file.sha256)
}
