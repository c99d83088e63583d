//! Coins in, coins out, on a real Postgres and a real Anvil: reorganised, killed at every point, with two workers.

#![allow(unreachable_pub)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::arithmetic_side_effects
)]

// The chain crate's own test world: an Anvil with our contracts on it.
#[path = "../../../chain/tests/support/mod.rs"]
mod anvil;
mod crashes;
mod frozen;
mod mute;
mod nodes;
mod nonces;
mod outages;
mod payouts;
mod platform;
mod reconciling;
mod reorganisations;
mod scripted;
mod stalls;
mod stops;
mod sweep;
mod tokens;
mod uncredited;
mod undeliverable;
