//! Warnings: what fraudsters write. A flagged message is delivered, and its recipient sees the warning under it.

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};

use crate::checks::has_contact_information;
use crate::identity::words::ForbiddenWords;

/// What the recipient of a message is warned of.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, IntoStaticStr, EnumString,
)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE", const_into_str)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = MessageWarning))]
pub enum Warning {
    /// The message names a contact, an account, a link or a messenger, and so leads off the platform.
    OffPlatform,
    /// The message asks to release coins before the payment has arrived.
    EarlyRelease,
}

/// The words that cause warnings, in any language.
#[derive(Debug, Clone, Default)]
pub struct WarningWords {
    /// Names of messengers and the like.
    pub off_platform: ForbiddenWords,
    /// Ways to ask for an early release.
    pub early_release: ForbiddenWords,
}

impl WarningWords {
    pub fn new(words: &[(&str, Warning)]) -> Self {
        let of =
            |wanted| ForbiddenWords::new(words.iter().filter(|(_, warning)| *warning == wanted).map(|(word, _)| *word));
        Self { off_platform: of(Warning::OffPlatform), early_release: of(Warning::EarlyRelease) }
    }

    /// Returns the warnings of a message.
    pub fn warnings(&self, text: &str) -> Vec<Warning> {
        let leads_off = has_contact_information(text) || self.off_platform.stand_in(text, |_| false);
        let asks = self.early_release.stand_in(text, ends_with_negation);
        let found = [(leads_off, Warning::OffPlatform), (asks, Warning::EarlyRelease)];
        found.into_iter().filter_map(|(found, warning)| found.then_some(warning)).collect()
    }
}

/// Returns whether a text ends with a word that says that what follows is not done, as in `I never release first`. Somebody who asks
/// `why not release first?` asks for it.
fn ends_with_negation(before: &str) -> bool {
    let letters =
        |word: &str| word.chars().filter(|c| c.is_alphabetic()).flat_map(char::to_lowercase).collect::<String>();
    let mut words = before.split_whitespace().rev().map(letters);
    match words.next().as_deref() {
        Some("never" | "dont" | "wont" | "cant" | "cannot" | "didnt") => true,
        Some("not") => {
            matches!(words.next().as_deref(), Some("do" | "will" | "can" | "must" | "should" | "may" | "did"))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn warnings(text: &str) -> Vec<Warning> {
        let words = [
            ("telegram", Warning::OffPlatform),
            ("微信", Warning::OffPlatform),
            ("zalo", Warning::OffPlatform),
            ("release first", Warning::EarlyRelease),
            ("release before", Warning::EarlyRelease),
            ("先放币", Warning::EarlyRelease),
        ];
        WarningWords::new(&words).warnings(text)
    }

    #[test]
    fn a_message_that_leads_off_the_platform_is_flagged() {
        for text in
            ["my Telegram?", "加微 信", "t.me/anna", "mail anna@example.org", "call 010-1234-5678", "http://x.example"]
        {
            assert_eq!(warnings(text), [Warning::OffPlatform], "{text}");
        }
    }

    #[test]
    fn a_message_that_asks_for_early_release_is_flagged() {
        for text in [
            "Please RELEASE  FIRST",
            "你先放币吧",
            "re1ease f1rst",
            "why not release first?",
            "do not worry, release first",
            "I never lie. Please release before I pay.",
        ] {
            assert_eq!(warnings(text), [Warning::EarlyRelease], "{text}");
        }
        assert_eq!(warnings("release first, then telegram"), [Warning::OffPlatform, Warning::EarlyRelease]);
    }

    #[test]
    fn ordinary_messages_are_not_flagged() {
        for text in [
            "",
            "I have paid 4,000 KRW. Thanks!",
            "已付款，请确认",
            "Ref 1234567",
            "I release as soon as it arrives",
            "I never release before it arrives",
            "Sorry, I do not release first.",
            "I don’t release before it arrives",
            "I am a pizza lover called Gonzalo",
            "I paid on 2026-11-23",
        ] {
            assert_eq!(warnings(text), [], "{text}");
        }
    }
}
