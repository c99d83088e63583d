//! Runs the commands of an order's parties.

use super::transition::TransitionBuilder;
use super::{
    Action, AppealStatus, CancelReason, Cancelled, Order, OrderCaller, OrderCommand, OrderInputs, Paid, RequiredProof,
    State, Transition, appeal_rules, deadlines, settle,
};
use crate::applied::Applied;
use crate::checks::has_contact_information;
use crate::effect::{Effect, Notice};
use crate::ids::UserId;
use crate::refusal::Refusal;
use crate::reputation::Acceptance;
use crate::text::is_blank;
use crate::trade::{Party, Side};

/// The maximum length of a payment's reference, of its hash, and of the reason of a rejection, in characters.
pub const MAX_PAID_TEXT: usize = 100;

/// The maximum number of receipt pictures per payment.
pub const MAX_RECEIPTS: usize = 5;

/// Returns the proof that a command requires besides a session, in the order's current state. `held` tells whether there is a
/// hold on the user's account.
///
/// Call this before the transaction, so that the slow verification of a password does not hold row locks. If the order
/// or the hold changes in the meantime, [`decide`] refuses the command.
pub fn required_proof(order: &Order, user: UserId, act: &OrderCommand, held: bool) -> RequiredProof {
    match (act, &order.state, order.terms.party(user)) {
        (OrderCommand::Confirm, _, _) if held => RequiredProof::SecurityPasswordAndPass,
        (OrderCommand::Confirm, _, _)
        | (OrderCommand::Cancel, State::AwaitingConfirmation { .. }, Some(Party::Buyer)) => {
            RequiredProof::SecurityPassword
        }
        _ => RequiredProof::Nothing,
    }
}

impl Order {
    /// Returns the command with which a user calls the order off: an advertiser who has not accepted the order rejects it, and
    /// may say why; everybody else cancels it. `seen` is the version that the user has read. If the order could be rejected
    /// then and cannot be any more, [`decide`] refuses the command.
    pub fn calling_off(&self, user: UserId, seen: i64, reason: Option<String>) -> Result<OrderCommand, Refusal> {
        let rejects = self.terms.advertiser == user
            && matches!(self.state, State::AwaitingAcceptance { .. } | State::Rejected { .. });
        match reason {
            reason if rejects => Ok(OrderCommand::Reject { reason }),
            Some(_) if seen == self.version => {
                Err(Refusal::Invalid { field: "reason", reason: "only for a rejection" })
            }
            _ => Ok(OrderCommand::Cancel),
        }
    }
}

/// Runs a user's command.
///
/// Refuses, in this order: a user who is not a party ([`Refusal::OrderMissing`]), a stale version ([`Refusal::Stale`]), any
/// command but those about the appeal on an order under appeal ([`Refusal::LockedByAppeal`]), any command but *mark paid* on an
/// order that froze within 24 hours, and later any but that and *appeal* ([`Refusal::Frozen`]), a command that the order's state
/// or kind or the user's side does not allow ([`Refusal::Forbidden`]), accepting or giving up a payment during a hold
/// ([`Refusal::HeldUntil`]), and a missing security password or approval through the pass ([`Refusal::Invalid`] on `securityCode`
/// or `passTicket`). A command that already took effect returns [`Applied::AlreadyDone`], even with a stale version.
pub fn decide(
    order: &Order,
    by: &OrderCaller,
    act: &OrderCommand,
    inputs: &OrderInputs,
) -> Result<Applied<Transition>, Refusal> {
    let party = order.terms.party(by.user).ok_or(Refusal::OrderMissing)?;
    if already_done(order, party, act) {
        return Ok(Applied::AlreadyDone);
    }
    if by.seen != order.version {
        return Err(Refusal::Stale);
    }
    let about_appeal = matches!(act, OrderCommand::WithdrawAppeal | OrderCommand::AddEvidence(_));
    if order.open_appeal().is_some() && !about_appeal {
        return Err(Refusal::LockedByAppeal);
    }
    let while_frozen = about_appeal || matches!(act, OrderCommand::MarkPaid { .. } | OrderCommand::Appeal { .. });
    if order.frozen.is_some() && !while_frozen {
        return Err(Refusal::Frozen);
    }
    let outcome = match act {
        OrderCommand::Accept => accept(order, party, inputs),
        OrderCommand::Reject { reason } => reject(order, party, reason.as_deref(), inputs),
        OrderCommand::Cancel => cancel(order, party, inputs),
        OrderCommand::AskCancel => ask_cancel(order, party, inputs),
        OrderCommand::AgreeCancel => agree_cancel(order, party, inputs),
        OrderCommand::MarkPaid { .. } => mark_paid(order, party, act, inputs),
        OrderCommand::Confirm => confirm(order, party, inputs),
        OrderCommand::Recover => recover(order, inputs),
        OrderCommand::Appeal { reason, description, evidence } => {
            appeal_rules::file(order, party, (*reason, description.as_deref()), evidence, inputs)
        }
        OrderCommand::AddEvidence(evidence) => appeal_rules::add_evidence(order, party, evidence, inputs),
        OrderCommand::WithdrawAppeal => appeal_rules::withdraw(order, party, inputs),
    }?;
    if let Some(until) = by.held_until
        && is_refused_under_hold(order, act)
    {
        return Err(Refusal::HeldUntil { until });
    }
    let needed = required_proof(order, by.user, act, by.held_until.is_some());
    if needed.security_password() && !by.proofs.security_password {
        return Err(Refusal::Invalid { field: "securityCode", reason: "required" });
    }
    if needed.pass() && !by.proofs.pass {
        return Err(Refusal::Invalid { field: "passTicket", reason: "required" });
    }
    Ok(outcome)
}

