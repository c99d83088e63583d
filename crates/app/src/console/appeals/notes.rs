//! Private notes: what the officers on a case tell each other.

use domain::ids::AppealId;
use serde_json::json;
use store::console::audit::{self, Entry, Subject};
use store::console::case_notes;

use super::{CaseView, on_case, on_open_case};
use crate::Result;
use crate::console::{Acting, Console, checked_text};
use crate::engine::idempotency::IdempotencyKey;

/// The longest note, in characters.
const MAX_NOTE_LENGTH: usize = 1_000;

impl Console {
    /// Writes a note on a case whose appeal has not ended, for the officers on it. Returns the case.
    pub async fn write_note(
        &self,
        acting: &Acting,
        id: AppealId,
        text: &str,
        key: &IdempotencyKey,
    ) -> Result<CaseView> {
        let text = checked_text(text, "text", MAX_NOTE_LENGTH, |c| c.is_control() && c != '\n')?;
        let by = acting.commanding(key);
        let Some((mut tx, now)) = self.begin(&by).await? else {
            let (mut tx, now) = self.context.begin().await?;
            let stored = on_case(&mut tx, id, acting.officer, now).await?;
            return self.case_in(&mut tx, acting, &stored, now).await;
        };
        let stored = on_open_case(&mut tx, id, acting.officer, now).await?;
        let note = case_notes::insert(&mut tx, id, (acting.officer, &acting.name), &text, now).await?;
        // The note itself stays with the case: the audit log is open to administrators, who see no case.
        let entry = Entry {
            action: "write_note",
            subject: Subject::Appeal(id),
            details: json!({ "note": note }),
            reason: None,
        };
        audit::record(&mut tx, &by, entry, now).await?;
        let case = self.case_in(&mut tx, acting, &stored, now).await?;
        tx.commit().await?;
        Ok(case)
    }
}
