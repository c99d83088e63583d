//! Officers: the employees who operate the platform, and what each role may do in the console.

mod appointments;
mod permissions;
pub mod risk;

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantArray};

use crate::clock::Timestamp;
use crate::ids::OfficerId;
use crate::orders::{Authority, Undecidable};

pub use appointments::{Appointment, NOTICE_PERIOD, count_as_two};
pub use permissions::{CALLS, PUBLIC_CALLS, may};

/// The role of an officer.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    IntoStaticStr,
    EnumString,
    VariantArray,
)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE", const_into_str)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = OfficerRole))]
pub enum Role {
    /// Speaks with users in a case, and decides appeals up to a set sum.
    CustomerService,
    /// Decides appeals.
    AppealOfficer,
    /// Manages users, pairs, payouts, maintenance and the other officers.
    Administrator,
}

impl Role {
    /// Returns how much the role may decide about appeals; `None` if it may not work on appeals.
    pub fn authority(self) -> Option<Authority> {
        match self {
            Self::CustomerService => Some(Authority::CustomerService),
            Self::AppealOfficer => Some(Authority::AppealOfficer),
            Self::Administrator => None,
        }
    }
}

/// An officer, without the credentials.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Officer {
    pub id: OfficerId,
    pub name: String,
    /// In lowercase.
    pub email: String,
    pub role: Role,
    /// Who created the officer, or reset the officer since then; `None` for the command line.
    pub appointed_by: Option<OfficerId>,
    /// When that was approved; `None` while it awaits another administrator.
    pub approved_at: Option<Timestamp>,
    /// When the officer set a password and a second factor; `None` before that.
    pub enrolled_at: Option<Timestamp>,
    /// When the setup link expires; `None` if it was used or not sent yet.
    pub enrollment_expires_at: Option<Timestamp>,
    pub disabled_at: Option<Timestamp>,
    pub created_at: Timestamp,
    pub version: i64,
}

impl Officer {
    /// Returns whether the officer can sign in.
    pub fn is_active(&self) -> bool {
        self.enrolled_at.is_some() && self.disabled_at.is_none()
    }

    fn manages_officers(&self) -> bool {
        self.role == Role::Administrator && self.is_active()
    }
}

/// The number of administrators who are needed to create or reset an officer: one who does it, and one who approves it.
const ADMINISTRATORS_NEEDED: usize = 2;

/// Returns whether there are enough administrators to manage officers in the console. Until then, and only then, the command
/// line creates administrators.
pub fn has_enough_administrators(officers: &[Officer]) -> bool {
    officers.iter().filter(|officer| officer.manages_officers()).count() >= ADMINISTRATORS_NEEDED
}

/// Refuses a setup link for an officer who can already sign in, or is disabled, and the approval of an appointment by
/// somebody who does not count as [another administrator](count_as_two) than the one who made it. Once it is approved, every
/// administrator can send the link again.
pub fn check_link(
    officer: &Officer,
    sender: OfficerId,
    appointments: &[Appointment],
    now: Timestamp,
) -> Result<(), OfficerRefusal> {
    let approves = |appointed_by| count_as_two(sender, appointed_by, appointments, now);
    if officer.enrolled_at.is_some() || officer.disabled_at.is_some() {
        Err(OfficerRefusal::LinkNotNeeded)
    } else if officer.approved_at.is_none() && !officer.appointed_by.is_some_and(approves) {
        Err(OfficerRefusal::ApproverNotIndependent)
    } else {
        Ok(())
    }
}

