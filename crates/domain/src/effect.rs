//! What a decision writes besides the changed order or advert, in the same transaction.
//!
//! Effects are data. Write them in the given order: a posting may depend on an earlier one.

use serde::Serialize;

use crate::chain::Address;
use crate::funding::{FundingRequest, FundingTarget};
use crate::ids::{AdvertId, OrderId, PayoutId, UserId};
use crate::ledger::{Account, Posting, VaultAsset};
use crate::money::Amount;
use crate::reputation;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    Post(Posting),
    /// Insert a payout, which the worker will send.
    Payout(PayoutIntent),
    OpenFundingRequest(FundingRequest),
    /// The request is funded. The posting that moves the coins into escrow is a separate effect.
    FulfillFundingRequest(FundingTarget),
    /// The request is withdrawn: later deposits only increase the temporary balance.
    CloseFundingRequest(FundingTarget),
    /// Apply [`crate::adverts::Event::OrderChanged`] to the order's advert.
    Advert {
        advert: AdvertId,
        change: OrderChange,
    },
    /// Count a cancellation against a user. [`reputation::charge`] computes its cost.
    ChargeReputation {
        user: UserId,
        order: OrderId,
        cause: reputation::Cause,
    },
    Notify {
        user: UserId,
        subject: Subject,
        notice: Notice,
    },
    /// Alert a user with a sound: it is their turn, and a deadline runs.
    Call {
        user: UserId,
        order: OrderId,
    },
}

/// How an order changes its advert.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OrderChange {
    /// How much of the base can be ordered again; zero unless the order was undone.
    pub quantity: Amount,
    /// How much the order's escrow returned to the advert's, in the asset that the advert escrows.
    pub escrow: Amount,
    /// Whether the order ended just now, for the first time.
    pub ended: bool,
}

/// A payout to create: one leg, or two that are paid in the same chain transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PayoutIntent {
    /// The posting in the same transaction moves the coins in flight under this identifier.
    pub id: PayoutId,
    pub purpose: Purpose,
    /// Never empty; no amount is zero.
    pub legs: Vec<PayoutLeg>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PayoutLeg {
    pub vault_asset: VaultAsset,
    pub recipient: Address,
    /// What the recipient receives.
    pub amount: Amount,
    /// The account that was debited. If the leg is voided, the coins return there.
    pub source: Account,
}

/// What a payout is for. Its confirmation and revocation are reported to this order or advert.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Purpose {
    /// Pays an order's escrow to the other side.
    Release(OrderId),
    /// Pays an order's escrow back to the user who deposited it.
    Refund(OrderId),
    /// Pays an advert's remaining escrow back to its owner.
    AdvertReturn(AdvertId),
    /// Returns a deposit that cancelled the creation of an advert. Debits the owner's temporary balance as a withdrawal
    /// does, and does not change the advert's state.
    WrongDeposit(AdvertId),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Subject {
    Order(OrderId),
    Advert(AdvertId),
}

/// The event of which a user is notified. `docs/realtime.md` lists the messages, and what the web app refreshes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
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
    ConfirmationOverdue,
    OrderReleasing,
    /// A reorganization removed the release, which will be paid again.
    ReleaseRevoked,
    OrderCompleted,
    /// A reorganization removed the refund, which will be paid again.
    RefundRevoked,
    /// The recipient's address rejects the coin, so it is paid into the recipient's vault as temporary balance.
    PayoutRedirected,
    /// The release or refund was voided on the chain; an officer decides.
    PayoutVoided,
    OrderDecided,
    /// A reorganization removed the deposit: the buyer must not pay.
    OrderFrozen,
    /// The deposit is back, and the deadline continues with the remaining time.
    OrderUnfrozen,
    /// Deadlines were extended after an outage.
    DeadlineMoved,
    /// The advert's escrow is complete. The advert is now online, or offline if its owner is.
    AdvertConfirmed,
    /// A reorganization removed the advert's deposit: it takes no orders.
    AdvertFrozen,
    /// The advert's deposit is back.
    AdvertUnfrozen,
    /// The advert takes no more orders; its remaining escrow will be returned.
    AdvertRevoking,
    AdvertCancelled,
    /// A deposit arrived that the advert in creation did not ask for.
    WrongDeposit,
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
