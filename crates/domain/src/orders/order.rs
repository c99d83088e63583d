//! The order and its states.

use serde::{Deserialize, Serialize};
use strum::{EnumDiscriminants, EnumString, IntoStaticStr, VariantNames};

use super::{Appeal, Terms};
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
    pub frozen: Option<Frozen>,
    /// The latest appeal, open or ended.
    pub appeal: Option<Appeal>,
    /// The steps completed so far, independent of the state.
    pub progress: Progress,
}

/// The current step of an order, with its data.
///
/// Rows store the serialized form, `{"state": "AWAITING_PAYMENT", …}`. Sorted by the usual course of a trade; end states last.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, EnumDiscriminants, IntoStaticStr, VariantNames)]
#[serde(tag = "state", rename_all = "SCREAMING_SNAKE_CASE", deny_unknown_fields)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE", const_into_str)]
#[strum_discriminants(
    name(StateName),
    doc = "The state of an order, as in `docs/generated/states.md`.",
    derive(Serialize, EnumString, IntoStaticStr),
    serde(rename_all = "SCREAMING_SNAKE_CASE"),
    strum(serialize_all = "SCREAMING_SNAKE_CASE", const_into_str)
)]
#[cfg_attr(feature = "schema", strum_discriminants(derive(utoipa::ToSchema), schema(as = OrderState)))]
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
    /// The seller must confirm the payment that the buyer reported in [`Progress::paid`].
    AwaitingConfirmation { deadline: Deadline },
    /// The release awaits confirmation by the chain.
    Releasing { payout: PayoutId },
    /// A reorganization removed the release, which the platform will pay again.
    ReleaseRevoked {
        /// The same release as before; an order never has a second one.
        payout: PayoutId,
        since: Timestamp,
    },
    /// The order is cancelled, and the refund awaits confirmation by the chain.
    Refunding { payout: PayoutId, cancelled: Cancelled },
    /// The chain confirmed the release.
    Completed { payout: PayoutId },
    /// Ended without a trade.
    Cancelled {
        /// The refund; `None` if nothing was returned on-chain.
        payout: Option<PayoutId>,
        cancelled: Cancelled,
    },
    /// The advertiser rejected the order.
    Rejected {
        at: Timestamp,
        /// What the advertiser told the taker.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
}

impl StateName {
    /// The states that are not end states, in the same order.
    pub const OPEN: [Self; 7] = [
        Self::AwaitingAcceptance,
        Self::AwaitingDeposit,
        Self::AwaitingPayment,
        Self::AwaitingConfirmation,
        Self::Releasing,
        Self::ReleaseRevoked,
        Self::Refunding,
    ];
}

impl State {
    /// Returns whether this is an end state. A reorganization can still remove the payout.
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

    /// Returns whether the order still depends on a payout. A payout that was voided and replaced no longer counts.
    pub fn depends_on(&self, payout: PayoutId) -> bool {
        self.payout() == Some(payout) && !self.ended()
    }

    /// Returns the reason that the advertiser gave for a rejection.
    pub fn rejection(&self) -> Option<&str> {
        match self {
            Self::Rejected { reason, .. } => reason.as_deref(),
            _ => None,
        }
    }

