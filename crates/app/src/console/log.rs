//! Administrators read the audit log.

use serde_json::json;
use store::console::audit::{self, Subject};

pub use store::console::audit::{Filter as AuditFilter, Line as AuditLine};

use super::By;
use super::Console;
use crate::Result;

/// A page of the audit log, newest first.
#[derive(Debug, Clone, PartialEq)]
pub struct AuditPage {
    pub lines: Vec<AuditLine>,
    /// The ID before which the next page begins; `None` on the last page.
    pub next: Option<i64>,
}

impl Console {
    /// Returns the newest rows of the log before an ID. Recording this view comes first, so the first page shows it.
    pub async fn audit_log(&self, by: &By, filter: &AuditFilter, before: Option<i64>, size: u32) -> Result<AuditPage> {
        let details = json!({
            "officer": filter.officer,
            "action": filter.action,
            "subject": filter.subject.as_ref().map(|(kind, id)| format!("{kind} {id}").trim().to_owned()),
        });
        let (mut tx, _) = self.view(by, "view_audit_log", Subject::Platform, details).await?;
        let size_and_one = i64::from(size).saturating_add(1);
        let mut lines = audit::page(&mut tx, filter, before, size_and_one).await?;
        tx.commit().await?;
        let more = lines.len() > usize::try_from(size).unwrap_or(usize::MAX);
        if more {
            lines.pop();
        }
        let next = lines.last().filter(|_| more).map(|line| line.id);
        Ok(AuditPage { lines, next })
    }
}
