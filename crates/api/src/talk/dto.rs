//! DTOs of conversations.

use std::collections::BTreeMap;

use app::files::LinkedFile;
use app::talk::{Bubble, Conversation, ConversationPage, TalkEvent, TalkMarks};
use chrono::{DateTime, Utc};
use domain::ids::FileId;
use domain::order_log::{Content, FileReference, LogEntry};
use domain::orders;
use domain::talk;
use domain::trade::Party;
use serde::Serialize;
use utoipa::ToSchema;

use crate::files::FileDto;
use crate::nfts::dto::NftDto;

/// The files that a response shows, with links for the user who gets it.
pub(super) type Links = BTreeMap<FileId, LinkedFile>;

/// The kind of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum EntryKind {
    /// A transition of the order.
    System,
    /// A message by a party.
    Message,
    /// An official message by an officer.
    Officer,
}

/// A file of a message.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = TalkFile)]
struct TalkFileDto {
    id: String,
    /// The SHA-256 of the file's content, in hexadecimal digits.
    sha256: String,
    /// The file, with a link for the user who gets the response. Null in websocket messages.
    file: Option<FileDto>,
}

impl TalkFileDto {
    fn new(file: &FileReference, links: &Links) -> Self {
        Self { id: file.id.to_string(), sha256: file.sha256.to_string(), file: links.get(&file.id).map(FileDto::from) }
    }
}

/// An entry of an order's log, without its files.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = LogEntry)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LogEntryDto {
    /// The number of the entry: consecutive per order, from 1.
    number: i64,
    kind: EntryKind,
    /// The party who wrote the message or caused the transition; null for the platform.
    author: Option<Party>,
    /// The name of the officer, for an official message.
    officer: Option<String>,
    /// The text of the message; empty for a transition.
    text: String,
    /// What the recipient was warned of.
    warnings: Vec<talk::Warning>,
    /// Whether the message is the author's automatic reply to a new order.
    automatic: bool,
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

impl From<LogEntry> for LogEntryDto {
    fn from(entry: LogEntry) -> Self {
        let empty = Self {
            number: entry.number,
            kind: EntryKind::System,
            author: entry.author,
            officer: None,
            text: String::new(),
            warnings: Vec::new(),
            automatic: false,
            notice: None,
            state: None,
            version: None,
            at: entry.at,
            hash: entry.hash.to_string(),
        };
        match entry.content {
            Content::System { notice, state, version, .. } => Self {
                notice: notice.map(|notice| notice.to_string()),
                state: Some(state),
                version: Some(version),
                ..empty
            },
            Content::Message { text, warnings, automatic, files: _ } => {
                Self { kind: EntryKind::Message, text, warnings, automatic, ..empty }
            }
            Content::Officer { name, text, files: _ } => {
                Self { kind: EntryKind::Officer, officer: Some(name), text, ..empty }
            }
        }
    }
}

/// An entry of an order's log, as the parties see it.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = TalkEntry)]
pub(super) struct EntryDto {
    #[serde(flatten)]
    entry: LogEntryDto,
    files: Vec<TalkFileDto>,
}

impl EntryDto {
    pub(super) fn new(entry: LogEntry, links: &Links) -> Self {
        let files = entry.content.files().iter().map(|file| TalkFileDto::new(file, links)).collect();
        Self { entry: entry.into(), files }
    }
}

/// How far a party has received and read the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = TalkMarks)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MarksDto {
    party: Party,
    /// The number of the last entry that a device of the party has reported as received.
    delivered_to: i64,
    /// The number of the last entry that a device of the party has reported as read. Sending a message changes no mark.
    read_to: i64,
}

impl From<TalkMarks> for MarksDto {
    fn from(marks: TalkMarks) -> Self {
        Self { party: marks.party, delivered_to: marks.delivered_to, read_to: marks.read_to }
    }
}

/// A page of the conversation of an order.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = ConversationPage)]
#[serde(rename_all = "camelCase")]
pub(super) struct ConversationPageDto {
    /// The user's role in the order; null for an officer.
    role: Option<Party>,
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

impl ConversationPageDto {
    pub(super) fn new(page: ConversationPage, links: &Links) -> Self {
        Self {
            role: page.party,
            entries: page.entries.into_iter().map(|entry| EntryDto::new(entry, links)).collect(),
            last: page.last,
            marks: page.marks.map(Into::into),
            unread: page.unread,
            open: page.open,
            closes_at: page.closes_at,
        }
    }
}

/// A conversation in the user's list.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Conversation)]
#[serde(rename_all = "camelCase")]
pub(super) struct ConversationDto {
    order_id: String,
    /// The user's role in the order.
    role: Party,
    state: orders::StateName,
    /// The nickname of the other party.
    nickname: String,
    /// The ISO 3166-1 alpha-2 code of the other party's country.
    country_code: String,
    base: String,
    quote: String,
    /// The ordered quantity of the base, as a decimal string.
    quantity: String,
    /// The NFT that is sold; null for coins.
    nft: Option<NftDto>,
    /// The last message.
    last: EntryDto,
    /// The number of unread messages to the user.
    unread: u32,
}

impl ConversationDto {
    pub(super) fn new(of: &Conversation, links: &Links) -> Self {
        let (base, quote) = (&of.assets.base, &of.assets.quote);
        Self {
            order_id: of.order.id.to_string(),
            role: of.party,
            state: (&of.order.state).into(),
            nickname: of.counterparty.nickname.clone().unwrap_or_default(),
            country_code: of.counterparty.region.clone(),
            base: base.code.clone(),
            quote: quote.code.clone(),
            quantity: of.order.terms.quantity.format(base.decimals),
            nft: of.assets.nft.as_ref().map(NftDto::from),
            last: EntryDto::new(of.last.clone(), links),
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
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TalkMessage {
    order_id: String,
    /// A new entry of the order's log, its files without links; null if the message is about marks.
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
            entry: event.entry.map(|entry| EntryDto::new(entry, &Links::new())),
            key: event.key,
            marks: event.marks.map(Into::into),
        }
    }
}
