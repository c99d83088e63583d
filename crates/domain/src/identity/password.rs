//! What the two passwords must look like, and how long somebody is locked out who keeps guessing.

use chrono::Duration;

use super::IdentityRefusal;
use crate::clock::{Timestamp, after};
use crate::refusal::Refusal;

/// The fewest and the most characters of a login password.
pub const LOGIN_LENGTH: std::ops::RangeInclusive<usize> = 8..=32;
/// The fewest and the most characters of a security password.
pub const SECURITY_LENGTH: std::ops::RangeInclusive<usize> = 9..=32;
/// Wrong guesses at an account's secret from one network address.
pub const FROM_ONE_NETWORK: BackOff = BackOff { free: 5, first: Duration::minutes(1), longest: Duration::hours(24) };
/// Wrong guesses at an account's secret from all addresses together from which the account has never logged in. It stops
/// guesses that come from many addresses; its lock-outs are shorter, because its owner may be at a new address too.
pub const FROM_STRANGE_NETWORKS: BackOff =
    BackOff { free: 20, first: Duration::minutes(1), longest: Duration::hours(4) };
/// A counter is forgotten this long after the last wrong guess, and after the end of its lock-out.
pub const ATTEMPTS_KEPT: Duration = Duration::hours(24);
/// An address from which nobody has logged in for this long is a strange one again.
pub const NETWORK_KEPT: Duration = Duration::days(180);
/// How many addresses may become known to an account within a day. It bounds what somebody gains who knows the login
/// password and guesses the security password from many addresses.
pub const NEW_NETWORKS_A_DAY: i64 = 10;
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
        return Err(Refusal::Invalid { field: "newSecurityCode", reason: "empty" });
    }
    if SECURITY_LENGTH.contains(&password.chars().count()) && !password.chars().any(char::is_control) {
        Ok(())
    } else {
        Err(IdentityRefusal::SecurityPasswordFormat.into())
    }
}

/// How fast wrong guesses lock out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BackOff {
    /// Wrong guesses up to the first lock-out.
    pub free: u32,
    /// The first lock-out; each further wrong guess doubles it.
    pub first: Duration,
    /// The longest lock-out.
    pub longest: Duration,
}

/// The wrong attempts since the last right one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Attempts {
    /// How many there were.
    pub wrong: u32,
    /// Nothing is tried before this.
    pub locked_until: Option<Timestamp>,
}

impl Attempts {
    /// Refuses an attempt during a lock-out.
    pub fn check(self, now: Timestamp) -> Result<(), Refusal> {
        match self.locked_until {
            Some(until) if now < until => Err(Refusal::TooMany { retry_after: until.signed_duration_since(now) }),
            _ => Ok(()),
        }
    }

    /// Counts a wrong attempt. From the last free one on each one locks, twice as long as the one before.
    #[must_use]
    pub fn wrong(self, back_off: BackOff, now: Timestamp) -> Self {
        let wrong = self.wrong.saturating_add(1);
        let locked_until = wrong.checked_sub(back_off.free).map(|doublings| {
            let factor = 1_i32.checked_shl(doublings.min(20)).unwrap_or(i32::MAX);
            after(now, back_off.first.checked_mul(factor).unwrap_or(back_off.longest).min(back_off.longest))
        });
        Self { wrong, locked_until }
    }

    /// Takes back an attempt that turned out to be right, and nothing else: the others were not of the same person.
    #[must_use]
    pub fn right(self) -> Self {
        Self { wrong: self.wrong.saturating_sub(1), locked_until: None }
    }

    /// How many attempts are left before the next lock-out.
    pub fn left(self, back_off: BackOff) -> u32 {
        back_off.free.saturating_sub(self.wrong)
    }

    /// From when on these attempts say nothing any more.
    pub fn forgotten_at(self, now: Timestamp) -> Timestamp {
        after(self.locked_until.map_or(now, |until| until.max(now)), ATTEMPTS_KEPT)
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
        assert!(matches!(check_security(""), Err(Refusal::Invalid { field: "newSecurityCode", reason: "empty" })));
    }

    #[test]
    fn the_last_free_wrong_attempt_locks_and_each_further_one_doubles() {
        let now = chrono::Utc.timestamp_opt(1_000_000, 0).unwrap();
        for back_off in [FROM_ONE_NETWORK, FROM_STRANGE_NETWORKS] {
            let mut attempts = Attempts::default();
            for _ in 1..back_off.free {
                attempts = attempts.wrong(back_off, now);
                assert_eq!(attempts.check(now), Ok(()));
            }
            assert_eq!(attempts.left(back_off), 1);
            attempts = attempts.wrong(back_off, now);
            assert_eq!(attempts.check(now), Err(Refusal::TooMany { retry_after: Duration::minutes(1) }));
            assert_eq!(attempts.check(now + Duration::minutes(1)), Ok(()));
            attempts = attempts.wrong(back_off, now);
            assert_eq!(attempts.check(now), Err(Refusal::TooMany { retry_after: Duration::minutes(2) }));
            for _ in 0..100 {
                attempts = attempts.wrong(back_off, now);
            }
            assert_eq!(attempts.check(now), Err(Refusal::TooMany { retry_after: back_off.longest }));
            assert_eq!(attempts.forgotten_at(now), now + back_off.longest + ATTEMPTS_KEPT);
        }
    }

    #[test]
    fn a_right_attempt_takes_back_itself_only() {
        let now = chrono::Utc.timestamp_opt(1_000_000, 0).unwrap();
        let three = (0..3).fold(Attempts::default(), |attempts, _| attempts.wrong(FROM_STRANGE_NETWORKS, now));
        assert_eq!(three.right(), Attempts { wrong: 2, locked_until: None });
        assert_eq!(Attempts::default().right(), Attempts::default());
        assert_eq!(three.forgotten_at(now), now + ATTEMPTS_KEPT);
    }
}
