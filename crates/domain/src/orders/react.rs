//! What the clock, the chain and the platform bring. The system acts on rows that it has locked, so it names no version.

use super::draft::Draft;
use super::{CancelReason, Cancelled, Case, Event, Facts, Order, Outcome, Overlay, State, settle};
use crate::clock::Moment;
use crate::deadline::Deadline;
use crate::effect::Notice;
use crate::ids::PayoutId;
use crate::money::Amount;
use crate::refusal::{OrderAction, Refusal, Shown};
use crate::trade::{Leg, Party, Side};

/// Applies an event to an order.
///
/// An event that does not fit the order, for it came too early or the order has moved on, is refused as
/// [`Refusal::Stale`]; a cancellation that must wait for transfers which are seen already as
/// [`Refusal::Forbidden`]; a deadline of a frozen order, whose clocks stand still, as [`Refusal::Frozen`]. An event whose
/// effect is there already is answered [`Outcome::AlreadyDone`], except [`Event::DepositRevoked`], of which each one counts: its posting
/// in the same commit is what keeps it from being applied twice.
pub fn react(order: &Order, event: &Event, facts: &Facts) -> Result<Outcome, Refusal> {
    match event {
        Event::DeadlinePassed => deadline_passed(order, facts),
        Event::GracePassed => grace_passed(order, facts),
        Event::DepositClaimed => deposit_claimed(order, facts),
        Event::PaymentClaimed => payment_claimed(order, facts),
        Event::PayoutConfirmed { payout } => payout_confirmed(order, *payout, facts.now),
        Event::PayoutRevoked { payout } => payout_revoked(order, *payout, facts.now),
        Event::PayoutResent { payout } => payout_resent(order, *payout, facts.now),
        Event::PayoutVoided { payout, base, quote } => payout_voided(order, *payout, (*base, *quote), facts.now),
        Event::VoidRevoked { payout } => void_revoked(order, *payout),
        Event::DepositRevoked { leg, drawn } => deposit_revoked(order, *leg, *drawn, facts.now),
        Event::DepositReturned { leg, available } => deposit_returned(order, *leg, *available, facts),
        Event::Outage { from, until } => Ok(outage(order, *from, *until)),
    }
}

fn deadline_passed(order: &Order, facts: &Facts) -> Result<Outcome, Refusal> {
    if matches!(order.state.cancelled(), Some(c) if c.reason == CancelReason::AcceptanceOverdue) {
        return Ok(Outcome::AlreadyDone);
    }
    let deadline = *order.state.deadline().ok_or(Refusal::Stale)?;
    if order.overlay.is_some() {
        return Err(Refusal::Frozen);
    }
    if !deadline.passed(facts.now) {
        return Err(Refusal::Stale);
    }
    // What is seen in blocks has met the deadline; if it vanishes, this comes again.
    if deadline.notified_at.is_some() || facts.covered {
        return Ok(Outcome::AlreadyDone);
    }
    let told = Deadline { notified_at: Some(facts.now), ..deadline };
    let mut draft = Draft::of(order);
    let (state, notice) = match &order.state {
        State::AwaitingDeposit { .. } => (State::AwaitingDeposit { deadline: told }, Notice::DepositOverdue),
        State::AwaitingPayment { cancel_asked_at, .. } => {
            (State::AwaitingPayment { deadline: told, cancel_asked_at: *cancel_asked_at }, Notice::PaymentOverdue)
        }
        State::AwaitingConfirmation { .. } => {
            (State::AwaitingConfirmation { deadline: told }, Notice::ConfirmationOverdue)
        }
        _ => {
            let reason = CancelReason::AcceptanceOverdue;
            settle::cancel(&mut draft, Cancelled { at: facts.now, by: None, reason }, facts.payout);
            return Ok(draft.done());
        }
    };
    draft.proceed(state, facts.now);
    draft.notify_both(notice);
    Ok(draft.done())
}

fn grace_passed(order: &Order, facts: &Facts) -> Result<Outcome, Refusal> {
    let (deadline, reason) = match &order.state {
        State::AwaitingDeposit { deadline } => (deadline, CancelReason::DepositOverdue),
        State::AwaitingPayment { deadline, .. } => (deadline, CancelReason::PaymentOverdue),
        State::Cancelled { cancelled, .. } | State::Refunding { cancelled, .. }
            if matches!(cancelled.reason, CancelReason::DepositOverdue | CancelReason::PaymentOverdue) =>
        {
            return Ok(Outcome::AlreadyDone);
        }
        _ => return Err(Refusal::Stale),
    };
    if order.overlay.is_some() {
        return Err(Refusal::Frozen);
    }
    if !deadline.grace_passed(facts.now, order.terms.windows.grace) {
        return Err(Refusal::Stale);
    }
    let paid = matches!(order.state, State::AwaitingPayment { .. }) && facts.payment_seen;
    if facts.covered || paid {
        return Err(Refusal::Forbidden(OrderAction::Cancel));
    }
    let mut draft = Draft::of(order);
    settle::cancel(&mut draft, Cancelled { at: facts.now, by: None, reason }, facts.payout);
    Ok(draft.done())
}

