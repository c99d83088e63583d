//! What people ask for.

use super::draft::Draft;
use super::{Act, By, CancelReason, Cancelled, Demand, Facts, Order, Outcome, Paid, State, settle};
use crate::deadline::Deadline;
use crate::effect::{Effect, Notice};
use crate::refusal::{OrderAction, Refusal};
use crate::trade::{Party, Side};

/// How long a payment's reference and hash may be, in characters.
pub const MAX_PAID_TEXT: usize = 100;

/// How many pictures of a receipt may come with a payment.
pub const MAX_RECEIPTS: usize = 5;

/// What a person has to bring along for an act, as the order stands now.
///
/// Ask before the transaction, so that a slow password check holds no row; [`decide`] refuses if the order has moved
/// on since, by its version.
pub fn demand(order: &Order, user: crate::ids::UserId, act: &Act) -> Demand {
    match (act, &order.state, order.terms.party(user)) {
        (Act::Confirm, _, _) | (Act::Cancel, State::AwaitingConfirmation { .. }, Some(Party::Buyer)) => {
            Demand::SecurityPassword
        }
        _ => Demand::Nothing,
    }
}

/// Carries out what a person asks.
///
/// Refuses, in this order: a stranger ([`Refusal::OrderMissing`]), a stale version ([`Refusal::Stale`]), anything but
/// *mark paid* on a frozen order ([`Refusal::Frozen`]), what the state, the side or the kind of the order does not
/// allow ([`Refusal::Forbidden`]), and a missing security password ([`Refusal::Invalid`] on `securityCode`). Before the
/// version is looked at, an act whose effect is there already is answered [`Outcome::AlreadyDone`].
pub fn decide(order: &Order, by: &By, act: &Act, facts: &Facts) -> Result<Outcome, Refusal> {
    let party = order.terms.party(by.user).ok_or(Refusal::OrderMissing)?;
    if already_done(order, party, act) {
        return Ok(Outcome::AlreadyDone);
    }
    if by.seen != order.version {
        return Err(Refusal::Stale);
    }
    if order.overlay.is_some() && !matches!(act, Act::MarkPaid { .. }) {
        return Err(Refusal::Frozen);
    }
    let outcome = match act {
        Act::Accept => accept(order, party, facts),
        Act::Reject => reject(order, party, facts),
        Act::Cancel => cancel(order, party, facts),
        Act::AskCancel => ask_cancel(order, party, facts),
        Act::AgreeCancel => agree_cancel(order, party, facts),
        Act::MarkPaid { .. } => mark_paid(order, party, act, facts),
        Act::Confirm => confirm(order, party, facts),
        Act::Recover => recover(order, facts),
    }?;
    if demand(order, by.user, act) == Demand::SecurityPassword && !by.password_verified {
        return Err(Refusal::Invalid { field: "securityCode", reason: "required" });
    }
    Ok(outcome)
}

/// Whether the order stands where the act of this side would have brought it.
fn already_done(order: &Order, party: Party, act: &Act) -> bool {
    let state = &order.state;
    let advertiser = party == order.terms.advertiser_party();
    match act {
        Act::Accept => {
            let next = matches!(
                (order.terms.side, state),
                (Side::Sell, State::AwaitingPayment { .. }) | (Side::Buy, State::AwaitingDeposit { .. })
            );
            advertiser && next && !order.terms.automatic()
        }
        Act::Reject => advertiser && matches!(state, State::Rejected { .. }),
        Act::Cancel => state.cancelled().is_some_and(|c| c.by == Some(party) && c.reason != CancelReason::Agreed),
        Act::AskCancel => {
            party == Party::Seller && matches!(state, State::AwaitingPayment { cancel_asked_at: Some(_), .. })
        }
        Act::AgreeCancel => {
            party == Party::Buyer && state.cancelled().is_some_and(|c| c.reason == CancelReason::Agreed)
        }
        Act::MarkPaid { .. } => {
            let same = order.progress.paid.as_ref().is_some_and(|paid| paid_of(act, paid.at).as_ref() == Some(paid));
            party == Party::Buyer && matches!(state, State::AwaitingConfirmation { .. }) && same
        }
        Act::Confirm => party == Party::Seller && matches!(state, State::Releasing { .. }) && !order.terms.automatic(),
        Act::Recover => matches!(state, State::Releasing { .. }),
    }
}

