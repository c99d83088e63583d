//! Officers: the employees who operate the platform, and what each role may do in the console.

mod permissions;
pub mod risk;

use crate::clock::Timestamp;
use crate::ids::OfficerId;
use crate::orders::{Authority, Undecidable};

pub use permissions::{CALLS, PUBLIC_CALLS, may};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Speaks with users in a case, and decides appeals up to a set sum.
    CustomerService,
    /// Decides appeals.
    AppealOfficer,
    /// Manages users, pairs, payouts, maintenance and the other officers.
    Administrator,
}

impl Role {
    pub const ALL: [Self; 3] = [Self::CustomerService, Self::AppealOfficer, Self::Administrator];

    pub fn name(self) -> &'static str {
        match self {
            Self::CustomerService => "CUSTOMER_SERVICE",
            Self::AppealOfficer => "APPEAL_OFFICER",
            Self::Administrator => "ADMINISTRATOR",
        }
    }

    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name() == name)
    }

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
    /// When the officer set a password and a second factor; `None` before that.
    pub enrolled_at: Option<Timestamp>,
    /// When the setup link expires; `None` if it was used.
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
}

/// Refuses a change after which nobody could manage officers. `officers` are all officers before the change, and
/// `changed` is one of them after it.
pub fn check_administrators(officers: &[Officer], changed: &Officer) -> Result<(), OfficerRefusal> {
    let manages = |officer: &Officer| officer.role == Role::Administrator && officer.is_active();
    let before = officers.iter().any(|officer| officer.id == changed.id && manages(officer));
    let others = officers.iter().any(|officer| officer.id != changed.id && manages(officer));
    if before && !manages(changed) && !others { Err(OfficerRefusal::LastAdministrator) } else { Ok(()) }
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
            enrolled_at: active.then_some(at),
            enrollment_expires_at: None,
            disabled_at: None,
            created_at: at,
            version: 1,
        }
    }

    #[test]
    fn roles_are_stored_by_name() {
        assert_eq!(Role::ALL.map(Role::name), ["CUSTOMER_SERVICE", "APPEAL_OFFICER", "ADMINISTRATOR"]);
        assert_eq!(Role::ALL.map(|role| Role::of_name(role.name())), Role::ALL.map(Some));
        assert_eq!(Role::of_name("administrator"), None);
    }

    #[test]
    fn administrators_decide_no_appeals() {
        let authorities = [Some(Authority::CustomerService), Some(Authority::AppealOfficer), None];
        assert_eq!(Role::ALL.map(Role::authority), authorities);
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
}
