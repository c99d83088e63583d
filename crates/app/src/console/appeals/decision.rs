//! Officers decide cases.

use domain::console::OfficerRefusal;
use domain::ids::AppealId;
use domain::orders::{Undecidable, check_appeal_text};
use domain::refusal::Refusal;
use store::console::audit;

use super::{CaseView, case, on_case, on_open_case};
use crate::Result;
use crate::appeals::{self, Decided, Ruling};
use crate::console::{Acting, Console};
use crate::engine::idempotency::IdempotencyKey;

/// A decision of an officer on a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseDecision {
    pub ruling: Ruling,
    /// 1 to 500 characters. Both parties see it.
    pub note: String,
    /// The version of the case that the officer saw.
    pub version: String,
}

impl Console {
    /// Decides a case. Returns whether the decision took effect, rather than waiting for a second officer, and the case.
    pub async fn decide_appeal(
        &self,
        acting: &Acting,
        id: AppealId,
        decision: &CaseDecision,
        key: &IdempotencyKey,
    ) -> Result<(bool, CaseView)> {
        check_appeal_text("note", Some(&decision.note))?;
        let by = acting.commanding(key);
        let Some((mut tx, now)) = self.begin(&by).await? else {
            let (mut tx, now) = self.context.begin().await?;
            let stored = on_case(&mut tx, id, acting.officer, now).await?;
            let line = audit::line_of(&mut tx, acting.officer, &key.key).await?;
            let done = line.is_some_and(|line| !line.action.starts_with("propose_"));
            return Ok((done, self.case_in(&mut tx, acting, &stored, now).await?));
        };
        let stored = on_open_case(&mut tx, id, acting.officer, now).await?;
        let authority = acting.role.authority().ok_or(Refusal::from(OfficerRefusal::NotAllowed))?;
        let mut work = appeals::load(&self.context, &mut tx, now, stored.order).await?;
        let order = work.orders.get(&stored.order).ok_or(Refusal::OrderMissing)?;
        if order.appeal.as_ref().is_none_or(|latest| latest.id != id) {
            return Err(Refusal::AppealProcessed.into());
        }
        let proposal = store::appeals::proposals(&mut tx, &[id]).await?.pop().map(|(_, proposal)| proposal);
        if decision.version != case::version(order, id, proposal.as_ref()) {
            return Err(Refusal::Stale.into());
        }
        let CaseDecision { ruling, note, .. } = decision.clone();
        let officer = appeals::Officer { id: acting.officer, by, authority };
        let decision = appeals::AppealRuling { order: stored.order, ruling, officer, note };
        let done = match appeals::decide_in(&mut tx, &mut work, &self.rules, &decision).await? {
            Decided::Done(_) => true,
            Decided::Proposed => false,
            Decided::Unknown => return Err(Refusal::OrderMissing.into()),
            Decided::Refused(Undecidable::NotOpen) => return Err(Refusal::AppealProcessed.into()),
            Decided::Refused(why) => return Err(Refusal::from(OfficerRefusal::Undecidable(why)).into()),
        };
        let stored = on_case(&mut tx, id, acting.officer, now).await?;
        let case = self.case_in(&mut tx, acting, &stored, now).await?;
        tx.commit().await?;
        self.context.changed(&work.changes());
        Ok((done, case))
    }
}
