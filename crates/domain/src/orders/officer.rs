//! The decisions of officers about appeals, and the execution of their verdicts.

use chrono::Duration;
use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

use super::appeal::{Appeal, AppealStatus, Verdict};
use super::movements::movements;
use super::transition::TransitionBuilder;
use super::{CancelReason, Cancelled, Order, OrderInputs, State, Transition, appeal_rules, settle};
use crate::applied::Applied;
use crate::deadline::Deadline;
use crate::effect::Notice;
use crate::money::Amount;
use crate::refusal::Refusal;
use crate::reputation::Cause;
use crate::trade::{Leg, Party};

/// An officer's decision about an open appeal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AppealDecision {
    /// One party wins. The verdict is executed after the delay.
    Verdict { winner: Party, note: String, malicious: bool, delay: Duration },
    /// The order resumes.
    Reject { note: String, malicious: bool },
    /// Revokes a verdict that has not been executed yet.
    Reopen,
}

impl AppealDecision {
    /// Checks that only an appeal whose initiator loses is found malicious. An appeal of the platform has no initiator.
    pub fn check(&self, appeal: &Appeal) -> Result<(), Refusal> {
        let fits = match self {
            Self::Verdict { malicious: true, winner, .. } => appeal.initiator == Some(winner.other()),
            Self::Reject { malicious: true, .. } => appeal.initiator.is_some(),
            Self::Verdict { .. } | Self::Reject { .. } | Self::Reopen => true,
        };
        if fits { Ok(()) } else { Err(Refusal::Invalid { field: "malicious", reason: "no initiator who loses" }) }
    }
}

/// How much an officer may decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Authority {
    /// Decides appeals about orders of up to [`Limits::customer_service`].
    CustomerService,
    AppealOfficer,
}

/// The values of orders up to which officers decide alone, in the platform's unit of value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    pub customer_service: Amount,
    /// A verdict or a rejection about more than this needs a second officer.
    pub one_officer: Amount,
}

impl Limits {
    /// Returns whether an officer may decide an appeal about an order of this value. `None` is an unknown value, which
    /// counts as unlimited.
    pub fn allows(&self, authority: Authority, value: Option<Amount>) -> bool {
        authority == Authority::AppealOfficer || value.is_some_and(|value| value <= self.customer_service)
    }

    /// Returns whether a verdict or a rejection about an order of this value needs a second officer. The revocation of a verdict
    /// needs none, because it moves nothing.
    pub fn needs_second_officer(&self, value: Option<Amount>) -> bool {
        value.is_none_or(|value| value > self.one_officer)
    }

    /// Returns who can decide or reject an appeal about an order of this value.
    pub fn required_officers(&self, value: Option<Amount>) -> RequiredOfficers {
        if self.needs_second_officer(value) {
            RequiredOfficers::TwoOfficers
        } else if self.allows(Authority::CustomerService, value) {
            RequiredOfficers::CustomerService
        } else {
            RequiredOfficers::AppealOfficer
        }
    }
}

/// Who can decide or reject an appeal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum RequiredOfficers {
    /// Customer service or an appeal officer.
    CustomerService,
    AppealOfficer,
    /// Two appeal officers who decide the same.
    TwoOfficers,
}

/// The reason why an officer cannot make this decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error, Serialize, IntoStaticStr)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE", const_into_str)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum Undecidable {
    #[error("the order has no open appeal")]
    NotOpen,
    #[error("the appeal already has a verdict, which must be revoked first")]
    Decided,
    #[error("the appeal has no verdict that could be revoked")]
    NotDecided,
    /// Coins that must be released are missing.
    #[error("the order's coins are incomplete: it can only be decided for the seller")]
    Short,
    #[error("orders of this value are decided by appeal officers")]
    AboveLimit,
    /// The officer does not count as another one than the one who proposed the same.
    #[error("an officer of another administrator must agree to this proposal")]
    NotIndependent,
    /// The order cannot resume after its payout was voided.
    #[error("the payout was voided, so the appeal must be decided for one of the parties")]
    CannotResume,
}

/// Decides the order's open appeal.
pub fn decide_appeal(
    order: &Order,
    decision: &AppealDecision,
    inputs: &OrderInputs,
) -> Result<Transition, Undecidable> {
    let open = order.open_appeal().ok_or(Undecidable::NotOpen)?;
    let decided = matches!(open.status, AppealStatus::Decided { .. });
    let mut draft = TransitionBuilder::of(order);
    match decision {
        AppealDecision::Reopen if !decided => return Err(Undecidable::NotDecided),
        AppealDecision::Verdict { .. } | AppealDecision::Reject { .. } if decided => return Err(Undecidable::Decided),
        AppealDecision::Reopen => {
            draft.set_appeal_status(AppealStatus::Pending);
            draft.notify_both(Notice::AppealReopened);
        }
        AppealDecision::Verdict { winner, note, malicious, delay } => {
            let (winner, malicious) = (*winner, *malicious);
            let outcome = outcome(order, winner)?;
            let mut verdict = Verdict { winner, outcome, note: note.clone(), malicious, movements: Vec::new() };
            verdict.movements = movements(&execute(order, &verdict, inputs));
            draft.set_appeal_status(AppealStatus::Decided { verdict, delay: Deadline::new(inputs.now, *delay) });
            draft.notify_both(Notice::AppealDecided);
        }
        AppealDecision::Reject { .. } if order.progress.voided.is_some() => return Err(Undecidable::CannotResume),
        AppealDecision::Reject { note, malicious } => {
            let initiator = open.initiator.filter(|_| *malicious);
            let status = AppealStatus::Rejected { at: inputs.now, note: note.clone(), malicious: *malicious };
            appeal_rules::end(&mut draft, status, inputs);
            if let Some(initiator) = initiator {
                appeal_rules::charge(&mut draft, initiator, Cause::AppealMalicious);
            }
            draft.notify_both(Notice::AppealRejected);
            appeal_rules::resume_settlement(&mut draft, inputs);
        }
    }
    Ok(draft.into_transition())
}

