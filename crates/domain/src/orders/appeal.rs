//! Appeals: an officer decides an order that its parties cannot agree about.
//!
//! While an appeal is open, the order accepts only commands about the appeal. Its deadline is suspended, and coins that
//! arrive stay in escrow.

use chrono::Duration;
use serde::{Deserialize, Serialize};
use strum::{EnumDiscriminants, IntoStaticStr, VariantArray, VariantNames};

use super::{Movement, Order, Outcome, State};
use crate::clock::{self, Timestamp};
use crate::deadline::Deadline;
use crate::files::FileKind;
use crate::ids::{AppealId, FileId};
use crate::refusal::Refusal;
use crate::text::is_blank;
use crate::trade::{Leg, Party, Side};

/// The time after a missed deadline, or after the freezing of an order, at which the platform files an appeal.
pub const OVERDUE_FOR: Duration = Duration::days(7);

/// The time between the freezing of an order and the earliest appeal by a party.
pub const FROZEN_FOR: Duration = Duration::hours(24);

/// The maximum length of an appeal's description and of an officer's review note, in characters.
pub const MAX_APPEAL_TEXT: usize = 500;

/// The maximum number of pictures that each party may add to an appeal.
pub const MAX_EVIDENCE_PICTURES: usize = 5;

/// The maximum number of videos that each party may add to an appeal.
pub const MAX_EVIDENCE_VIDEOS: usize = 1;

/// The latest appeal about an order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Appeal {
    pub id: AppealId,
    /// How often an appeal about the order has been filed, this time included.
    pub number: u32,
    /// Who filed the appeal last; `None` if the platform did.
    pub initiator: Option<Party>,
    pub reason: AppealReason,
    /// The initiator's description; required for [`AppealReason::Other`].
    pub description: Option<String>,
    /// When the appeal was filed first. Filing it again after a withdrawal does not change its place in the queue.
    pub filed_at: Timestamp,
    /// The parties that have withdrawn an appeal about the order. Each may do so once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub withdrawn_by: Vec<Party>,
    /// When the order's deadline was suspended. Earlier than `filed_at` if the order was frozen before.
    pub suspended_at: Timestamp,
    /// In the order in which it was added.
    pub evidence: Vec<Evidence>,
    pub status: AppealStatus,
}

/// A picture or video that a party has added to an appeal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Evidence {
    pub file: FileId,
    pub kind: FileKind,
    pub by: Party,
    pub at: Timestamp,
}

/// Files that a party adds to an appeal.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NewEvidence {
    pub pictures: Vec<FileId>,
    pub videos: Vec<FileId>,
}

impl NewEvidence {
    pub fn is_empty(&self) -> bool {
        self.pictures.is_empty() && self.videos.is_empty()
    }

    /// Returns all files with their kinds.
    pub fn files(&self) -> impl Iterator<Item = (FileId, FileKind)> {
        let pictures = self.pictures.iter().map(|file| (*file, FileKind::Image));
        pictures.chain(self.videos.iter().map(|file| (*file, FileKind::Video)))
    }
}

/// What became of an appeal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, EnumDiscriminants, IntoStaticStr, VariantNames)]
#[serde(tag = "status", rename_all = "SCREAMING_SNAKE_CASE", deny_unknown_fields)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE", const_into_str)]
#[strum_discriminants(
    name(AppealStatusName),
    doc = "The status of an appeal.",
    derive(Serialize),
    serde(rename_all = "SCREAMING_SNAKE_CASE")
)]
#[cfg_attr(feature = "schema", strum_discriminants(derive(utoipa::ToSchema), schema(as = AppealStatus)))]
pub enum AppealStatus {
    /// An officer must decide.
    Pending,
    /// An officer has decided. The verdict is executed at the end of the delay, unless an officer reopens the appeal.
    Decided {
        verdict: Verdict,
        delay: Deadline,
    },
    Withdrawn {
        at: Timestamp,
        /// `None` if the platform closed the appeal, because its cause no longer exists.
        by: Option<Party>,
    },
    /// An officer rejected the appeal, and the order resumed.
    Rejected {
        at: Timestamp,
        note: String,
        /// Whether the officer found the appeal malicious.
        malicious: bool,
    },
    Executed {
        verdict: Verdict,
        at: Timestamp,
    },
}

