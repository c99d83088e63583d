//! What tests stand on: a real database each, people, a clock that only moves when told, and a market with a chain of its
//! own.
//!
//! A test's database is a copy of a migrated template, made in a few hundredths of a second. The server is the one that
//! `DATABASE_URL` names; `scripts/with-postgres COMMAND` starts one for a command and throws it away afterwards.

// This crate is made of test helpers: a helper that cannot help ends the test.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::missing_panics_doc,
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing
)]

mod database;
pub mod market;
pub mod people;

pub use database::Database;

use chrono::{DateTime, TimeZone, Utc};

/// The moment at which every test begins: 2026-01-01, noon.
pub fn noon() -> DateTime<Utc> {
    Utc.with_ymd_and_hms(2026, 1, 1, 12, 0, 0).single().expect("a timestamp")
}

/// Random bytes for identifiers, never the same twice.
#[derive(Debug, Default)]
pub struct Ids;

impl domain::ids::IdSource for Ids {
    fn random(&self) -> [u8; 10] {
        rand::random()
    }
}
