//! Sends messages.

use domain::clock::Timestamp;
use domain::ids::{FileId, OrderId, UserId};
use domain::order_log::{Content, Draft, LogEntry};
use domain::orders::Order;
use domain::refusal::Refusal;
use domain::talk;
use domain::trade::Party;
use store::Tx;

use super::{Talk, access, attachments};
use crate::engine::idempotency::{IdempotencyKey, Response};
use crate::engine::{order_log, talk_events};
use crate::memory::feed::Change;
use crate::{Error, Result};

/// A message to send.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outgoing {
    pub text: String,
    pub files: Vec<FileId>,
    /// Whether to send the message although its recipient will be warned.
    pub despite_warnings: bool,
}

impl Talk {
    /// Sends a message to the other party of an order, and attaches its files to the order. Refuses a message that its recipient would be warned of, unless the
    /// sender has agreed to that.
    pub async fn send(&self, key: &IdempotencyKey, user: UserId, id: OrderId, message: &Outgoing) -> Result<LogEntry> {
        let text = talk::check(&message.text, message.files.len())?;
        let (_turn, mut tx, now) = self.begin().await?;
        let (order, party) = access::lock_as_party(&mut tx, user, id).await?;
        if let Some(Response { version, .. }) = key.response(&mut tx, user).await? {
            return sent(&mut tx, id, version).await;
        }
        if !talk::is_open(&order, now, self.kept_open) {
            return Err(Refusal::ConversationClosed.into());
        }
        let warnings = self.context.reference_data(&mut tx).await?.data.warning_words.warnings(&text);
        if !warnings.is_empty() && !message.despite_warnings {
            return Err(Refusal::MessageFlagged { warnings }.into());
        }
        let files = attachments::attach(&mut tx, (user, id), &message.files, now).await?;
        let draft =
            Draft { author: Some(party), content: Content::Message { text, files, warnings, automatic: false } };
        let entry = say(&mut tx, &order, draft, Some(&key.key), now).await?;
        let response = Response { id: Some(id.0), version: entry.number };
        key.remember(&mut tx, user, response, now).await?;
        tx.commit().await?;
        self.context.changed(&changed(&order));
        Ok(entry)
    }
}

/// Appends a message, and tells both parties. The caller must have locked both parties and the order.
pub(super) async fn say(
    tx: &mut Tx,
    order: &Order,
    draft: Draft,
    key: Option<&str>,
    now: Timestamp,
) -> Result<LogEntry> {
    let entry = order_log::append(tx, order.id, [draft], now).await?.pop();
    let entry = entry.ok_or_else(|| Error::Internal("a message was not appended".to_owned()))?;
    let events = talk_events::record(tx, order, &entry, key).await?;
    store::outbox::write(tx, &events, now).await?;
    Ok(entry)
}

/// Returns what a message changes.
pub(super) fn changed(order: &Order) -> [Change; 2] {
    [Party::Buyer, Party::Seller].map(|party| Change::User(order.terms.user(party)))
}

async fn sent(tx: &mut Tx, order: OrderId, number: i64) -> Result<LogEntry> {
    let entry = store::order_log::after(tx, order, number.saturating_sub(1), 1).await?.pop();
    entry.ok_or_else(|| Error::Internal(format!("the log of {order} has no entry {number}")))
}
