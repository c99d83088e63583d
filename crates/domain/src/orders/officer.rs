//! Decisions by officers about orders that the parties, the clock and the chain cannot resolve.

use chrono::Duration;

use super::transition::TransitionBuilder;
use super::{CancelReason, Cancelled, Order, OrderDecision, OrderInputs, Overlay, State, Transition, settle};
use crate::clock::{self, Timestamp};
use crate::effect::Notice;
use crate::trade::{Leg, Party};

/// The time between the confirmation deadline and the earliest decision by an officer.
pub const OVERDUE_FOR: Duration = Duration::days(7);

/// The time between the freezing of an order and the earliest decision by an officer.
pub const FROZEN_FOR: Duration = Duration::hours(24);

/// The reason why an officer cannot decide an order, or cannot decide it for this party.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Undecidable {
    /// The order's parties, the clock or the chain can still advance it.
    #[error("the order is {state}: its parties, the clock or the chain can still advance it")]
    State { state: &'static str },
    #[error("the order cannot be decided before {}", .from.to_rfc3339())]
    NotYet { from: Timestamp },
    #[error("the buyer has not been notified yet that the payment is overdue")]
    NotTold,
    /// No payment was seen on the chain, so the clock will cancel the order.
    #[error("no payment was seen on the chain, so the order will be cancelled after the grace period")]
    NoPaymentSeen,
    /// Coins that must be released are missing.
    #[error("the order's coins are incomplete: it can only be decided for the seller")]
    Short,
}

/// Decides an order for one party. For the buyer, releases the base; for the seller, returns each coin to its source.
pub fn decide_as_officer(order: &Order, winner: Party, inputs: &OrderInputs) -> Result<Transition, Undecidable> {
    decidable(order, inputs)?;
    let mut draft = TransitionBuilder::of(order);
    settle::take_back_what_was_kept(&mut draft);
    let cancelled = Cancelled { at: inputs.now, by: None, reason: CancelReason::Decided };
    match (winner, &order.state) {
        (Party::Buyer, _) => {
            releasable(&draft.order)?;
            close_funding_request(&mut draft);
            settle::release(&mut draft, inputs.payout, inputs.now);
        }
        (Party::Seller, State::Refunding { cancelled, .. }) => settle::refund_again(&mut draft, *cancelled, inputs),
        (Party::Seller, _) => settle::cancel(&mut draft, cancelled, inputs.payout),
    }
    draft.notify_both(Notice::OrderDecided);
    match draft.done() {
        OrderDecision::Done(done) => Ok(*done),
        OrderDecision::AlreadyDone => Err(Undecidable::State { state: order.state.name() }),
    }
}

/// Closes the funding request that a frozen automatic order may still have open.
fn close_funding_request(draft: &mut TransitionBuilder) {
    if draft.order.funded_leg().is_some() {
        draft.effect(crate::effect::Effect::CloseFundingRequest(crate::funding::FundingTarget::Order(draft.order.id)));
    }
}

fn decidable(order: &Order, inputs: &OrderInputs) -> Result<(), Undecidable> {
    if order.progress.case.is_some() {
        return Ok(());
    }
    let from = |from: Timestamp| if inputs.now >= from { Ok(()) } else { Err(Undecidable::NotYet { from }) };
    if let Some(Overlay::Frozen { since, .. }) = order.overlay {
        return from(clock::after(since, FROZEN_FOR));
    }
    match &order.state {
        State::AwaitingConfirmation { deadline } => from(clock::after(deadline.at, OVERDUE_FOR)),
        State::AwaitingPayment { .. } if !order.terms.automatic() && !inputs.payment_seen => {
            Err(Undecidable::NoPaymentSeen)
        }
        State::AwaitingPayment { .. } if !order.terms.automatic() => {
            from(order.grace_until().ok_or(Undecidable::NotTold)?)
        }
        state => Err(Undecidable::State { state: state.name() }),
    }
}

/// Checks that the escrow suffices for a release: both legs in full for an automatic order, otherwise any part of the
/// base.
fn releasable(order: &Order) -> Result<(), Undecidable> {
    let (base, quote) = (order.held(Leg::Base), order.held(Leg::Quote));
    let short = if order.terms.automatic() {
        base < order.terms.amount(Leg::Base) || quote < order.terms.amount(Leg::Quote)
    } else {
        base.is_zero()
    };
    if short { Err(Undecidable::Short) } else { Ok(()) }
}
