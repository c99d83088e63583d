//! The EVM side of custody: what the chain says, where vaults are, and how payouts are sent.
//!
//! Nothing here knows the database or decides about money. [`watch`] turns blocks into facts, [`payouts`] turns legs into
//! signed transactions and receipts into outcomes, [`node`] is what both ask; [`rpc`] asks a real one, [`quorum`] asks
//! several and believes none alone, [`scripted`] is a chain in memory for tests. `alloy` ends here: what crosses the
//! border are the domain's types.

// A test that overflows fails, which is what it is for.
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
