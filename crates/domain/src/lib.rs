//! The pure rules of the marketplace: what may happen, to what money, by whom and until when.
//!
//! Nothing here waits, reads a clock, draws a random number or touches a database: the time and fresh
//! identifiers come in as parameters, and what must be written goes out as values.

pub mod assets;
pub mod chain;
pub mod clock;
pub mod identity;
pub mod ids;
pub mod ledger;
pub mod money;
pub mod people;
pub mod refusal;
