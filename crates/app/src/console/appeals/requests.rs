//! Officers ask the parties of a case for evidence.

use domain::effect::Notice;
use domain::ids::AppealId;
use domain::orders::{EvidenceRequest, NewEvidenceRequest, request_evidence};
use domain::refusal::Refusal;
use domain::trade::Party;
use serde_json::json;
use store::Tx;
use store::appeals::StoredAppeal;
use store::console::audit::{self, Entry, Subject};
use store::console::evidence_requests;

use super::{CaseView, on_case, on_open_case};
use crate::console::{Acting, Console};
use crate::engine::changes::{call, order_notification};
use crate::engine::idempotency::IdempotencyKey;
use crate::memory::feed::Change;
use crate::{Error, Result};

/// The number of requests that a case shows, the newest ones.
pub(super) const MAX_REQUESTS: i64 = 50;

/// Returns the newest requests about an appeal, oldest first.
pub(super) async fn of(tx: &mut Tx, id: AppealId) -> Result<Vec<EvidenceRequest>> {
    let found = evidence_requests::of(tx, &[id], MAX_REQUESTS).await?;
    Ok(found.into_iter().map(|(_, request)| request).collect())
}

impl Console {
    /// Asks a party of a case for evidence, and notifies the party. An earlier request to the party that is still unanswered
    /// is closed. Returns the case.
    pub async fn request_evidence(
        &self,
        acting: &Acting,
        id: AppealId,
        new: &NewEvidenceRequest,
        key: &IdempotencyKey,
    ) -> Result<CaseView> {
        let by = acting.commanding(key);
        let Some((mut tx, now)) = self.begin(&by).await? else { return self.case_again(acting, id).await };
        let stored = on_open_case(&mut tx, id, acting.officer, now).await?;
        let order = store::orders::read(&mut tx, &[stored.order]).await?.pop();
        let order = order.ok_or_else(|| Error::Internal(format!("no order {}", stored.order)))?;
        let user = order.terms.user(new.party);
        // Users are locked before other rows: their rows contain the numbers of the events.
        store::users::lock(&mut tx, &[user]).await?;
        let (stored, requests) = locked(&mut tx, &stored, acting, now).await?;
        let details = new.details.as_deref().map(str::trim).map(str::to_owned);
        let new = NewEvidenceRequest { details, ..new.clone() };
        let due = request_evidence(&stored.appeal, &new, now)?;
        let evidence = &stored.appeal.evidence;
        let open = requests.iter().filter(|one| one.party == new.party && one.is_open(evidence));
        let replaced: Vec<_> = open.map(|one| one.id).collect();
        evidence_requests::close(&mut tx, &replaced, now).await?;
        let to = (id, evidence.len(), user);
        let asker = (acting.officer, acting.name.as_str());
        let request = evidence_requests::insert(&mut tx, to, &new, asker, (now, due)).await?;
        let told = order_notification(user, &order, Notice::EvidenceRequested, None);
        store::outbox::write(&mut tx, &[told, call(user, stored.order)], now).await?;
        // The details stay with the case: the audit log is open to administrators, who see no case.
        let details = json!({
            "request": request, "party": new.party.into_str(), "kind": new.kind.into_str(), "due_at": due, "replaced": replaced,
        });
        let entry = Entry { action: "request_evidence", subject: Subject::Appeal(id), details, reason: None };
        audit::record(&mut tx, &by, entry, now).await?;
        let case = self.case_in(&mut tx, acting, &stored, now).await?;
        tx.commit().await?;
        self.context.changed(&[Change::User(user)]);
        Ok(case)
    }

    /// Takes an unanswered request back. The party no longer sees it. Refused if it was answered or closed meanwhile. Returns
    /// the case.
    pub async fn close_evidence_request(
        &self,
        acting: &Acting,
        id: AppealId,
        request: i64,
        key: &IdempotencyKey,
    ) -> Result<CaseView> {
        let by = acting.commanding(key);
        let Some((mut tx, now)) = self.begin(&by).await? else { return self.case_again(acting, id).await };
        let stored = on_open_case(&mut tx, id, acting.officer, now).await?;
        let (stored, requests) = locked(&mut tx, &stored, acting, now).await?;
        let found = requests.iter().find(|one| one.id == request);
        let found = found.ok_or(Refusal::Invalid { field: "request", reason: "unknown" })?;
        if !found.is_open(&stored.appeal.evidence) {
            return Err(Refusal::Stale.into());
        }
        evidence_requests::close(&mut tx, &[request], now).await?;
        let details = json!({ "request": request });
        let entry = Entry { action: "close_evidence_request", subject: Subject::Appeal(id), details, reason: None };
        audit::record(&mut tx, &by, entry, now).await?;
        let case = self.case_in(&mut tx, acting, &stored, now).await?;
        tx.commit().await?;
        self.context.changed(&Party::ALL.map(|party| Change::User(case.row.order.terms.user(party))));
        Ok(case)
    }

    /// Returns a case after a command that was executed before.
    async fn case_again(&self, acting: &Acting, id: AppealId) -> Result<CaseView> {
        let (mut tx, now) = self.context.begin().await?;
        let stored = on_case(&mut tx, id, acting.officer, now).await?;
        self.case_in(&mut tx, acting, &stored, now).await
    }
}

/// Locks the order of an appeal. Appeals and requests change only under this lock. Returns the appeal and its requests.
async fn locked(
    tx: &mut Tx,
    stored: &StoredAppeal,
    acting: &Acting,
    now: domain::clock::Timestamp,
) -> Result<(StoredAppeal, Vec<EvidenceRequest>)> {
    store::orders::lock(tx, &[stored.order]).await?;
    let stored = on_open_case(tx, stored.appeal.id, acting.officer, now).await?;
    let requests = of(tx, stored.appeal.id).await?;
    Ok((stored, requests))
}
