//! Appends to the logs of orders. Transitions are appended by the unit of work; everything else here.

use domain::clock::Timestamp;
use domain::ids::OrderId;
use domain::order_log::{Draft, LogEntry};
use store::Tx;

use crate::Result;

/// Appends entries to the log of an order, in order. The caller must have locked the order's row in the same transaction.
pub(crate) async fn append(
    tx: &mut Tx,
    order: OrderId,
    drafts: impl IntoIterator<Item = Draft>,
    now: Timestamp,
) -> Result<Vec<LogEntry>> {
    let mut head = store::order_log::lock_heads(tx, &[order]).await?.pop().map(|(_, head)| head).unwrap_or_default();
    let entries: Vec<_> = drafts.into_iter().map(|draft| head.append(order, draft, now)).collect();
    store::order_log::append(tx, &entries).await?;
    Ok(entries)
}
