//! Applies events from the clock, the chain and the platform. Events carry no version, because the platform locks the
//! rows before it applies them.

use super::appeal_rules::Filing;
use super::deadlines::{deadline_passed, grace_passed, outage};
use super::transition::TransitionBuilder;
use super::{
    AppealReason, AppealStatus, Event, Frozen, Order, OrderInputs, State, Transition, VoidedPayout, appeal_rules,
    officer,
};
use crate::applied::Applied;
use crate::clock::Timestamp;
use crate::effect::Notice;
use crate::ids::PayoutId;
use crate::money::Amount;
use crate::refusal::{Refusal, Shown};
use crate::trade::{Leg, Party};

/// Applies an event to an order.
///
/// Refuses an event that does not match the order's state ([`Refusal::Stale`]), a cancellation that must wait for
/// unconfirmed transfers ([`Refusal::Forbidden`]), and the deadline of an order that is frozen ([`Refusal::Frozen`]) or
/// under appeal ([`Refusal::LockedByAppeal`]). An event that already took effect returns [`Applied::AlreadyDone`]. [`Event::DepositRevoked`] is not idempotent here:
/// the posting in the same transaction ensures that it is applied once.
pub fn react(order: &Order, event: &Event, inputs: &OrderInputs) -> Result<Applied<Transition>, Refusal> {
    match event {
        Event::DeadlinePassed => deadline_passed(order, inputs),
        Event::GracePassed => grace_passed(order, inputs),
        Event::DepositFunded => deposit_funded(order, inputs),
        Event::PaymentFunded => payment_funded(order, inputs),
        Event::PayoutConfirmed { payout } => payout_confirmed(order, *payout, inputs.now),
        Event::PayoutRevoked { payout } => payout_revoked(order, *payout, inputs.now),
        Event::PayoutResent { payout } => payout_resent(order, *payout, inputs.now),
        Event::PayoutVoided { payout, base, quote } => payout_voided(order, *payout, (*base, *quote), inputs),
        Event::VoidRevoked { payout } => void_revoked(order, *payout, inputs),
        Event::DepositRevoked { leg, drawn } => deposit_revoked(order, *leg, *drawn, inputs.now),
        Event::DepositReturned { leg, available } => deposit_returned(order, *leg, *available, inputs),
        Event::AppealDue => appeal_rules::due(order, inputs),
        Event::VerdictDue => officer::verdict_due(order, inputs),
        Event::Outage { from, until } => Ok(outage(order, *from, *until)),
    }
}

fn deposit_funded(order: &Order, inputs: &OrderInputs) -> Result<Applied<Transition>, Refusal> {
    if order.progress.deposited_at.is_some() {
        return Ok(Applied::AlreadyDone);
    }
    if !matches!(order.state, State::AwaitingDeposit { .. }) {
        return Err(Refusal::Stale);
    }
    let mut draft = TransitionBuilder::of(order);
    draft.request(Leg::Base, order.terms.quantity);
    draft.fulfill_funding_request();
    draft.order.progress.deposited_at = Some(inputs.now);
    draft.notify_both(Notice::OrderDeposited);
    if order.terms.automatic() {
        appeal_rules::resume_settlement(&mut draft, inputs);
    } else {
        draft.proceed(State::awaiting_payment(&order.terms, inputs.now), inputs.now);
        draft.call(Party::Buyer);
    }
    Ok(draft.done())
}

fn payment_funded(order: &Order, inputs: &OrderInputs) -> Result<Applied<Transition>, Refusal> {
    if order.progress.payment_funded_at.is_some() {
        return Ok(Applied::AlreadyDone);
    }
    if !matches!(order.state, State::AwaitingPayment { .. }) || !order.terms.automatic() {
        return Err(Refusal::Stale);
    }
    let mut draft = TransitionBuilder::of(order);
    draft.request(Leg::Quote, order.terms.total);
    draft.fulfill_funding_request();
    draft.order.progress.payment_funded_at = Some(inputs.now);
    draft.notify_both(Notice::OrderPaid);
    appeal_rules::resume_settlement(&mut draft, inputs);
    Ok(draft.done())
}

fn payout_confirmed(order: &Order, payout: PayoutId, now: Timestamp) -> Result<Applied<Transition>, Refusal> {
    if order.state.payout() != Some(payout) || order.progress.voided.is_some() {
        return Err(Refusal::Stale);
    }
    let mut draft = TransitionBuilder::of(order);
    match &order.state {
        // The release may be back in a block before the ledger has accepted that it had left the chain.
        State::Releasing { .. } | State::ReleaseRevoked { .. } => {
            draft.order.progress.settled_at = Some(now);
            draft.proceed(State::Completed { payout }, now);
            draft.notify_both(Notice::OrderCompleted);
        }
        State::Refunding { cancelled, .. } => {
            draft.proceed(State::Cancelled { payout: Some(payout), cancelled: *cancelled }, now);
            draft.notify_both(Notice::OrderCancelled);
        }
        State::Completed { .. } | State::Cancelled { .. } => return Ok(Applied::AlreadyDone),
        _ => return Err(Refusal::Stale),
    }
    Ok(draft.done())
}

