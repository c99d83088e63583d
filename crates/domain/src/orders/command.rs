//! Commands and events of an order, and their results.

use super::{AppealReason, NewEvidence, Order};
use crate::clock::Timestamp;
use crate::effect::Effect;
use crate::ids::{AppealId, FileId, PaymentMethodId, PayoutId, UserId};
use crate::money::Amount;
use crate::trade::Leg;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OrderCaller {
    /// The sender. The order's terms determine which party the user is.
    pub user: UserId,
    /// The version of the order that the client has read.
    pub seen: i64,
    pub proofs: Proofs,
    /// The end of the hold on the user's account, if there is one now.
    pub held_until: Option<Timestamp>,
}

/// What a request has proved besides the session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Proofs {
    /// Whether the request contained the correct security password.
    pub security_password: bool,
    /// Whether the user approved this command on this order through the pass.
    pub pass: bool,
}

impl Proofs {
    pub const NONE: Self = Self { security_password: false, pass: false };
    pub const ALL: Self = Self { security_password: true, pass: true };
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OrderCommand {
    Accept,
    Reject {
        /// What the taker is told; at most 100 characters.
        reason: Option<String>,
    },
    Cancel,
    /// The seller asks the buyer to agree to a cancellation.
    AskCancel,
    AgreeCancel,
    MarkPaid {
        /// The seller's payment method that the buyer used.
        method: Option<PaymentMethodId>,
        /// The payment's reference at the bank or payment app.
        reference: Option<String>,
        hash: Option<String>,
        receipts: Vec<FileId>,
    },
    Confirm,
    /// Either party asks to speed up a release that a reorganization removed.
    Recover,
    Appeal {
        reason: AppealReason,
        description: Option<String>,
        /// At least one file.
        evidence: NewEvidence,
    },
    /// Add evidence to the open appeal.
    AddEvidence(NewEvidence),
    WithdrawAppeal,
}

/// An event from the clock, the chain or the platform.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// The state's deadline has passed.
    DeadlinePassed,
    /// The grace period after the deadline has passed.
    GracePassed,
    /// The funding request for the seller's deposit is complete.
    DepositFunded,
    /// The funding request for the buyer's automatic payment is complete.
    PaymentFunded,
    /// The chain confirmed all legs of the payout.
    PayoutConfirmed { payout: PayoutId },
    /// A reorganization removed the payout, confirmed or not.
    PayoutRevoked { payout: PayoutId },
    /// A removed release was sent again or is on the chain again. Arrives before its confirmation.
    PayoutResent { payout: PayoutId },
    /// All legs of the payout were voided. The caller writes the postings that return the coins to the order's escrow.
    PayoutVoided {
        payout: PayoutId,
        /// The base that was returned, in base units.
        base: Amount,
        /// The quote that was returned, in base units.
        quote: Amount,
    },
    /// A reorganization removed the void, so the payout is in flight again. The caller writes the postings.
    VoidRevoked { payout: PayoutId },
    /// A reorganization reduced the order's escrow. The caller writes the posting.
    DepositRevoked {
        leg: Leg,
        /// The amount that was debited from the escrow.
        drawn: Amount,
    },
    /// Coins arrived in the vault from which a frozen order's leg is missing.
    DepositReturned {
        leg: Leg,
        /// The temporary balance of this asset in the vault.
        available: Amount,
    },
    /// The order has been overdue or frozen for [`super::OVERDUE_FOR`].
    AppealDue,
    /// The delay of a verdict has passed.
    VerdictDue,
    /// The platform was down.
    Outage { from: Timestamp, until: Timestamp },
}

/// The inputs of a decision besides the order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OrderInputs {
    pub now: Timestamp,
    /// A new identifier, used if the decision creates a payout.
    pub payout: PayoutId,
    /// A new identifier, used if the decision files an appeal.
    pub appeal: AppealId,
    /// Whether unconfirmed and credited deposits together cover the order's open funding request
    /// ([`crate::funding::FundingRequest::covered`]). If so, neither party can cancel. False if there is no funding
    /// request.
    pub covered: bool,
    /// What the chain shows of this order's manual payment.
    pub payment: PaymentEvidence,
    /// Whether the seller has an open funding request for the base. If so, a buy order cannot be accepted.
    pub seller_has_funding_request: bool,
    /// Whether payouts of the base are stopped, and it is an NFT. If so, it counts against nobody if the buyer cancels or
    /// does not pay, because the NFT may not be where the ledger says.
    pub paused: bool,
}

/// What the chain shows of the payment of a manual order ([`crate::direct_payment`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum PaymentEvidence {
    #[default]
    Nothing,
    /// A transfer that may as well be the payment of another order. It gives the buyer a second grace period.
    Ambiguous,
    /// A transfer that can only be this order's payment. It prevents the cancellation for want of a payment.
    Seen,
}

/// The proof that a command requires besides the session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequiredProof {
    Nothing,
    SecurityPassword,
    /// During a hold on the account, the security password alone proves too little: it may have just been changed.
    SecurityPasswordAndPass,
}

impl RequiredProof {
    pub fn security_password(self) -> bool {
        matches!(self, Self::SecurityPassword | Self::SecurityPasswordAndPass)
    }

    pub fn pass(self) -> bool {
        self == Self::SecurityPasswordAndPass
    }
}

/// A changed order and the effects to write in the same transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transition {
    /// The order with an incremented version. Write it only if the row still has the previous version.
    pub order: Order,
    /// Write them in this order.
    pub effects: Vec<Effect>,
}
