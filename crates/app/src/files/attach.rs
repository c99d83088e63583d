//! Attaches files to what a command creates, in the transaction of the command.

use domain::clock::Timestamp;
use domain::files::{Attachment, FileKind, StoredFile};
use domain::ids::{FileId, UserId};
use store::Tx;
use store::files as rows;

use crate::{Error, Result};

/// The files that a user wants to attach.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a> {
    pub user: UserId,
    pub files: &'a [FileId],
    /// What all of them must be.
    pub kind: FileKind,
    /// The name of the request's field that contains the IDs, for refusals.
    pub field: &'static str,
}

/// Attaches files, each of which can be attached once and only by its owner. Call it after the rows that the command
/// locks, and before postings to the ledger.
///
/// Files that are missing, belong to somebody else, are attached already or of another kind are refused; the caller must
/// then roll back.
pub async fn attach(tx: &mut Tx, wanted: Wanted<'_>, to: Attachment, now: Timestamp) -> Result<()> {
    let Wanted { user, files: ids, kind, field } = wanted;
    domain::files::check_list(ids, ids.len(), field)?;
    let files = rows::lock(tx, ids).await?;
    for id in ids {
        let file = files.iter().find(|file| file.id == *id);
        StoredFile::check_attachable(file, user, kind, field)?;
    }
    let to: Vec<_> = files.iter().map(|file| (file.id, to)).collect();
    if rows::attach(tx, &to, now).await? {
        Ok(())
    } else {
        Err(Error::Internal("a locked file was attached by another command".to_owned()))
    }
}
