//! DTOs of the conversation of a case.

use std::collections::BTreeMap;

use app::console::CaseTalk;
use app::files::LinkedFile;
use chrono::{DateTime, Utc};
use domain::ids::FileId;
use domain::order_log::{Content, FileReference, LogEntry};
use domain::talk::Warning;
use domain::trade::Party;
use serde::Serialize;
use utoipa::ToSchema;

use crate::files::FileDto;
use crate::talk::{EntryKind, MarksDto};

/// An entry of an order's log, as officers see it.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = ConsoleTalkEntry)]
#[serde(rename_all = "camelCase")]
pub(in crate::console) struct TalkEntryItem {
    /// The number of the entry: consecutive per order, from 1.
    number: i64,
    kind: EntryKind,
    /// The party who wrote the message or caused the transition; null for the platform.
    author: Option<Party>,
    /// The name of the officer, for an official message.
    officer: Option<String>,
    /// The text of the message; empty for a transition.
    text: String,
    files: Vec<FileDto>,
    /// What the recipient was warned of.
    warnings: Vec<Warning>,
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

impl TalkEntryItem {
    pub(super) fn new(entry: LogEntry, links: &BTreeMap<FileId, LinkedFile>) -> Self {
        let empty = Self {
            number: entry.number,
            kind: EntryKind::System,
            author: entry.author,
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
        let files =
            |files: &[FileReference]| files.iter().filter_map(|file| links.get(&file.id)).map(Into::into).collect();
        match entry.content {
            Content::System { notice, state, version, .. } => Self {
                notice: notice.map(|notice| notice.to_string()),
                state: Some(state),
                version: Some(version),
                ..empty
            },
            Content::Message { text, files: attached, warnings } => {
                Self { kind: EntryKind::Message, text, files: files(&attached), warnings, ..empty }
            }
            Content::Officer { name, text, files: attached } => {
                Self { kind: EntryKind::Officer, officer: Some(name), text, files: files(&attached), ..empty }
            }
        }
    }
}

/// A page of the conversation of a case.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = ConsoleTalk)]
#[serde(rename_all = "camelCase")]
pub(in crate::console) struct TalkItem {
    /// The entries of the page, in the order of their numbers.
    entries: Vec<TalkEntryItem>,
    /// The number of the newest entry; 0 if there is none.
    last: i64,
    /// The marks of the buyer and the seller.
    marks: [MarksDto; 2],
    /// Whether the parties can send messages.
    open: bool,
}

impl From<CaseTalk> for TalkItem {
    fn from(CaseTalk { page, files }: CaseTalk) -> Self {
        Self {
            entries: page.entries.into_iter().map(|entry| TalkEntryItem::new(entry, &files)).collect(),
            last: page.last,
            marks: page.marks.map(Into::into),
            open: page.open,
        }
    }
}