impl AppealStatus {
    pub fn verdict(&self) -> Option<&Verdict> {
        match self {
            Self::Decided { verdict, .. } | Self::Executed { verdict, .. } => Some(verdict),
            _ => None,
        }
    }

    /// Returns when the appeal ended; `None` while it is open.
    pub fn ended_at(&self) -> Option<Timestamp> {
        match self {
            Self::Pending | Self::Decided { .. } => None,
            Self::Withdrawn { at, .. } | Self::Rejected { at, .. } | Self::Executed { at, .. } => Some(*at),
        }
    }
}

/// An officer's decision for one party.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Verdict {
    pub winner: Party,
    /// Fixed with the verdict: coins that arrive later do not change what the parties were told.
    pub outcome: Outcome,
    /// The reasons, which both parties see.
    pub note: String,
    /// Whether the officer found the appeal malicious. Its initiator then loses all reputation.
    pub malicious: bool,
    /// The coins that the verdict moves, as they were when the officer decided.
    pub movements: Vec<Movement>,
}

/// The reason of an appeal.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, IntoStaticStr, VariantArray,
)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE", const_into_str)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum AppealReason {
    /// The seller has not deposited the base.
    NotDeposited,
    /// The seller does not confirm the payment.
    NotReleased,
    /// The buyer neither pays nor cancels.
    NotPaid,
    /// The buyer marked the order as paid, but the payment has not arrived.
    PaymentNotReceived,
    /// The payment's amount or currency differs from the order's.
    WrongAmount,
    /// The payment came from an account that is not the buyer's.
    ThirdPartyPayment,
    /// The payment was or can be reversed, or the receipt is forged.
    Fraud,
    /// The other party does not respond.
    Unresponsive,
    /// A chain reorganization removed the deposit, and it has not returned.
    DepositLost,
    /// Anything else; requires a description.
    Other,
    /// The platform files the appeal because a party has been overdue for [`OVERDUE_FOR`].
    Overdue,
    /// The platform files the appeal because the release or refund was voided on the chain.
    PayoutVoided,
}

impl AppealReason {
    /// Returns whether a party may choose the reason in this state of the order.
    pub fn fits(self, order: &Order, party: Party) -> bool {
        let frozen = order.frozen.is_some();
        match self {
            Self::Other | Self::Unresponsive => true,
            Self::DepositLost => frozen,
            Self::NotDeposited => matches!(order.state, State::AwaitingDeposit { .. }),
            Self::NotPaid => matches!(order.state, State::AwaitingPayment { .. }) && party == Party::Seller,
            Self::NotReleased => matches!(order.state, State::AwaitingConfirmation { .. }) && party == Party::Buyer,
            Self::PaymentNotReceived | Self::WrongAmount | Self::ThirdPartyPayment | Self::Fraud => {
                matches!(order.state, State::AwaitingConfirmation { .. }) && party == Party::Seller
            }
            Self::Overdue | Self::PayoutVoided => false,
        }
    }
}

impl Order {
    /// Returns the appeal that locks the order; `None` if none is open.
    pub fn open_appeal(&self) -> Option<&Appeal> {
        self.appeal.as_ref().filter(|appeal| appeal.status.ended_at().is_none())
    }

    /// Returns the appeal that filing again continues: the latest one, if a party withdrew it. After an officer's decision, or
    /// if the platform closed it, the next appeal is a new one.
    pub(super) fn withdrawn_appeal(&self) -> Option<&Appeal> {
        self.appeal.as_ref().filter(|appeal| matches!(appeal.status, AppealStatus::Withdrawn { by: Some(_), .. }))
    }

    /// Returns the party whose action or coins the order waits for.
    pub(super) fn late_party(&self) -> Option<Party> {
        if let Some(frozen) = self.frozen {
            return Some(if frozen.missing(Leg::Base).is_zero() { Party::Buyer } else { Party::Seller });
        }
        match self.state {
            State::AwaitingAcceptance { .. } => Some(self.terms.advertiser_party()),
            State::AwaitingDeposit { .. } | State::AwaitingConfirmation { .. } => Some(Party::Seller),
            State::AwaitingPayment { .. } => Some(Party::Buyer),
            _ => None,
        }
    }

