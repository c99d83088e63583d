//! The EVM side of custody: reads blocks, computes vault addresses and sends payouts.
//!
//! This crate does not access the database and makes no decisions about money. [`watch`] turns blocks into transfers
//! and settlements, and [`payouts`] turns legs into signed transactions and receipts into outcomes. Both use a
//! [`node`]: [`rpc`] connects to a real node, [`quorum`] requires several nodes to agree, and [`scripted`] is an
//! in-memory chain for tests. The crate's interface uses the types of `domain`, never those of `alloy`.

// In tests, an overflow may panic.
#![cfg_attr(test, allow(clippy::arithmetic_side_effects))]

pub mod batch;
pub mod calls;
mod contracts;
mod convert;
pub mod holdings;
pub mod identity;
pub mod nfts;
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
