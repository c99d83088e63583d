//! The use cases: commands of users and events of the clock and the chain, each handled in one transaction.
//!
//! A use case takes a set of commands: it loads and locks the rows that the commands need, decides each command by the
//! domain's rules, and writes all results. A single command is a set of one. Only this crate begins transactions. It
//! never calls the chain: it writes payouts to the database for the worker to send, and gets the chain's blocks through
//! [`chain_ingest`].

pub mod adverts;
pub mod appeals;
mod batch;
pub mod catalog;
pub mod certification;
pub mod chain;
pub mod chain_ingest;
pub mod changes;
pub mod console;
mod context;
mod error;
pub mod files;
pub mod idempotency;
pub mod identity;
pub mod maintenance;
pub mod market;
pub mod order_log;
pub mod order_record;
pub mod orders;
pub mod outages;
pub mod payment_methods;
pub mod realtime;
pub mod recent;
mod reference_data;
pub mod reputation;
pub mod settlement;
pub mod talk;
pub mod timers;
pub mod trading;
mod versions;
pub mod wallet;

pub use context::{Clock, Context, MachineTime, SystemTime};
pub use error::{Error, Result};
pub use versions::{Lasting, Stamp};
