//! What people are told as it happens: read from the events that every commit writes, by each node for itself.

use domain::ids::{OrderId, UserId};
use domain::refusal::Refusal;
use store::outbox::{self, Cursor};

use crate::{Context, Result};

pub use store::outbox::StoredEvent;

/// The most events that are read at once.
const BATCH: i64 = 500;

/// A node's place in the stream of everybody's events. It never passes the oldest running transaction, so what commits
/// late is not lost; one person's events may come out of order then, and their numbers say so.
#[derive(Clone)]
pub struct Tail {
    context: Context,
    cursor: Cursor,
}

impl Tail {
    /// Begins at the end of what is final.
    pub async fn begin(context: &Context) -> Result<Self> {
        let mut tx = context.store.begin().await?;
        let cursor = outbox::end(&mut tx).await?;
        Ok(Self { context: context.clone(), cursor })
    }

    /// The next events; none if nothing new is final. An error loses none: the same are read again.
    pub async fn next(&mut self) -> Result<Vec<StoredEvent>> {
        let mut tx = self.context.store.begin().await?;
        let (events, cursor) = outbox::tail(&mut tx, &self.cursor, BATCH).await?;
        self.cursor = cursor;
        Ok(events)
    }
}

/// The number of the last event that somebody was told; 0 before the first.
pub async fn last_number(context: &Context, user: UserId) -> Result<i64> {
    let mut tx = context.store.begin().await?;
    Ok(outbox::last_number(&mut tx, user).await?)
}

/// What somebody was told after the number that they had last, in order; at most one batch.
pub async fn since(context: &Context, user: UserId, after: i64) -> Result<Vec<StoredEvent>> {
    let mut tx = context.store.begin().await?;
    Ok(outbox::since(&mut tx, user, after, BATCH).await?)
}

/// The state and version of an order, for one of its two people. A stranger is told that there is none.
pub async fn order_state(context: &Context, user: UserId, id: OrderId) -> Result<(&'static str, i64)> {
    let mut tx = context.store.begin().await?;
    let order = store::orders::read(&mut tx, &[id]).await?.pop().ok_or(Refusal::OrderMissing)?;
    order.terms.party(user).ok_or(Refusal::OrderMissing)?;
    Ok((order.state.name(), order.version))
}
