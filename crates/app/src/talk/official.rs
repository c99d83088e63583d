//! Official messages by officers, which both parties see.

use domain::clock::Timestamp;
use domain::ids::OrderId;
use domain::order_log::{Content, Draft, FileReference, LogEntry};
use domain::talk;
use store::Tx;

use super::{access, send};
use crate::Result;

/// A message by an officer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Official {
    /// The officer's name, as the parties see it.
    pub name: String,
    pub text: String,
    pub files: Vec<FileReference>,
}

/// Appends an official message, also after the conversation is closed, and tells both parties. Locks both parties, then the
/// order.
///
/// The caller must have checked that the officer is on the order's case, and must record the act in the same transaction.
pub async fn append_official(tx: &mut Tx, order: OrderId, message: &Official, now: Timestamp) -> Result<LogEntry> {
    let text = talk::check(&message.text, message.files.len())?;
    let order = access::lock(tx, order).await?;
    let content = Content::Officer { name: message.name.clone(), text, files: message.files.clone() };
    send::say(tx, &order, Draft { author: None, content }, None, now).await
}
