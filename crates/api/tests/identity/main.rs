//! Accounts over HTTP, with a real database and validly signed assertions of a pass.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]

mod allowances;
mod codes;
#[path = "../conforming/mod.rs"]
mod conforming;
mod devices;
mod guesses;
mod login;
mod methods;
mod pass;
mod pass_browser;
#[path = "../product/mod.rs"]
mod product;
mod profile;
mod register;
mod replays;
mod server;
