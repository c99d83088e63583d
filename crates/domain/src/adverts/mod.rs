//! Adverts: offers to buy or sell, and their escrow.
//!
//! | task | call |
//! |---|---|
//! | post an advert | [`post`] |
//! | run the owner's command | [`decide`] |
//! | take an advert down for the platform | [`take_down`] |
//! | apply an event of orders, the clock or the chain | [`react`] |
//! | list the commands available to the owner | [`available_actions`] |
//! | list the coins that a revocation returns | [`revocation`] |
//! | schedule the next check | [`Advert::due_at`] |
//!
//! The functions take loaded values. They return a new advert with the [effects](crate::effect::Effect) to write in the
//! same transaction, or a [refusal](crate::refusal::Refusal). The table of all transitions, generated from this code,
//! is `docs/generated/states.md`.

mod advert;
mod command;
mod decide;
mod end;
mod limits;
mod options;
mod post;
mod react;
mod revocation;
mod taker;
#[cfg(test)]
pub(crate) mod tests;
mod transition;

pub use advert::{Advert, EndReason, Frozen, Group, State, StateName, Terms};
pub use command::{AdvertCaller, AdvertCommand, AdvertInputs, Event, Transition};
pub use decide::{Action, available_actions, decide, take_down};
pub use limits::Limits;
pub use options::Options;
pub use post::post;
pub use react::react;
pub use revocation::revocation;
pub use taker::{COMPLETED_ORDERS, TakerRequirement, TakerRequirements};
