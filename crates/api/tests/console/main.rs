//! The console over HTTP: sign-in, permissions, the audit log and every decision, with a real database.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]

mod audit;
#[path = "../conforming/mod.rs"]
mod conforming;
mod decisions;
mod desk;
mod matrix;
mod officers;
#[path = "../product/mod.rs"]
mod product;
mod sign_in;
mod users;