/// Returns whether a hold on the user's account refuses a command: whoever has taken the account over could accept an order for
/// an accomplice, or give up coins for which the user may already have paid.
fn is_refused_under_hold(order: &Order, act: &OrderCommand) -> bool {
    match act {
        OrderCommand::Accept | OrderCommand::AgreeCancel => true,
        OrderCommand::Cancel => matches!(order.state, State::AwaitingConfirmation { .. }),
        _ => false,
    }
}

/// Returns whether the order is already in the state to which this party's command leads.
fn already_done(order: &Order, party: Party, act: &OrderCommand) -> bool {
    let state = &order.state;
    let advertiser = party == order.terms.advertiser_party();
    match act {
        OrderCommand::Accept => {
            let next = matches!(
                (order.terms.side, state),
                (Side::Sell, State::AwaitingPayment { .. }) | (Side::Buy, State::AwaitingDeposit { .. })
            );
            advertiser && next && !order.terms.automatic()
        }
        OrderCommand::Reject { reason } => {
            advertiser && matches!(state, State::Rejected { .. }) && state.rejection() == reason.as_deref()
        }
        OrderCommand::Cancel => {
            state.cancelled().is_some_and(|c| c.by == Some(party) && c.reason != CancelReason::Agreed)
        }
        OrderCommand::AskCancel => {
            party == Party::Seller && matches!(state, State::AwaitingPayment { cancel_asked_at: Some(_), .. })
        }
        OrderCommand::AgreeCancel => {
            party == Party::Buyer && state.cancelled().is_some_and(|c| c.reason == CancelReason::Agreed)
        }
        OrderCommand::MarkPaid { .. } => {
            let same = order.progress.paid.as_ref().is_some_and(|paid| paid_of(act, paid.at).as_ref() == Some(paid));
            party == Party::Buyer && matches!(state, State::AwaitingConfirmation { .. }) && same
        }
        OrderCommand::Confirm => {
            party == Party::Seller && matches!(state, State::Releasing { .. }) && !order.terms.automatic()
        }
        OrderCommand::Recover => matches!(state, State::Releasing { .. }),
        OrderCommand::Appeal { reason, description, evidence } => order.open_appeal().is_some_and(|open| {
            let has = |file| open.evidence.iter().any(|one| one.by == party && one.file == file);
            open.initiator == Some(party)
                && open.reason == *reason
                && open.description == *description
                && evidence.files().all(|(file, _)| has(file))
        }),
        OrderCommand::AddEvidence(evidence) => order.open_appeal().is_some_and(|open| {
            let known = |file| open.evidence.iter().any(|one| one.file == file && one.by == party);
            !evidence.is_empty() && evidence.files().all(|(file, _)| known(file))
        }),
        OrderCommand::WithdrawAppeal => order
            .appeal
            .as_ref()
            .is_some_and(|appeal| matches!(appeal.status, AppealStatus::Withdrawn { by, .. } if by == Some(party))),
    }
}

