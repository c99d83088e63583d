//! The order log: everything that happened in an order and everything that was said about it, as numbered entries that
//! are never changed.
//!
//! Each entry has a [hash](hash) over its content and the entry before it. Whoever knows the last hash of a log can
//! therefore detect any later change, and whoever has the entries can [verify] them offline.

mod details;
mod entry;
mod hash;
mod pay_to;
mod terms;

pub use details::{
    AppealDetails, FileReference, PaymentDetails, Redirect, TransactionKind, TransactionReference, TransitionDetails,
};
pub use entry::{Author, Content, Draft, Head, LogEntry, of_transition};
pub use hash::{Broken, ENTRY_FORMAT, FIRST, Hash, encoding, facts, hash, hash_of_texts, verify};
pub use pay_to::{PAY_TO_FORMAT, pay_to_hash};
pub use terms::{TERMS_FORMAT, hash_of_terms, terms_facts, terms_hash};
