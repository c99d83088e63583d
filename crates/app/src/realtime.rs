//! Delivers outbox events to connected users. Each node reads the events of all commits on its own.

use domain::ids::{OrderId, UserId};
use domain::refusal::Refusal;
use store::outbox::{self, Cursor};

use crate::{Context, Result};

pub use store::outbox::StoredEvent;

/// The maximum number of events that are read at once.
const BATCH: i64 = 500;

/// A node's position in the stream of all events. It never passes the oldest running transaction, so events that commit
/// late are not lost. A user's events may then arrive out of order; their numbers show it.
#[derive(Clone)]
pub struct Tail {
    context: Context,
    cursor: Cursor,
}

impl Tail {
    /// Starts after the last event that cannot be preceded by new ones.
    pub async fn begin(context: &Context) -> Result<Self> {
        let mut tx = context.store.begin().await?;
        let cursor = outbox::end(&mut tx).await?;
        Ok(Self { context: context.clone(), cursor })
    }

    /// Returns the next events; empty if there are none. After an error, the same events are read again.
    pub async fn next(&mut self) -> Result<Vec<StoredEvent>> {
        let mut tx = self.context.store.begin().await?;
        let (events, cursor) = outbox::tail(&mut tx, &self.cursor, BATCH).await?;
        self.cursor = cursor;
        Ok(events)
    }
}

/// The number of the user's last event; 0 if there is none.
pub async fn last_number(context: &Context, user: UserId) -> Result<i64> {
    let mut tx = context.store.begin().await?;
    Ok(outbox::last_number(&mut tx, user).await?)
}

/// The user's events after a number, in order; at most one batch.
pub async fn since(context: &Context, user: UserId, after: i64) -> Result<Vec<StoredEvent>> {
    let mut tx = context.store.begin().await?;
    Ok(outbox::since(&mut tx, user, after, BATCH).await?)
}

/// The state and version of an order. For anyone but its parties, it does not exist.
pub async fn order_state(context: &Context, user: UserId, id: OrderId) -> Result<(&'static str, i64)> {
    let mut tx = context.store.begin().await?;
    let order = store::orders::read(&mut tx, &[id]).await?.pop().ok_or(Refusal::OrderMissing)?;
    order.terms.party(user).ok_or(Refusal::OrderMissing)?;
    Ok((order.state.name(), order.version))
}
