//! What both people see of an order: five steps, who has to act, where the base is.

use super::{Order, State};
use crate::clock::Timestamp;
use crate::trade::{Party, Side};

/// One of the five steps of a trade.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StepName {
    /// The buyer (or whoever posted the advert) accepted.
    BuyerAccepted,
    /// The seller's base is in escrow.
    SellerDeposited,
    /// The buyer paid.
    BuyerPaid,
    /// The seller received the payment.
    SellerReceived,
    /// The chain confirmed the release.
    ChainConfirmed,
}

impl StepName {
    /// The name under which it is sent.
    pub fn name(self) -> &'static str {
        match self {
            Self::BuyerAccepted => "BUYER_ACCEPTED",
            Self::SellerDeposited => "SELLER_DEPOSITED",
            Self::BuyerPaid => "BUYER_PAID",
            Self::SellerReceived => "SELLER_RECEIVED",
            Self::ChainConfirmed => "CHAIN_CONFIRMED",
        }
    }
}

/// How a step stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// Which.
    pub step: StepName,
    /// Whether it is done.
    pub done: bool,
    /// When it was done; nothing if it is not, or if the advert's kind makes it unnecessary.
    pub at: Option<Timestamp>,
}

/// The five steps, in their order. A step that the advert's kind makes unnecessary is done from the start.
pub fn steps(order: &Order) -> [Step; 5] {
    let (progress, automatic) = (&order.progress, order.terms.automatic());
    let at = |step, at: Option<Timestamp>| Step { step, done: at.is_some(), at };
    let unnecessary = |step| Step { step, done: true, at: None };
    let accepted = at(StepName::BuyerAccepted, progress.accepted_at);
    let deposited = match order.terms.side {
        Side::Sell => unnecessary(StepName::SellerDeposited),
        Side::Buy => at(StepName::SellerDeposited, progress.deposited_at),
    };
    let paid = match (automatic, order.terms.side) {
        (false, _) => at(StepName::BuyerPaid, progress.paid.as_ref().map(|paid| paid.at)),
        (true, Side::Sell) => at(StepName::BuyerPaid, progress.payment_funded_at),
        (true, Side::Buy) => unnecessary(StepName::BuyerPaid),
    };
    let received = at(StepName::SellerReceived, progress.received_at);
    [accepted, deposited, paid, received, at(StepName::ChainConfirmed, progress.settled_at)]
}

/// Whose turn it is. Nobody's while the chain or the platform has to act, and while the order is frozen.
pub fn waits_for(order: &Order) -> Option<Party> {
    if order.overlay.is_some() {
        return None;
    }
    match order.state {
        State::AwaitingAcceptance { .. } => Some(order.terms.advertiser_party()),
        State::AwaitingDeposit { .. } | State::AwaitingConfirmation { .. } => Some(Party::Seller),
        State::AwaitingPayment { .. } => Some(Party::Buyer),
        _ => None,
    }
}

/// Where the base is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FundsLocation {
    /// With the seller, who has not deposited it yet.
    Seller,
    /// In escrow.
    Escrow,
    /// On its way on the chain.
    InFlight,
    /// With the buyer.
    Buyer,
    /// Back where it came from.
    Returned,
}

impl FundsLocation {
    /// The name under which it is sent.
    pub fn name(self) -> &'static str {
        match self {
            Self::Seller => "SELLER",
            Self::Escrow => "ESCROW",
            Self::InFlight => "IN_FLIGHT",
            Self::Buyer => "BUYER",
            Self::Returned => "RETURNED",
        }
    }
}

/// Where the base of an order is.
pub fn funds_location(order: &Order) -> FundsLocation {
    let taken = order.terms.side == Side::Sell || order.progress.deposited_at.is_some();
    match order.state {
        State::AwaitingAcceptance { .. }
        | State::AwaitingDeposit { .. }
        | State::AwaitingPayment { .. }
        | State::AwaitingConfirmation { .. }
            if taken =>
        {
            FundsLocation::Escrow
        }
        State::Cancelled { .. } | State::Rejected { .. } if taken => FundsLocation::Returned,
        State::Releasing { .. } | State::Refunding { .. } if order.progress.case.is_some() => FundsLocation::Escrow,
        State::Releasing { .. } | State::ReleaseRevoked { .. } | State::Refunding { .. } => FundsLocation::InFlight,
        State::Completed { .. } => FundsLocation::Buyer,
        _ => FundsLocation::Seller,
    }
}