fn accept(order: &Order, party: Party, facts: &Facts) -> Result<Outcome, Refusal> {
    let State::AwaitingAcceptance { deadline } = &order.state else {
        return Err(Refusal::Forbidden(OrderAction::Accept));
    };
    if party != order.terms.advertiser_party() || deadline.passed(facts.now) {
        return Err(Refusal::Forbidden(OrderAction::Accept));
    }
    let windows = &order.terms.windows;
    let mut draft = Draft::of(order);
    draft.order.progress.accepted_at = Some(facts.now);
    match order.terms.side {
        Side::Sell => {
            let deadline = Deadline::new(facts.now, windows.payment);
            draft.proceed(State::AwaitingPayment { deadline, cancel_asked_at: None }, facts.now);
            draft.call(Party::Buyer);
        }
        Side::Buy if facts.seller_claims => return Err(Refusal::ClaimOpen),
        Side::Buy => {
            let deadline = Deadline::new(facts.now, windows.order_deposit);
            draft.proceed(State::AwaitingDeposit { deadline }, facts.now);
            if let Some(claim) = draft.order.claim(facts.now) {
                draft.effect(Effect::OpenClaim(claim));
            }
            draft.call(Party::Seller);
        }
    }
    draft.notify_both(Notice::OrderAccepted);
    Ok(draft.done())
}

fn reject(order: &Order, party: Party, facts: &Facts) -> Result<Outcome, Refusal> {
    match &order.state {
        State::AwaitingAcceptance { deadline }
            if party == order.terms.advertiser_party() && !deadline.passed(facts.now) =>
        {
            let mut draft = Draft::of(order);
            let (quantity, escrow) = settle::give_back(&mut draft);
            draft.enter(State::Rejected { at: facts.now }, facts.now, quantity, escrow);
            draft.notify_both(Notice::OrderRejected);
            Ok(draft.done())
        }
        _ => Err(Refusal::Forbidden(OrderAction::Reject)),
    }
}

fn cancel(order: &Order, party: Party, facts: &Facts) -> Result<Outcome, Refusal> {
    let reason = cancel_reason(order, party, facts).ok_or(Refusal::Forbidden(OrderAction::Cancel))?;
    let mut draft = Draft::of(order);
    settle::cancel(&mut draft, Cancelled { at: facts.now, by: Some(party), reason }, facts.payout);
    Ok(draft.done())
}

/// As what a cancellation by this side would count now; nothing if it may not cancel.
fn cancel_reason(order: &Order, party: Party, facts: &Facts) -> Option<CancelReason> {
    let because = |overdue: bool, reason| if overdue { reason } else { CancelReason::Withdrawn };
    match (&order.state, party) {
        _ if facts.covered => None,
        (State::AwaitingAcceptance { deadline }, _) if party != order.terms.advertiser_party() => {
            Some(because(deadline.passed(facts.now), CancelReason::AcceptanceOverdue))
        }
        (State::AwaitingDeposit { deadline }, Party::Buyer) => {
            Some(because(deadline.passed(facts.now), CancelReason::DepositOverdue))
        }
        (State::AwaitingDeposit { .. }, Party::Seller) | (State::AwaitingPayment { .. }, Party::Buyer) => {
            Some(CancelReason::Withdrawn)
        }
        (State::AwaitingPayment { deadline, .. }, Party::Seller) => {
            let lost = deadline.grace_passed(facts.now, order.terms.windows.grace) && !facts.payment_seen;
            lost.then_some(CancelReason::PaymentOverdue)
        }
        (State::AwaitingConfirmation { deadline }, Party::Buyer) => {
            Some(because(deadline.passed(facts.now), CancelReason::ConfirmationOverdue))
        }
        _ => None,
    }
}

