//! The record of an order: a signed file with the whole order log, which anybody can verify offline.
//!
//! `docs/order-record.md` describes the format. The file has everything that is needed to recompute each hash, and a
//! signature of the platform over all of it.

mod export;
mod file;
mod keys;
mod verify;

pub use export::{OrderRecord, OrderRecords};
pub use keys::{PublicKey, RecordKeys};
pub use verify::{Summary, Transaction, Wrong, verify};
