//! Outages of PostgreSQL, the node, the mail server and the worker: the reports of `mec2c serve` and `mec2c worker`, and their
//! recovery.
//!
//! Both programs run as in production, against a real PostgreSQL, a real Anvil and a mail server. Tests close, silence
//! and open the proxies in between.

#![allow(unreachable_pub)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::arithmetic_side_effects
)]

// The tests of the `chain` crate provide an Anvil with the contracts.
#[path = "../../../chain/tests/support/mod.rs"]
mod anvil;
mod buying;
mod emails;
mod mail;
mod node;
mod outages;
mod platform;
mod postgres;
mod process;
mod proxy;
