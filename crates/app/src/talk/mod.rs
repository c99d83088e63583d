//! The conversation of an order: messages, marks and unread counts. Messages are entries of the order's log.

mod access;
mod attachments;
mod event;
mod list;
mod marks;
mod official;
mod page;
mod send;

pub use access::Viewer;
pub use event::{TalkEvent, TalkMarks};
pub use list::{Bubble, Conversation};
pub use official::{Official, append_official};
pub use page::{ConversationPage, Window};
pub use send::Outgoing;

use chrono::Duration;

use crate::Context;

/// How long the parties can send messages after the order has ended, unless configured otherwise.
pub const KEPT_OPEN: Duration = Duration::days(7);

/// The conversations of users.
#[derive(Clone)]
pub struct Talk {
    context: Context,
    kept_open: Duration,
}

impl Talk {
    /// `kept_open` is how long the parties can send messages after the order has ended.
    pub fn new(context: Context, kept_open: Duration) -> Self {
        Self { context, kept_open }
    }
}
