//! Email addresses and the codes that verify them.

use std::fmt;

use chrono::Duration;
use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};

use crate::refusal::Refusal;

/// How long an email code is valid.
pub const CODE_LIFETIME: Duration = Duration::minutes(10);
/// The number of attempts allowed per code.
pub const CODE_TRIES: u32 = 5;
/// Minimum time between two codes for the same requester.
pub const CODE_PAUSE: Duration = Duration::seconds(60);
/// The maximum number of codes per day and purpose that one requester can have sent to a mailbox: a user, a person whom
/// the pass has identified, a device that the account knows, or a network.
pub const CODES_A_DAY: i64 = 20;
/// The maximum number of codes per day and purpose that all strangers together can have sent to a mailbox. Each code
/// allows five guesses out of a million, so an attacker who uses all codes succeeds on one day in 5000.
pub const CODES_OF_STRANGERS_A_DAY: i64 = 40;

/// An email address, stored in lowercase so that each mailbox has only one account.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Email(String);

impl Email {
    /// Parses and lowercases an address. `field` is the name of the field in the request.
    pub fn parse(text: &str, field: &'static str) -> Result<Self, Refusal> {
        let text = text.trim();
        if text.is_empty() {
            return Err(Refusal::Invalid { field, reason: "empty" });
        }
        if is_address(text) {
            Ok(Self(text.to_ascii_lowercase()))
        } else {
            Err(Refusal::Invalid { field, reason: "not an email address" })
        }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns an address of which only the first characters and the end are readable, such as `a***@e***.org`.
    pub fn masked(address: &str) -> String {
        let first = |part: &str| part.chars().next().map(String::from).unwrap_or_default();
        let (local, host) = address.split_once('@').unwrap_or((address, ""));
        let end = host.rsplit_once('.').map(|(_, end)| format!(".{end}")).unwrap_or_default();
        format!("{}***@{}***{end}", first(local), first(host))
    }
}

impl fmt::Display for Email {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Returns whether the text is a dot-atom, `@`, and a hostname of at least two labels. Does not accept quoting,
/// comments or address literals.
fn is_address(text: &str) -> bool {
    let Some((local, host)) = text.split_once('@') else { return false };
    let atom = |part: &str| {
        !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$%&'*+/=?^_`{|}~-".contains(&b))
    };
    let label = |part: &str| {
        !part.is_empty()
            && part.len() <= 63
            && !part.starts_with('-')
            && !part.ends_with('-')
            && part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
    };
    text.len() <= 254
        && local.len() <= 64
        && local.split('.').all(atom)
        && host.contains('.')
        && host.split('.').all(label)
        && host.rsplit('.').next().is_some_and(|top| top.len() >= 2 && !top.bytes().all(|b| b.is_ascii_digit()))
}

/// The purpose of a code. A code for one purpose is invalid for any other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, IntoStaticStr, EnumString)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase", const_into_str)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = EmailPurpose))]
pub enum CodePurpose {
    Register,
    /// Resetting a forgotten login password.
    Reset,
    /// Changing security settings: email, security password or receiving address.
    Security,
}

/// Returns a code of six digits from random bytes. The probabilities of any two codes differ by at most one part in
/// 10^13.
pub fn code_digits(random: u64) -> String {
    format!("{:06}", random.checked_rem(1_000_000).unwrap_or(0))
}

/// Returns whether the text is six digits. Any other text does not count as an attempt.
pub fn check_code_form(code: &str) -> bool {
    code.len() == 6 && code.bytes().all(|b| b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_masked_address_hides_the_mailbox_and_the_host() {
        for (address, masked) in [
            ("anna.lee@example.org", "a***@e***.org"),
            ("a@b.co.uk", "a***@b***.uk"),
            ("broken", "b***@***"),
            ("", "***@***"),
        ] {
            assert_eq!(Email::masked(address), masked);
        }
    }

    #[test]
    fn common_addresses_are_accepted_in_lowercase() {
        for (text, expected) in [
            ("Ann@Example.org", "ann@example.org"),
            (" a.b+c@mail.example.co.uk ", "a.b+c@mail.example.co.uk"),
            ("x_1@sub-domain.example", "x_1@sub-domain.example"),
        ] {
            assert_eq!(Email::parse(text, "email").unwrap().as_str(), expected);
        }
    }

    #[test]
    fn invalid_addresses_are_refused_with_the_field_name() {
        for text in [
            "a",
            "a@b",
            "a@@b.cc",
            "a@b.c",
            ".a@b.cc",
            "a.@b.cc",
            "a@-b.cc",
            "a@b..cc",
            "a b@c.dd",
            "a@1.2.3.4",
            "a@b.cc\r\nBcc: x@y.zz",
            "ü@b.cc",
        ] {
            assert_eq!(
                Email::parse(text, "email"),
                Err(Refusal::Invalid { field: "email", reason: "not an email address" }),
                "{text}"
            );
        }
        assert_eq!(Email::parse("  ", "email"), Err(Refusal::Invalid { field: "email", reason: "empty" }));
    }

    #[test]
    fn a_code_always_has_six_digits() {
        assert_eq!(code_digits(7), "000007");
        assert_eq!(code_digits(u64::MAX).len(), 6);
        assert!(check_code_form("000007"));
        for text in ["", "12345", "1234567", "12345a", "１２３４５６"] {
            assert!(!check_code_form(text), "{text}");
        }
    }
}
