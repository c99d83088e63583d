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

mod advert;
mod command;
mod decide;
mod end;
mod limits;
mod post;
mod react;
#[cfg(test)]
pub(crate) mod tests;
mod transition;

pub use advert::{Advert, EndReason, Frozen, State, Terms};
pub use command::{AdvertCaller, AdvertCommand, AdvertDecision, AdvertInputs, Event, Transition};
pub use decide::{Action, available_actions, decide};
pub use limits::Limits;
pub use post::post;
pub use react::react;
