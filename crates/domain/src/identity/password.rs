//! Password rules, and lockouts after wrong guesses.

use chrono::Duration;

use super::IdentityRefusal;
use crate::clock::{Timestamp, after};
use crate::refusal::Refusal;

/// The allowed length of a login password in characters.
const LOGIN_LENGTH: std::ops::RangeInclusive<usize> = 8..=32;
/// The allowed length of a security password in characters.
const SECURITY_LENGTH: std::ops::RangeInclusive<usize> = 9..=32;
/// The lockouts after wrong guesses at one account's secret from one network address.
pub const FROM_ONE_NETWORK: BackOff = BackOff { free: 5, first: Duration::minutes(1), longest: Duration::hours(24) };
/// The lockouts after wrong guesses at one account's secret, counted over all addresses from which the account has never
/// logged in. Stops distributed guessing; the lockouts are shorter because the owner may also use a new address.
pub const FROM_STRANGE_NETWORKS: BackOff =
    BackOff { free: 20, first: Duration::minutes(1), longest: Duration::hours(4) };
/// How long a counter of wrong guesses is kept after the last guess and the end of its lockout.
const ATTEMPTS_KEPT: Duration = Duration::hours(24);
/// How long an address stays known to an account after its last login from there.
pub const NETWORK_KEPT: Duration = Duration::days(180);
/// The maximum number of addresses that can become known to an account per day. Limits an attacker who knows the login
/// password and guesses the security password from many addresses.
pub const NEW_NETWORKS_A_DAY: i64 = 10;
/// The number of wrong guesses at a login password, from one network, after which a login needs the slide check on a device that the
/// account knows as well.
pub const GUESSES_BEFORE_CHECK: u32 = 3;
/// How long a device stays known to an account after its last login from there.
pub const DEVICE_KEPT: Duration = Duration::days(180);
/// The maximum number of devices that an account knows.
pub const DEVICES_KEPT: i64 = 20;
/// How long withdrawals, adverts and orders are blocked after a change of security settings.
pub const HOLD: Duration = Duration::hours(24);

/// Requires 8 to 32 characters with an uppercase letter, a lowercase letter, a digit and a symbol.
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

/// Requires 9 to 32 characters.
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

/// A rule for lockouts after wrong guesses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BackOff {
    /// The number of wrong guesses that triggers the first lockout.
    pub free: u32,
    /// The length of the first lockout. Each further wrong guess doubles it.
    pub first: Duration,
    pub longest: Duration,
}

/// Wrong attempts since the last successful one, and the lockout that they caused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Attempts {
    pub wrong: u32,
    pub locked_until: Option<Timestamp>,
}

impl Attempts {
    pub fn check(self, now: Timestamp) -> Result<(), Refusal> {
        match self.locked_until {
            Some(until) if now < until => Err(Refusal::TooMany { retry_after: until.signed_duration_since(now) }),
            _ => Ok(()),
        }
    }

    /// Counts a wrong attempt. From attempt `free` on, each causes a lockout twice as long as the previous one.
    #[must_use]
    pub fn wrong(self, back_off: BackOff, now: Timestamp) -> Self {
        let wrong = self.wrong.saturating_add(1);
        let locked_until = wrong.checked_sub(back_off.free).map(|doublings| {
            let factor = 1_i32.checked_shl(doublings.min(20)).unwrap_or(i32::MAX);
            after(now, back_off.first.checked_mul(factor).unwrap_or(back_off.longest).min(back_off.longest))
        });
        Self { wrong, locked_until }
    }

    /// Subtracts one attempt, which turned out to be right. The others stay, because someone else may have made them.
    #[must_use]
    pub fn right(self) -> Self {
        Self { wrong: self.wrong.saturating_sub(1), locked_until: None }
    }

    /// Returns the number of attempts left before the next lockout.
    pub fn left(self, back_off: BackOff) -> u32 {
        back_off.free.saturating_sub(self.wrong)
    }

    /// Returns when the counter can be deleted.
    pub fn forgotten_at(self, now: Timestamp) -> Timestamp {
        after(self.locked_until.map_or(now, |until| until.max(now)), ATTEMPTS_KEPT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::TimeZone;

    #[test]
    fn login_passwords_are_validated() {
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
    fn the_last_free_attempt_locks_and_each_further_one_doubles_the_lockout() {
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
    fn a_correct_attempt_removes_only_itself() {
        let now = chrono::Utc.timestamp_opt(1_000_000, 0).unwrap();
        let three = (0..3).fold(Attempts::default(), |attempts, _| attempts.wrong(FROM_STRANGE_NETWORKS, now));
        assert_eq!(three.right(), Attempts { wrong: 2, locked_until: None });
        assert_eq!(Attempts::default().right(), Attempts::default());
        assert_eq!(three.forgotten_at(now), now + ATTEMPTS_KEPT);
    }
}
