//! The order and its states.

use serde::{Deserialize, Serialize};

use super::Terms;
use crate::clock::Timestamp;
use crate::deadline::Deadline;
use crate::ids::{FileId, OrderId, PaymentMethodId, PayoutId};
use crate::money::Amount;
use crate::trade::{Leg, Party};

/// One order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    /// Its identifier.
    pub id: OrderId,
    /// 1 when it is placed; one more with every transition.
    pub version: i64,
    /// What never changes.
    pub terms: Terms,
    /// Where it stands.
    pub state: State,
    /// What lies over the state and locks it.
    pub overlay: Option<Overlay>,
    /// What has happened so far and stays true whatever comes.
    pub progress: Progress,
}

/// Where an order stands. Each state carries what is true in it alone.
///
/// The serialised form, `{"state": "AWAITING_PAYMENT", …}`, may be kept in a row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "SCREAMING_SNAKE_CASE", deny_unknown_fields)]
pub enum State {
    /// The advertiser has to accept.
    AwaitingAcceptance {
        /// Until when.
        deadline: Deadline,
    },
    /// The seller has to deposit the base (buy adverts).
    AwaitingDeposit {
        /// Until when.
        deadline: Deadline,
    },
    /// The buyer has to pay.
    AwaitingPayment {
        /// Until when.
        deadline: Deadline,
        /// When the seller asked to cancel, if they did.
        cancel_asked_at: Option<Timestamp>,
    },
    /// The seller has to confirm the payment. [`Progress::paid`] says what the buyer said of it.
    AwaitingConfirmation {
        /// Until when.
        deadline: Deadline,
    },
    /// The release is on its way to the chain's confirmation.
    Releasing {
        /// The release.
        payout: PayoutId,
    },
    /// The release left the chain and will be paid again.
    ReleaseRevoked {
        /// The same release: never another one.
        payout: PayoutId,
        /// Since when.
        since: Timestamp,
    },
    /// The order is cancelled and the seller's deposit on its way back.
    Refunding {
        /// The refund.
        payout: PayoutId,
        /// Why.
        cancelled: Cancelled,
    },
    /// The chain has confirmed the release.
    Completed {
        /// The release.
        payout: PayoutId,
    },
    /// Ended without a trade.
    Cancelled {
        /// The refund, if one was needed on the chain.
        payout: Option<PayoutId>,
        /// Why.
        cancelled: Cancelled,
    },
    /// The advertiser did not want it.
    Rejected {
        /// When.
        at: Timestamp,
    },
}

impl State {
    /// The names of all states, in the order of a trade.
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

    /// The name under which it is kept and sent.
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

    /// Whether nobody has to do anything more. The chain may still take a payout back.
    pub fn ended(&self) -> bool {
        matches!(self, Self::Completed { .. } | Self::Cancelled { .. } | Self::Rejected { .. })
    }

    /// Until when somebody must act.
    pub fn deadline(&self) -> Option<&Deadline> {
        match self {
            Self::AwaitingAcceptance { deadline }
            | Self::AwaitingDeposit { deadline }
            | Self::AwaitingPayment { deadline, .. }
            | Self::AwaitingConfirmation { deadline } => Some(deadline),
            _ => None,
        }
    }

    /// The release or refund.
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

    /// Why it was cancelled.
    pub fn cancelled(&self) -> Option<&Cancelled> {
        match self {
            Self::Refunding { cancelled, .. } | Self::Cancelled { cancelled, .. } => Some(cancelled),
            _ => None,
        }
    }
}

/// What lies over a state, keeps its unused time and refuses what the state would allow.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "overlay", rename_all = "SCREAMING_SNAKE_CASE", deny_unknown_fields)]
pub enum Overlay {
    /// A funded deposit left the chain: do not pay. The clocks stand still until it is back.
    Frozen {
        /// Since when.
        since: Timestamp,
        /// What is missing in the order's escrow of the base, in base units.
        base: Amount,
        /// What is missing in the order's escrow of the quote, in base units; automatic orders only.
        quote: Amount,
    },
}

