//! The conversation of an order: what the parties may write, until when, and what a message is warned of.

mod message;
mod warning;

pub use message::{FILES, MAX_FILES, MAX_TEXT, MAX_VIDEOS, check, check_kinds, closes_at, is_open};
pub use warning::{Warning, WarningWords};
