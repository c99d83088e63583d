//! Nicknames: letters and digits of one script, unlike every other nickname to the eye, changed once a week.
//!
//! People recognise whom they trade with by the nickname, so it must not pass for another. What looks alike is taken from
//! Unicode Technical Standard 39.

use std::fmt;

use chrono::Duration;
use serde::Serialize;
use unicode_security::{GeneralSecurityProfile, MixedScript};

use super::IdentityRefusal;
use super::words::ForbiddenWords;
use crate::clock::{Timestamp, after};
use crate::refusal::Refusal;

/// How long a nickname must stay.
pub const NICKNAME_REST: Duration = Duration::days(7);
/// The fewest and the most characters a nickname may have.
pub const NICKNAME_LENGTH: std::ops::RangeInclusive<usize> = 3..=20;

/// What is wrong with a nickname.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NicknameFault {
    /// It is too short or too long.
    Length,
    /// It has something else than letters and digits in everyday use.
    Characters,
    /// Its letters or digits are of several scripts, of which one may pass for another.
    MixedScripts,
}

impl NicknameFault {
    /// The name in answers.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Length => "length",
            Self::Characters => "characters",
            Self::MixedScripts => "mixed scripts",
        }
    }
}

/// A nickname of letters and digits of one script.
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
        if let Some(fault) = fault_of(text) {
            return Err(IdentityRefusal::NicknameInvalid(fault).into());
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
}

fn fault_of(text: &str) -> Option<NicknameFault> {
    if !NICKNAME_LENGTH.contains(&text.chars().count()) {
        return Some(NicknameFault::Length);
    }
    // Besides rare and ornamental letters, the profile keeps out those that are drawn as nothing.
    if !text.chars().all(|c| c.is_alphanumeric() && c.identifier_allowed()) {
        return Some(NicknameFault::Characters);
    }
    // Han with Kana, Bopomofo or Hangul is one script here, as Japanese, Chinese and Korean are written.
    (!text.is_single_script()).then_some(NicknameFault::MixedScripts)
}

/// What a text looks like, whatever its case: two texts with the same look pass for one another.
///
/// The skeleton is taken before the case is folded, for what people see is the text as it was written: a capital `I` passes
/// for a small `l`, whereas a small `i` does not. It is taken again after, because the small letter may have a skeleton of
/// its own: `M` has none, and `m` passes for `rn`. So the look is not the whole of uniqueness regardless of case, which is
/// checked besides.
pub fn skeleton(text: &str) -> String {
    let folded = unicode_security::skeleton(text).collect::<String>().to_lowercase();
    unicode_security::skeleton(&folded).collect::<String>().to_lowercase()
}

impl fmt::Display for Nickname {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Refuses a second change within a week of the last.
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
    fn letters_and_digits_of_any_one_script_are_taken() {
        for text in ["Ann7", "李雷雷", "한글이름", "Łukasz", "สมชาย", "Наталья", "Ελένη", "さくら花", "محمد"]
        {
            assert_eq!(Nickname::parse(text, &words()).unwrap().as_str(), text);
        }
    }

    #[test]
    fn other_signs_length_and_words_are_refused() {
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
            // Ornamental, wide, and drawn as nothing.
            ("𝐇𝐚𝐧𝐚", Characters),
            ("Ｈａｎａ", Characters),
            ("①②③", Characters),
            ("Hana\u{200b}", Characters),
            ("Ha\u{3164}na", Characters),
            // As the attack wrote them: the first letter is Cyrillic.
            ("НanaSeoul", MixedScripts),
            ("Аdmin", MixedScripts),
            ("Ηanaa", MixedScripts),
            ("Hana花", MixedScripts),
            ("Hana٣", MixedScripts),
        ] {
            assert_eq!(Nickname::parse(text, &words()), Err(IdentityRefusal::NicknameInvalid(fault).into()), "{text}");
        }
        for text in ["theADMINhere", "adm1n", "ТЕЛЕГРАМ", "adrnin", "AdmlN"] {
            assert_eq!(Nickname::parse(text, &words()), Err(IdentityRefusal::ForbiddenWords.into()), "{text}");
        }
        assert_eq!(Nickname::parse(" ", &words()), Err(Refusal::Invalid { field: "nickname", reason: "empty" }));
    }

    #[test]
    fn what_passes_for_another_has_its_look() {
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
