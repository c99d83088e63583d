//! The progress that both parties see: the five steps, whose turn it is, and where the base is.

use super::{Order, State};
use crate::clock::Timestamp;
use crate::trade::{Party, Side};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StepName {
    BuyerAccepted,
    /// The seller's base is in escrow.
    SellerDeposited,
    BuyerPaid,
    /// The seller received the payment.
    SellerReceived,
    ChainConfirmed,
}

impl StepName {
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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    pub step: StepName,
    pub done: bool,
    /// `None` if the step is not done, or if orders of this kind do not need it.
    pub at: Option<Timestamp>,
}

/// Returns the five steps in order. Steps that orders of this kind do not need are done from the start, so they come first: the
/// advert has already escrowed the coins.
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
    let mut all = [accepted, deposited, paid, received, at(StepName::ChainConfirmed, progress.settled_at)];
    all.sort_by_key(|step| !(step.done && step.at.is_none()));
    all
}

/// Returns the party that must act. `None` while the chain or the platform must act, and while the order is frozen or
/// under appeal.
pub fn waits_for(order: &Order) -> Option<Party> {
    if order.suspended_at().is_some() {
        return None;
    }
    match order.state {
        State::AwaitingAcceptance { .. } => Some(order.terms.advertiser_party()),
        State::AwaitingDeposit { .. } | State::AwaitingConfirmation { .. } => Some(Party::Seller),
        State::AwaitingPayment { .. } => Some(Party::Buyer),
        _ => None,
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FundsLocation {
    /// The seller has not deposited the base yet.
    Seller,
    Escrow,
    /// A payout is moving the base.
    InFlight,
    Buyer,
    /// The base was returned to its source.
    Returned,
}

impl FundsLocation {
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
