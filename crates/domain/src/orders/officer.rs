//! What an officer decides where nobody else can: an order that its parties, the clock and the chain leave as it is.

use chrono::Duration;

use super::transition::TransitionBuilder;
use super::{CancelReason, Cancelled, Order, OrderDecision, OrderInputs, Overlay, State, Transition, settle};
use crate::clock::{self, Timestamp};
use crate::effect::Notice;
use crate::trade::{Leg, Party};

/// So long after the deadline of a confirmation an officer may decide.
pub const OVERDUE_FOR: Duration = Duration::days(7);

/// So long after a deposit left the chain an officer may decide.
pub const FROZEN_FOR: Duration = Duration::hours(24);

/// Why an officer may not decide an order, or not so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Undecidable {
    /// Its parties, the clock or the chain move it on.
    #[error("the order is {state}, which its parties, the clock or the chain move on")]
    State {
        /// The name of its state.
        state: &'static str,
    },
    /// Not yet: until then its parties may move it on.
    #[error("the order can be decided from {} on", .from.to_rfc3339())]
    NotYet {
        /// From when on.
        from: Timestamp,
    },
    /// The buyer has not been told yet that the payment is overdue.
    #[error("the buyer has not been told yet that the payment is overdue")]
    NotTold,
    /// No payment was seen on the chain, so the clock cancels the order.
    #[error("no payment was seen on the chain: without one the order cancels itself after the grace")]
    NoPaymentSeen,
    /// What is to be released is not held, or not all of it.
    #[error("the coins of the order are not all there: it can only be decided for the seller")]
    Short,
}

/// Decides an order for one of its sides: the buyer gets the base, or each coin goes back to where it came from.
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

/// A frozen automatic order may still wait for coins when it is decided.
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
        State::AwaitingPayment { deadline, .. } if !order.terms.automatic() => {
            from(deadline.grace_until(order.terms.windows.grace).ok_or(Undecidable::NotTold)?)
        }
        state => Err(Undecidable::State { state: state.name() }),
    }
}

/// Whether there is something to release: both legs of an automatic order in full, and some of the base in any case.
fn releasable(order: &Order) -> Result<(), Undecidable> {
    let (base, quote) = (order.held(Leg::Base), order.held(Leg::Quote));
    let short = if order.terms.automatic() {
        base < order.terms.amount(Leg::Base) || quote < order.terms.amount(Leg::Quote)
    } else {
        base.is_zero()
    };
    if short { Err(Undecidable::Short) } else { Ok(()) }
}
