//! Access to the PostgreSQL database. One module per aggregate, with queries over sets of rows.
//!
//! Only this crate uses `sqlx`; the others use [`Store`], [`Tx`] and domain values. No function here makes business
//! decisions. If a constraint refuses rows, the function returns [`Error::Refused`] with the constraint's name.

pub mod adverts;
pub mod album_backfills;
pub mod appeals;
pub mod blocks;
pub mod catalog;
pub mod certifications;
pub mod changes;
pub mod clock;
mod columns;
pub mod console;
pub mod deposits;
pub mod emails;
mod error;
pub mod feedback;
pub mod files;
pub mod funding;
pub mod hall;
pub mod idempotency;
pub mod identity;
pub mod ledger;
pub mod maintenance;
pub mod market;
pub mod nft_metadata;
pub mod nfts;
pub mod nicknames;
pub mod notifications;
mod numeric;
pub mod order_history;
pub mod order_log;
pub mod orders;
pub mod outages;
pub mod outbox;
pub mod payment_methods;
pub mod payments;
pub mod payouts;
mod persisted;
pub mod pictures;
pub mod reconciliations;
pub mod reference_data;
pub mod reputation_changes;
pub mod sessions;
pub mod stops;
pub mod takedowns;
pub mod talk;
mod trade;
pub mod traders;
pub mod trades;
mod tx;
pub mod uncredited;
pub mod users;
pub mod vault_stops;
pub mod wallet;

pub use error::Error;
pub use tx::{Options, Store, Tx};

pub type Result<T> = std::result::Result<T, Error>;
