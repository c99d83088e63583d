//! Orders: a trade between a buyer and a seller, from placement to an end state.
//!
//! | task | call |
//! |---|---|
//! | place an order | [`open`] |
//! | run a user's command | [`decide`]; [`required_proof`] tells whether it needs the security password |
//! | apply an event of the clock, the chain or the platform | [`react`] |
//! | apply an officer's decision about an appeal | [`decide_appeal`] |
//! | list the commands available to a user, with their costs | [`available_actions`] |
//! | check an officer's request for evidence | [`request_evidence`] |
//! | tell what an officer's decision would do | [`decision_effects`] |
//! | show the five steps and where the coins are | [`steps`], [`base_location`], [`quote_location`], [`waits_for`] |
//! | schedule the next check | [`Order::due_at`] and [`Order::due`] |
//!
//! The functions take loaded values. They return a new order with the [effects](crate::effect::Effect) to write in the
//! same transaction, or a [refusal](crate::refusal::Refusal). The table of all transitions, generated from this code,
//! is `docs/generated/states.md`.

mod appeal;
mod appeal_rules;
mod available_actions;
mod command;
mod deadlines;
mod decide;
mod evidence_request;
mod misfit;
mod movements;
mod officer;
mod open;
mod order;
mod progress;
mod react;
mod settle;
mod terms;
#[cfg(test)]
pub(crate) mod tests;
mod transition;

pub use appeal::{
    Appeal, AppealReason, AppealStatus, AppealStatusName, Evidence, FROZEN_FOR, MAX_APPEAL_TEXT, MAX_EVIDENCE_PICTURES,
    MAX_EVIDENCE_VIDEOS, NewEvidence, OVERDUE_FOR, Verdict, check_appeal_text,
};
pub use available_actions::{Action, Actions, AvailableAction, available_actions};
pub use command::{Event, OrderCaller, OrderCommand, OrderInputs, PaymentEvidence, Proofs, RequiredProof, Transition};
pub use decide::{MAX_PAID_TEXT, MAX_RECEIPTS, decide, required_proof};
pub use evidence_request::{
    EvidenceKind, EvidenceRequest, MAX_REQUEST_DETAILS, MAX_REQUEST_HOURS, NewEvidenceRequest, request_evidence,
};
pub(crate) use movements::prepaid_movements;
pub use movements::{DecisionEffects, Movement, MovementKind, decision_effects, leg_of, recipient};
pub use officer::{AppealDecision, Authority, Limits, Outcome, RequiredOfficers, Undecidable, decide_appeal, outcome};
pub use open::open;
pub use order::{CancelReason, Cancelled, Frozen, Order, Paid, Progress, State, StateName, VoidedPayout};
pub use progress::{FundsLocation, Step, StepName, base_location, quote_location, steps, waits_for};
pub use react::react;
pub use terms::Terms;
