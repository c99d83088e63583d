//! The conversation of an order: messages, marks and unread counts. Messages are entries of the order's log.

mod access;
mod attachments;
mod list;
mod marks;
mod official;
mod page;
mod send;

pub use crate::engine::talk_events::{TalkEvent, TalkMarks};
pub use access::Viewer;
pub use list::{Bubble, Conversation};
pub use official::{Official, append_official};
pub use page::{ConversationPage, Window};
pub use send::Outgoing;

use std::sync::Arc;

use chrono::Duration;
use store::Tx;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::{Context, Error, Result};

/// How long the parties can send messages after the order has ended, unless configured otherwise.
pub const KEPT_OPEN: Duration = Duration::days(7);

/// The conversations of users.
#[derive(Clone)]
pub struct Talk {
    context: Context,
    kept_open: Duration,
    turns: Arc<Semaphore>,
}

/// The part of the database connections that conversations occupy at most, as a divisor. Their commands wait for the rows of
/// users, and must not keep trades waiting for a connection.
const CONNECTION_SHARE: u32 = 3;

impl Talk {
    /// `kept_open` is how long the parties can send messages after the order has ended.
    pub fn new(context: Context, kept_open: Duration) -> Self {
        let turns = usize::try_from(context.store.connections() / CONNECTION_SHARE).unwrap_or(1).max(1);
        Self { context, kept_open, turns: Arc::new(Semaphore::new(turns)) }
    }

    /// Waits for a turn, and begins a transaction that locks users. Keep the turn until the end of the transaction.
    async fn begin(&self) -> Result<(OwnedSemaphorePermit, Tx, domain::clock::Timestamp)> {
        let turn = Arc::clone(&self.turns).acquire_owned().await.map_err(Error::internal)?;
        let (tx, now) = self.context.begin().await?;
        Ok((turn, tx, now))
    }
}