fn ask_cancel(order: &Order, party: Party, facts: &Facts) -> Result<Outcome, Refusal> {
    match &order.state {
        State::AwaitingPayment { deadline, cancel_asked_at: None } if party == Party::Seller && !facts.covered => {
            let mut draft = Draft::of(order);
            let asked = State::AwaitingPayment { deadline: *deadline, cancel_asked_at: Some(facts.now) };
            draft.proceed(asked, facts.now);
            draft.notify_both(Notice::CancelAsked);
            Ok(draft.done())
        }
        _ => Err(Refusal::Forbidden(OrderAction::Cancel)),
    }
}

fn agree_cancel(order: &Order, party: Party, facts: &Facts) -> Result<Outcome, Refusal> {
    match &order.state {
        State::AwaitingPayment { cancel_asked_at: Some(_), .. } if party == Party::Buyer && !facts.covered => {
            let mut draft = Draft::of(order);
            let (by, reason) = (Some(Party::Seller), CancelReason::Agreed);
            settle::cancel(&mut draft, Cancelled { at: facts.now, by, reason }, facts.payout);
            Ok(draft.done())
        }
        _ => Err(Refusal::Forbidden(OrderAction::Cancel)),
    }
}

fn mark_paid(order: &Order, party: Party, act: &Act, facts: &Facts) -> Result<Outcome, Refusal> {
    let allowed = matches!(order.state, State::AwaitingPayment { .. });
    if !allowed || party != Party::Buyer || order.terms.automatic() {
        return Err(Refusal::Forbidden(OrderAction::MarkPaid));
    }
    let paid = paid_of(act, facts.now).ok_or(Refusal::Forbidden(OrderAction::MarkPaid))?;
    if paid.method.is_some_and(|id| !order.terms.payment.is_through(id)) {
        return Err(Refusal::PaymentMethodMissing);
    }
    check_text("reference", paid.reference.as_deref())?;
    check_text("hash", paid.hash.as_deref())?;
    if paid.receipts.len() > MAX_RECEIPTS {
        return Err(Refusal::Invalid { field: "receipts", reason: "too many" });
    }
    let mut draft = Draft::of(order);
    draft.order.progress.paid = Some(paid);
    let deadline = Deadline::new(facts.now, order.terms.windows.confirmation);
    draft.proceed(State::AwaitingConfirmation { deadline }, facts.now);
    draft.notify_both(Notice::OrderPaid);
    draft.call(Party::Seller);
    Ok(draft.done())
}

fn paid_of(act: &Act, at: crate::clock::Moment) -> Option<Paid> {
    match act {
        Act::MarkPaid { method, reference, hash, receipts } => Some(Paid {
            method: *method,
            reference: reference.clone(),
            hash: hash.clone(),
            receipts: receipts.clone(),
            at,
        }),
        _ => None,
    }
}

fn check_text(field: &'static str, text: Option<&str>) -> Result<(), Refusal> {
    match text {
        Some(text) if text.trim().is_empty() => Err(Refusal::Invalid { field, reason: "blank" }),
        Some(text) if text.chars().count() > MAX_PAID_TEXT => Err(Refusal::Invalid { field, reason: "too long" }),
        Some(text) if text.chars().any(char::is_control) => {
            Err(Refusal::Invalid { field, reason: "control characters" })
        }
        _ => Ok(()),
    }
}

fn confirm(order: &Order, party: Party, facts: &Facts) -> Result<Outcome, Refusal> {
    match order.state {
        State::AwaitingConfirmation { .. } if party == Party::Seller && !order.terms.automatic() => {
            let mut draft = Draft::of(order);
            settle::release(&mut draft, facts.payout, facts.now);
            Ok(draft.done())
        }
        _ => Err(Refusal::Forbidden(OrderAction::Confirm)),
    }
}

fn recover(order: &Order, facts: &Facts) -> Result<Outcome, Refusal> {
    match order.state {
        State::ReleaseRevoked { payout, .. } => {
            let mut draft = Draft::of(order);
            draft.effect(Effect::Hurry(payout));
            draft.proceed(State::Releasing { payout }, facts.now);
            draft.notify_both(Notice::OrderReleasing);
            Ok(draft.done())
        }
        _ => Err(Refusal::Forbidden(OrderAction::Recover)),
    }
}