/// Refuses a change after which nobody could manage officers. `officers` are all officers before the change, and
/// `changed` is one of them after it.
pub fn check_administrators(officers: &[Officer], changed: &Officer) -> Result<(), OfficerRefusal> {
    let before = officers.iter().any(|officer| officer.id == changed.id && officer.manages_officers());
    let others = officers.iter().any(|officer| officer.id != changed.id && officer.manages_officers());
    if before && !changed.manages_officers() && !others { Err(OfficerRefusal::LastAdministrator) } else { Ok(()) }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OfficerRefusal {
    /// The officer's role does not allow this.
    NotAllowed,
    /// Email, password or code are wrong, or the officer cannot sign in. The refusal does not reveal which.
    SignInWrong,
    /// The setup link was used, has expired or was replaced.
    EnrollmentInvalid,
    /// The code is not the current one, or was used before.
    CodeWrong,
    /// Another officer has this email address.
    EmailTaken,
    /// No active administrator would remain.
    LastAdministrator,
    /// The officer can already sign in, or is disabled.
    LinkNotNeeded,
    /// The administrator does not count as another one than the one who created or reset the officer.
    ApproverNotIndependent,
    /// Payouts cannot resume, because ledger and chain disagree.
    Disagreement { differences: String },
    /// The officer has not joined the case.
    NotOnCase,
    /// The appeal, or the officer's role, does not allow this decision.
    Undecidable(Undecidable),
    /// These settings would make trading impossible.
    PairProblem { problem: &'static str },
}

impl From<OfficerRefusal> for crate::refusal::Refusal {
    fn from(refusal: OfficerRefusal) -> Self {
        Self::Officer(refusal)
    }
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, Utc};
    use uuid::Uuid;

    use super::*;

    fn officer(id: u128, role: Role, active: bool) -> Officer {
        let at = DateTime::<Utc>::UNIX_EPOCH;
        Officer {
            id: OfficerId(Uuid::from_u128(id)),
            name: "Olga".to_owned(),
            email: "olga@example.org".to_owned(),
            role,
            appointed_by: None,
            approved_at: Some(at),
            enrolled_at: active.then_some(at),
            enrollment_expires_at: None,
            disabled_at: None,
            created_at: at,
            version: 1,
        }
    }

    #[test]
    fn administrators_decide_no_appeals() {
        let authorities: Vec<_> = Role::VARIANTS.iter().map(|role| role.authority()).collect();
        assert_eq!(authorities, [Some(Authority::CustomerService), Some(Authority::AppealOfficer), None]);
    }

    #[test]
    fn the_last_administrator_who_can_sign_in_stays() {
        let (admin, invited) = (officer(1, Role::Administrator, true), officer(2, Role::Administrator, false));
        let demoted = Officer { role: Role::AppealOfficer, ..admin.clone() };
        let disabled = Officer { disabled_at: Some(admin.created_at), ..admin.clone() };
        let renamed = Officer { name: "Oleg".to_owned(), ..admin.clone() };
        let alone = [admin.clone(), invited.clone(), officer(3, Role::AppealOfficer, true)];
        for changed in [&demoted, &disabled] {
            assert_eq!(check_administrators(&alone, changed), Err(OfficerRefusal::LastAdministrator));
        }
        assert_eq!(check_administrators(&alone, &renamed), Ok(()));
        // An administrator who has not enrolled is none yet.
        assert_eq!(check_administrators(&alone, &Officer { disabled_at: Some(admin.created_at), ..invited }), Ok(()));
        let two = [admin, officer(2, Role::Administrator, true)];
        assert_eq!(check_administrators(&two, &disabled), Ok(()));
    }

    #[test]
    fn the_command_line_creates_administrators_while_fewer_than_two_can_sign_in() {
        let (admin, other) = (officer(1, Role::Administrator, true), officer(2, Role::Administrator, true));
        let invited = officer(3, Role::Administrator, false);
        let disabled = Officer { disabled_at: Some(admin.created_at), ..other.clone() };
        let decides = officer(4, Role::AppealOfficer, true);
        assert!(!has_enough_administrators(&[]));
        assert!(!has_enough_administrators(&[admin.clone(), invited.clone(), disabled, decides]));
        assert!(has_enough_administrators(&[admin, other, invited]));
    }

    #[test]
    fn another_administrator_approves_and_then_everybody_sends_the_link_again() {
        let [ada, bea, cleo] = [1, 2, 3].map(|id| officer(id, Role::Administrator, true));
        let now = ada.created_at;
        let olga = Officer { appointed_by: Some(ada.id), approved_at: None, ..officer(4, Role::AppealOfficer, false) };
        let appointments = [(olga.id, ada.id), (cleo.id, ada.id)].map(|(officer, administrator)| Appointment {
            officer,
            administrator,
            at: now,
        });
        let check = |officer: &Officer, sender| check_link(officer, sender, &appointments, now);
        assert_eq!(check(&olga, bea.id), Ok(()));
        // Neither the administrator who did it, nor another one whom that administrator has just made.
        for sender in [ada.id, cleo.id] {
            assert_eq!(check(&olga, sender), Err(OfficerRefusal::ApproverNotIndependent));
        }
        let approved = Officer { approved_at: Some(now), ..olga.clone() };
        for sender in [ada.id, bea.id, cleo.id] {
            assert_eq!(check(&approved, sender), Ok(()));
        }
        let disabled = Officer { disabled_at: Some(now), ..olga };
        for unneeded in [disabled, Officer { enrolled_at: Some(now), ..approved }] {
            assert_eq!(check(&unneeded, bea.id), Err(OfficerRefusal::LinkNotNeeded));
        }
    }
}
