//! Adverts: what somebody offers to trade, and what backs it.
//!
//! | to do | call |
//! |---|---|
//! | post an advert | [`post`] |
//! | carry out what its owner asks | [`decide`] |
//! | carry out what orders, the clock or the chain bring | [`react`] |
//! | know what its owner may do | [`may`] |

mod act;
mod advert;

pub use act::{Act, By, Event, Facts, Outcome, Transition};
pub use advert::{Advert, EndReason, Frozen, State, Terms};
