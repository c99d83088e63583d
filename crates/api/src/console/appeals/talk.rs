//! DTOs of the conversation of a case.

use std::collections::BTreeMap;

use app::console::CaseTalk;
use app::files::LinkedFile;
use domain::ids::FileId;
use domain::order_log::LogEntry;
use serde::Serialize;
use utoipa::ToSchema;

use crate::files::FileDto;
use crate::talk::{LogEntryDto, MarksDto};

/// An entry of an order's log, as officers see it.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = ConsoleTalkEntry)]
pub(in crate::console) struct TalkEntryItem {
    #[serde(flatten)]
    entry: LogEntryDto,
    files: Vec<FileDto>,
}

impl TalkEntryItem {
    pub(super) fn new(entry: LogEntry, links: &BTreeMap<FileId, LinkedFile>) -> Self {
        let files = entry.content.files().iter().filter_map(|file| links.get(&file.id)).map(Into::into).collect();
        Self { entry: entry.into(), files }
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
