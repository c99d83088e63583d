//! Orders: one trade between two people, from its placing to its end.
//!
//! | to do | call |
//! |---|---|
//! | place an order | [`open`] |
//! | carry out what a person asks | [`decide`], after [`demands`] said whether the security password is needed |
//! | carry out what the clock or the chain brings | [`react`] |
//! | know what a person may do and what it would cost | [`may`] |
//! | show the five steps | [`progress`] |
//! | know when the system must look next | [`Order::due_at`] and [`Order::due`] |
//!
//! Each takes loaded values and returns a new order with the [effects](crate::effect::Effect) that go into the same
//! commit, or a [refusal](crate::refusal::Refusal) that changes nothing.

mod act;
mod order;
mod terms;

pub use act::{Act, By, Demand, Event, Facts, Outcome, Transition};
pub use order::{CancelReason, Cancelled, Order, Overlay, Paid, Progress, State};
pub use terms::Terms;
