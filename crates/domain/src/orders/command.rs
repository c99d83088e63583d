//! Commands and events of an order, and their results.

use super::Order;
use crate::clock::Timestamp;
use crate::effect::Effect;
use crate::ids::{FileId, PaymentMethodId, PayoutId, UserId};
use crate::money::Amount;
use crate::trade::Leg;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OrderCaller {
    /// The terms determine this user's side.
    pub user: UserId,
    /// The version of the order that the client has read.
    pub seen: i64,
    /// Whether the request contained the correct security password.
    pub password_verified: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OrderCommand {
    Accept,
    Reject,
    Cancel,
    /// The seller asks the buyer to agree to a cancellation.
    AskCancel,
    AgreeCancel,
    MarkPaid {
        /// The payment method of the seller that was used.
        method: Option<PaymentMethodId>,
        /// The payment's reference at the bank or app.
        reference: Option<String>,
        hash: Option<String>,
        receipts: Vec<FileId>,
    },
    Confirm,
    /// Either side asks to speed up a release that a reorganization removed.
    Recover,
}

/// Something that the clock, the chain or the platform reports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// The state's deadline has passed.
    DeadlinePassed,
    /// The grace period after it has passed as well.
    GracePassed,
    /// The funding request for the seller's deposit is complete.
    DepositFunded,
    /// The funding request for the buyer's automatic payment is complete.
    PaymentFunded,
    /// The chain confirmed all legs of the payout.
    PayoutConfirmed { payout: PayoutId },
    /// A reorganization removed the payout, whether it was confirmed or not.
    PayoutRevoked { payout: PayoutId },
    /// A removed release was sent again or is on the chain again. Precedes its confirmation.
    PayoutResent { payout: PayoutId },
    /// All legs of the payout were voided. The caller makes the postings that return the coins to the order's escrow.
    PayoutVoided {
        payout: PayoutId,
        /// The base that was returned, in base units.
        base: Amount,
        /// The quote that was returned, in base units.
        quote: Amount,
    },
    /// A reorganization removed the void, so the payout is in flight again. The caller makes the postings.
    VoidRevoked { payout: PayoutId },
    /// A reorganization reduced the order's escrow. The caller makes the posting.
    DepositRevoked {
        leg: Leg,
        /// The amount that was debited from the escrow.
        drawn: Amount,
    },
    /// Coins arrived in the vault of a frozen order's missing leg.
    DepositReturned {
        leg: Leg,
        /// The temporary balance of this asset in the vault.
        available: Amount,
    },
    /// The platform was down.
    Outage { from: Timestamp, until: Timestamp },
}

/// What a decision depends on besides the order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OrderInputs {
    pub now: Timestamp,
    /// A new identifier, used if the decision creates a payout.
    pub payout: PayoutId,
    /// Whether unconfirmed and credited deposits together cover the order's open funding request
    /// ([`crate::funding::FundingRequest::covered`]). If so, neither party may cancel. False without a funding request.
    pub covered: bool,
    /// Whether a transfer to the seller's receiving address was seen that may be this order's manual payment.
    pub payment_seen: bool,
    /// Whether the seller has an open funding request for the base; a buy order cannot be accepted then.
    pub seller_has_funding_request: bool,
}

/// What a command requires besides the session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Requirements {
    Nothing,
    SecurityPassword,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OrderDecision {
    Done(Box<Transition>),
    /// The command already took effect: write nothing and respond as the first time.
    AlreadyDone,
}

/// A changed order and the effects to write in the same transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transition {
    /// The order with its next version. Write it only if the row still has the previous version.
    pub order: Order,
    /// To be written in this order.
    pub effects: Vec<Effect>,
}
