//! Appends to the logs of orders. Transitions are appended by the unit of work of trading; everything else here.

use domain::clock::Timestamp;
use domain::effect::Notice;
use domain::ids::OrderId;
use domain::order_log::{Content, Draft, LogEntry};
use domain::orders::Order;
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

/// Appends what the platform has to say about an order, without a transition. The caller must have locked the order's row
/// in the same transaction.
pub async fn append_system(tx: &mut Tx, order: &Order, notice: Notice, now: Timestamp) -> Result<LogEntry> {
    let state = order.state.into_str().to_owned();
    let content =
        Content::System { notice: Some(notice), state, version: order.version, terms: None, details: Box::default() };
    let mut entries = append(tx, order.id, [Draft { author: None, content }], now).await?;
    entries.pop().ok_or_else(|| crate::Error::Internal("an entry was not appended".to_owned()))
}
