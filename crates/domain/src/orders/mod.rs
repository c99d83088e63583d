//! Orders: one trade between two people, from its placing to its end.
//!
//! | to do | call |
//! |---|---|
//! | place an order | [`open`] |
//! | carry out what a person asks | [`decide`], after [`requirements`] said whether the security password is needed |
//! | carry out what the clock or the chain brings | [`react`] |
//! | carry out what an officer decides | [`decide_as_officer`] |
//! | know what a person may do and what it would cost | [`available_actions`] |
//! | show the five steps and where the money is | [`steps`], [`funds_location`], [`waits_for`] |
//! | know when the system must look next | [`Order::due_at`] and [`Order::due`] |
//!
//! Each takes loaded values and returns a new order with the [effects](crate::effect::Effect) that go into the same
//! commit, or a [refusal](crate::refusal::Refusal) that changes nothing. The table of all transitions, made from this
//! code, is `docs/generated/states.md`.

mod available_actions;
mod command;
mod decide;
mod officer;
mod open;
mod order;
mod progress;
mod react;
mod settle;
mod terms;
#[cfg(test)]
pub(crate) mod tests;
mod timing;
mod transition;

pub use available_actions::{Action, Actions, AvailableAction, available_actions};
pub use command::{Event, OrderCaller, OrderCommand, OrderDecision, OrderInputs, Requirements, Transition};
pub use decide::{MAX_PAID_TEXT, MAX_RECEIPTS, decide, requirements};
pub use officer::{FROZEN_FOR, OVERDUE_FOR, Undecidable, decide_as_officer};
pub use open::open;
pub use order::{CancelReason, Cancelled, Case, Order, Overlay, Paid, Progress, State};
pub use progress::{FundsLocation, Step, StepName, funds_location, steps, waits_for};
pub use react::react;
pub use terms::Terms;