fn deposit_claimed(order: &Order, facts: &Facts) -> Result<Outcome, Refusal> {
    if order.progress.deposited_at.is_some() {
        return Ok(Outcome::AlreadyDone);
    }
    if !matches!(order.state, State::AwaitingDeposit { .. }) {
        return Err(Refusal::Stale);
    }
    let mut draft = Draft::of(order);
    draft.claim(Leg::Base, order.terms.quantity);
    draft.meet_claim();
    draft.order.progress.deposited_at = Some(facts.now);
    draft.notify_both(Notice::OrderDeposited);
    if !order.terms.automatic() {
        let deadline = Deadline::new(facts.now, order.terms.windows.payment);
        draft.proceed(State::AwaitingPayment { deadline, cancel_asked_at: None }, facts.now);
        draft.call(Party::Buyer);
    } else if order.overlay.is_none() {
        settle::release(&mut draft, facts.payout, facts.now);
    }
    Ok(draft.done())
}

fn payment_claimed(order: &Order, facts: &Facts) -> Result<Outcome, Refusal> {
    if order.progress.payment_claimed_at.is_some() {
        return Ok(Outcome::AlreadyDone);
    }
    if !matches!(order.state, State::AwaitingPayment { .. }) || !order.terms.automatic() {
        return Err(Refusal::Stale);
    }
    let mut draft = Draft::of(order);
    draft.claim(Leg::Quote, order.terms.total);
    draft.meet_claim();
    draft.order.progress.payment_claimed_at = Some(facts.now);
    draft.notify_both(Notice::OrderPaid);
    if order.overlay.is_none() {
        settle::release(&mut draft, facts.payout, facts.now);
    }
    Ok(draft.done())
}

fn payout_confirmed(order: &Order, payout: PayoutId, now: Moment) -> Result<Outcome, Refusal> {
    if order.state.payout() != Some(payout) {
        return Err(Refusal::Stale);
    }
    let mut draft = Draft::of(order);
    match &order.state {
        State::Releasing { .. } => {
            draft.order.progress.settled_at = Some(now);
            draft.proceed(State::Completed { payout }, now);
            draft.notify_both(Notice::OrderCompleted);
        }
        State::Refunding { cancelled, .. } => {
            draft.proceed(State::Cancelled { payout: Some(payout), cancelled: *cancelled }, now);
            draft.notify_both(Notice::OrderCancelled);
        }
        State::Completed { .. } | State::Cancelled { .. } => return Ok(Outcome::AlreadyDone),
        _ => return Err(Refusal::Stale),
    }
    Ok(draft.done())
}

fn payout_revoked(order: &Order, payout: PayoutId, now: Moment) -> Result<Outcome, Refusal> {
    if order.state.payout() != Some(payout) {
        return Err(Refusal::Stale);
    }
    let mut draft = Draft::of(order);
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
        _ => return Ok(Outcome::AlreadyDone),
    }
    Ok(draft.done())
}

fn payout_resent(order: &Order, payout: PayoutId, now: Moment) -> Result<Outcome, Refusal> {
    match order.state {
        State::ReleaseRevoked { payout: same, .. } if same == payout => {
            let mut draft = Draft::of(order);
            draft.proceed(State::Releasing { payout }, now);
            draft.notify_both(Notice::OrderReleasing);
            Ok(draft.done())
        }
        State::Releasing { payout: same } | State::Refunding { payout: same, .. } if same == payout => {
            Ok(Outcome::AlreadyDone)
        }
        _ => Err(Refusal::Stale),
    }
}

fn payout_voided(
    order: &Order,
    payout: PayoutId,
    (base, quote): (Amount, Amount),
    now: Moment,
) -> Result<Outcome, Refusal> {
    if order.state.payout() != Some(payout) || order.state.ended() {
        return Err(Refusal::Stale);
    }
    if order.progress.case.is_some() {
        return Ok(Outcome::AlreadyDone);
    }
    let mut draft = Draft::of(order);
    draft.order.progress.voids = order.progress.voids.saturating_add(1);
    draft.order.progress.case = Some(Case { since: now, base, quote });
    if let State::ReleaseRevoked { payout, .. } = order.state {
        draft.proceed(State::Releasing { payout }, now);
    }
    draft.notify_both(Notice::PayoutVoided);
    Ok(draft.done())
}

