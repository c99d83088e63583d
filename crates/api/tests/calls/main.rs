//! Every call over HTTP, as the shipped program serves it: real database, sessions and security passwords, and a chain
//! that does what it is told.

// A test that panics fails, which is what it is for.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]

mod bad_input;
#[path = "../conforming/mod.rs"]
mod conforming;
mod document;
mod late;
mod others;
mod payers;
mod stage;
mod story;
mod twice;
