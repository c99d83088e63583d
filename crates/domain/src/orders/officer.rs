//! Decisions by officers, for orders that their parties, the clock and the chain cannot resolve.

use chrono::Duration;

use super::transition::TransitionBuilder;
use super::{CancelReason, Cancelled, Order, OrderDecision, OrderInputs, Overlay, State, Transition, settle};
use crate::clock::{self, Timestamp};
use crate::effect::Notice;
use crate::trade::{Leg, Party};

/// How long after the confirmation deadline an officer may decide.
pub const OVERDUE_FOR: Duration = Duration::days(7);

/// How long after an order was frozen an officer may decide.
pub const FROZEN_FOR: Duration = Duration::hours(24);

/// Why an officer may not decide an order, or not in this way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Undecidable {
    /// The order's parties, the clock or the chain can still advance it.
    #[error("the order is {state}: its parties, the clock or the chain can still advance it")]
    State { state: &'static str },
    #[error("the order cannot be decided before {}", .from.to_rfc3339())]
    NotYet { from: Timestamp },
    #[error("the buyer has not been notified yet that the payment is overdue")]
    NotTold,
    /// The clock will cancel the order, because no payment was seen on the chain.
    #[error("no payment was seen on the chain, so the order will be cancelled after the grace period")]
    NoPaymentSeen,
    /// The coins to be released are missing or incomplete.
    #[error("the order's coins are incomplete: it can only be decided for the seller")]
    Short,
}

/// Decides an order for one party: for the buyer, the base is released; for the seller, each coin goes back to its
/// source.
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

/// A frozen automatic order may still have an open funding request.
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

/// Whether the escrow suffices for a release: all of both legs for an automatic order, otherwise some of the base.
fn releasable(order: &Order) -> Result<(), Undecidable> {
    let (base, quote) = (order.held(Leg::Base), order.held(Leg::Quote));
    let short = if order.terms.automatic() {
        base < order.terms.amount(Leg::Base) || quote < order.terms.amount(Leg::Quote)
    } else {
        base.is_zero()
    };
    if short { Err(Undecidable::Short) } else { Ok(()) }
}
