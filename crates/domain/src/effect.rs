//! Effects: changes that a decision requires besides the new order or advert.
//!
//! Effects are data. The caller writes them in the same transaction and in the given order, because a posting may
//! depend on an earlier one.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::chain::Address;
use crate::funding::{FundingRequest, FundingTarget};
use crate::ids::{AdvertId, AppealId, OrderId, PayoutId, UserId};
use crate::ledger::{Account, Posting, VaultAsset};
use crate::money::Amount;
use crate::orders::Appeal;
use crate::reputation;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    Post(Posting),
    /// Insert a payout, which the worker sends.
    Payout(PayoutIntent),
    OpenFundingRequest(FundingRequest),
    /// Mark the request as funded. A separate posting moves the coins into escrow.
    FulfillFundingRequest(FundingTarget),
    /// Withdraw the request, so that later deposits only increase the temporary balance.
    CloseFundingRequest(FundingTarget),
    /// Apply [`crate::adverts::Event::OrderChanged`] to the order's advert.
    Advert {
        advert: AdvertId,
        change: OrderChange,
    },
    /// Charge a cancellation or an appeal to a user. [`reputation::charge`] computes the points.
    ChargeReputation {
        user: UserId,
        order: OrderId,
        /// The appeal whose decision caused the charge.
        appeal: Option<AppealId>,
        cause: reputation::Cause,
    },
    /// Count whether an advertiser answers takers. [`reputation::MissedAcceptances`] says what follows.
    Acceptance {
        advertiser: UserId,
        acceptance: reputation::Acceptance,
    },
    /// Write the order's new or changed appeal.
    Appeal {
        order: OrderId,
        appeal: Box<Appeal>,
    },
    Notify {
        user: UserId,
        subject: Subject,
        notice: Notice,
    },
    /// Alert a user with a sound, because they must act before a deadline.
    Call {
        user: UserId,
        order: OrderId,
    },
}

/// How an order changes its advert.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OrderChange {
    /// The quantity of the base that can be ordered again; zero unless the order was undone.
    pub quantity: Amount,
    /// The amount that moved from the order's escrow back to the advert's, in the asset that the advert escrows.
    pub escrow: Amount,
    /// Whether this transition ended the order for the first time.
    pub ended: bool,
    pub prepayment: PrepaymentChange,
}

/// What an order does with the prepayment of its advert. The posting comes from the order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum PrepaymentChange {
    #[default]
    Unchanged,
    /// A release spent it.
    Spent,
    /// The order was undone, so the prepayment is whole and the advert's again.
    GivenBack,
}

/// A payout to create: one leg, or two that are paid in the same chain transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PayoutIntent {
    /// The posting in the same transaction moves the coins to the in-flight account of this payout.
    pub id: PayoutId,
    pub purpose: Purpose,
    /// At least one leg; every amount is positive.
    pub legs: Vec<PayoutLeg>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PayoutLeg {
    pub vault_asset: VaultAsset,
    pub recipient: Address,
    /// The amount that the recipient receives.
    pub amount: Amount,
    /// The debited account. If the leg is voided, the coins return to it.
    pub source: Account,
}

/// The purpose of a payout. The order or advert in it receives the payout's events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Purpose {
    /// Pays an order's escrow to the other party.
    Release(OrderId),
    /// Pays an order's escrow back to the user who deposited it.
    Refund(OrderId),
    /// Pays an advert's remaining escrow back to its owner.
    AdvertReturn(AdvertId),
    /// Returns a deposit that cancelled an advert in creation. Debits the owner's temporary balance, as a withdrawal
    /// does, and does not change the advert's state.
    WrongDeposit(AdvertId),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Subject {
    Order(OrderId),
    Advert(AdvertId),
}

/// The events about which users are notified. `docs/realtime.md` lists the messages and the data that the web
/// app then refreshes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Notice {
    /// Someone placed an order on the user's advert.
    NewOrder,
    OrderAccepted,
    OrderRejected,
    /// The order is cancelled, or its refund is being paid.
    OrderCancelled,
    /// The seller asks the buyer to agree to a cancellation.
    CancelAsked,
    /// The order's escrow is complete.
    OrderDeposited,
    DepositOverdue,
    /// The buyer marked the order as paid, or the chain confirmed the payment.
    OrderPaid,
    PaymentOverdue,
    /// A transfer may be the payment of this or of another order. The buyer has more time to mark the order as paid.
    PaymentAmbiguous,
    ConfirmationOverdue,
    /// The seller confirmed the payment, so the coins are released.
    PaymentConfirmed,
    /// The coins are released without the seller's confirmation, or released again.
    OrderReleasing,
    /// A reorganization removed the release, which the platform will pay again.
    ReleaseRevoked,
    OrderCompleted,
    /// A reorganization removed the refund, which the platform will pay again.
    RefundRevoked,
    /// The recipient's address rejects the coin, so the payout goes into the recipient's vault as temporary balance.
    PayoutRedirected,
    /// The release or refund was voided on the chain, and an officer must decide the order.
    PayoutVoided,
    /// An appeal was filed, so the order is locked.
    AppealFiled,
    /// A picture that the other party attached was attached to another order before.
    PictureUsedBefore,
    /// A party added evidence to the appeal.
    EvidenceAdded,
    /// An officer asks the user for evidence, until a time.
    EvidenceRequested,
    /// A party or the platform withdrew the appeal, and the order continues.
    AppealWithdrawn,
    /// An officer rejected the appeal, and the order continues.
    AppealRejected,
    /// An officer decided the appeal. The verdict is executed after a delay.
    AppealDecided,
    /// The verdict was revoked, and an officer decides again.
    AppealReopened,
    /// The verdict was executed.
    OrderDecided,
    /// A reorganization removed the deposit, so the buyer must not pay.
    OrderFrozen,
    /// The deposit is complete again, and the deadline continues with the remaining time.
    OrderUnfrozen,
    /// Deadlines were extended after an outage.
    DeadlineMoved,
    /// The advert's escrow is complete. The advert is now online, or offline if its owner is.
    AdvertConfirmed,
    /// A reorganization removed the advert's deposit, so the advert takes no orders.
    AdvertFrozen,
    /// The advert's escrow is complete again.
    AdvertUnfrozen,
    /// The advert takes no more orders; its remaining escrow will be returned.
    AdvertRevoking,
    AdvertCancelled,
    /// A deposit arrived that the advert in creation had not requested.
    WrongDeposit,
}

impl fmt::Display for Notice {
    /// Writes the name that is stored and sent, such as `ORDER_PAID`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_page_of_realtime_messages_lists_every_notice() {
        let page = include_str!("../../../docs/realtime.md");
        let (_, notices) = include_str!("effect.rs").split_once("pub enum Notice {").unwrap();
        let lines = notices.lines().map(str::trim).take_while(|line| *line != "}");
        let names: Vec<_> =
            lines.filter_map(|line| line.strip_suffix(',')).filter(|line| !line.starts_with("//")).collect();
        assert!(names.len() > 20);
        for name in names {
            assert!(page.contains(&format!("`{name}`")), "docs/realtime.md does not list {name}");
        }
    }
}