    /// Returns since when the deadline is suspended, because the order is frozen or under appeal.
    pub fn suspended_at(&self) -> Option<Timestamp> {
        let frozen = self.frozen.map(|frozen| frozen.since);
        frozen.into_iter().chain(self.open_appeal().map(|appeal| appeal.suspended_at)).min()
    }

    /// Returns when the platform files an appeal about an order that nothing else has moved: at once if its payout was
    /// voided, otherwise [`OVERDUE_FOR`] after the order froze, after the late party was notified, or after the deadline if
    /// unconfirmed transfers have covered the funding request since then. An appeal that ended meanwhile starts the time
    /// anew.
    pub(super) fn appeal_due_at(&self) -> Option<Timestamp> {
        if let Some(voided) = self.progress.voided {
            return Some(voided.since).filter(|_| self.open_appeal().is_none());
        }
        let ended = self.appeal.as_ref().and_then(|appeal| appeal.status.ended_at());
        let since = match (&self.frozen, &self.state) {
            (Some(frozen), _) => Some(frozen.since),
            (
                None,
                State::AwaitingDeposit { deadline }
                | State::AwaitingPayment { deadline, .. }
                | State::AwaitingConfirmation { deadline },
            ) => Some(deadline.notified_at.map_or(deadline.at, |notified| notified.max(deadline.at))),
            _ => None,
        };
        let since = since.filter(|_| self.open_appeal().is_none())?;
        Some(clock::after(ended.map_or(since, |ended| ended.max(since)), OVERDUE_FOR))
    }

    /// Returns whether the release of an automatic order is still pending although both legs are funded. This happens if
    /// the order was suspended when the second leg arrived.
    pub(super) fn held_back(&self) -> bool {
        let second = match self.terms.side {
            Side::Sell => self.progress.payment_funded_at,
            Side::Buy => self.progress.deposited_at,
        };
        let waits = matches!(self.state, State::AwaitingDeposit { .. } | State::AwaitingPayment { .. });
        self.terms.automatic() && second.is_some() && waits
    }

    /// Returns the time from which a party may appeal, if the order stays as it is; `None` if it may not: the party that
    /// waits, once the order is overdue; the seller, as soon as the order is marked as paid; either party, [`FROZEN_FOR`]
    /// after the order froze.
    pub fn appeal_from(&self, party: Party) -> Option<Timestamp> {
        if self.frozen.is_some() || self.open_appeal().is_some() {
            return self.frozen_appeal_from();
        }
        match (&self.state, party) {
            (State::AwaitingDeposit { deadline } | State::AwaitingConfirmation { deadline }, Party::Buyer)
            | (State::AwaitingPayment { deadline, .. }, Party::Seller) => Some(deadline.at),
            (State::AwaitingConfirmation { .. }, Party::Seller) => self.progress.paid.as_ref().map(|paid| paid.at),
            _ => None,
        }
    }

    /// Returns the first time at which a party may appeal about this frozen order.
    pub(super) fn frozen_appeal_from(&self) -> Option<Timestamp> {
        let since = self.frozen.map(|frozen| frozen.since);
        since.filter(|_| self.open_appeal().is_none()).map(|since| clock::after(since, FROZEN_FOR))
    }
}

/// Checks the length and the characters of an appeal's description or an officer's note.
pub fn check_appeal_text(field: &'static str, text: Option<&str>) -> Result<(), Refusal> {
    let Some(text) = text else { return Ok(()) };
    let control = |c: char| c.is_control() && c != '\n';
    if is_blank(text) {
        Err(Refusal::Invalid { field, reason: "blank" })
    } else if text.chars().count() > MAX_APPEAL_TEXT {
        Err(Refusal::Invalid { field, reason: "too long" })
    } else if text.chars().any(control) {
        Err(Refusal::Invalid { field, reason: "control characters" })
    } else {
        Ok(())
    }
}
