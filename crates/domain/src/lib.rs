//! The business rules of the marketplace, as pure functions.
//!
//! Nothing in this crate is async, reads a clock, draws random numbers or accesses a database. Timestamps and new
//! identifiers are parameters; changes to write are return values.

// In tests, an overflow panics and thereby fails the test.
#![cfg_attr(test, allow(clippy::arithmetic_side_effects))]

pub mod adverts;
pub mod applied;
pub mod assets;
pub mod certification;
pub mod chain;
pub mod checks;
pub mod clock;
pub mod console;
pub mod deadline;
pub mod delivery;
pub mod direct_payment;
pub mod effect;
pub mod feedback;
pub mod files;
pub mod funding;
pub mod identity;
pub mod ids;
pub mod ledger;
pub mod market;
pub mod money;
pub mod nfts;
pub mod notifications;
pub mod order_log;
pub mod orders;
pub mod payment_methods;
pub mod refusal;
pub mod reputation;
pub mod talk;
pub mod text;
pub mod trade;
pub mod users;
pub mod wallet;

#[cfg(test)]
mod simulation;
#[cfg(test)]
mod states_page;
