//! A chain in memory, for tests and the simulator: blocks when the script says so, reorganisations of any depth, and nodes
//! that lag, lie, lose answers and fail. Nothing in it is random or reads a clock: the same script gives the same hashes.
//!
//! [`Script`] is the chain and what happens on it. [`ScriptedNode`] is one node's view of it, with faults of its own; a
//! script can have several. The Escrow is modelled in [`escrow`]: it takes the signed transactions that
//! [`payouts`](crate::payouts) makes, and pays each reference once.

mod blocks;
mod escrow;
mod node;
mod pool;

pub use blocks::{Script, Wrote};
pub use node::{Fault, Method, ScriptedNode};
