//! Officers open the files of a case.

use domain::console::OfficerRefusal;
use domain::ids::FileId;
use domain::refusal::Refusal;
use serde_json::json;
use store::console::audit::{self, Entry, Subject};
use store::console::cases;

use super::READABLE_FOR;
use crate::Result;
use crate::console::{Acting, Console};
use crate::files::{Files, OpenFile, Viewer};

impl Console {
    /// Returns a file of a case to an officer on it, in the session for which the link was made.
    pub async fn case_file(
        &self,
        acting: &Acting,
        files: &Files,
        id: FileId,
        (expires, signature): (i64, &str),
    ) -> Result<OpenFile> {
        let refused = || Refusal::from(OfficerRefusal::NotAllowed);
        let opened = files.open(Viewer::Officer(acting.session), id, expires, signature).await?.ok_or_else(refused)?;
        let (mut tx, now) = self.context.begin().await?;
        let attached = opened.file.attached.ok_or_else(refused)?;
        // The officer may have left the case since the link was made, and officers read ended cases only for a while.
        let since = now.checked_sub_signed(READABLE_FOR).unwrap_or(now);
        let case = cases::case_of_file(&mut tx, acting.officer, &opened.file, attached, since).await?;
        let case = case.ok_or_else(|| Refusal::from(OfficerRefusal::NotOnCase))?;
        let details = json!({ "file": id });
        let entry = Entry { action: "view_file", subject: Subject::Appeal(case), details, reason: None };
        audit::record(&mut tx, &acting.viewing(), entry, now).await?;
        tx.commit().await?;
        Ok(opened)
    }
}
