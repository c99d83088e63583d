//! Postgres, the node or the mail server gone, and back: what the product's own programs say and do meanwhile.
//!
//! `mec2c serve` and `mec2c worker` run as they are shipped. Between them and a real Postgres, a real Anvil and a mail
//! server stand proxies that a test closes, silences and opens again.

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
mod emails;
mod mail;
mod node;
mod outages;
mod platform;
mod postgres;
mod process;
mod proxy;
