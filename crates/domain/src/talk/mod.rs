//! The conversation of an order: what the parties may write, until when, and what a message is warned of.

mod message;
mod warning;

pub use message::{
    FILES, MAX_AUTOMATIC_REPLY, MAX_BYTES_OF_PARTY, MAX_FILES, MAX_FILES_OF_PARTY, MAX_TEXT, MAX_VIDEOS, check,
    check_automatic_reply, check_kinds, check_room, closes_at, is_open,
};
pub use warning::{Warning, WarningWords};
