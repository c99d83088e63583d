//! Which officer is responsible for an appeal.

use domain::ids::{AppealId, OfficerId};
use domain::refusal::Refusal;
use serde_json::json;
use store::console::assignments::{self, Colleague};
use store::console::audit::{self, Entry, Subject};

use super::QueueRow;
use crate::Result;
use crate::console::{Acting, Console};
use crate::engine::idempotency::IdempotencyKey;

impl Console {
    /// Returns the officers to whom appeals can be assigned.
    pub async fn colleagues(&self, acting: &Acting) -> Result<Vec<Colleague>> {
        let view = acting.viewing();
        let (mut tx, _) = self.refreshed_view(&view, "view_colleagues", Subject::Platform, json!({})).await?;
        let found = assignments::colleagues(&mut tx).await?;
        tx.commit().await?;
        Ok(found)
    }

    /// Assigns an appeal that has not ended to an officer, or to nobody. Refused if it is not assigned to whom the officer saw.
    /// Returns the appeal as the queue shows it. The new officer sees the case only after joining it.
    pub async fn assign_appeal(
        &self,
        acting: &Acting,
        id: AppealId,
        (seen, to): (Option<OfficerId>, Option<OfficerId>),
        key: &IdempotencyKey,
    ) -> Result<QueueRow> {
        let by = acting.commanding(key);
        let Some((mut tx, now)) = self.begin(&by).await? else {
            let (mut tx, now) = self.context.begin().await?;
            return self.row(&mut tx, id, acting.officer, now).await;
        };
        let stored = store::appeals::find(&mut tx, id).await?.ok_or(Refusal::AppealMissing)?;
        // Appeals and their assignments change only under the lock of the order.
        store::orders::lock(&mut tx, &[stored.order]).await?;
        let stored = store::appeals::find(&mut tx, id).await?.ok_or(Refusal::AppealMissing)?;
        if stored.appeal.status.ended_at().is_some() {
            return Err(Refusal::AppealProcessed.into());
        }
        let before = assignments::of(&mut tx, &[id]).await?.pop();
        if before.as_ref().map(|before| before.officer) != seen {
            return Err(Refusal::Stale.into());
        }
        let colleagues = assignments::colleagues(&mut tx).await?;
        let name = match to {
            None => None,
            Some(to) => {
                let found = colleagues.into_iter().find(|one| one.id == to).map(|one| one.name);
                Some(found.ok_or(Refusal::Invalid { field: "officerId", reason: "nobody who decides appeals" })?)
            }
        };
        assignments::assign(&mut tx, id, to, now).await?;
        let details = json!({ "before": before.map(|before| before.name), "after": name });
        let entry = Entry { action: "assign_appeal", subject: Subject::Appeal(id), details, reason: None };
        audit::record(&mut tx, &by, entry, now).await?;
        let row = self.row(&mut tx, id, acting.officer, now).await?;
        tx.commit().await?;
        Ok(row)
    }
}
