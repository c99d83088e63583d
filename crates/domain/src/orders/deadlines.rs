//! The deadlines of an order: when they start and pass, their effects, and how outages extend them.
//!
//! | state | window | at the deadline | at the end of the grace period |
//! |---|---|---|---|
//! | `AWAITING_ACCEPTANCE` | `acceptance` | the order is cancelled | |
//! | `AWAITING_DEPOSIT` | `order_deposit` | both parties are notified | the order is cancelled |
//! | `AWAITING_PAYMENT` | `payment` | both parties are notified | the order is cancelled |
//! | `AWAITING_CONFIRMATION` | `confirmation` | both parties are notified | |
//!
//! Seven days after a notification that had no effect, the platform files an appeal
//! ([`OVERDUE_FOR`](super::OVERDUE_FOR)).
//!
//! After the deadline, a deposit, a payment or a confirmation is still accepted as long as the order is open.
//!
//! If a transfer may be the payment of this or of another order, the buyer gets a second grace period to mark the order as
//! paid.
//!
//! The windows and the grace period are settings of the pair (defaults: `policy.default.toml`), fixed in the order's
//! terms. An advert can set its own payment window. The grace period starts with the notification. After the grace
//! period, the platform cancels the order, and the seller of an unpaid order may do so as well ([`Order::lapses_at`]).
//!
//! The deadline of a deposit counts as met while unconfirmed transfers cover the funding request. While an order is
//! frozen or under appeal, its deadline is suspended.

use super::transition::TransitionBuilder;
use super::{
    Action, Appeal, AppealStatus, CancelReason, Cancelled, Event, Order, OrderInputs, PaymentEvidence, State, Terms,
    Transition, appeal_rules, settle,
};
use crate::applied::Applied;
use crate::clock::Timestamp;
use crate::deadline::Deadline;
use crate::effect::Notice;
use crate::refusal::Refusal;

impl State {
    pub(super) fn awaiting_acceptance(terms: &Terms) -> Self {
        Self::AwaitingAcceptance { deadline: Deadline::new(terms.created_at, terms.windows.acceptance) }
    }

    pub(super) fn awaiting_deposit(terms: &Terms, now: Timestamp) -> Self {
        Self::AwaitingDeposit { deadline: Deadline::new(now, terms.windows.order_deposit) }
    }

    pub(super) fn awaiting_payment(terms: &Terms, now: Timestamp) -> Self {
        Self::AwaitingPayment { deadline: Deadline::new(now, terms.windows.payment), cancel_asked_at: None }
    }

    pub(super) fn awaiting_confirmation(terms: &Terms, now: Timestamp) -> Self {
        Self::AwaitingConfirmation { deadline: Deadline::new(now, terms.windows.confirmation) }
    }

    /// Returns the state with another deadline. A state without a deadline stays the same.
    pub(super) fn with_deadline(&self, new: Deadline) -> Self {
        let mut state = self.clone();
        if let Self::AwaitingAcceptance { deadline }
        | Self::AwaitingDeposit { deadline }
        | Self::AwaitingPayment { deadline, .. }
        | Self::AwaitingConfirmation { deadline } = &mut state
        {
            *deadline = new;
        }
        state
    }
}

impl Order {
    /// Returns when the grace period ends; `None` until the late party was notified, and in states without a grace
    /// period.
    pub fn grace_until(&self) -> Option<Timestamp> {
        match &self.state {
            State::AwaitingDeposit { deadline } | State::AwaitingPayment { deadline, .. } => {
                deadline.grace_until(self.terms.windows.grace)
            }
            _ => None,
        }
    }

    /// Returns when the platform will cancel the order unless the late party acts: at the end of the grace period.
    /// `None` before the late party was notified, while unconfirmed transfers cover the funding request, while a
    /// payment awaits the seller's confirmation or was seen on the chain, before a buyer who may have paid was notified
    /// again, and while the order is frozen or under appeal.
    pub fn lapses_at(&self, inputs: &OrderInputs) -> Option<Timestamp> {
        let paid = match (&self.state, inputs.payment) {
            (State::AwaitingPayment { .. }, PaymentEvidence::Seen) => true,
            (State::AwaitingPayment { deadline, .. }, PaymentEvidence::Ambiguous) => !deadline.extended,
            _ => false,
        };
        self.grace_until().filter(|_| !inputs.covered && !paid && self.suspended_at().is_none())
    }

