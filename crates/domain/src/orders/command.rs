//! What can be done to an order, and what comes of it.

use super::Order;
use crate::clock::Timestamp;
use crate::effect::Effect;
use crate::ids::{FileId, PaymentMethodId, PayoutId, UserId};
use crate::money::Amount;
use crate::trade::Leg;

/// A person who asks, and what is known of the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OrderCaller {
    /// Who. The side follows from the order's terms.
    pub user: UserId,
    /// The order's version that the person saw.
    pub seen: i64,
    /// Whether the security password came with the request and was right.
    pub password_verified: bool,
}

/// What a person may ask for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OrderCommand {
    /// The advertiser accepts.
    Accept,
    /// The advertiser rejects.
    Reject,
    /// Either side cancels.
    Cancel,
    /// The seller asks the buyer to agree to a cancellation.
    AskCancel,
    /// The buyer agrees.
    AgreeCancel,
    /// The buyer says that the payment was made.
    MarkPaid {
        /// The seller's payment method that was used.
        method: Option<PaymentMethodId>,
        /// The payment's reference at the bank or app.
        reference: Option<String>,
        /// The hash of the transfer.
        hash: Option<String>,
        /// Pictures of the receipt.
        receipts: Vec<FileId>,
    },
    /// The seller confirms receipt.
    Confirm,
    /// Either side asks to hurry a release that left the chain.
    Recover,
}

/// What the clock, the chain or the platform brings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// The state's deadline has passed.
    DeadlinePassed,
    /// The grace after it has passed as well.
    GracePassed,
    /// The funding request for the seller's deposit is complete.
    DepositFunded,
    /// The funding request for the buyer's automatic payment is complete.
    PaymentFunded,
    /// The chain has confirmed all legs of the payout.
    PayoutConfirmed {
        /// Which.
        payout: PayoutId,
    },
    /// The chain has taken the payout back, whether it was confirmed or only seen.
    PayoutRevoked {
        /// Which.
        payout: PayoutId,
    },
    /// The worker has sent a revoked release again, or the chain shows it again. Comes before its confirmation.
    PayoutResent {
        /// Which.
        payout: PayoutId,
    },
    /// The chain has voided all legs of the payout: what they carried is in the order's escrow again; the postings for it
    /// are the caller's.
    PayoutVoided {
        /// Which.
        payout: PayoutId,
        /// What came back of the base, in base units.
        base: Amount,
        /// What came back of the quote, in base units.
        quote: Amount,
    },
    /// The chain has taken the void back: the payout is owed again; the postings for it are the caller's.
    VoidRevoked {
        /// Which payout.
        payout: PayoutId,
    },
    /// A reorganisation has drawn something out of the order's escrow; the posting for it is the caller's.
    DepositRevoked {
        /// Which leg.
        leg: Leg,
        /// How much was drawn.
        drawn: Amount,
    },
    /// Coins have arrived in the vault of a frozen order's missing leg.
    DepositReturned {
        /// Which leg.
        leg: Leg,
        /// The temporary balance that the vault's owner has of it.
        available: Amount,
    },
    /// The platform itself stood still.
    Outage {
        /// From when.
        from: Timestamp,
        /// Until when.
        until: Timestamp,
    },
}

/// What must be known besides the order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OrderInputs {
    /// The product's time.
    pub now: Timestamp,
    /// An identifier for the payout that may come of it; fresh.
    pub payout: PayoutId,
    /// Whether what is seen in blocks and what is credited cover the order's open funding request
    /// ([`crate::funding::FundingRequest::covered`]). Nobody may cancel then. False without a funding request.
    pub covered: bool,
    /// Whether a transfer to the seller's receiving address was seen that may be this order's manual payment.
    pub payment_seen: bool,
    /// Whether the seller has an open funding request for the base already: an accepted buy order would be a second one.
    pub seller_has_funding_request: bool,
}

/// What a person has to bring along.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Requirements {
    /// Nothing but the session.
    Nothing,
    /// The security password.
    SecurityPassword,
}

/// What comes of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OrderDecision {
    /// The order changed.
    Done(Box<Transition>),
    /// It had been done before: nothing to write, answer as if it had just been done.
    AlreadyDone,
}

/// A changed order and what goes into the same commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transition {
    /// The order with its next version. Write it where the row still has the version before.
    pub order: Order,
    /// What else to write, in this order.
    pub effects: Vec<Effect>,
}
