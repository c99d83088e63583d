//! The files of messages.

use domain::ids::{FileId, UserId};
use domain::order_log::FileReference;
use domain::refusal::Refusal;
use store::Tx;

use crate::Result;

/// Attaches uploaded files of a user to a message, and returns them with the hashes of their content.
///
/// Uploads are not supported yet, so no ID can refer to a file.
#[expect(clippy::unused_async, reason = "will read the files' rows")]
pub(super) async fn attach(_tx: &mut Tx, _user: UserId, files: &[FileId]) -> Result<Vec<FileReference>> {
    if files.is_empty() {
        return Ok(Vec::new());
    }
    Err(Refusal::Invalid { field: "files", reason: "no such file" }.into())
}
