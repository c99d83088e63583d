//! The permission table: which roles may make which calls of the console. A call that is not in the table is refused.

use strum::VariantArray;

use super::Role;

const EVERYONE: &[Role] = Role::VARIANTS;
const ADMINISTRATORS: &[Role] = &[Role::Administrator];
/// Those who work on appeals. They also have to join a case before they see it.
const CASE_OFFICERS: &[Role] = &[Role::CustomerService, Role::AppealOfficer];

/// The calls that need no session: they open one, or they are protected by the one-time token of a setup link.
pub const PUBLIC_CALLS: &[&str] =
    &["post /console/sign-in", "post /console/enrollment/begin", "post /console/enrollment"];

/// All other calls, by method and path as in the API document, and the roles that may make them.
pub const CALLS: &[(&str, &[Role])] = &[
    ("get /console/me", EVERYONE),
    ("post /console/sign-out", EVERYONE),
    ("get /console/waiting", EVERYONE),
    // The platform's figures, which name money and stopped payouts.
    ("get /console/dashboard", ADMINISTRATORS),
    // Users.
    ("get /console/users", ADMINISTRATORS),
    ("get /console/users/{id}", ADMINISTRATORS),
    ("post /console/users/{id}/flags", ADMINISTRATORS),
    ("post /console/users/{id}/badges", ADMINISTRATORS),
    ("post /console/users/{id}/hold", ADMINISTRATORS),
    ("post /console/users/{id}/sessions/end", ADMINISTRATORS),
    ("post /console/users/{id}/nickname", ADMINISTRATORS),
    ("get /console/certifications", ADMINISTRATORS),
    ("post /console/certifications/{id}/decision", ADMINISTRATORS),
    ("get /console/nicknames", ADMINISTRATORS),
    ("post /console/nicknames", ADMINISTRATORS),
    // Adverts.
    ("get /console/adverts", ADMINISTRATORS),
    ("post /console/adverts/{id}/takedown", ADMINISTRATORS),
    // Appeals.
    ("get /console/appeals", CASE_OFFICERS),
    ("get /console/appeals/next", CASE_OFFICERS),
    ("get /console/appeals/search", CASE_OFFICERS),
    ("get /console/appeals/officers", CASE_OFFICERS),
    ("get /console/appeals/{id}", CASE_OFFICERS),
    ("get /console/appeals/{id}/summary", CASE_OFFICERS),
    ("post /console/appeals/{id}/join", CASE_OFFICERS),
    ("post /console/appeals/{id}/leave", CASE_OFFICERS),
    ("post /console/appeals/{id}/assignee", CASE_OFFICERS),
    ("get /console/appeals/{id}/talk", CASE_OFFICERS),
    ("post /console/appeals/{id}/talk", CASE_OFFICERS),
    ("post /console/appeals/{id}/notes", CASE_OFFICERS),
    ("post /console/appeals/{id}/evidence-requests", CASE_OFFICERS),
    ("post /console/appeals/{id}/evidence-requests/close", CASE_OFFICERS),
    ("post /console/appeals/{id}/decision", CASE_OFFICERS),
    ("get /console/files/{id}", CASE_OFFICERS),
    // Money.
    ("get /console/payouts", ADMINISTRATORS),
    ("post /console/payouts/{id}/resume", ADMINISTRATORS),
    ("post /console/payouts/legs/{id}/void", ADMINISTRATORS),
    ("get /console/unlisted-nfts", ADMINISTRATORS),
    // The market.
    ("get /console/pairs", ADMINISTRATORS),
    ("post /console/pairs/{id}", ADMINISTRATORS),
    ("post /console/pairs/{id}/reference", ADMINISTRATORS),
    // The platform.
    ("get /console/maintenance", ADMINISTRATORS),
    ("post /console/maintenance", ADMINISTRATORS),
    ("post /console/maintenance/end", ADMINISTRATORS),
    ("get /console/audit", ADMINISTRATORS),
    ("get /console/officers", ADMINISTRATORS),
    ("post /console/officers", ADMINISTRATORS),
    ("post /console/officers/{id}", ADMINISTRATORS),
    ("post /console/officers/{id}/enrollment", ADMINISTRATORS),
    ("post /console/officers/{id}/link", ADMINISTRATORS),
];

/// Returns whether a role may make a call.
pub fn may(role: Role, call: &str) -> bool {
    CALLS.iter().any(|(name, roles)| *name == call && roles.contains(&role))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_call_occurs_once_and_unknown_calls_are_refused() {
        let names: BTreeSet<_> = CALLS.iter().map(|(name, _)| *name).chain(PUBLIC_CALLS.iter().copied()).collect();
        assert_eq!(names.len(), CALLS.len() + PUBLIC_CALLS.len());
        for role in Role::VARIANTS.iter().copied() {
            assert!(may(role, "get /console/me"));
            assert!(!may(role, "get /console/everything"));
            // Public calls need no permission, so they have none.
            assert!(!may(role, "post /console/sign-in"));
        }
    }

    /// Whoever decides appeals changes nothing else, and whoever manages the platform sees no case: each call but an
    /// officer's own account belongs to one of the two.
    #[test]
    fn cases_and_the_platform_are_separate() {
        let own = ["get /console/me", "post /console/sign-out", "get /console/waiting"];
        for (call, roles) in CALLS {
            let (_, path) = call.split_once(' ').unwrap();
            let case = path == "/console/appeals"
                || path.starts_with("/console/appeals/")
                || path.starts_with("/console/files/");
            let wanted: &[Role] = match () {
                () if own.contains(call) => Role::VARIANTS,
                () if case => &[Role::CustomerService, Role::AppealOfficer],
                () => &[Role::Administrator],
            };
            assert_eq!(*roles, wanted, "{call}");
            for role in Role::VARIANTS.iter().copied() {
                assert_eq!(may(role, call), wanted.contains(&role), "{role:?} {call}");
                assert!(!case || may(role, call) == role.authority().is_some(), "{role:?} {call}");
            }
        }
    }
}
