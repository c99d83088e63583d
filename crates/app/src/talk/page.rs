//! A page of a conversation: entries of the order's log, with the marks of both parties.

use domain::clock::Timestamp;
use domain::ids::OrderId;
use domain::order_log::LogEntry;
use domain::refusal::Refusal;
use domain::talk;
use domain::trade::Party;
use store::talk::marks_of;

use super::{Talk, TalkMarks, Viewer};
use crate::Result;

/// The entries to return.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Window {
    /// The newest entries.
    Newest,
    /// The last entries before a number.
    Before(i64),
    /// The first entries after a number.
    After(i64),
}

/// A page of a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConversationPage {
    /// The viewer's role; `None` for an officer.
    pub party: Option<Party>,
    /// In the order of their numbers.
    pub entries: Vec<LogEntry>,
    /// The number of the log's last entry; 0 if it has none.
    pub last: i64,
    /// The marks of the buyer and the seller.
    pub marks: [TalkMarks; 2],
    /// The number of unread messages to the viewer.
    pub unread: u32,
    /// Whether the viewer can send messages.
    pub open: bool,
    /// When the conversation becomes read-only; `None` while the order is open.
    pub closes_at: Option<Timestamp>,
}

impl Talk {
    /// Returns at most `most` entries of the log of an order.
    pub async fn page(&self, viewer: Viewer, id: OrderId, window: Window, most: i64) -> Result<ConversationPage> {
        let (mut tx, now) = self.context.begin().await?;
        let order = store::orders::read(&mut tx, &[id]).await?.pop().ok_or(Refusal::OrderMissing)?;
        let party = viewer.party(&order)?;
        // Read before the entries, so that a message after the last entry is not missed.
        let marks = marks_of(&mut tx, id).await?;
        let last = store::order_log::last_number(&mut tx, id).await?;
        let entries = match window {
            Window::Newest => store::order_log::before(&mut tx, id, i64::MAX, most).await?,
            Window::Before(number) => store::order_log::before(&mut tx, id, number, most).await?,
            Window::After(number) => store::order_log::after(&mut tx, id, number, most).await?,
        };
        let of = |party: Party| {
            let user = order.terms.user(party);
            marks.iter().find(|(reader, _)| *reader == user).map(|(_, marks)| *marks).unwrap_or_default()
        };
        Ok(ConversationPage {
            party,
            last: entries.last().map_or(last, |entry| entry.number.max(last)),
            entries,
            marks: [Party::Buyer, Party::Seller].map(|party| TalkMarks::of(party, of(party))),
            unread: party.map(of).unwrap_or_default().unread,
            open: talk::is_open(&order, now, self.kept_open),
            closes_at: talk::closes_at(&order, self.kept_open),
        })
    }
}
