//! Officers join and leave cases.

use domain::console::OfficerRefusal;
use domain::ids::AppealId;
use domain::refusal::Refusal;
use serde_json::json;
use store::console::audit::{self, Entry, Subject};
use store::console::{assignments, cases};

use super::{CaseView, QueueRow, is_readable};
use crate::Result;
use crate::console::{Acting, Console};
use crate::engine::idempotency::IdempotencyKey;

impl Console {
    /// Puts the officer on the case of an appeal that has not ended, and returns the case.
    pub async fn join_appeal(&self, acting: &Acting, id: AppealId, key: &IdempotencyKey) -> Result<CaseView> {
        let by = acting.commanding(key);
        let Some((mut tx, now)) = self.begin(&by).await? else { return self.appeal_case(acting, id).await };
        let stored = store::appeals::find(&mut tx, id).await?.ok_or(Refusal::AppealMissing)?;
        // The appeal changes only under the lock of its order.
        store::orders::lock(&mut tx, &[stored.order]).await?;
        let stored = store::appeals::find(&mut tx, id).await?.ok_or(Refusal::AppealMissing)?;
        let stays = cases::is_on(&mut tx, id, acting.officer).await? && is_readable(&stored.appeal, now);
        if stored.appeal.status.ended_at().is_some() && !stays {
            return Err(Refusal::AppealProcessed.into());
        }
        cases::join(&mut tx, id, acting.officer, now).await?;
        // Whoever works on an appeal first is responsible for it, unless a colleague is.
        if assignments::of(&mut tx, &[id]).await?.is_empty() {
            assignments::assign(&mut tx, id, Some(acting.officer), now).await?;
        }
        let entry = Entry { action: "join_appeal", subject: Subject::Appeal(id), details: json!({}), reason: None };
        audit::record(&mut tx, &by, entry, now).await?;
        let case = self.case_in(&mut tx, acting, &stored, now).await?;
        tx.commit().await?;
        Ok(case)
    }

    /// Takes the officer off a case, and returns the appeal as the queue shows it. Proposals of the officer remain.
    pub async fn leave_appeal(&self, acting: &Acting, id: AppealId, key: &IdempotencyKey) -> Result<QueueRow> {
        let by = acting.commanding(key);
        let Some((mut tx, now)) = self.begin(&by).await? else {
            let (mut tx, now) = self.context.begin().await?;
            return self.row(&mut tx, id, acting.officer, now).await;
        };
        let stored = store::appeals::find(&mut tx, id).await?.ok_or(Refusal::AppealMissing)?;
        store::orders::lock(&mut tx, &[stored.order]).await?;
        if !cases::leave(&mut tx, id, acting.officer).await? {
            return Err(Refusal::from(OfficerRefusal::NotOnCase).into());
        }
        if assignments::of(&mut tx, &[id]).await?.iter().any(|assigned| assigned.officer == acting.officer) {
            assignments::assign(&mut tx, id, None, now).await?;
        }
        let entry = Entry { action: "leave_appeal", subject: Subject::Appeal(id), details: json!({}), reason: None };
        audit::record(&mut tx, &by, entry, now).await?;
        let row = self.row(&mut tx, id, acting.officer, now).await?;
        tx.commit().await?;
        Ok(row)
    }
}
