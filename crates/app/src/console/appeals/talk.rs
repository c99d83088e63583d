//! Officers read the conversation of a case, and speak in it.

use std::collections::BTreeMap;

use domain::ids::{AppealId, FileId, OrderId};
use domain::order_log::LogEntry;
use domain::orders::Appeal;
use domain::trade::Party;
use serde_json::{Value, json};
use store::Tx;
use store::appeals::StoredAppeal;
use store::console::audit::{self, Entry, Subject};

use super::{on_case, on_open_case};
use crate::console::{Acting, Console};
use crate::engine::idempotency::IdempotencyKey;
use crate::files::{LinkedFile, Viewer};
use crate::memory::feed::Change;
use crate::talk::{ConversationPage, Official, Talk, Window, append_official};
use crate::{Error, Result};

/// A page of the conversation of a case.
#[derive(Debug, Clone)]
pub struct CaseTalk {
    pub page: ConversationPage,
    /// The files of the entries.
    pub files: BTreeMap<FileId, LinkedFile>,
}

impl Console {
    /// Returns a page of the conversation of a case. What was said after the end of the appeal does not belong to it.
    pub async fn case_talk(
        &self,
        acting: &Acting,
        talk: &Talk,
        id: AppealId,
        window: Window,
        most: i64,
    ) -> Result<CaseTalk> {
        let subject = Subject::Appeal(id);
        let (mut tx, now) = self.refreshed_view(&acting.viewing(), "view_appeal_talk", subject, json!({})).await?;
        let stored = on_case(&mut tx, id, acting.officer, now).await?;
        let order = stored.order;
        let last = last_entry(&mut tx, &stored).await?;
        tx.commit().await?;
        let window = last.map_or(window, |last| before_end(window, last));
        let mut page = talk.page(crate::talk::Viewer::Officer, order, window, most).await?;
        if let Some(last) = last {
            end_at(&mut page, last);
        }
        let files = talk.linked(Viewer::Officer(acting.session), &page.entries).await?;
        Ok(CaseTalk { page, files })
    }

    /// Sends an official message to both parties of a case whose appeal has not ended.
    pub async fn say_officially(
        &self,
        acting: &Acting,
        id: AppealId,
        text: &str,
        key: &IdempotencyKey,
    ) -> Result<LogEntry> {
        domain::talk::check(text, 0)?;
        let by = acting.commanding(key);
        let Some((mut tx, now)) = self.begin(&by).await? else {
            let (mut tx, now) = self.context.begin().await?;
            let order = on_case(&mut tx, id, acting.officer, now).await?.order;
            let line = audit::line_of(&mut tx, acting.officer, &key.key).await?;
            let number = line.and_then(|line| line.details.get("entry").and_then(Value::as_i64));
            let number = number.ok_or_else(|| Error::Internal("a message without a number".to_owned()))?;
            let entry = store::order_log::after(&mut tx, order, number.saturating_sub(1), 1).await?.pop();
            return entry.ok_or_else(|| missing(order, number));
        };
        let order = on_open_case(&mut tx, id, acting.officer, now).await?.order;
        let message = Official { name: acting.name.clone(), text: text.to_owned(), files: Vec::new() };
        let said = append_official(&mut tx, order, &message, now).await?;
        // The order is locked now. The appeal may have ended before.
        on_open_case(&mut tx, id, acting.officer, now).await?;
        let details = json!({ "entry": said.number });
        let entry = Entry { action: "write_to_parties", subject: Subject::Appeal(id), details, reason: None };
        audit::record(&mut tx, &by, entry, now).await?;
        let parties = store::orders::read(&mut tx, &[order]).await?.pop();
        tx.commit().await?;
        if let Some(order) = parties {
            self.context.changed(&Party::ALL.map(|party| Change::User(order.terms.user(party))));
        }
        Ok(said)
    }
}

/// Returns the number of the last entry of the log that belongs to a case; `None` while the appeal is open.
pub(super) async fn last_entry(tx: &mut Tx, stored: &StoredAppeal) -> Result<Option<i64>> {
    let Appeal { number, status, .. } = &stored.appeal;
    if status.ended_at().is_none() {
        return Ok(None);
    }
    // Not by time: whoever writes while the appeal ends may append later and still have an earlier time.
    let last = store::order_log::number_of_appeal(tx, stored.order, *number, status.into_str()).await?;
    Ok(Some(last))
}

/// Returns a window that ends with an entry, if that can be said in advance.
fn before_end(window: Window, last: i64) -> Window {
    let end = last.saturating_add(1);
    match window {
        Window::Newest => Window::Before(end),
        Window::Before(number) => Window::Before(number.min(end)),
        Window::After(_) => window,
    }
}

/// Removes everything after an entry from a page.
fn end_at(page: &mut ConversationPage, last: i64) {
    page.entries.retain(|entry| entry.number <= last);
    page.last = page.last.min(last);
    for marks in &mut page.marks {
        marks.delivered_to = marks.delivered_to.min(last);
        marks.read_to = marks.read_to.min(last);
    }
}

fn missing(order: OrderId, number: i64) -> Error {
    Error::Internal(format!("the log of {order} has no entry {number}"))
}
