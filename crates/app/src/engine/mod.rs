//! What every command and every event of the chain needs, whatever it decides: sets, the unit of work with the locked rows,
//! the changes of one command, idempotency keys.
//!
//! A set's rows are loaded and locked, each command is decided in memory in the order of arrival, and all changes are
//! written at once. The engine knows no command: [`crate::commands`], [`crate::chain_ingest`] and
//! [`crate::appeals`] decide with it.

pub(crate) mod batch;
pub(crate) mod changes;
pub(crate) mod confirmations;
pub(crate) mod funding_requests;
pub mod idempotency;
pub(crate) mod opening;
pub(crate) mod order_log;
pub(crate) mod sets;
pub mod talk_events;
pub(crate) mod unit_of_work;
