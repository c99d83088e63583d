//! DTOs of conversations.

use app::talk::{Bubble, Conversation, ConversationPage, TalkEvent, TalkMarks};
use chrono::{DateTime, Utc};
use domain::order_log::{Content, FileReference, LogEntry};
use domain::talk;
use serde::Serialize;
use utoipa::ToSchema;

use crate::enums::{OrderState, Role, same_variants};

/// The kind of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum EntryKind {
    /// A transition of the order.
    System,
    /// A message by a party.
    Message,
    /// An official message by an officer.
    Officer,
}

/// What the recipient of a message is warned of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum MessageWarning {
    /// The message names a contact, an account, a link or a messenger.
    OffPlatform,
    /// The message asks to release coins before the payment has arrived.
    EarlyRelease,
}

same_variants!(talk::Warning => MessageWarning: OffPlatform, EarlyRelease);

/// A file of a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = TalkFile)]
struct FileDto {
    id: String,
    /// The SHA-256 of the file's content, in hexadecimal digits.
    sha256: String,
}

impl From<FileReference> for FileDto {
    fn from(file: FileReference) -> Self {
        Self { id: file.id.to_string(), sha256: file.sha256.to_string() }
    }
}

/// An entry of an order's log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = TalkEntry)]
#[serde(rename_all = "camelCase")]
pub(super) struct EntryDto {
    /// The number of the entry: consecutive per order, from 1.
    number: i64,
    kind: EntryKind,
    /// The party who wrote the message or caused the transition; null for the platform.
    author: Option<Role>,
    /// The name of the officer, for an official message.
    officer: Option<String>,
    /// The text of the message; empty for a transition.
    text: String,
    files: Vec<FileDto>,
    warnings: Vec<MessageWarning>,
    /// What the parties were notified of, such as `ORDER_PAID`; null for a message, and for a transition without a notice.
    notice: Option<String>,
    /// The state of the order after the transition; null for a message.
    state: Option<String>,
    /// The version of the order after the transition; null for a message.
    version: Option<i64>,
    at: DateTime<Utc>,
    /// The hash of the entry and of all entries before it, in hexadecimal digits.
    hash: String,
}

impl From<LogEntry> for EntryDto {
    fn from(entry: LogEntry) -> Self {
        let empty = Self {
            number: entry.number,
            kind: EntryKind::System,
            author: entry.author.map(Into::into),
            officer: None,
            text: String::new(),
            files: Vec::new(),
            warnings: Vec::new(),
            notice: None,
            state: None,
            version: None,
            at: entry.at,
            hash: entry.hash.to_string(),
        };
        let files = |files: Vec<FileReference>| files.into_iter().map(Into::into).collect();
        match entry.content {
            Content::System { notice, state, version } => Self {
                notice: notice.map(|notice| notice.to_string()),
                state: Some(state),
                version: Some(version),
                ..empty
            },
            Content::Message { text, files: attached, warnings } => Self {
                kind: EntryKind::Message,
                text,
                files: files(attached),
                warnings: warnings.into_iter().map(Into::into).collect(),
                ..empty
            },
            Content::Officer { name, text, files: attached } => {
                Self { kind: EntryKind::Officer, officer: Some(name), text, files: files(attached), ..empty }
            }
        }
    }
}

/// How far a party has received and read the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = TalkMarks)]
#[serde(rename_all = "camelCase")]
pub(super) struct MarksDto {
    party: Role,
    /// The number of the last entry that a device of the party has received.
    delivered_to: i64,
    /// The number of the last entry that the party has read.
    read_to: i64,
}

impl From<TalkMarks> for MarksDto {
    fn from(marks: TalkMarks) -> Self {
        Self { party: marks.party.into(), delivered_to: marks.delivered_to, read_to: marks.read_to }
    }
}

/// A page of the conversation of an order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = ConversationPage)]
#[serde(rename_all = "camelCase")]
pub(super) struct ConversationPageDto {
    /// The user's role in the order; null for an officer.
    role: Option<Role>,
    /// The entries of the page, in the order of their numbers.
    entries: Vec<EntryDto>,
    /// The number of the newest entry; 0 if there is none.
    last: i64,
    /// The marks of the buyer and the seller.
    marks: [MarksDto; 2],
    /// The number of unread messages to the user.
    unread: u32,
    /// Whether messages can be sent.
    open: bool,
    /// The time from which messages can't be sent any more; null while the order is open.
    closes_at: Option<DateTime<Utc>>,
}

impl From<ConversationPage> for ConversationPageDto {
    fn from(page: ConversationPage) -> Self {
        Self {
            role: page.party.map(Into::into),
            entries: page.entries.into_iter().map(Into::into).collect(),
            last: page.last,
            marks: page.marks.map(Into::into),
            unread: page.unread,
            open: page.open,
            closes_at: page.closes_at,
        }
    }
}

/// A conversation in the user's list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Conversation)]
#[serde(rename_all = "camelCase")]
pub(super) struct ConversationDto {
    order_id: String,
    /// The user's role in the order.
    role: Role,
    state: OrderState,
    /// The nickname of the other party.
    nickname: String,
    /// The ISO 3166-1 alpha-2 code of the other party's country.
    country_code: String,
    base: String,
    quote: String,
    /// The ordered quantity of the base, as a decimal string.
    quantity: String,
    /// The last message.
    last: EntryDto,
    /// The number of unread messages to the user.
    unread: u32,
}

impl From<&Conversation> for ConversationDto {
    fn from(of: &Conversation) -> Self {
        let (base, quote) = &of.assets;
        Self {
            order_id: of.order.id.to_string(),
            role: of.party.into(),
            state: (&of.order.state).into(),
            nickname: of.counterparty.nickname.clone().unwrap_or_default(),
            country_code: of.counterparty.region.clone(),
            base: base.code.clone(),
            quote: quote.code.clone(),
            quantity: of.order.terms.quantity.format(base.decimals),
            last: of.last.clone().into(),
            unread: of.unread,
        }
    }
}

/// What the floating button shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Bubble)]
#[serde(rename_all = "camelCase")]
pub(super) struct BubbleDto {
    /// The number of the user's open orders.
    open_orders: u32,
    /// The number of open orders that someone else has changed since the user last saw them.
    changed_orders: u32,
    /// The number of unread messages to the user.
    unread: u32,
}

impl From<Bubble> for BubbleDto {
    fn from(of: Bubble) -> Self {
        Self { open_orders: of.open_orders, changed_orders: of.changed_orders, unread: of.unread }
    }
}

/// A number of unread messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Unread)]
pub(super) struct UnreadDto {
    pub(super) unread: u32,
}

/// The user's mark in a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = ReadMark)]
#[serde(rename_all = "camelCase")]
pub(super) struct ReadDto {
    /// The number of the last entry that the user has read.
    pub(super) read_to: i64,
    /// The number of messages to the user that remain unread.
    pub(super) unread: u32,
}

/// The message of a websocket message of type `TALK`, as JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TalkMessage {
    order_id: String,
    /// A new entry of the order's log; null if the message is about marks.
    entry: Option<EntryDto>,
    /// The idempotency key under which the entry was sent; null for others than its author.
    key: Option<String>,
    /// New marks of a party; null if the message is about an entry.
    marks: Option<MarksDto>,
}

impl From<TalkEvent> for TalkMessage {
    fn from(event: TalkEvent) -> Self {
        Self {
            order_id: event.order_id.to_string(),
            entry: event.entry.map(Into::into),
            key: event.key,
            marks: event.marks.map(Into::into),
        }
    }
}
