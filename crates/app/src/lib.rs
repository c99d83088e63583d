//! The use cases: commands of users and events of the clock and the chain, each handled in one transaction.
//!
//! A use case takes a set of commands: it loads and locks the rows that the commands need, decides each command by the
//! domain's rules, and writes all results. A single command is a set of one. Only this crate begins transactions. It
//! never calls the chain: it writes payouts to the database for the worker to send, and gets the chain's blocks through
//! [`chain_ingest`].

pub mod adverts;
pub mod appeals;
pub mod certification;
pub mod chain;
pub mod chain_ingest;
pub mod commands;
pub mod console;
mod context;
pub mod deadlines;
pub mod engine;
mod error;
pub mod files;
pub mod identity;
pub mod mail;
pub mod market;
pub mod memory;
pub mod nfts;
pub mod notifications;
pub mod order_record;
pub mod orders;
pub mod payment_methods;
pub mod realtime;
pub mod reputation;
pub mod talk;
pub mod traders;
pub mod wallet;

pub use context::{Clock, Context, MachineTime, SystemTime};
pub use error::{Error, Result};
pub use memory::versions::{Lasting, Stamp};
