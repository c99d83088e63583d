//! The EVM side of custody: reading blocks, computing vault addresses and sending payouts.
//!
//! This crate does not access the database and makes no decisions about money. [`watch`] turns blocks into transfers
//! and settlements, and [`payouts`] turns legs into signed transactions and receipts into outcomes. Both use a
//! [`node`]: [`rpc`] is a real one, [`quorum`] requires several to agree, and [`scripted`] is an in-memory chain for
//! tests. `alloy` types stay inside this crate; its interface uses the types of `domain`.

// An overflow fails the test, as it should.
#![cfg_attr(test, allow(clippy::arithmetic_side_effects))]

pub mod batch;
pub mod calls;
mod contracts;
mod convert;
pub mod holdings;
pub mod identity;
pub mod node;
pub mod payouts;
pub mod quorum;
pub mod rpc;
pub mod scripted;
pub mod settlements;
pub mod signer;
pub mod transaction;
pub mod vaults;
pub mod wallet;
pub mod watch;
