//! Nicknames: letters and digits of one script. Users recognize each other by nickname, so lookalikes, as defined by
//! Unicode Technical Standard 39, are refused.

use std::fmt;

use chrono::Duration;
use serde::Serialize;
use unicode_security::{GeneralSecurityProfile, MixedScript};

use super::IdentityRefusal;
use super::words::ForbiddenWords;
use crate::clock::{Timestamp, after};
use crate::ids::UserId;
use crate::refusal::Refusal;

/// Minimum time between two changes of a nickname.
pub const NICKNAME_REST: Duration = Duration::days(7);
/// The allowed length in characters.
const NICKNAME_LENGTH: std::ops::RangeInclusive<usize> = 3..=20;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NicknameFault {
    Length,
    /// The nickname contains characters other than common letters and digits.
    Characters,
    /// The nickname mixes scripts with similar letters or digits.
    MixedScripts,
}

impl NicknameFault {
    /// Returns the reason to put in the refusal.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Length => "length",
            Self::Characters => "characters",
            Self::MixedScripts => "mixed scripts",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Nickname(String);

impl Nickname {
    /// Parses a nickname. Refuses invalid characters and forbidden words.
    pub fn parse(text: &str, words: &ForbiddenWords) -> Result<Self, Refusal> {
        let text = text.trim();
        if text.is_empty() {
            return Err(Refusal::Invalid { field: "nickname", reason: "empty" });
        }
        if let Some(fault) = fault_of(text) {
            return Err(IdentityRefusal::NicknameInvalid(fault).into());
        }
        if words.found_in(text) {
            return Err(Refusal::Unspeakable { field: "nickname", reason: "forbidden words" });
        }
        Ok(Self(text.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn fault_of(text: &str) -> Option<NicknameFault> {
    if !NICKNAME_LENGTH.contains(&text.chars().count()) {
        return Some(NicknameFault::Length);
    }
    // The Unicode identifier profile excludes rare, ornamental and invisible letters.
    if !text.chars().all(|c| c.is_alphanumeric() && c.identifier_allowed()) {
        return Some(NicknameFault::Characters);
    }
    // Han counts as the same script as Kana, Bopomofo and Hangul, because Japanese, Chinese and Korean mix them.
    (!text.is_single_script()).then_some(NicknameFault::MixedScripts)
}

/// Returns the skeleton of a text, ignoring case. Texts with the same skeleton look alike.
///
/// The skeleton is computed before case folding because users see the original text: a capital `I` resembles a small
/// `l`, but a small `i` does not. It is computed again after case folding because the lowercase letter can have a
/// skeleton of its own: `M` has none, but `m` resembles `rn`. Callers must check case-insensitive uniqueness
/// separately.
pub fn skeleton(text: &str) -> String {
    let folded = unicode_security::skeleton(text).collect::<String>().to_lowercase();
    unicode_security::skeleton(&folded).collect::<String>().to_lowercase()
}

/// Returns a name for a user whose nickname was rejected. Each attempt returns another one, in case the name is taken.
pub fn neutral(user: UserId, attempt: u32) -> String {
    let number = user.0.as_u128().wrapping_add(u128::from(attempt)).checked_rem(100_000_000).unwrap_or_default();
    format!("User{number:08}")
}

impl fmt::Display for Nickname {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

pub fn may_change(last_change: Option<Timestamp>, now: Timestamp) -> Result<(), Refusal> {
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
    fn a_neutral_name_is_a_valid_nickname_and_each_attempt_has_another() {
        let user = UserId(uuid::Uuid::from_u128(u128::MAX));
        let names = [0, 1, 2].map(|attempt| neutral(user, attempt));
        assert_eq!(names, ["User68211455", "User00000000", "User00000001"]);
        for name in names {
            assert_eq!(Nickname::parse(&name, &words()).unwrap().as_str(), name);
        }
    }

    #[test]
    fn letters_and_digits_of_any_single_script_are_accepted() {
        for text in ["Ann7", "李雷雷", "한글이름", "Łukasz", "สมชาย", "Наталья", "Ελένη", "さくら花", "محمد"]
        {
            assert_eq!(Nickname::parse(text, &words()).unwrap().as_str(), text);
        }
    }

    #[test]
    fn other_characters_lengths_and_forbidden_words_are_refused() {
        use NicknameFault::{Characters, Length, MixedScripts};
        for (text, fault) in [
            ("a", Length),
            ("李雷", Length),
            (&*"a".repeat(21), Length),
            ("a b", Characters),
            ("a_b", Characters),
            ("a-b", Characters),
            ("a@b", Characters),
            ("<b>", Characters),
            ("😀😀😀", Characters),
            // Ornamental, wide and invisible characters.
            ("𝐇𝐚𝐧𝐚", Characters),
            ("Ｈａｎａ", Characters),
            ("①②③", Characters),
            ("Hana\u{200b}", Characters),
            ("Ha\u{3164}na", Characters),
            // A Cyrillic first letter that looks Latin.
            ("НanaSeoul", MixedScripts),
            ("Аdmin", MixedScripts),
            ("Ηanaa", MixedScripts),
            ("Hana花", MixedScripts),
            ("Hana٣", MixedScripts),
        ] {
            assert_eq!(Nickname::parse(text, &words()), Err(IdentityRefusal::NicknameInvalid(fault).into()), "{text}");
        }
        for text in ["theADMINhere", "adm1n", "ТЕЛЕГРАМ", "adrnin", "AdmlN"] {
            assert_eq!(
                Nickname::parse(text, &words()),
                Err(Refusal::Unspeakable { field: "nickname", reason: "forbidden words" }),
                "{text}"
            );
        }
        assert_eq!(Nickname::parse(" ", &words()), Err(Refusal::Invalid { field: "nickname", reason: "empty" }));
    }

    #[test]
    fn each_fault_has_its_reason() {
        let faults = [NicknameFault::Length, NicknameFault::Characters, NicknameFault::MixedScripts];
        assert_eq!(faults.map(NicknameFault::as_str), ["length", "characters", "mixed scripts"]);
    }

    #[test]
    fn lookalikes_have_the_same_skeleton() {
        for (one, other) in [
            ("HanaSeoul", "hanaseoul"),
            ("HanaSeoul", "HanaSeouI"),
            ("HanaSeoul", "HanaSeou1"),
            ("paypal", "paypa1"),
            ("paypal", "PAYPAL"),
            ("paypal", "раураӏ"),
            ("Boris", "B0ris"),
            ("Miko", "rniko"),
            ("José", "Jose\u{301}"),
        ] {
            assert_eq!(skeleton(one), skeleton(other), "{one} {other}");
            assert_eq!(skeleton(&skeleton(one)), skeleton(one), "{one}");
        }
        for (one, other) in [("Hana", "Hanna"), ("Jose", "José"), ("Наталья", "Natalya"), ("Trader1", "Trader2")]
        {
            assert_ne!(skeleton(one), skeleton(other), "{one} {other}");
        }
    }

    #[test]
    fn a_nickname_can_change_after_exactly_a_week() {
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
