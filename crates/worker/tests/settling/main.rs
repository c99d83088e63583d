//! Tests of deposits and payouts on a real PostgreSQL and a real Anvil, with reorganizations, crashes and concurrent
//! workers.

#![allow(unreachable_pub)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::arithmetic_side_effects
)]

// The test support of the crate `chain`: an Anvil with our contracts deployed.
#[path = "../../../chain/tests/support/mod.rs"]
mod anvil;
mod backfill;
mod buying;
mod crashes;
mod deaths;
mod frozen;
mod hostile_nfts;
mod mute;
mod nfts;
mod nodes;
mod nonces;
mod outages;
mod pairs;
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
mod unlisted;
