//! Reads outbox events for delivery to connected users. Each API process reads all events independently.

use domain::ids::{OrderId, UserId};
use domain::refusal::Refusal;
use store::outbox::{self, Cursor};

use crate::{Context, Result};

pub use store::outbox::StoredEvent;

/// The maximum number of a user's events that are read at once.
const BATCH: i64 = 500;
/// The maximum number of all users' events that are read at once.
const TAIL_BATCH: i64 = 2_000;

/// A process's position in the stream of all events. Each user's events arrive in order, and no event that commits late is
/// lost.
#[derive(Clone)]
pub struct Tail {
    context: Context,
    cursor: Cursor,
}

impl Tail {
    /// Starts after all events that are committed.
    pub async fn begin(context: &Context) -> Result<Self> {
        let mut tx = context.store.alone().await?;
        let cursor = outbox::end(&mut tx).await?;
        Ok(Self { context: context.clone(), cursor })
    }

    /// Returns the next events; empty if there are none. After an error, the next call reads the same events again.
    pub async fn next(&mut self) -> Result<Vec<StoredEvent>> {
        let mut tx = self.context.store.alone().await?;
        let (events, cursor) = outbox::tail(&mut tx, &self.cursor, TAIL_BATCH).await?;
        self.cursor = cursor;
        Ok(events)
    }
}

/// Returns the number of the user's last event; 0 if there is none.
pub async fn last_number(context: &Context, user: UserId) -> Result<i64> {
    let mut tx = context.store.begin().await?;
    Ok(outbox::last_number(&mut tx, user).await?)
}

/// Returns the user's events after a number, in order; at most one batch.
pub async fn since(context: &Context, user: UserId, after: i64) -> Result<Vec<StoredEvent>> {
    let mut tx = context.store.begin().await?;
    Ok(outbox::since(&mut tx, user, after, BATCH).await?)
}

/// Returns the state and version of an order to one of its parties. To anyone else, reports that it does not exist.
pub async fn order_state(context: &Context, user: UserId, id: OrderId) -> Result<(&'static str, i64)> {
    let mut tx = context.store.begin().await?;
    let order = store::orders::read(&mut tx, &[id]).await?.pop().ok_or(Refusal::OrderMissing)?;
    order.terms.party(user).ok_or(Refusal::OrderMissing)?;
    Ok((order.state.into_str(), order.version))
}
