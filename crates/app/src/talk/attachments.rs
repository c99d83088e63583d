//! The files of messages: attaching them, and the links with which those who may read a message see them.

use std::collections::BTreeMap;

use domain::clock::Timestamp;
use domain::files::{Access, Attachment, Purpose, StoredFile, check_list};
use domain::ids::{FileId, OrderId, UserId};
use domain::order_log::{FileReference, Hash, LogEntry};
use domain::refusal::Refusal;
use domain::talk::{self, FILES, MAX_FILES};
use store::Tx;

use super::Talk;
use crate::files::{LinkedFile, Linker, Viewer};
use crate::{Error, Result};

/// Attaches uploaded files of a user to a message in the conversation of an order, and returns them with the hashes of their
/// content. The caller must have locked the user and the order, and must roll back after a refusal.
///
/// Files that are missing, belong to another user or are attached already are refused, and so are more or larger files than a
/// party may attach to the messages about an order.
pub(super) async fn attach(
    tx: &mut Tx,
    (user, order): (UserId, OrderId),
    ids: &[FileId],
    now: Timestamp,
) -> Result<Vec<FileReference>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    check_list(ids, MAX_FILES, FILES)?;
    let locked: BTreeMap<_, _> = store::files::lock(tx, ids).await?.into_iter().map(|file| (file.id, file)).collect();
    let files: Vec<_> = ids.iter().map(|id| attachable(locked.get(id), user)).collect::<std::result::Result<_, _>>()?;
    talk::check_kinds(files.iter().map(|file| file.media.kind()))?;
    let (mut count, mut bytes) = store::files::in_messages(tx, order, user).await?;
    for file in &files {
        (count, bytes) = (count.saturating_add(1), bytes.saturating_add(file.bytes));
    }
    talk::check_room(count, bytes)?;
    let to = Attachment::Order { order, purpose: Purpose::Message };
    let attached: Vec<_> = files.iter().map(|file| (file.id, to)).collect();
    if !store::files::attach(tx, &attached, now).await? {
        return Err(Error::Internal("a locked file was attached by another command".to_owned()));
    }
    Ok(files.into_iter().map(|file| FileReference { id: file.id, sha256: Hash(file.sha256) }).collect())
}

/// Returns the file if the user may attach it. A message takes files of every kind.
fn attachable(file: Option<&StoredFile>, user: UserId) -> std::result::Result<StoredFile, Refusal> {
    let missing = Refusal::Invalid { field: FILES, reason: "no such file" };
    let file = file.ok_or(missing)?;
    StoredFile::check_attachable(Some(file), user, file.media.kind(), FILES)?;
    Ok(file.clone())
}

impl Talk {
    /// Returns the files of entries with links for a viewer, who must be allowed to read these entries.
    pub async fn linked(
        &self,
        viewer: Viewer,
        entries: impl IntoIterator<Item = &LogEntry>,
    ) -> Result<BTreeMap<FileId, LinkedFile>> {
        let mut by_order: BTreeMap<OrderId, Vec<FileId>> = BTreeMap::new();
        for entry in entries {
            let files = entry.content.files().iter().map(|file| file.id);
            by_order.entry(entry.order).or_default().extend(files);
        }
        let ids: Vec<_> = by_order.values().flatten().copied().collect();
        if ids.is_empty() {
            return Ok(BTreeMap::new());
        }
        let (mut tx, now) = self.context.begin().await?;
        let files = store::files::by_ids(&mut tx, &ids).await?;
        let linker = Linker::load(&self.context, &mut tx, now, true).await?;
        let links = by_order.keys().flat_map(|order| linker.links(viewer, Access::Order(*order), &files));
        Ok(links.collect())
    }
}
