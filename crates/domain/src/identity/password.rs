//! What the two passwords must look like, and how long somebody is locked out who keeps guessing.

use chrono::Duration;

use super::IdentityRefusal;
use crate::clock::{Moment, after};
use crate::refusal::Refusal;

/// The fewest and the most characters of a login password.
pub const LOGIN_LENGTH: std::ops::RangeInclusive<usize> = 8..=32;
/// The fewest and the most characters of a security password.
pub const SECURITY_LENGTH: std::ops::RangeInclusive<usize> = 9..=32;
/// Wrong attempts before the first lock-out.
pub const FREE_ATTEMPTS: u32 = 5;
/// The first lock-out; each further wrong attempt doubles it.
pub const FIRST_LOCK: Duration = Duration::minutes(1);
/// The longest lock-out.
pub const LONGEST_LOCK: Duration = Duration::hours(24);
/// A change of what protects money holds withdrawals, adverts and orders so long.
pub const HOLD: Duration = Duration::hours(24);

/// Refuses a login password that is not 8 to 32 characters with upper case, lower case, a digit and a sign.
pub fn check_login(password: &str, field: &'static str) -> Result<(), Refusal> {
    if password.is_empty() {
        return Err(Refusal::Invalid { field, reason: "empty" });
    }
    let has = |test: fn(char) -> bool| password.chars().any(test);
    let good = LOGIN_LENGTH.contains(&password.chars().count())
        && has(char::is_uppercase)
        && has(char::is_lowercase)
        && has(|c| c.is_ascii_digit())
        && has(|c| !c.is_alphanumeric() && !c.is_whitespace() && !c.is_control())
        && !has(char::is_control);
    if good {
        Ok(())
    } else {
        Err(Refusal::Invalid { field, reason: "8 to 32 characters with upper case, lower case, a digit and a sign" })
    }
}

/// Refuses a security password of fewer than 9 or more than 32 characters.
pub fn check_security(password: &str) -> Result<(), Refusal> {
    if password.is_empty() {
        return Err(Refusal::Invalid { field: "securityPassword", reason: "empty" });
    }
    if SECURITY_LENGTH.contains(&password.chars().count()) && !password.chars().any(char::is_control) {
        Ok(())
    } else {
        Err(IdentityRefusal::SecurityPasswordFormat.into())
    }
}

/// The wrong attempts since the last right one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Attempts {
    /// How many there were.
    pub wrong: u32,
    /// Nothing is tried before this.
    pub locked_until: Option<Moment>,
}

impl Attempts {
    /// Refuses an attempt during a lock-out.
    pub fn check(self, now: Moment) -> Result<(), Refusal> {
        match self.locked_until {
            Some(until) if now < until => Err(Refusal::TooMany { retry_after: until.signed_duration_since(now) }),
            _ => Ok(()),
        }
    }

    /// Counts a wrong attempt. From the fifth on each one locks, twice as long as the one before.
    #[must_use]
    pub fn wrong(self, now: Moment) -> Self {
        let wrong = self.wrong.saturating_add(1);
        let locked_until = wrong.checked_sub(FREE_ATTEMPTS).map(|doublings| {
            let factor = 1_i32.checked_shl(doublings.min(20)).unwrap_or(i32::MAX);
            after(now, FIRST_LOCK.checked_mul(factor).unwrap_or(LONGEST_LOCK).min(LONGEST_LOCK))
        });
        Self { wrong, locked_until }
    }

    /// How many attempts are left before the next lock-out.
    pub fn left(self) -> u32 {
        FREE_ATTEMPTS.saturating_sub(self.wrong)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::TimeZone;

    #[test]
    fn the_form_of_a_login_password() {
        for good in ["Abcdef1!", "Пароль1-Ab", &format!("Aa1!{}", "x".repeat(28))] {
            assert_eq!(check_login(good, "password"), Ok(()), "{good}");
        }
        for bad in [
            "Abcde1!",
            "abcdef1!",
            "ABCDEF1!",
            "Abcdefg!",
            "Abcdefg1",
            &format!("Aa1!{}", "x".repeat(29)),
            "Abcdef1!\n",
        ] {
            assert!(matches!(check_login(bad, "password"), Err(Refusal::Invalid { field: "password", .. })), "{bad}");
        }
    }

    #[test]
    fn a_security_password_is_longer_than_eight() {
        assert_eq!(check_security("123456789"), Ok(()));
        assert_eq!(check_security("12345678"), Err(IdentityRefusal::SecurityPasswordFormat.into()));
        assert!(matches!(check_security(""), Err(Refusal::Invalid { field: "securityPassword", reason: "empty" })));
    }

    #[test]
    fn the_fifth_wrong_attempt_locks_and_each_further_one_doubles() {
        let now = chrono::Utc.timestamp_opt(1_000_000, 0).unwrap();
        let mut attempts = Attempts::default();
        for _ in 0..4 {
            attempts = attempts.wrong(now);
            assert_eq!(attempts.check(now), Ok(()));
        }
        assert_eq!(attempts.left(), 1);
        attempts = attempts.wrong(now);
        assert_eq!(attempts.check(now), Err(Refusal::TooMany { retry_after: Duration::minutes(1) }));
        assert_eq!(attempts.check(now + Duration::minutes(1)), Ok(()));
        attempts = attempts.wrong(now);
        assert_eq!(attempts.check(now), Err(Refusal::TooMany { retry_after: Duration::minutes(2) }));
        for _ in 0..100 {
            attempts = attempts.wrong(now);
        }
        assert_eq!(attempts.check(now), Err(Refusal::TooMany { retry_after: Duration::hours(24) }));
    }
}
