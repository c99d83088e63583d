//! What a decision asks to be written besides the changed order or advert, all in the same commit.
//!
//! Effects are data: nothing has happened yet. Write them in the order given; a posting that another one builds upon
//! comes before it.

use serde::Serialize;

use crate::chain::Address;
use crate::funding::{FundingRequest, FundingTarget};
use crate::ids::{AdvertId, OrderId, PayoutId, UserId};
use crate::ledger::{Account, Posting, VaultAsset};
use crate::money::Amount;
use crate::reputation;

/// One thing to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Move money in the books.
    Post(Posting),
    /// Owe something on the chain: write the payout row, which the worker will send.
    Payout(PayoutIntent),
    /// Something waits for coins from now on.
    OpenFundingRequest(FundingRequest),
    /// It got what it waited for. The posting that funding requests the coins is an effect of its own.
    FulfillFundingRequest(FundingTarget),
    /// It waits no longer: what arrives from now on is temporary balance.
    CloseFundingRequest(FundingTarget),
    /// Apply [`crate::adverts::Event::OrderChanged`] to the advert that the order belongs to.
    Advert {
        /// Which advert.
        advert: AdvertId,
        /// What changed.
        change: OrderChange,
    },
    /// A cancellation counts against this person. What it costs says [`reputation::charge`], given their standing.
    ChargeReputation {
        /// Who pays.
        user: UserId,
        /// In which order.
        order: OrderId,
        /// Why.
        cause: reputation::Cause,
    },
    /// Tell a person.
    Notify {
        /// Whom.
        user: UserId,
        /// Of what.
        subject: Subject,
        /// What has happened.
        notice: Notice,
    },
    /// Call a person with a sound: a countdown runs, and it is their turn.
    Call {
        /// Whom.
        user: UserId,
        /// To which order.
        order: OrderId,
    },
}

/// What an order does to its advert.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OrderChange {
    /// How much of the base can be ordered again; zero unless the order was undone.
    pub quantity: Amount,
    /// How much went back from the order's escrow into the advert's, in the asset that the advert escrows.
    pub escrow: Amount,
    /// Whether the order has ended, for the first time: the advert waits for it no longer.
    pub ended: bool,
}

/// Something owed on the chain: one leg, or two that are paid in one chain transaction or not at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PayoutIntent {
    /// Its identifier, under which the posting in the same commit has put the money in flight.
    pub id: PayoutId,
    /// What it is for.
    pub purpose: Purpose,
    /// What goes where; never empty, no amount zero.
    pub legs: Vec<PayoutLeg>,
}

/// One transfer out of a custody vault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PayoutLeg {
    /// In whose custody vault the coins lie, and which.
    pub vault_asset: VaultAsset,
    /// To whom.
    pub recipient: Address,
    /// How much arrives there.
    pub amount: Amount,
    /// From which account it was taken, to undo it should the chain void it.
    pub source: Account,
}

/// What a payout is for. Its confirmation and its revocation are reported to this.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Purpose {
    /// An order's escrow goes to the other side.
    Release(OrderId),
    /// An order's escrow goes back to its seller.
    Refund(OrderId),
    /// What remained in an advert goes back to its owner.
    AdvertReturn(AdvertId),
    /// Coins that nobody asked for, which ended an advert's creation, leave the temporary balance of its owner like a
    /// withdrawal. Moves no state of the advert.
    WrongDeposit(AdvertId),
}

/// What a notice is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Subject {
    /// An order.
    Order(OrderId),
    /// An advert.
    Advert(AdvertId),
}

/// What has happened, for the person who is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Notice {
    /// Somebody ordered from the person's advert.
    NewOrder,
    /// The advertiser accepted.
    OrderAccepted,
    /// The advertiser rejected.
    OrderRejected,
    /// The order is cancelled, or on its way there.
    OrderCancelled,
    /// The seller would like to cancel; the buyer may agree.
    CancelAsked,
    /// The order's escrow is complete.
    OrderDeposited,
    /// The seller has not deposited in time.
    DepositOverdue,
    /// The buyer says that the payment was made, or the chain has confirmed it.
    OrderPaid,
    /// The buyer has not paid in time.
    PaymentOverdue,
    /// The seller has not confirmed in time.
    ConfirmationOverdue,
    /// The release is on its way.
    OrderReleasing,
    /// The release left the chain and will be paid again.
    ReleaseRevoked,
    /// The chain has confirmed the release.
    OrderCompleted,
    /// A refund left the chain and will be paid again.
    RefundRevoked,
    /// The recipient's address refuses the coin: it goes into the recipient's own vault instead, and becomes temporary
    /// balance.
    PayoutRedirected,
    /// The release or refund was voided on the chain: an officer decides.
    PayoutVoided,
    /// An officer has decided the order.
    OrderDecided,
    /// The deposit left the chain: do not pay.
    OrderFrozen,
    /// The deposit is back, with the time that was left.
    OrderUnfrozen,
    /// Deadlines moved, because the platform stood still.
    DeadlineMoved,
    /// The advert's escrow is complete.
    AdvertConfirmed,
    /// The advert's deposit left the chain: it takes no orders.
    AdvertFrozen,
    /// The advert's deposit is back.
    AdvertUnfrozen,
    /// The advert takes no orders any more; what remains will be returned.
    AdvertRevoking,
    /// The advert has ended.
    AdvertCancelled,
    /// Something arrived that the advert in creation did not ask for.
    WrongDeposit,
}