fn payout_revoked(order: &Order, payout: PayoutId, now: Timestamp) -> Result<Applied<Transition>, Refusal> {
    if order.state.payout() != Some(payout) || order.progress.voided.is_some() {
        return Err(Refusal::Stale);
    }
    let mut draft = TransitionBuilder::of(order);
    match &order.state {
        State::Releasing { .. } | State::Completed { .. } => {
            draft.order.progress.settled_at = None;
            draft.proceed(State::ReleaseRevoked { payout, since: now }, now);
            draft.notify_both(Notice::ReleaseRevoked);
        }
        State::Cancelled { cancelled, .. } => {
            draft.proceed(State::Refunding { payout, cancelled: *cancelled }, now);
            draft.notify_both(Notice::RefundRevoked);
        }
        _ => return Ok(Applied::AlreadyDone),
    }
    Ok(draft.done())
}

fn payout_resent(order: &Order, payout: PayoutId, now: Timestamp) -> Result<Applied<Transition>, Refusal> {
    match order.state {
        State::ReleaseRevoked { payout: same, .. } if same == payout => {
            let mut draft = TransitionBuilder::of(order);
            draft.proceed(State::Releasing { payout }, now);
            draft.notify_both(Notice::OrderReleasing);
            Ok(draft.done())
        }
        State::Releasing { payout: same } | State::Refunding { payout: same, .. } if same == payout => {
            Ok(Applied::AlreadyDone)
        }
        _ => Err(Refusal::Stale),
    }
}

fn payout_voided(
    order: &Order,
    payout: PayoutId,
    (base, quote): (Amount, Amount),
    inputs: &OrderInputs,
) -> Result<Applied<Transition>, Refusal> {
    if !order.state.depends_on(payout) {
        return Err(Refusal::Stale);
    }
    if order.progress.voided.is_some() {
        return Ok(Applied::AlreadyDone);
    }
    let mut draft = TransitionBuilder::of(order);
    draft.order.progress.voids = order.progress.voids.saturating_add(1);
    draft.order.progress.voided = Some(VoidedPayout { since: inputs.now, base, quote });
    if let State::ReleaseRevoked { payout, .. } = order.state {
        draft.proceed(State::Releasing { payout }, inputs.now);
    }
    draft.notify_both(Notice::PayoutVoided);
    appeal_rules::open(&mut draft, None, Filing::by_platform(order, AppealReason::PayoutVoided), inputs);
    Ok(draft.done())
}

fn void_revoked(order: &Order, payout: PayoutId, inputs: &OrderInputs) -> Result<Applied<Transition>, Refusal> {
    if order.state.payout() != Some(payout) {
        return Err(Refusal::Stale);
    }
    if order.progress.voided.is_none() {
        return Ok(Applied::AlreadyDone);
    }
    let mut draft = TransitionBuilder::of(order);
    draft.order.progress.voided = None;
    // The amount that was missing is now the vault owner's debt.
    draft.order.frozen = None;
    appeal_rules::end(&mut draft, AppealStatus::Withdrawn { at: inputs.now, by: None }, inputs);
    draft.notify_both(Notice::OrderReleasing);
    Ok(draft.done())
}

fn deposit_revoked(order: &Order, leg: Leg, drawn: Amount, now: Timestamp) -> Result<Applied<Transition>, Refusal> {
    if drawn.is_zero() {
        return Ok(Applied::AlreadyDone);
    }
    if drawn > order.held(leg) {
        return Err(Refusal::Stale);
    }
    let more = |before: Amount, this: Leg| {
        let more = if this == leg { drawn } else { Amount::ZERO };
        before.add(more).map_err(|_| Refusal::Stale)
    };
    let before = order.frozen.unwrap_or(Frozen { since: now, base: Amount::ZERO, quote: Amount::ZERO });
    let mut draft = TransitionBuilder::of(order);
    draft.order.frozen =
        Some(Frozen { base: more(before.base, Leg::Base)?, quote: more(before.quote, Leg::Quote)?, ..before });
    draft.notify_both(Notice::OrderFrozen);
    Ok(draft.done())
}

fn deposit_returned(
    order: &Order,
    leg: Leg,
    available: Amount,
    inputs: &OrderInputs,
) -> Result<Applied<Transition>, Refusal> {
    let Some(Frozen { since, base, quote }) = order.frozen else { return Ok(Applied::AlreadyDone) };
    let (missing, rest, decimals) = match leg {
        Leg::Base => (base, quote, order.terms.base.decimals),
        Leg::Quote => (quote, base, order.terms.quote.decimals),
    };
    if missing.is_zero() {
        return Ok(Applied::AlreadyDone);
    }
    if available < missing {
        let shortfall = Shown { amount: missing.saturating_sub(available), decimals };
        return Err(Refusal::DepositShort { shortfall });
    }
    let mut draft = TransitionBuilder::of(order);
    draft.request(leg, missing);
    if !rest.is_zero() {
        draft.order.frozen = Some(match leg {
            Leg::Base => Frozen { since, base: Amount::ZERO, quote },
            Leg::Quote => Frozen { since, base, quote: Amount::ZERO },
        });
        return Ok(draft.done());
    }
    draft.order.frozen = None;
    draft.notify_both(Notice::OrderUnfrozen);
    match &mut draft.order.appeal {
        // The end of the appeal extends the deadline by the whole suspension.
        Some(open) if open.status.ended_at().is_none() => {
            open.suspended_at = since.min(open.suspended_at);
            draft.appeal_changed();
        }
        _ => {
            if let Some(deadline) = order.state.deadline().and_then(|deadline| deadline.extended_by(since, inputs.now))
            {
                draft.order.state = order.state.with_deadline(deadline);
            }
            appeal_rules::resume_settlement(&mut draft, inputs);
        }
    }
    Ok(draft.done())
}
