//! The order log: everything that happened in an order and everything that was said about it, as numbered entries that
//! are never changed.
//!
//! Each entry has a [hash](hash) over its content and the entry before it. Whoever knows the last hash of a log can
//! therefore detect any later change, and whoever has the entries can [verify] them offline.

mod entry;
mod hash;

pub use entry::{Author, Content, Draft, FileReference, Head, LogEntry, of_transition};
pub use hash::{Broken, FIRST, Hash, hash, verify};