    /// Returns whether the grace period has ended and the order can be cancelled.
    pub(super) fn lapsed(&self, inputs: &OrderInputs) -> bool {
        self.lapses_at(inputs).is_some_and(|at| inputs.now >= at)
    }

    /// Returns whether a party is late. A deadline counts as met while unconfirmed transfers cover the funding request.
    /// The deadline of an order that is frozen or under appeal is suspended.
    pub fn overdue(&self, inputs: &OrderInputs) -> bool {
        let now = self.suspended_at().map_or(inputs.now, |since| since.min(inputs.now));
        !inputs.covered && self.state.deadline().is_some_and(|deadline| deadline.passed(now))
    }

    /// Returns the next time at which the order's view changes because time passes; `None` if there is none.
    pub fn changes_at(&self, now: Timestamp) -> Option<Timestamp> {
        let deadline = self.state.deadline().map(|deadline| deadline.at);
        [deadline, self.grace_until(), self.frozen_appeal_from()].into_iter().flatten().filter(|at| *at > now).min()
    }

    /// Returns when the clock must process the order; `None` if nothing is pending. The time stays in the past while
    /// unconfirmed transfers prevent a cancellation.
    pub fn due_at(&self) -> Option<Timestamp> {
        if let Some(appeal) = self.open_appeal() {
            return match &appeal.status {
                AppealStatus::Decided { delay, .. } => Some(delay.at),
                _ => None,
            };
        }
        if self.frozen.is_some() || self.progress.voided.is_some() {
            return self.appeal_due_at();
        }
        let deadline = self.state.deadline()?;
        match &self.state {
            State::AwaitingConfirmation { .. } if deadline.notified_at.is_some() => self.appeal_due_at(),
            _ => Some(self.grace_until().unwrap_or(deadline.at)),
        }
    }

    /// Returns the event that is due at `now`.
    pub fn due(&self, now: Timestamp) -> Option<Event> {
        self.due_at().filter(|&at| now >= at)?;
        let notified = self.state.deadline().is_some_and(|deadline| deadline.notified_at.is_some());
        Some(match &self.state {
            _ if self.open_appeal().is_some() => Event::VerdictDue,
            _ if self.frozen.is_some() || self.progress.voided.is_some() => Event::AppealDue,
            State::AwaitingConfirmation { .. } if notified => Event::AppealDue,
            _ if notified => Event::GracePassed,
            _ => Event::DeadlinePassed,
        })
    }

    /// Returns the same order and version with the deadline, and the delay of a verdict, extended by an outage. `None`
    /// if neither was running during the outage.
    pub fn extended_by(&self, from: Timestamp, until: Timestamp) -> Option<Self> {
        // Whatever ends a suspension extends the deadline by the time since its start.
        let before = self.suspended_at().map_or(until, |since| until.min(since));
        let deadline = self.state.deadline().and_then(|deadline| deadline.extended_by(from, before));
        let verdict = self.open_appeal().and_then(|appeal| match &appeal.status {
            AppealStatus::Decided { verdict, delay } => {
                let delay = delay.extended_by(from, until)?;
                let status = AppealStatus::Decided { verdict: verdict.clone(), delay };
                Some(Appeal { status, ..appeal.clone() })
            }
            _ => None,
        });
        if deadline.is_none() && verdict.is_none() {
            return None;
        }
        let state = deadline.map_or_else(|| self.state.clone(), |deadline| self.state.with_deadline(deadline));
        Some(Self { state, appeal: verdict.or_else(|| self.appeal.clone()), ..self.clone() })
    }
}

/// Refuses a deadline while the order is frozen or under appeal.
fn not_suspended(order: &Order) -> Result<(), Refusal> {
    if order.open_appeal().is_some() {
        Err(Refusal::LockedByAppeal)
    } else if order.frozen.is_some() {
        Err(Refusal::Frozen)
    } else {
        Ok(())
    }
}