fn void_revoked(order: &Order, payout: PayoutId) -> Result<Outcome, Refusal> {
    if order.state.payout() != Some(payout) {
        return Err(Refusal::Stale);
    }
    if order.progress.case.is_none() {
        return Ok(Outcome::AlreadyDone);
    }
    let mut draft = Draft::of(order);
    draft.order.progress.case = None;
    // What was missing of it is the vault owner's debt now.
    draft.order.overlay = None;
    draft.notify_both(Notice::OrderReleasing);
    Ok(draft.done())
}

fn deposit_revoked(order: &Order, leg: Leg, drawn: Amount, now: Moment) -> Result<Outcome, Refusal> {
    if drawn.is_zero() {
        return Ok(Outcome::AlreadyDone);
    }
    if drawn > order.held(leg) {
        return Err(Refusal::Stale);
    }
    let more = |before: Amount, this: Leg| {
        let more = if this == leg { drawn } else { Amount::ZERO };
        before.add(more).map_err(|_| Refusal::Stale)
    };
    let (since, base, quote) = match order.overlay {
        Some(Overlay::Frozen { since, base, quote }) => (since, base, quote),
        None => (now, Amount::ZERO, Amount::ZERO),
    };
    let mut draft = Draft::of(order);
    draft.order.overlay =
        Some(Overlay::Frozen { since, base: more(base, Leg::Base)?, quote: more(quote, Leg::Quote)? });
    draft.notify_both(Notice::OrderFrozen);
    Ok(draft.done())
}

fn deposit_returned(order: &Order, leg: Leg, available: Amount, facts: &Facts) -> Result<Outcome, Refusal> {
    let Some(Overlay::Frozen { since, base, quote }) = order.overlay else { return Ok(Outcome::AlreadyDone) };
    let (missing, rest, decimals) = match leg {
        Leg::Base => (base, quote, order.terms.base.decimals),
        Leg::Quote => (quote, base, order.terms.quote.decimals),
    };
    if missing.is_zero() {
        return Ok(Outcome::AlreadyDone);
    }
    if available < missing {
        let shortfall = Shown { amount: missing.saturating_sub(available), decimals };
        return Err(Refusal::DepositShort { shortfall });
    }
    let mut draft = Draft::of(order);
    draft.claim(leg, missing);
    if !rest.is_zero() {
        draft.order.overlay = Some(match leg {
            Leg::Base => Overlay::Frozen { since, base: Amount::ZERO, quote },
            Leg::Quote => Overlay::Frozen { since, base, quote: Amount::ZERO },
        });
        return Ok(draft.done());
    }
    draft.order.overlay = None;
    draft.order.state = moved(&order.state, since, facts.now).unwrap_or_else(|| order.state.clone());
    draft.notify_both(Notice::OrderThawed);
    if held_back(&draft.order) {
        settle::release(&mut draft, facts.payout, facts.now);
    }
    Ok(draft.done())
}

/// Whether both legs of an automatic order are claimed: it was frozen when the second one came.
fn held_back(order: &Order) -> bool {
    let second = match order.terms.side {
        Side::Sell => order.progress.payment_claimed_at,
        Side::Buy => order.progress.deposited_at,
    };
    order.terms.automatic() && second.is_some() && order.progress.case.is_none()
}

fn outage(order: &Order, from: Moment, until: Moment) -> Outcome {
    let Some(moved) = order.without(from, until) else { return Outcome::AlreadyDone };
    let mut draft = Draft::of(order);
    draft.order.state = moved.state;
    draft.notify_both(Notice::DeadlineMoved);
    draft.done()
}

impl Order {
    /// The same order, at the same version, with a standstill of the platform taken out of its deadline; nothing if the
    /// deadline did not run through it.
    pub fn without(&self, from: Moment, until: Moment) -> Option<Self> {
        let until = match self.overlay {
            // A frozen clock stands still anyway, and its standstill is taken out when it thaws.
            Some(Overlay::Frozen { since, .. }) => until.min(since),
            None => until,
        };
        moved(&self.state, from, until).map(|state| Self { state, ..self.clone() })
    }
}

/// The state with the time from `from` to `until` taken out of its deadline.
fn moved(state: &State, from: Moment, until: Moment) -> Option<State> {
    let deadline = state.deadline()?.without(from, until)?;
    match state {
        State::AwaitingAcceptance { .. } => Some(State::AwaitingAcceptance { deadline }),
        State::AwaitingDeposit { .. } => Some(State::AwaitingDeposit { deadline }),
        State::AwaitingPayment { cancel_asked_at, .. } => {
            Some(State::AwaitingPayment { deadline, cancel_asked_at: *cancel_asked_at })
        }
        State::AwaitingConfirmation { .. } => Some(State::AwaitingConfirmation { deadline }),
        _ => None,
    }
}
