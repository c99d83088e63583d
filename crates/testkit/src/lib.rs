//! Test support: a real database for each test, users, a clock that tests move, and a market with a simulated chain.
//!
//! Each database is a copy of a migrated template and takes a few hundredths of a second to create. `DATABASE_URL`
//! names the server; `scripts/with-postgres COMMAND` starts one for a command and removes it afterwards.

// Test helpers panic when they fail.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::missing_panics_doc,
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing
)]

mod database;
pub mod history;
pub mod market;
pub mod meter;
pub mod reservations;
pub mod sessions;
pub mod statements;
pub mod trades;
pub mod users;

pub use database::Database;

use std::sync::atomic::{AtomicU64, Ordering};

use chrono::{DateTime, TimeZone, Utc};

/// Returns the time at which every test begins: 2026-01-01 12:00 UTC.
pub fn noon() -> DateTime<Utc> {
    Utc.with_ymd_and_hms(2026, 1, 1, 12, 0, 0).single().expect("a timestamp")
}

/// Generates the same identifiers in each run, for tests that measure what is written.
#[derive(Debug, Default)]
pub struct CountedIds(AtomicU64);

impl domain::ids::IdSource for CountedIds {
    fn random(&self) -> [u8; 10] {
        let mut bytes = [0; 10];
        bytes[2..].copy_from_slice(&self.0.fetch_add(1, Ordering::Relaxed).to_be_bytes());
        bytes
    }
}

/// Generates random identifiers, which are unique across tests.
#[derive(Debug, Default)]
pub struct Ids;

impl domain::ids::IdSource for Ids {
    fn random(&self) -> [u8; 10] {
        rand::random()
    }
}
