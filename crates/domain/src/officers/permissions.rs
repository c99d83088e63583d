//! The permission table: which roles may make which calls of the console. A call that is not in the table is refused.

use super::Role;

const EVERYONE: &[Role] = &Role::ALL;
const ADMINISTRATORS: &[Role] = &[Role::Administrator];
/// Those who work on appeals. They also have to join a case before they see it.
const CASE_OFFICERS: &[Role] = &[Role::CustomerService, Role::AppealOfficer];

/// The calls that need no session: they open one, or they are protected by the one-time token of a setup link.
pub const PUBLIC_CALLS: &[&str] = &["post /ops/sign-in", "post /ops/enrollment/begin", "post /ops/enrollment"];

/// All other calls, by method and path as in the API document, and the roles that may make them.
pub const CALLS: &[(&str, &[Role])] = &[
    ("get /ops/me", EVERYONE),
    ("post /ops/sign-out", EVERYONE),
    ("get /ops/waiting", EVERYONE),
    // The platform's figures, which name money and stopped payouts.
    ("get /ops/dashboard", ADMINISTRATORS),
    // Users.
    ("get /ops/users", ADMINISTRATORS),
    ("get /ops/users/{id}", ADMINISTRATORS),
    ("post /ops/users/{id}/flags", ADMINISTRATORS),
    ("post /ops/users/{id}/badges", ADMINISTRATORS),
    ("post /ops/users/{id}/hold", ADMINISTRATORS),
    ("post /ops/users/{id}/sessions/end", ADMINISTRATORS),
    ("post /ops/users/{id}/nickname", ADMINISTRATORS),
    ("get /ops/certifications", ADMINISTRATORS),
    ("post /ops/certifications/{id}/decision", ADMINISTRATORS),
    ("get /ops/nicknames", ADMINISTRATORS),
    ("post /ops/nicknames", ADMINISTRATORS),
    // Adverts.
    ("get /ops/adverts", ADMINISTRATORS),
    ("post /ops/adverts/{id}/takedown", ADMINISTRATORS),
    // Appeals.
    ("get /ops/appeals", CASE_OFFICERS),
    ("get /ops/appeals/next", CASE_OFFICERS),
    ("get /ops/appeals/search", CASE_OFFICERS),
    ("get /ops/appeals/officers", CASE_OFFICERS),
    ("get /ops/appeals/{id}", CASE_OFFICERS),
    ("get /ops/appeals/{id}/summary", CASE_OFFICERS),
    ("post /ops/appeals/{id}/join", CASE_OFFICERS),
    ("post /ops/appeals/{id}/leave", CASE_OFFICERS),
    ("post /ops/appeals/{id}/assignee", CASE_OFFICERS),
    ("get /ops/appeals/{id}/talk", CASE_OFFICERS),
    ("post /ops/appeals/{id}/talk", CASE_OFFICERS),
    ("post /ops/appeals/{id}/notes", CASE_OFFICERS),
    ("post /ops/appeals/{id}/evidence-requests", CASE_OFFICERS),
    ("post /ops/appeals/{id}/evidence-requests/close", CASE_OFFICERS),
    ("post /ops/appeals/{id}/decision", CASE_OFFICERS),
    ("get /ops/files/{id}", CASE_OFFICERS),
    // Money.
    ("get /ops/payouts", ADMINISTRATORS),
    ("post /ops/payouts/{id}/resume", ADMINISTRATORS),
    ("post /ops/payouts/legs/{id}/void", ADMINISTRATORS),
    // The market.
    ("get /ops/pairs", ADMINISTRATORS),
    ("post /ops/pairs/{id}", ADMINISTRATORS),
    ("post /ops/pairs/{id}/reference", ADMINISTRATORS),
    // The platform.
    ("get /ops/maintenance", ADMINISTRATORS),
    ("post /ops/maintenance", ADMINISTRATORS),
    ("post /ops/maintenance/end", ADMINISTRATORS),
    ("get /ops/audit", ADMINISTRATORS),
    ("get /ops/officers", ADMINISTRATORS),
    ("post /ops/officers", ADMINISTRATORS),
    ("post /ops/officers/{id}", ADMINISTRATORS),
    ("post /ops/officers/{id}/enrollment", ADMINISTRATORS),
    ("post /ops/officers/{id}/link", ADMINISTRATORS),
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
        for role in Role::ALL {
            assert!(may(role, "get /ops/me"));
            assert!(!may(role, "get /ops/everything"));
            // Public calls need no permission, so they have none.
            assert!(!may(role, "post /ops/sign-in"));
        }
    }

    /// Whoever decides appeals changes nothing else, and whoever manages the platform sees no case: each call but an
    /// officer's own account belongs to one of the two.
    #[test]
    fn cases_and_the_platform_are_separate() {
        let own = ["get /ops/me", "post /ops/sign-out", "get /ops/waiting"];
        for (call, roles) in CALLS {
            let (_, path) = call.split_once(' ').unwrap();
            let case = path == "/ops/appeals" || path.starts_with("/ops/appeals/") || path.starts_with("/ops/files/");
            let wanted: &[Role] = match () {
                () if own.contains(call) => &Role::ALL,
                () if case => &[Role::CustomerService, Role::AppealOfficer],
                () => &[Role::Administrator],
            };
            assert_eq!(*roles, wanted, "{call}");
            for role in Role::ALL {
                assert_eq!(may(role, call), wanted.contains(&role), "{role:?} {call}");
                assert!(!case || may(role, call) == role.authority().is_some(), "{role:?} {call}");
            }
        }
    }
}