pub(super) fn deadline_passed(order: &Order, inputs: &OrderInputs) -> Result<Applied<Transition>, Refusal> {
    if matches!(order.state.cancelled(), Some(c) if c.reason == CancelReason::AcceptanceOverdue) {
        return Ok(Applied::AlreadyDone);
    }
    let deadline = *order.state.deadline().ok_or(Refusal::Stale)?;
    not_suspended(order)?;
    if !deadline.passed(inputs.now) {
        return Err(Refusal::Stale);
    }
    if deadline.notified_at.is_some() {
        return Ok(Applied::AlreadyDone);
    }
    if inputs.covered {
        // The event is due again if a reorganization removes the covering transfers. If they never become final, for example
        // because the ledger refuses them, an officer must decide.
        return Ok(appeal_rules::due(order, inputs).unwrap_or(Applied::AlreadyDone));
    }
    let mut draft = TransitionBuilder::of(order);
    let notice = match &order.state {
        State::AwaitingDeposit { .. } => Notice::DepositOverdue,
        State::AwaitingPayment { .. } => Notice::PaymentOverdue,
        State::AwaitingConfirmation { .. } => Notice::ConfirmationOverdue,
        _ => {
            let reason = CancelReason::AcceptanceOverdue;
            settle::cancel(&mut draft, Cancelled { at: inputs.now, by: None, reason }, inputs.payout);
            return Ok(draft.done());
        }
    };
    let told = Deadline { notified_at: Some(inputs.now), ..deadline };
    draft.proceed(order.state.with_deadline(told), inputs.now);
    draft.notify_both(notice);
    Ok(draft.done())
}

/// Returns why an order is cancelled that the buyer has not paid in time.
pub(super) fn not_paid(inputs: &OrderInputs) -> CancelReason {
    if inputs.paused { CancelReason::Undeliverable } else { CancelReason::PaymentOverdue }
}

pub(super) fn grace_passed(order: &Order, inputs: &OrderInputs) -> Result<Applied<Transition>, Refusal> {
    let reason = match &order.state {
        State::AwaitingDeposit { .. } => CancelReason::DepositOverdue,
        State::AwaitingPayment { .. } => not_paid(inputs),
        State::Cancelled { cancelled, .. } | State::Refunding { cancelled, .. }
            if matches!(
                cancelled.reason,
                CancelReason::DepositOverdue | CancelReason::PaymentOverdue | CancelReason::Undeliverable
            ) =>
        {
            return Ok(Applied::AlreadyDone);
        }
        _ => return Err(Refusal::Stale),
    };
    if order.open_appeal().is_some_and(|open| open.initiator.is_none()) {
        return Ok(Applied::AlreadyDone);
    }
    not_suspended(order)?;
    if order.grace_until().is_none_or(|end| inputs.now < end) {
        let extended = order.state.deadline().is_some_and(|deadline| deadline.extended);
        return if extended { Ok(Applied::AlreadyDone) } else { Err(Refusal::Stale) };
    }
    if let State::AwaitingPayment { deadline, .. } = &order.state
        && inputs.payment == PaymentEvidence::Ambiguous
        && !deadline.extended
    {
        return Ok(second_grace(order, *deadline, inputs));
    }
    if !order.lapsed(inputs) {
        // A payment that was seen on the chain, or transfers that cover the funding request, prevent the cancellation. If
        // nobody acts and nothing becomes final, an officer must decide.
        return appeal_rules::due(order, inputs).map_err(|_| Refusal::Forbidden(Action::Cancel));
    }
    let mut draft = TransitionBuilder::of(order);
    settle::cancel(&mut draft, Cancelled { at: inputs.now, by: None, reason }, inputs.payout);
    Ok(draft.done())
}

/// Gives a buyer who may have paid a second grace period, which starts with another notification.
fn second_grace(order: &Order, deadline: Deadline, inputs: &OrderInputs) -> Applied<Transition> {
    let mut draft = TransitionBuilder::of(order);
    let extended = Deadline { notified_at: Some(inputs.now), extended: true, ..deadline };
    draft.proceed(order.state.with_deadline(extended), inputs.now);
    draft.notify_both(Notice::PaymentAmbiguous);
    draft.done()
}

pub(super) fn outage(order: &Order, from: Timestamp, until: Timestamp) -> Applied<Transition> {
    let Some(moved) = order.extended_by(from, until) else { return Applied::AlreadyDone };
    let mut draft = TransitionBuilder::of(order);
    draft.order.state = moved.state;
    if moved.appeal != order.appeal {
        draft.order.appeal = moved.appeal;
        draft.appeal_changed();
    }
    draft.notify_both(Notice::DeadlineMoved);
    draft.done()
}
