//! Requests for evidence: an officer asks a party of an appeal for something named, until a time.
//!
//! Nothing happens by itself when the time is over: the officer decides what a missing answer means.

use chrono::Duration;
use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};

use super::appeal_rules::can_add;
use super::{Appeal, Evidence};
use crate::clock::{Timestamp, after};
use crate::files::FileKind;
use crate::refusal::Refusal;
use crate::text::is_blank;
use crate::trade::Party;

/// The longest time that a party gets for an answer, in hours.
pub const MAX_REQUEST_HOURS: u32 = 168;

/// The maximum length of the details of a request, in characters.
pub const MAX_REQUEST_DETAILS: usize = 300;

/// What an officer asks a party of an appeal for. Readers see its name in their own language.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, IntoStaticStr, EnumString,
)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE", const_into_str)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum EvidenceKind {
    /// A bank statement that shows the transfer or its absence.
    BankStatement,
    /// The bank's receipt of the transfer.
    TransferReceipt,
    /// Proof of who holds the account.
    AccountHolder,
    /// A recording of the bank's app.
    ScreenRecording,
    /// Messages between the parties outside the platform.
    Conversation,
    /// Anything else; requires details.
    Other,
}

/// What an officer wants to ask for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewEvidenceRequest {
    pub party: Party,
    pub kind: EvidenceKind,
    pub details: Option<String>,
    /// How long the party has for an answer.
    pub hours: u32,
}

/// A request for evidence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvidenceRequest {
    pub id: i64,
    /// Who is asked.
    pub party: Party,
    pub kind: EvidenceKind,
    pub details: Option<String>,
    /// The name of the officer at that time.
    pub officer: String,
    /// The number of files in the evidence of the appeal at that time.
    pub evidence_before: usize,
    pub asked_at: Timestamp,
    pub due_at: Timestamp,
    /// When an officer took the unanswered request back, or asked the party for something else.
    pub closed_at: Option<Timestamp>,
}

impl EvidenceRequest {
    /// Returns when the party answered: when it added evidence first after the request.
    pub fn answered_at(&self, evidence: &[Evidence]) -> Option<Timestamp> {
        let later = evidence.iter().skip(self.evidence_before);
        later.filter(|one| one.by == self.party && self.closed_at.is_none()).map(|one| one.at).next()
    }

    /// Returns whether the request waits for an answer.
    pub fn is_open(&self, evidence: &[Evidence]) -> bool {
        self.closed_at.is_none() && self.answered_at(evidence).is_none()
    }
}

/// Checks a request, and returns the time until which the party should answer.
///
/// Refuses a request about an appeal that has ended ([`Refusal::AppealProcessed`]), and with the name of the field
/// ([`Refusal::Invalid`]): to a party that can add no more evidence, without the details that its kind needs, or with too little
/// or too much time.
pub fn request_evidence(appeal: &Appeal, new: &NewEvidenceRequest, now: Timestamp) -> Result<Timestamp, Refusal> {
    if appeal.status.ended_at().is_some() {
        return Err(Refusal::AppealProcessed);
    }
    if ![FileKind::Image, FileKind::Video].iter().any(|kind| can_add(&appeal.evidence, new.party, *kind)) {
        return Err(Refusal::Invalid { field: "party", reason: "can add no more evidence" });
    }
    match &new.details {
        None if new.kind == EvidenceKind::Other => {
            return Err(Refusal::Invalid { field: "details", reason: "empty" });
        }
        Some(details) if is_blank(details) => {
            return Err(Refusal::Invalid { field: "details", reason: "empty" });
        }
        Some(details) if details.chars().count() > MAX_REQUEST_DETAILS => {
            return Err(Refusal::Invalid { field: "details", reason: "too long" });
        }
        Some(details) if details.chars().any(|c| c.is_control() && c != '\n') => {
            return Err(Refusal::Invalid { field: "details", reason: "control characters" });
        }
        _ => {}
    }
    if !(1..=MAX_REQUEST_HOURS).contains(&new.hours) {
        return Err(Refusal::Invalid { field: "hours", reason: "from 1 to 168" });
    }
    Ok(after(now, Duration::hours(i64::from(new.hours))))
}
