//! Certification: what a user must have to apply for it, and when. Only certified traders may post fiat adverts.

use chrono::Duration;
use serde::Serialize;
use strum::IntoStaticStr;

use crate::clock::{Timestamp, after};
use crate::refusal::Refusal;
use crate::reputation::Record;
use crate::users::{KycLevel, User};

/// The minimum age of the account.
pub const ACCOUNT_AGE: Duration = Duration::days(7);
/// The minimum number of orders completed in 30 days.
pub const MIN_COMPLETED_ORDERS: u32 = 10;
/// The minimum completion rate in 30 days, in percent.
pub const COMPLETION_PERCENT: u32 = 90;
pub const MIN_REPUTATION: i32 = 80;
/// The time after a rejection in which the user cannot apply again.
pub const REAPPLY_AFTER: Duration = Duration::days(7);

/// A requirement of certification.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, IntoStaticStr)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE", const_into_str)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum CertificationRequirement {
    /// The pass reports advanced verification.
    AdvancedVerification,
    SecurityPassword,
    /// At least one payment method.
    PaymentMethod,
    /// At least [`ACCOUNT_AGE`], in days.
    AccountAge,
    /// At least [`MIN_COMPLETED_ORDERS`] orders in 30 days.
    CompletedOrders,
    /// At least [`COMPLETION_PERCENT`] in 30 days.
    CompletionRate,
    /// At least [`MIN_REPUTATION`].
    Reputation,
    /// No restriction by an officer, and no hold on the account.
    NoRestriction,
}

/// Whether a user meets a requirement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Check {
    pub requirement: CertificationRequirement,
    pub met: bool,
    /// The number that the user has and the number that is needed, if the requirement is a number: days, orders, percent or
    /// points.
    pub count: Option<Count>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count {
    pub has: i64,
    pub needed: i64,
}

/// What certification depends on.
#[derive(Debug, Clone, Copy)]
pub struct Facts<'a> {
    pub user: &'a User,
    pub has_security_password: bool,
    pub payment_methods: usize,
    pub joined_at: Timestamp,
    /// The user's record of the last 30 days.
    pub record: Record,
    pub now: Timestamp,
}

/// Checks all requirements, in the order in which they are shown.
pub fn checks(facts: &Facts) -> Vec<Check> {
    let Facts { user, record, now, .. } = facts;
    let simple = |requirement, met| Check { requirement, met, count: None };
    let counted = |requirement, has: i64, needed: i64| {
        let count = Some(Count { has, needed });
        Check { requirement, met: has >= needed, count }
    };
    let percent = record.completion_ppm().unwrap_or(0).div_euclid(10_000);
    vec![
        simple(CertificationRequirement::AdvancedVerification, user.kyc == KycLevel::Advanced),
        simple(CertificationRequirement::SecurityPassword, facts.has_security_password),
        simple(CertificationRequirement::PaymentMethod, facts.payment_methods > 0),
        counted(
            CertificationRequirement::AccountAge,
            now.signed_duration_since(facts.joined_at).num_days(),
            ACCOUNT_AGE.num_days(),
        ),
        counted(CertificationRequirement::CompletedOrders, record.completed.into(), MIN_COMPLETED_ORDERS.into()),
        counted(CertificationRequirement::CompletionRate, percent.into(), COMPLETION_PERCENT.into()),
        counted(CertificationRequirement::Reputation, user.reputation.into(), MIN_REPUTATION.into()),
        simple(CertificationRequirement::NoRestriction, user.forbidden.is_empty() && user.hold(*now).is_none()),
    ]
}

/// Refuses if a requirement is not met.
pub fn check_all_met(facts: &Facts) -> Result<(), Refusal> {
    let missing: Vec<_> = checks(facts).into_iter().filter(|check| !check.met).map(|check| check.requirement).collect();
    if missing.is_empty() { Ok(()) } else { Err(Refusal::CertificationUnmet { missing }) }
}

/// An application for certification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Application {
    pub applied_at: Timestamp,
    /// `None` while it waits for an officer.
    pub decision: Option<CertificationDecision>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CertificationDecision {
    pub at: Timestamp,
    pub approved: bool,
    /// What the officer tells the user.
    pub reason: String,
}

impl Application {
    /// Returns when the user may apply again after a rejection; `None` if there is nothing to wait for.
    pub fn rests_until(&self, now: Timestamp) -> Option<Timestamp> {
        let rejected = self.decision.as_ref().filter(|decision| !decision.approved)?;
        Some(after(rejected.at, REAPPLY_AFTER)).filter(|until| now < *until)
    }
}

