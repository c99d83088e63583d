//! The progress that both parties see: the five steps, whose turn it is, and where the base is.

use serde::Serialize;
use strum::IntoStaticStr;

use super::{Order, State};
use crate::clock::Timestamp;
use crate::trade::{Leg, Party, Side};

/// A step of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, IntoStaticStr)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE", const_into_str)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum StepName {
    BuyerAccepted,
    /// The seller's base is in escrow.
    SellerDeposited,
    BuyerPaid,
    /// The seller received the payment.
    SellerReceived,
    ChainConfirmed,
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

/// Where the coins of one leg of an order are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, IntoStaticStr)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE", const_into_str)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum FundsLocation {
    /// With the seller, who has not deposited the base yet or has received the quote.
    Seller,
    Escrow,
    /// A payout is moving the coins.
    InFlight,
    /// With the buyer, who has received the base or has not deposited the quote yet.
    Buyer,
    /// The coins were returned to their source.
    Returned,
}

pub fn base_location(order: &Order) -> FundsLocation {
    location(order, Leg::Base)
}

/// Returns where the quote of an automatic order is. `None` for a manual order, whose quote the platform never holds.
pub fn quote_location(order: &Order) -> Option<FundsLocation> {
    order.terms.automatic().then(|| location(order, Leg::Quote))
}

fn location(order: &Order, leg: Leg) -> FundsLocation {
    let (giver, receiver, deposited_at) = match leg {
        Leg::Base => (FundsLocation::Seller, FundsLocation::Buyer, order.progress.deposited_at),
        Leg::Quote => (FundsLocation::Buyer, FundsLocation::Seller, order.progress.payment_funded_at),
    };
    let from_advert = order.terms.advert_leg() == Some(leg);
    if !from_advert && deposited_at.is_none() {
        return giver;
    }
    match order.state {
        State::AwaitingAcceptance { .. }
        | State::AwaitingDeposit { .. }
        | State::AwaitingPayment { .. }
        | State::AwaitingConfirmation { .. } => FundsLocation::Escrow,
        State::Cancelled { .. } | State::Rejected { .. } => FundsLocation::Returned,
        // A refund pays what the taker deposited. Coins from an advert were returned to it before.
        State::Refunding { .. } if from_advert => FundsLocation::Returned,
        State::Releasing { .. } | State::Refunding { .. } if order.progress.voided.is_some() => FundsLocation::Escrow,
        State::Releasing { .. } | State::ReleaseRevoked { .. } | State::Refunding { .. } => FundsLocation::InFlight,
        State::Completed { .. } => receiver,
    }
}
