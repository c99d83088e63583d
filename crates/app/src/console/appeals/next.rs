//! The case on which an officer should work next.

use domain::ids::AppealId;
use domain::orders::AppealStatus;
use serde_json::json;
use store::console::audit::Subject;
use store::console::cases::{self, Queue};

use super::QueueRow;
use crate::Result;
use crate::appeals::Valuation;
use crate::console::{Acting, Console};

/// The number of appeals of each queue among which the next one is looked for.
const MAX_CANDIDATES: i64 = 50;

impl Console {
    /// Returns the oldest pending appeal of the officer's own cases, or else the oldest one on which nobody works. Omits an
    /// appeal that the officer has just left or decided, those that the officer may not decide, and those that wait for a
    /// second officer after the officer's own proposal.
    pub async fn next_appeal(&self, acting: &Acting, omitted: Option<AppealId>) -> Result<Option<QueueRow>> {
        let view = acting.viewing();
        let (mut tx, now) = self.refreshed_view(&view, "view_next_appeal", Subject::Platform, json!({})).await?;
        let reference = self.context.reference_data(&mut tx).await?.data;
        let limits = Valuation::new(&reference, &self.rules, now)?.limits;
        let mut next = None;
        for queue in [Queue::Mine(acting.officer), Queue::Free] {
            let ids = cases::queue(&mut tx, queue, MAX_CANDIDATES).await?;
            let mut rows = self.complete_rows(&mut tx, &ids, acting.officer, now).await?.into_iter();
            next = rows.find(|row| {
                let allowed = acting.role.authority().is_some_and(|authority| limits.allows(authority, row.worth));
                let proposed = row.proposal.as_ref().is_some_and(|proposal| proposal.officer_id == acting.officer);
                let pending = row.appeal.status == AppealStatus::Pending;
                pending && allowed && !proposed && Some(row.appeal.id) != omitted
            });
            if next.is_some() {
                break;
            }
        }
        tx.commit().await?;
        Ok(next)
    }
}
