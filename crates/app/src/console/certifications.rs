//! Administrators decide applications for certification.

use domain::certification::{self, CertificationDecision, Check};
use domain::clock::Timestamp;
use domain::ids::{CertificationId, UserId};
use domain::notifications::Category;
use domain::refusal::Refusal;
use domain::reputation::Record;
use serde_json::json;
use store::certifications::{self, StoredApplication};
use store::console::audit::Subject;
use store::console::users as rows;
use store::outbox::{self, OutboxEvent};
use store::{Tx, users};

use super::By;
use super::users::UserLine;
use super::{Console, Decision, record, version_of};
use crate::Result;
use crate::certification::Applicant;
use crate::memory::feed::Change;

/// The number of applications on a page.
const PAGE_SIZE: i64 = 20;

/// An application that waits for an officer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingCertification {
    pub id: CertificationId,
    pub applied_at: Timestamp,
    pub user: UserLine,
    /// The user's record of the last 30 days.
    pub record: Record,
    /// What certification takes, and what of it the user meets now.
    pub checks: Vec<Check>,
    /// Changes with everything on which the decision depends.
    pub version: String,
}

/// Returns the application with what the officer sees of its user.
async fn shown(
    tx: &mut Tx,
    stored: &StoredApplication,
    user: UserLine,
    now: Timestamp,
) -> Result<PendingCertification> {
    let applicant = Applicant::of(tx, user.user.clone(), now).await?;
    let facts = applicant.facts(now);
    let checks = certification::checks(&facts);
    let met: Vec<_> = checks.iter().map(|check| format!("{:?} {}", check.requirement, check.met)).collect();
    let version = version_of(&[user.version.clone(), met.join(" "), format!("{:?}", stored.application.decision)]);
    let applied_at = stored.application.applied_at;
    Ok(PendingCertification { id: stored.id, applied_at, record: facts.record, user, checks, version })
}

async fn line_of(tx: &mut Tx, user: UserId) -> Result<UserLine> {
    Ok(super::users::lines(tx, &[user]).await?.pop().ok_or(Refusal::NotFound)?)
}

impl Console {
    /// Returns the applications that wait for an officer, oldest first, after `after`.
    pub async fn pending_certifications(
        &self,
        by: &By,
        after: Option<(Timestamp, CertificationId)>,
    ) -> Result<Vec<PendingCertification>> {
        let (mut tx, now) = self.view(by, "view_certifications", Subject::Platform, json!({})).await?;
        let mut all = Vec::new();
        for stored in certifications::pending(&mut tx, after, PAGE_SIZE).await? {
            let user = line_of(&mut tx, stored.user).await?;
            all.push(shown(&mut tx, &stored, user, now).await?);
        }
        tx.commit().await?;
        Ok(all)
    }

    /// Approves or rejects an application, and tells the user. The user sees the reason. Refuses to approve while a requirement
    /// is not met, and a decision about something that has changed since the officer saw it.
    pub async fn decide_certification(&self, id: CertificationId, approved: bool, decision: &Decision) -> Result<()> {
        let Some((mut tx, now)) = self.begin(&decision.by).await? else { return Ok(()) };
        let user = certifications::read(&mut tx, id).await?.ok_or(Refusal::NotFound)?.user;
        let mut row = users::lock(&mut tx, &[user]).await?.pop().ok_or(Refusal::NotFound)?;
        // Read after locking.
        let stored = certifications::read(&mut tx, id).await?.ok_or(Refusal::NotFound)?;
        let line = line_of(&mut tx, user).await?;
        let pending = shown(&mut tx, &stored, line, now).await?;
        decision.check_version(&pending.version)?;
        if approved {
            certification::check_all_met(&Applicant::of(&mut tx, row.clone(), now).await?.facts(now))?;
            row.certified = true;
            rows::set_standing(&mut tx, &row).await?;
        }
        let verdict = CertificationDecision { at: now, approved, reason: decision.reason.clone() };
        if !certifications::decide(&mut tx, id, &verdict).await? {
            return Err(Refusal::Stale.into());
        }
        let status = if approved { "APPROVED" } else { "REJECTED" };
        let body = json!({ "certification": status });
        let event = OutboxEvent { user, kind: "ACCOUNT_CHANGE", body, category: Some(Category::Account) };
        outbox::write(&mut tx, &[event], now).await?;
        let action = if approved { "approve_certification" } else { "reject_certification" };
        record(&mut tx, decision, action, Subject::User(user), json!({ "appliedAt": pending.applied_at }), now).await?;
        tx.commit().await?;
        self.context.changed(&[Change::User(user), Change::Profile(user)]);
        Ok(())
    }
}
