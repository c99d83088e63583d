//! Nicknames: letters and digits, unique without case, once a week.

use std::fmt;

use chrono::Duration;
use serde::Serialize;

use super::IdentityRefusal;
use super::words::ForbiddenWords;
use crate::clock::{Moment, after};
use crate::refusal::Refusal;

/// How long a nickname must stay.
pub const NICKNAME_REST: Duration = Duration::days(7);
/// The most characters a nickname may have.
pub const NICKNAME_MAX: usize = 20;

/// A nickname of letters and digits of any script.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Nickname(String);

impl Nickname {
    /// Reads a nickname and refuses what is not one, or has a forbidden word in it.
    pub fn parse(text: &str, words: &ForbiddenWords) -> Result<Self, Refusal> {
        let text = text.trim();
        if text.is_empty() {
            return Err(Refusal::Invalid { field: "nickname", reason: "empty" });
        }
        if text.chars().count() > NICKNAME_MAX || !text.chars().all(char::is_alphanumeric) {
            return Err(IdentityRefusal::NicknameInvalid.into());
        }
        if words.found_in(text) {
            return Err(IdentityRefusal::ForbiddenWords.into());
        }
        Ok(Self(text.to_owned()))
    }

    /// As the person wrote it.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Without case: two nicknames with the same key are the same to a reader.
    pub fn key(&self) -> String {
        self.0.to_lowercase()
    }
}

impl fmt::Display for Nickname {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Refuses a second change within a week of the last.
pub fn may_change(last_change: Option<Moment>, now: Moment) -> Result<(), Refusal> {
    match last_change.map(|last| after(last, NICKNAME_REST)) {
        Some(until) if now < until => Err(IdentityRefusal::NicknameTooSoon { until }.into()),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::TimeZone;

    fn words() -> ForbiddenWords {
        ForbiddenWords::new(["admin", "телеграм"])
    }

    #[test]
    fn letters_and_digits_of_any_script_are_taken() {
        for text in ["Ann7", "李雷", "한글이름", "Łukasz", "สมชาย"] {
            assert_eq!(Nickname::parse(text, &words()).unwrap().as_str(), text);
        }
    }

    #[test]
    fn other_signs_length_and_words_are_refused() {
        for text in ["a b", "a_b", "a-b", "a@b", "<b>", "😀", &"a".repeat(21)] {
            assert_eq!(Nickname::parse(text, &words()), Err(IdentityRefusal::NicknameInvalid.into()), "{text}");
        }
        for text in ["theADMINhere", "adm1n", "ТЕЛЕГРАМ"] {
            assert_eq!(Nickname::parse(text, &words()), Err(IdentityRefusal::ForbiddenWords.into()), "{text}");
        }
        assert_eq!(Nickname::parse(" ", &words()), Err(Refusal::Invalid { field: "nickname", reason: "empty" }));
    }

    #[test]
    fn a_week_is_a_week() {
        let last = chrono::Utc.timestamp_opt(1_000_000, 0).unwrap();
        let until = last + NICKNAME_REST;
        assert_eq!(may_change(None, last), Ok(()));
        assert_eq!(
            may_change(Some(last), until - Duration::milliseconds(1)),
            Err(IdentityRefusal::NicknameTooSoon { until }.into())
        );
        assert_eq!(may_change(Some(last), until), Ok(()));
    }
}
