//! Adverts: what somebody offers to trade, and what backs it.
//!
//! | to do | call |
//! |---|---|
//! | post an advert | [`post`] |
//! | carry out what its owner asks | [`decide`] |
//! | carry out what orders, the clock or the chain bring | [`react`] |
//! | know what its owner may do | [`may`] |
//! | know when the system must look next | [`Advert::due_at`] |
//!
//! Each takes loaded values and returns a new advert with the [effects](crate::effect::Effect) that go into the same
//! commit, or a [refusal](crate::refusal::Refusal) that changes nothing. The table of all transitions, made from this
//! code, is `docs/generated/states.md`.

mod act;
mod advert;
mod decide;
mod draft;
mod end;
mod limits;
mod post;
mod react;
#[cfg(test)]
pub(crate) mod tests;

pub use act::{Act, By, Event, Facts, Outcome, Transition};
pub use advert::{Advert, EndReason, Frozen, State, Terms};
pub use decide::{Action, decide, may};
pub use limits::Limits;
pub use post::post;
pub use react::react;