fn accept(order: &Order, party: Party, inputs: &OrderInputs) -> Result<Applied<Transition>, Refusal> {
    let State::AwaitingAcceptance { deadline } = &order.state else {
        return Err(Refusal::Forbidden(Action::Accept));
    };
    if party != order.terms.advertiser_party() || deadline.passed(inputs.now) {
        return Err(Refusal::Forbidden(Action::Accept));
    }
    let mut draft = TransitionBuilder::of(order);
    draft.order.progress.accepted_at = Some(inputs.now);
    draft.acceptance(Acceptance::Answered);
    match order.terms.side {
        Side::Sell => {
            draft.proceed(State::awaiting_payment(&order.terms, inputs.now), inputs.now);
            draft.call(Party::Buyer);
        }
        Side::Buy if inputs.seller_has_funding_request => return Err(Refusal::FundingRequestOpen),
        Side::Buy => {
            draft.proceed(State::awaiting_deposit(&order.terms, inputs.now), inputs.now);
            if let Some(request) = draft.order.request(inputs.now) {
                draft.effect(Effect::OpenFundingRequest(request));
            }
            draft.call(Party::Seller);
        }
    }
    draft.notify_both(Notice::OrderAccepted);
    Ok(draft.done())
}

fn reject(
    order: &Order,
    party: Party,
    reason: Option<&str>,
    inputs: &OrderInputs,
) -> Result<Applied<Transition>, Refusal> {
    match &order.state {
        State::AwaitingAcceptance { deadline }
            if party == order.terms.advertiser_party() && !deadline.passed(inputs.now) =>
        {
            check_text("reason", reason)?;
            if reason.is_some_and(has_contact_information) {
                return Err(Refusal::Unspeakable { field: "reason", reason: "contact information" });
            }
            let mut draft = TransitionBuilder::of(order);
            let (quantity, escrow) = settle::give_back(&mut draft);
            let rejected = State::Rejected { at: inputs.now, reason: reason.map(str::to_owned) };
            draft.enter(rejected, inputs.now, quantity, escrow);
            draft.acceptance(Acceptance::Answered);
            draft.notify_both(Notice::OrderRejected);
            Ok(draft.done())
        }
        _ => Err(Refusal::Forbidden(Action::Reject)),
    }
}

fn cancel(order: &Order, party: Party, inputs: &OrderInputs) -> Result<Applied<Transition>, Refusal> {
    let reason = cancel_reason(order, party, inputs).ok_or(Refusal::Forbidden(Action::Cancel))?;
    let mut draft = TransitionBuilder::of(order);
    settle::cancel(&mut draft, Cancelled { at: inputs.now, by: Some(party), reason }, inputs.payout);
    Ok(draft.done())
}

/// Returns the reason of a cancellation by this party; `None` if the party may not cancel.
fn cancel_reason(order: &Order, party: Party, inputs: &OrderInputs) -> Option<CancelReason> {
    let withdrawn = match party {
        Party::Buyer if inputs.paused => CancelReason::Undeliverable,
        Party::Buyer | Party::Seller => CancelReason::Withdrawn,
    };
    let because = |overdue: bool, reason| if overdue { reason } else { withdrawn };
    match (&order.state, party) {
        _ if inputs.covered => None,
        (State::AwaitingAcceptance { deadline }, _) if party != order.terms.advertiser_party() => {
            Some(because(deadline.passed(inputs.now), CancelReason::AcceptanceOverdue))
        }
        (State::AwaitingDeposit { deadline }, Party::Buyer) => {
            Some(because(deadline.passed(inputs.now), CancelReason::DepositOverdue))
        }
        (State::AwaitingDeposit { .. }, Party::Seller) | (State::AwaitingPayment { .. }, Party::Buyer) => {
            Some(withdrawn)
        }
        (State::AwaitingPayment { .. }, Party::Seller) => order.lapsed(inputs).then(|| deadlines::not_paid(inputs)),
        (State::AwaitingConfirmation { deadline }, Party::Buyer) => {
            Some(because(deadline.passed(inputs.now), CancelReason::ConfirmationOverdue))
        }
        _ => None,
    }
}