impl Overlay {
    /// The name under which it is kept and sent.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Frozen { .. } => "FROZEN",
        }
    }

    /// What is missing of a leg.
    pub fn missing(&self, leg: Leg) -> Amount {
        match (self, leg) {
            (Self::Frozen { base, .. }, Leg::Base) => *base,
            (Self::Frozen { quote, .. }, Leg::Quote) => *quote,
        }
    }
}

/// What has happened in an order.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Progress {
    /// When it was accepted: by the advertiser, or by the system at once.
    pub accepted_at: Option<Timestamp>,
    /// When the seller's deposit for this order was funded (buy adverts).
    pub deposited_at: Option<Timestamp>,
    /// What the buyer said of the payment (manual orders).
    pub paid: Option<Paid>,
    /// When the buyer's payment was funded (automatic sell adverts).
    pub payment_funded_at: Option<Timestamp>,
    /// When the release was decided: the seller confirmed, or the system did.
    pub received_at: Option<Timestamp>,
    /// When the chain confirmed the release. Empty again if it took it back.
    pub settled_at: Option<Timestamp>,
    /// When the order ended for the first time. Stays, even if the chain takes a payout back.
    pub ended_at: Option<Timestamp>,
    /// How often coins were funded for the order; numbers the postings.
    pub funding_rounds: u32,
    /// What the platform kept of the base for the newest release (its fee) or refund (its gas), in base units.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub kept: Amount,
    /// How much of the quantity went back to the advert.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub given_back: Amount,
    /// How often the chain voided a release or refund; numbers the postings that follow.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub voids: u32,
    /// Set while an officer has to decide about a release or refund that was voided.
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

/// A release or refund was voided on the chain: what it carried is in the order's escrow again, and an officer decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Since when.
    pub since: Timestamp,
    /// What came back of the base, in base units.
    pub base: Amount,
    /// What came back of the quote, in base units; automatic orders only.
    pub quote: Amount,
}

impl Case {
    /// What came back of a leg.
    pub fn amount(&self, leg: Leg) -> Amount {
        match leg {
            Leg::Base => self.base,
            Leg::Quote => self.quote,
        }
    }
}

/// What the buyer said when marking the order paid.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Paid {
    /// The seller's payment method that was used.
    pub method: Option<PaymentMethodId>,
    /// The payment's reference at the bank or app; at most 100 characters.
    pub reference: Option<String>,
    /// The hash of the transfer, in its chain's own form; at most 100 characters.
    pub hash: Option<String>,
    /// Pictures of the receipt; at most 5.
    pub receipts: Vec<FileId>,
    /// When it was marked.
    pub at: Timestamp,
}

/// How an order was cancelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cancelled {
    /// When.
    pub at: Timestamp,
    /// By whom; nobody means by the system.
    pub by: Option<Party>,
    /// Why.
    pub reason: CancelReason,
}

/// Why an order was cancelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum CancelReason {
    /// The one who cancelled wanted to.
    Withdrawn,
    /// The seller asked and the buyer agreed.
    Agreed,
    /// The advertiser did not accept in time.
    AcceptanceOverdue,
    /// The seller did not deposit in time.
    DepositOverdue,
    /// The buyer did not pay in time.
    PaymentOverdue,
    /// The buyer cancelled, because the seller did not confirm in time.
    ConfirmationOverdue,
    /// An officer decided for the seller.
    Decided,
}

impl Cancelled {
    /// Who is the cause of it, and so bears the gas of a refund of their own coins. Nobody, if no deposit can exist yet.
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

    /// Whose credit it counts against.
    pub fn counts_against(&self) -> Option<Party> {
        match self.reason {
            CancelReason::Withdrawn => self.by,
            CancelReason::AcceptanceOverdue | CancelReason::ConfirmationOverdue | CancelReason::Decided => None,
            CancelReason::Agreed | CancelReason::DepositOverdue => Some(Party::Seller),
            CancelReason::PaymentOverdue => Some(Party::Buyer),
        }
    }
}
