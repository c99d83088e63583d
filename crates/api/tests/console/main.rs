//! The console over HTTP: sign-in, permissions, the audit log and every decision, with a real database.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]

mod adverts;
mod appeals;
mod assignee;
mod audit;
mod cases;
mod certifications;
#[path = "../conforming/mod.rs"]
mod conforming;
mod dashboard;
mod decisions;
mod desk;
mod ended;
mod files;
mod matrix;
mod notes;
mod officers;
mod payouts;
#[path = "../product/mod.rs"]
mod product;
mod requests;
#[path = "../calls/samples.rs"]
#[allow(dead_code, reason = "each test file uses its own part")]
mod samples;
mod search;
mod sign_in;
mod users;
mod verdicts;
mod waiting;
