//! The pure rules of the marketplace: what may happen, to what money, by whom and until when.
//!
//! Nothing here waits, reads a clock, draws a random number or touches a database: the time and fresh
//! identifiers come in as parameters, and what must be written goes out as values.

// A test that overflows fails, which is what it is for.
#![cfg_attr(test, allow(clippy::arithmetic_side_effects))]

pub mod adverts;
pub mod assets;
pub mod chain;
pub mod checks;
pub mod clock;
pub mod deadline;
pub mod delivery;
pub mod effect;
pub mod funding;
pub mod identity;
pub mod ids;
pub mod ledger;
pub mod market;
pub mod money;
pub mod orders;
pub mod payment_methods;
pub mod people;
pub mod refusal;
pub mod reputation;
pub mod trade;

#[cfg(test)]
mod simulation;
#[cfg(test)]
mod states_page;
