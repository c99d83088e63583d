//! The entries of an order log.

use serde::{Deserialize, Serialize};

use super::details::{FileReference, TransitionDetails};
use super::hash::{FIRST, Hash, hash};
use super::terms::terms_hash;
use crate::clock::Timestamp;
use crate::effect::{Effect, Notice, Subject};
use crate::ids::OrderId;
use crate::orders::Order;
use crate::talk::Warning;
use crate::trade::Party;

/// The party who caused or wrote an entry; `None` for the platform: the clock, the chain or an officer.
pub type Author = Option<Party>;

/// The version of an order that was just placed.
const PLACED: i64 = 1;

/// What an entry records. The JSON form is stored, and must stay readable for ever.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Content {
    /// A transition of the order.
    System {
        /// What the parties were notified of; `None` for a transition without a notice.
        notice: Option<Notice>,
        /// The order's state and version after the transition.
        state: String,
        version: i64,
        /// The hash of the order's terms, in the entry that records the placement.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        terms: Option<Hash>,
        /// What caused the transition or was added by it.
        #[serde(default, skip_serializing_if = "TransitionDetails::is_empty")]
        details: Box<TransitionDetails>,
    },
    /// A message by a party.
    Message {
        text: String,
        #[serde(default)]
        files: Vec<FileReference>,
        /// What the recipient is warned of.
        #[serde(default)]
        warnings: Vec<Warning>,
        /// Whether the platform sent the author's automatic reply.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        automatic: bool,
    },
    /// A message by an officer.
    Officer {
        /// The officer's name, as the parties see it.
        name: String,
        text: String,
        #[serde(default)]
        files: Vec<FileReference>,
    },
}

impl Content {
    pub fn kind(&self) -> &'static str {
        match self {
            Self::System { .. } => "SYSTEM",
            Self::Message { .. } => "MESSAGE",
            Self::Officer { .. } => "OFFICER",
        }
    }

    /// Returns the files of a message.
    pub fn files(&self) -> &[FileReference] {
        match self {
            Self::System { .. } => &[],
            Self::Message { files, .. } | Self::Officer { files, .. } => files,
        }
    }

    /// Returns whether the entry belongs to the conversation, rather than recording a transition.
    pub fn is_said(&self) -> bool {
        !matches!(self, Self::System { .. })
    }
}

/// An entry to be appended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    pub author: Author,
    pub content: Content,
}

/// An entry of an order log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogEntry {
    pub order: OrderId,
    /// Consecutive per order, from 1.
    pub number: i64,
    pub author: Author,
    pub content: Content,
    pub at: Timestamp,
    pub hash: Hash,
}

/// The end of a log: the number, hash and time of its last entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head {
    pub number: i64,
    pub hash: Hash,
    pub at: Timestamp,
}

impl Default for Head {
    /// The head of a log without entries.
    fn default() -> Self {
        Self { number: 0, hash: FIRST, at: Timestamp::UNIX_EPOCH }
    }
}

impl Head {
    /// Creates the next entry, and moves the head to it. Its time is never before that of the last entry: whoever appends may
    /// have waited for another transaction, which began later.
    pub fn append(&mut self, order: OrderId, draft: Draft, now: Timestamp) -> LogEntry {
        let Draft { author, content } = draft;
        let number = self.number.saturating_add(1);
        let at = now.max(self.at);
        let mut entry = LogEntry { order, number, author, content, at, hash: FIRST };
        entry.hash = hash(&self.hash, &entry);
        *self = Self { number, hash: entry.hash, at };
        entry
    }
}

/// Returns the entries that record a transition: one for each notice to the parties, at least one. `before` is `None` if the
/// order was just placed. The last entry has the details; the appeal is among them if the transition changed it.
pub fn of_transition(
    before: Option<&Order>,
    order: &Order,
    author: Author,
    effects: &[Effect],
    mut details: TransitionDetails,
) -> Vec<Draft> {
    let mut notices: Vec<Notice> = Vec::new();
    details.add_changes(before, order);
    for effect in effects {
        match effect {
            Effect::Appeal { order: id, appeal } if *id == order.id => details.appeal = Some(appeal.as_ref().into()),
            Effect::Notify { subject: Subject::Order(id), notice, .. }
                if *id == order.id && !notices.contains(notice) =>
            {
                notices.push(*notice);
            }
            _ => {}
        }
    }
    let notices = if notices.is_empty() { vec![None] } else { notices.into_iter().map(Some).collect() };
    let last = notices.len().saturating_sub(1);
    let mut terms = (order.version == PLACED).then(|| terms_hash(order.id, &order.terms));
    let of = |(index, notice)| Draft {
        author,
        content: Content::System {
            notice,
            state: order.state.into_str().to_owned(),
            version: order.version,
            terms: terms.take(),
            details: Box::new(if index == last { std::mem::take(&mut details) } else { TransitionDetails::default() }),
        },
    };
    notices.into_iter().enumerate().map(of).collect()
}