    /// Returns the party who asked for a cancellation to which the other has not agreed yet: only the seller can.
    pub fn cancel_asked_by(&self) -> Option<Party> {
        match self {
            Self::AwaitingPayment { cancel_asked_at: Some(_), .. } => Some(Party::Seller),
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

/// The part of an order's escrow that a reorganization removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Frozen {
    pub since: Timestamp,
    /// The missing base, in base units.
    pub base: Amount,
    /// The missing quote, in base units; automatic orders only.
    pub quote: Amount,
}

impl Frozen {
    pub fn missing(&self, leg: Leg) -> Amount {
        match leg {
            Leg::Base => self.base,
            Leg::Quote => self.quote,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Progress {
    /// When the advertiser or the platform accepted the order.
    pub accepted_at: Option<Timestamp>,
    /// When the seller's deposit was completed (buy adverts).
    pub deposited_at: Option<Timestamp>,
    /// The buyer's report about the payment (manual orders).
    pub paid: Option<Paid>,
    /// When the buyer's payment was completed (automatic sell adverts).
    pub payment_funded_at: Option<Timestamp>,
    /// When the seller or the platform confirmed the payment.
    pub received_at: Option<Timestamp>,
    /// When the chain confirmed the release. Cleared if a reorganization removes it.
    pub settled_at: Option<Timestamp>,
    /// When the order first ended. Stays set if a reorganization removes the payout.
    pub ended_at: Option<Timestamp>,
    /// How many times the order was funded. Part of the posting keys.
    pub funding_rounds: u32,
    /// The part of the base that the platform kept for the latest release (fee) or refund (gas), in base units.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub kept: Amount,
    /// The part of the quantity that was returned to the advert.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub given_back: Amount,
    /// How many times a release or refund was voided. Part of the keys of later postings.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub voids: u32,
    /// Whether the advertiser let the window for acceptance pass, in which no outage occurred.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub acceptance_missed: bool,
    /// Whether the deadline of the confirmation had passed when the seller confirmed the payment, or when a verdict released
    /// the order.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub confirmed_late: bool,
    /// Set while an officer must decide the order because its release or refund was voided. An appeal is then open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub voided: Option<VoidedPayout>,
}

impl Progress {
    /// Returns whether the buyer has reported a transaction or a reference of the payment.
    pub fn reports_payment(&self) -> bool {
        self.paid.as_ref().is_some_and(|paid| paid.hash.is_some() || paid.reference.is_some())
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde calls")]
fn is_zero(count: &u32) -> bool {
    *count == 0
}

fn is_nothing(amount: &Amount) -> bool {
    amount.is_zero()
}

/// A voided release or refund. Its coins are back in the order's escrow until an officer decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VoidedPayout {
    pub since: Timestamp,
    /// The base that returned to the escrow, in base units.
    pub base: Amount,
    /// The quote that returned to the escrow, in base units; automatic orders only.
    pub quote: Amount,
}

impl VoidedPayout {
    pub fn amount(&self, leg: Leg) -> Amount {
        match leg {
            Leg::Base => self.base,
            Leg::Quote => self.quote,
        }
    }
}

/// The buyer's report when marking the order as paid.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Paid {
    /// The seller's payment method that the buyer used.
    pub method: Option<PaymentMethodId>,
    /// The payment's reference at the bank or payment app; at most 100 characters.
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
    /// The cancelling party; `None` if the platform or an officer cancelled.
    pub by: Option<Party>,
    pub reason: CancelReason,
}

/// The reason why an order was cancelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum CancelReason {
    /// The cancelling party changed its mind.
    Withdrawn,
    /// The seller requested the cancellation and the buyer agreed.
    Agreed,
    /// The advertiser missed the deadline for acceptance.
    AcceptanceOverdue,
    /// The seller missed the deposit deadline.
    DepositOverdue,
    /// The buyer missed the payment deadline.
    PaymentOverdue,
    /// The buyer cancelled because the seller missed the confirmation deadline.
    ConfirmationOverdue,
    /// The buyer cancelled or did not pay while payouts of the base were stopped, so it could not be delivered.
    Undeliverable,
    /// An officer decided for the seller.
    Decided,
}

impl Cancelled {
    /// Returns the party that caused the cancellation and therefore pays the gas of its own refund. `None` if neither
    /// did.
    pub fn caused_by(&self) -> Option<Party> {
        match self.reason {
            CancelReason::Withdrawn => self.by,
            CancelReason::AcceptanceOverdue | CancelReason::Undeliverable | CancelReason::Decided => None,
            CancelReason::Agreed | CancelReason::DepositOverdue | CancelReason::ConfirmationOverdue => {
                Some(Party::Seller)
            }
            CancelReason::PaymentOverdue => Some(Party::Buyer),
        }
    }

    /// Returns the party whose reputation the cancellation reduces.
    pub fn counts_against(&self) -> Option<Party> {
        match self.reason {
            CancelReason::Withdrawn => self.by,
            CancelReason::AcceptanceOverdue
            | CancelReason::ConfirmationOverdue
            | CancelReason::Undeliverable
            | CancelReason::Decided => None,
            CancelReason::Agreed | CancelReason::DepositOverdue => Some(Party::Seller),
            CancelReason::PaymentOverdue => Some(Party::Buyer),
        }
    }
}