/// Decides whether a user may apply. Returns whether there is a new application: not if the user is certified or has applied.
pub fn apply(facts: &Facts, latest: Option<&Application>) -> Result<bool, Refusal> {
    if facts.user.certified || latest.is_some_and(|latest| latest.decision.is_none()) {
        return Ok(false);
    }
    if let Some(from) = latest.and_then(|latest| latest.rests_until(facts.now)) {
        return Err(Refusal::CertificationTooSoon { from });
    }
    check_all_met(facts).map(|()| true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chain::{Address, CustodyIndex};
    use crate::ids::UserId;
    use crate::refusal::RiskFlag;
    use crate::reputation::MissedAcceptances;
    use chrono::{TimeZone, Utc};
    use uuid::Uuid;

    fn now() -> Timestamp {
        Utc.with_ymd_and_hms(2026, 11, 20, 12, 0, 0).unwrap()
    }

    fn user() -> User {
        User {
            id: UserId(Uuid::from_u128(1)),
            custody_index: CustodyIndex(1),
            vault: Address([1; 20]),
            bound: None,
            region: "TH".to_owned(),
            kyc: KycLevel::Advanced,
            nickname: None,
            automatic_reply: None,
            receiving: None,
            online: false,
            offline_cause: None,
            missed_acceptances: MissedAcceptances::default(),
            reputation: MIN_REPUTATION,
            certified: false,
            verified: false,
            forbidden: Vec::new(),
            held_until: None,
        }
    }

    /// The facts of a user who just meets every requirement.
    fn facts(user: &User) -> Facts<'_> {
        Facts {
            user,
            has_security_password: true,
            payment_methods: 1,
            joined_at: now() - ACCOUNT_AGE,
            record: Record { completed: 10, failed: 1, ..Record::default() },
            now: now(),
        }
    }

    #[test]
    fn a_user_who_meets_everything_may_apply_once() {
        let user = user();
        let facts = facts(&user);
        assert!(checks(&facts).iter().all(|check| check.met));
        assert_eq!(apply(&facts, None), Ok(true));
        let pending = Application { applied_at: now(), decision: None };
        assert_eq!(apply(&facts, Some(&pending)), Ok(false));
    }

    #[test]
    fn each_requirement_is_needed() {
        let second = Duration::seconds(1);
        let fit = user();
        let whole = facts(&fit);
        let basic = User { kyc: KycLevel::Basic, ..user() };
        let poor = User { reputation: MIN_REPUTATION - 1, ..user() };
        let flagged = User { forbidden: vec![RiskFlag::Sell], ..user() };
        let held = User { held_until: Some(now() + second), ..user() };
        let record = |completed, failed| Record { completed, failed, ..Record::default() };
        for (broken, missing) in [
            (facts(&basic), CertificationRequirement::AdvancedVerification),
            (Facts { has_security_password: false, ..whole }, CertificationRequirement::SecurityPassword),
            (Facts { payment_methods: 0, ..whole }, CertificationRequirement::PaymentMethod),
            (Facts { joined_at: whole.joined_at + second, ..whole }, CertificationRequirement::AccountAge),
            (Facts { record: record(9, 0), ..whole }, CertificationRequirement::CompletedOrders),
            (Facts { record: record(10, 2), ..whole }, CertificationRequirement::CompletionRate),
            (facts(&poor), CertificationRequirement::Reputation),
            (facts(&flagged), CertificationRequirement::NoRestriction),
            (facts(&held), CertificationRequirement::NoRestriction),
        ] {
            assert_eq!(apply(&broken, None), Err(Refusal::CertificationUnmet { missing: vec![missing] }));
        }
        let free = User { held_until: Some(now()), ..user() };
        assert_eq!(apply(&facts(&free), None), Ok(true), "the hold is over");
    }

    #[test]
    fn a_rejected_user_waits_and_an_approved_one_need_not() {
        let user = user();
        let decided = |approved| {
            let decision = Some(CertificationDecision { at: now(), approved, reason: "No.".to_owned() });
            Application { applied_at: now(), decision }
        };
        let from = now() + REAPPLY_AFTER;
        let at = |now| Facts { now, ..facts(&user) };
        let rejected = decided(false);
        let too_soon = Err(Refusal::CertificationTooSoon { from });
        assert_eq!(apply(&at(now()), Some(&rejected)), too_soon);
        assert_eq!(apply(&at(from - Duration::seconds(1)), Some(&rejected)), too_soon);
        assert_eq!(apply(&at(from), Some(&rejected)), Ok(true));
        // An officer has taken the badge away since.
        assert_eq!(apply(&at(now()), Some(&decided(true))), Ok(true));
        let certified = User { certified: true, ..user.clone() };
        assert_eq!(apply(&facts(&certified), Some(&decided(true))), Ok(false));
    }
}