fn ask_cancel(order: &Order, party: Party, inputs: &OrderInputs) -> Result<Applied<Transition>, Refusal> {
    match &order.state {
        State::AwaitingPayment { deadline, cancel_asked_at: None } if party == Party::Seller && !inputs.covered => {
            let mut draft = TransitionBuilder::of(order);
            let asked = State::AwaitingPayment { deadline: *deadline, cancel_asked_at: Some(inputs.now) };
            draft.proceed(asked, inputs.now);
            draft.notify_both(Notice::CancelAsked);
            Ok(draft.done())
        }
        _ => Err(Refusal::Forbidden(Action::Cancel)),
    }
}

fn agree_cancel(order: &Order, party: Party, inputs: &OrderInputs) -> Result<Applied<Transition>, Refusal> {
    match &order.state {
        State::AwaitingPayment { cancel_asked_at: Some(_), .. } if party == Party::Buyer && !inputs.covered => {
            let mut draft = TransitionBuilder::of(order);
            let (by, reason) = (Some(Party::Seller), CancelReason::Agreed);
            settle::cancel(&mut draft, Cancelled { at: inputs.now, by, reason }, inputs.payout);
            Ok(draft.done())
        }
        _ => Err(Refusal::Forbidden(Action::Cancel)),
    }
}

fn mark_paid(
    order: &Order,
    party: Party,
    act: &OrderCommand,
    inputs: &OrderInputs,
) -> Result<Applied<Transition>, Refusal> {
    let allowed = matches!(order.state, State::AwaitingPayment { .. });
    if !allowed || party != Party::Buyer || order.terms.automatic() {
        return Err(Refusal::Forbidden(Action::MarkPaid));
    }
    let paid = paid_of(act, inputs.now).ok_or(Refusal::Forbidden(Action::MarkPaid))?;
    if paid.method.is_some_and(|id| !order.terms.payment.is_through(id)) {
        return Err(Refusal::PaymentMethodMissing);
    }
    check_text("reference", paid.reference.as_deref())?;
    check_text("hash", paid.hash.as_deref())?;
    if paid.receipts.len() > MAX_RECEIPTS {
        return Err(Refusal::Invalid { field: "receipts", reason: "too many" });
    }
    let mut draft = TransitionBuilder::of(order);
    draft.order.progress.paid = Some(paid);
    draft.proceed(State::awaiting_confirmation(&order.terms, inputs.now), inputs.now);
    draft.notify_both(Notice::OrderPaid);
    draft.call(Party::Seller);
    Ok(draft.done())
}

fn paid_of(act: &OrderCommand, at: crate::clock::Timestamp) -> Option<Paid> {
    match act {
        OrderCommand::MarkPaid { method, reference, hash, receipts } => Some(Paid {
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
        Some(text) if is_blank(text) => Err(Refusal::Invalid { field, reason: "blank" }),
        Some(text) if text.chars().count() > MAX_PAID_TEXT => Err(Refusal::Invalid { field, reason: "too long" }),
        Some(text) if text.chars().any(char::is_control) => {
            Err(Refusal::Invalid { field, reason: "control characters" })
        }
        _ => Ok(()),
    }
}

fn confirm(order: &Order, party: Party, inputs: &OrderInputs) -> Result<Applied<Transition>, Refusal> {
    match order.state {
        State::AwaitingConfirmation { .. } if party == Party::Seller && !order.terms.automatic() => {
            let mut draft = TransitionBuilder::of(order);
            draft.order.progress.confirmed_late = order.overdue(inputs);
            settle::release(&mut draft, inputs.payout, inputs.now, Notice::PaymentConfirmed);
            Ok(draft.done())
        }
        _ => Err(Refusal::Forbidden(Action::Confirm)),
    }
}

fn recover(order: &Order, inputs: &OrderInputs) -> Result<Applied<Transition>, Refusal> {
    match order.state {
        State::ReleaseRevoked { payout, .. } => {
            let mut draft = TransitionBuilder::of(order);
            draft.proceed(State::Releasing { payout }, inputs.now);
            draft.notify_both(Notice::OrderReleasing);
            Ok(draft.done())
        }
        _ => Err(Refusal::Forbidden(Action::Recover)),
    }
}
