//! What the devices of both parties are told about their conversation over the websocket.

use domain::ids::{OrderId, UserId};
use domain::order_log::LogEntry;
use domain::orders::Order;
use domain::trade::Party;
use serde::{Deserialize, Serialize};
use store::Tx;
use store::outbox::OutboxEvent;

use crate::{Error, Result};

/// The type of the websocket message.
const KIND: &str = "TALK";

/// A new message, or new marks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TalkEvent {
    pub order_id: OrderId,
    /// The message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entry: Option<LogEntry>,
    /// The idempotency key of the message; only for its author.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// How far a party has received and read the log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub marks: Option<TalkMarks>,
}

/// How far a party has received and read the log, as numbers of entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TalkMarks {
    pub party: Party,
    pub delivered_to: i64,
    pub read_to: i64,
}

impl TalkEvent {
    fn for_user(&self, user: UserId) -> Result<OutboxEvent> {
        let body = serde_json::to_value(self).map_err(|error| Error::Internal(error.to_string()))?;
        Ok(OutboxEvent { user, kind: KIND, body, category: None })
    }
}

/// Records a message in the conversations of both parties. Returns the events that tell them. `key` is its author's idempotency
/// key. The caller must have locked both parties and the order.
pub(crate) async fn record(
    tx: &mut Tx,
    order: &Order,
    entry: &LogEntry,
    key: Option<&str>,
) -> Result<Vec<OutboxEvent>> {
    let parties = [Party::Buyer, Party::Seller].map(|party| (order.terms.user(party), party));
    store::talk::said(tx, entry, parties).await?;
    said(order, entry, key)
}

fn said(order: &Order, entry: &LogEntry, key: Option<&str>) -> Result<Vec<OutboxEvent>> {
    let to = |party: Party| {
        let key = key.filter(|_| entry.author == Some(party)).map(ToOwned::to_owned);
        TalkEvent { order_id: order.id, entry: Some(entry.clone()), key, marks: None }.for_user(order.terms.user(party))
    };
    Ok(vec![to(Party::Buyer)?, to(Party::Seller)?])
}

/// Returns the events that tell users of marks.
pub(crate) fn marked(order: OrderId, marks: TalkMarks, users: &[UserId]) -> Result<Vec<OutboxEvent>> {
    let event = TalkEvent { order_id: order, entry: None, key: None, marks: Some(marks) };
    users.iter().map(|user| event.for_user(*user)).collect()
}