/// What a verdict does with the coins in escrow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE", const_into_str)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = AppealOutcome))]
pub enum Outcome {
    /// The base goes to the buyer; in an automatic order, the quote also goes to the seller.
    Release,
    /// Each coin returns to its source.
    Cancel,
}

/// Returns what a verdict for this party does. Before the acceptance and the seller's deposit, the buyer wins only the end
/// of the order, because the buyer cannot have paid.
pub fn outcome(order: &Order, winner: Party) -> Result<Outcome, Undecidable> {
    let unpaid = match order.state {
        State::AwaitingAcceptance { .. } => true,
        State::AwaitingDeposit { .. } => order.progress.deposited_at.is_none(),
        _ => false,
    };
    match winner {
        Party::Seller => Ok(Outcome::Cancel),
        Party::Buyer if unpaid => Ok(Outcome::Cancel),
        Party::Buyer => {
            let mut draft = TransitionBuilder::of(order);
            settle::revert_kept(&mut draft);
            releasable(&draft.order).map(|()| Outcome::Release)
        }
    }
}

/// Executes a verdict whose delay has passed. If a release would move other coins than the officer decided, because a
/// reorganization has removed some or has returned some, reopens the appeal instead. Without a release, each coin returns to its
/// source, whatever has arrived or left meanwhile.
pub(super) fn verdict_due(order: &Order, inputs: &OrderInputs) -> Result<Applied<Transition>, Refusal> {
    let Some(appeal) = &order.appeal else { return Err(Refusal::Stale) };
    let (verdict, delay) = match &appeal.status {
        AppealStatus::Decided { verdict, delay } => (verdict.clone(), delay),
        AppealStatus::Executed { .. } => return Ok(Applied::AlreadyDone),
        _ => return Err(Refusal::Stale),
    };
    if !delay.passed(inputs.now) {
        return Err(Refusal::Stale);
    }
    let releasable = || outcome(order, verdict.winner) == Ok(Outcome::Release);
    let executed = execute(order, &verdict, inputs);
    if verdict.outcome == Outcome::Release && !(releasable() && movements(&executed) == verdict.movements) {
        let mut draft = TransitionBuilder::of(order);
        draft.set_appeal_status(AppealStatus::Pending);
        draft.notify_both(Notice::AppealReopened);
        return Ok(draft.done());
    }
    Ok(Applied::Done(Box::new(executed)))
}

/// Returns what a verdict does with the order as it is.
fn execute(order: &Order, verdict: &Verdict, inputs: &OrderInputs) -> Transition {
    let initiator = order.appeal.as_ref().and_then(|appeal| appeal.initiator);
    let mut draft = TransitionBuilder::of(order);
    draft.set_appeal_status(AppealStatus::Executed { verdict: verdict.clone(), at: inputs.now });
    charge_loser(&mut draft, verdict, initiator);
    draft.notify_both(Notice::OrderDecided);
    settle::revert_kept(&mut draft);
    let cancelled = Cancelled { at: inputs.now, by: None, reason: CancelReason::Decided };
    match (verdict.outcome, &order.state) {
        (Outcome::Release, _) => {
            close_funding_request(&mut draft);
            let awaited = matches!(order.state, State::AwaitingConfirmation { .. });
            draft.order.progress.confirmed_late |= awaited && order.overdue(inputs);
            settle::release(&mut draft, inputs.payout, inputs.now, Notice::OrderReleasing);
        }
        (Outcome::Cancel, State::Refunding { cancelled, .. }) => settle::refund_again(&mut draft, *cancelled, inputs),
        (Outcome::Cancel, _) => settle::cancel(&mut draft, cancelled, inputs.payout),
    }
    draft.into_transition()
}

/// Charges the loser. Nobody loses reputation for a voided payout, which neither party caused. Unless the appeal is malicious, nobody
/// does either if the chain has removed a part of the base: an officer must end such an order even if both parties have done their
/// part.
fn charge_loser(draft: &mut TransitionBuilder, verdict: &Verdict, initiator: Option<Party>) {
    if draft.order.progress.voided.is_some() {
        return;
    }
    let loser = verdict.winner.other();
    let malicious = verdict.malicious && initiator == Some(loser);
    if !malicious && !draft.order.missing(Leg::Base).is_zero() {
        return;
    }
    appeal_rules::charge(draft, loser, if malicious { Cause::AppealMalicious } else { Cause::AppealLost });
}

/// Closes the funding request that a suspended automatic order may still have open.
fn close_funding_request(draft: &mut TransitionBuilder) {
    if draft.order.funded_leg().is_some() {
        draft.effect(crate::effect::Effect::CloseFundingRequest(crate::funding::FundingTarget::Order(draft.order.id)));
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
