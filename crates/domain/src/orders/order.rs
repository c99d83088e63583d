//! The order and its states.

use serde::{Deserialize, Serialize};

use super::Terms;
use crate::clock::Timestamp;
use crate::deadline::Deadline;
use crate::ids::{FileId, OrderId, PaymentMethodId, PayoutId};
use crate::money::Amount;
use crate::trade::{Leg, Party};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    pub id: OrderId,
    /// Starts at 1 and increases by one with every transition.
    pub version: i64,
    pub terms: Terms,
    pub state: State,
    /// A condition that suspends the state.
    pub overlay: Option<Overlay>,
    /// What has happened so far, independent of the state.
    pub progress: Progress,
}

/// The current step of an order, with the data that belongs to it.
///
/// Rows store the serialized form, `{"state": "AWAITING_PAYMENT", …}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "SCREAMING_SNAKE_CASE", deny_unknown_fields)]
pub enum State {
    /// The advertiser must accept.
    AwaitingAcceptance { deadline: Deadline },
    /// The seller must deposit the base (buy adverts).
    AwaitingDeposit { deadline: Deadline },
    /// The buyer must pay.
    AwaitingPayment {
        deadline: Deadline,
        /// When the seller asked for a cancellation.
        cancel_asked_at: Option<Timestamp>,
    },
    /// The seller must confirm the payment, which is in [`Progress::paid`].
    AwaitingConfirmation { deadline: Deadline },
    /// The release awaits its confirmation by the chain.
    Releasing { payout: PayoutId },
    /// A reorganization removed the release, which will be paid again.
    ReleaseRevoked {
        /// Still the same release; there is never a second one.
        payout: PayoutId,
        since: Timestamp,
    },
    /// The order is cancelled, and the refund awaits its confirmation by the chain.
    Refunding { payout: PayoutId, cancelled: Cancelled },
    /// The chain confirmed the release.
    Completed { payout: PayoutId },
    /// Ended without a trade.
    Cancelled {
        /// The refund, if coins had to be returned on-chain.
        payout: Option<PayoutId>,
        cancelled: Cancelled,
    },
    /// The advertiser rejected the order.
    Rejected { at: Timestamp },
}

impl State {
    /// In the order of a trade.
    pub const NAMES: [&'static str; 10] = [
        "AWAITING_ACCEPTANCE",
        "AWAITING_DEPOSIT",
        "AWAITING_PAYMENT",
        "AWAITING_CONFIRMATION",
        "RELEASING",
        "RELEASE_REVOKED",
        "REFUNDING",
        "COMPLETED",
        "CANCELLED",
        "REJECTED",
    ];

    pub fn name(&self) -> &'static str {
        match self {
            Self::AwaitingAcceptance { .. } => "AWAITING_ACCEPTANCE",
            Self::AwaitingDeposit { .. } => "AWAITING_DEPOSIT",
            Self::AwaitingPayment { .. } => "AWAITING_PAYMENT",
            Self::AwaitingConfirmation { .. } => "AWAITING_CONFIRMATION",
            Self::Releasing { .. } => "RELEASING",
            Self::ReleaseRevoked { .. } => "RELEASE_REVOKED",
            Self::Refunding { .. } => "REFUNDING",
            Self::Completed { .. } => "COMPLETED",
            Self::Cancelled { .. } => "CANCELLED",
            Self::Rejected { .. } => "REJECTED",
        }
    }

    /// Whether this is an end state. A reorganization may still remove the payout.
    pub fn ended(&self) -> bool {
        matches!(self, Self::Completed { .. } | Self::Cancelled { .. } | Self::Rejected { .. })
    }

    pub fn deadline(&self) -> Option<&Deadline> {
        match self {
            Self::AwaitingAcceptance { deadline }
            | Self::AwaitingDeposit { deadline }
            | Self::AwaitingPayment { deadline, .. }
            | Self::AwaitingConfirmation { deadline } => Some(deadline),
            _ => None,
        }
    }

    pub fn payout(&self) -> Option<PayoutId> {
        match self {
            Self::Releasing { payout }
            | Self::ReleaseRevoked { payout, .. }
            | Self::Refunding { payout, .. }
            | Self::Completed { payout } => Some(*payout),
            Self::Cancelled { payout, .. } => *payout,
            _ => None,
        }
    }

    pub fn cancelled(&self) -> Option<&Cancelled> {
        match self {
            Self::Refunding { cancelled, .. } | Self::Cancelled { cancelled, .. } => Some(cancelled),
            _ => None,
        }
    }
}

