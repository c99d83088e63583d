//! An in-memory chain for tests and the simulator. It creates blocks on request, supports reorganizations of any depth,
//! and has nodes that lag, lie, lose responses and fail. It is deterministic: the same script yields the same hashes.
//!
//! [`Script`] is the chain. [`ScriptedNode`] is one node's view of it with its own faults; a script can have several.
//! [`escrow`] models the Escrow: it executes the signed transactions of [`payouts`](crate::payouts) and pays each
//! reference once.

mod blocks;
mod escrow;
mod node;
mod pool;
mod signed;

pub use blocks::{Script, Wrote};
pub use node::{Fault, Method, ScriptedNode};
pub use signed::{Death, SignedTransaction};