/// A condition that suspends an order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "overlay", rename_all = "SCREAMING_SNAKE_CASE", deny_unknown_fields)]
pub enum Overlay {
    /// A reorganization removed a deposit: the buyer must not pay. Deadlines are suspended until the deposit is back.
    Frozen {
        since: Timestamp,
        /// The missing base in the order's escrow, in base units.
        base: Amount,
        /// The missing quote in the order's escrow, in base units; automatic orders only.
        quote: Amount,
    },
}

impl Overlay {
    pub fn name(&self) -> &'static str {
        match self {
            Self::Frozen { .. } => "FROZEN",
        }
    }

    pub fn missing(&self, leg: Leg) -> Amount {
        match (self, leg) {
            (Self::Frozen { base, .. }, Leg::Base) => *base,
            (Self::Frozen { quote, .. }, Leg::Quote) => *quote,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Progress {
    /// When the advertiser, or the system, accepted the order.
    pub accepted_at: Option<Timestamp>,
    /// When the seller's deposit was complete (buy adverts).
    pub deposited_at: Option<Timestamp>,
    /// What the buyer reported about the payment (manual orders).
    pub paid: Option<Paid>,
    /// When the buyer's payment was complete (automatic sell adverts).
    pub payment_funded_at: Option<Timestamp>,
    /// When the seller, or the system, confirmed the payment.
    pub received_at: Option<Timestamp>,
    /// When the chain confirmed the release. Cleared if a reorganization removes it.
    pub settled_at: Option<Timestamp>,
    /// When the order first ended. Stays set if a reorganization removes the payout.
    pub ended_at: Option<Timestamp>,
    /// How many times the order was funded; numbers the postings.
    pub funding_rounds: u32,
    /// What the platform kept of the base for the latest release (fee) or refund (gas), in base units.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub kept: Amount,
    /// The part of the quantity that was returned to the advert.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub given_back: Amount,
    /// How many times a release or refund was voided; numbers the postings that follow.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub voids: u32,
    /// Set while an officer must decide about a voided release or refund.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub case: Option<Case>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde calls")]
fn is_zero(count: &u32) -> bool {
    *count == 0
}

fn is_nothing(amount: &Amount) -> bool {
    amount.is_zero()
}

/// A voided release or refund. Its coins are in the order's escrow again, and an officer decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    pub since: Timestamp,
    /// The base that returned to the escrow, in base units.
    pub base: Amount,
    /// The quote that returned to the escrow, in base units; automatic orders only.
    pub quote: Amount,
}

impl Case {
    pub fn amount(&self, leg: Leg) -> Amount {
        match leg {
            Leg::Base => self.base,
            Leg::Quote => self.quote,
        }
    }
}

/// What the buyer reported when marking the order as paid.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Paid {
    /// The payment method of the seller that was used.
    pub method: Option<PaymentMethodId>,
    /// The payment's reference at the bank or app; at most 100 characters.
    pub reference: Option<String>,
    /// The hash of the transfer in the format of its chain; at most 100 characters.
    pub hash: Option<String>,
    /// Receipt pictures; at most 5.
    pub receipts: Vec<FileId>,
    pub at: Timestamp,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cancelled {
    pub at: Timestamp,
    /// `None` means the system.
    pub by: Option<Party>,
    pub reason: CancelReason,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum CancelReason {
    /// The cancelling party changed its mind.
    Withdrawn,
    /// The seller asked for it and the buyer agreed.
    Agreed,
    /// The advertiser missed the deadline for acceptance.
    AcceptanceOverdue,
    /// The seller missed the deposit deadline.
    DepositOverdue,
    /// The buyer missed the payment deadline.
    PaymentOverdue,
    /// The buyer cancelled because the seller missed the confirmation deadline.
    ConfirmationOverdue,
    /// An officer decided for the seller.
    Decided,
}

impl Cancelled {
    /// The party that caused the cancellation and therefore pays the gas of its own refund. `None` if neither did.
    pub fn caused_by(&self) -> Option<Party> {
        match self.reason {
            CancelReason::Withdrawn => self.by,
            CancelReason::AcceptanceOverdue | CancelReason::Decided => None,
            CancelReason::Agreed | CancelReason::DepositOverdue | CancelReason::ConfirmationOverdue => {
                Some(Party::Seller)
            }
            CancelReason::PaymentOverdue => Some(Party::Buyer),
        }
    }

    /// The party whose reputation it reduces.
    pub fn counts_against(&self) -> Option<Party> {
        match self.reason {
            CancelReason::Withdrawn => self.by,
            CancelReason::AcceptanceOverdue | CancelReason::ConfirmationOverdue | CancelReason::Decided => None,
            CancelReason::Agreed | CancelReason::DepositOverdue => Some(Party::Seller),
            CancelReason::PaymentOverdue => Some(Party::Buyer),
        }
    }
}
