//! Checks of an advert's remark: no forbidden words, and no contact information. Messages are searched for contact
//! information too.

use crate::identity::words::ForbiddenWords;
use crate::refusal::Refusal;

/// The maximum length of a remark, in characters.
pub const MAX_REMARK: usize = 100;

/// A number with at least this many digits counts as contact information.
const CONTACT_DIGITS: usize = 8;

/// Top-level domains of links that people write without `http` or `www`.
const TOP_LEVEL: &[&str] = &[
    "app", "biz", "cc", "club", "cn", "co", "com", "de", "es", "gg", "hk", "info", "io", "jp", "kp", "kr", "link",
    "ly", "me", "net", "online", "org", "pro", "pt", "ru", "shop", "site", "th", "to", "top", "tr", "tv", "tw", "uk",
    "us", "vip", "vn", "xyz",
];

/// Refuses a remark that is too long, contains forbidden words, or contains contact information: an email address, a
/// link, an account name or a phone number.
pub(super) fn remark(text: &str, words: &ForbiddenWords) -> Result<(), Refusal> {
    let invalid = |reason| Err(Refusal::Invalid { field: "remark", reason });
    if text.chars().count() > MAX_REMARK {
        return invalid("too long");
    }
    if text.chars().any(char::is_control) {
        return invalid("control characters");
    }
    if words.found_in(text) {
        return Err(Refusal::Unspeakable { field: "remark", reason: "forbidden words" });
    }
    if has_contact_information(text) {
        return Err(Refusal::Unspeakable { field: "remark", reason: "contact information" });
    }
    Ok(())
}

/// Returns whether a text contains an email address, a link, an account name or a phone number.
pub fn has_contact_information(text: &str) -> bool {
    let text: String = text.chars().map(narrow).collect();
    text.contains("://") || names_account(&text) || names_site(&text) || names_number(&text)
}

/// Converts full-width characters to their ASCII form, in lowercase.
fn narrow(c: char) -> char {
    let wide = u32::from(c).checked_sub(0xfee0).filter(|code| (0x21..=0x7e).contains(code));
    wide.and_then(char::from_u32).unwrap_or(c).to_ascii_lowercase()
}

/// Returns whether the text contains an at sign followed by a name, as in `name@host` and `@name`.
fn names_account(text: &str) -> bool {
    text.split('@').skip(1).any(|behind| behind.trim_start().starts_with(char::is_alphanumeric))
}

/// Returns whether the text contains a name, a dot and a top-level domain, as in `example.com` and `t.me/name`.
fn names_site(text: &str) -> bool {
    let parts: Vec<_> = text.split('.').collect();
    parts.windows(2).any(|pair| {
        let [before, behind] = pair else { return false };
        let named = before.ends_with(|c: char| c.is_alphanumeric() || c == '-');
        let ending: String = behind.chars().take_while(char::is_ascii_alphanumeric).collect();
        named && TOP_LEVEL.contains(&ending.as_str())
    })
}

/// Returns whether the text contains a phone or account number: many digits with only the usual separators between
/// them. Digits grouped by thousands, as in `1.000.000`, are an amount of money.
fn names_number(text: &str) -> bool {
    let separates = |c: char| matches!(c, ' ' | '-' | '.' | '(' | ')' | '/' | '_');
    text.split(|c: char| !c.is_numeric() && !separates(c)).any(|run| {
        let groups: Vec<_> = run.split(separates).filter(|group| !group.is_empty()).collect();
        let digits: usize = groups.iter().map(|group| group.chars().count()).sum();
        digits >= CONTACT_DIGITS && !is_sum(&groups)
    })
}

fn is_sum(groups: &[&str]) -> bool {
    match groups {
        [first, rest @ ..] if !rest.is_empty() => {
            (1..=3).contains(&first.len()) && !first.starts_with('0') && rest.iter().all(|group| group.len() == 3)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Result<(), Refusal> {
        remark(text, &ForbiddenWords::new(["telegram", "官方"]))
    }

    #[test]
    fn ordinary_remarks_are_accepted() {
        for text in [
            "",
            "Bank transfer only. Please pay within 15 minutes!",
            "Quick release, 9:00-22:00 UTC+9, min 100000 KRW",
            "Up to 100.000.000 VND at 0.5 % off",
            "請備註訂單號。謝謝",
            "Me. To be paid once.No third party",
            "1400.25 @",
        ] {
            assert_eq!(said(text), Ok(()), "{text}");
        }
    }

    #[test]
    fn forbidden_words_are_found_as_in_nicknames() {
        let refused = Err(Refusal::Unspeakable { field: "remark", reason: "forbidden words" });
        for text in ["write me on t3l3gr4m", "官 方"] {
            assert_eq!(said(text), refused, "{text}");
        }
    }

    #[test]
    fn contact_information_is_refused() {
        let refused = Err(Refusal::Unspeakable { field: "remark", reason: "contact information" });
        for text in [
            "anna@example.org",
            "follow @anna_sells",
            "＠ａｎｎａ",
            "ftp://x",
            "see example.com",
            "T.ME/anna",
            "shop.example.xyz now",
            "call +82 10-1234-5678",
            "01012345678",
            "０１０１２３４５６７８",
            "id 123 456 789 0",
            "010.123.456",
            "(090) 123 4567",
        ] {
            assert_eq!(said(text), refused, "{text}");
        }
    }

    #[test]
    fn control_characters_and_long_remarks_are_refused() {
        for (text, reason) in [("x".repeat(101), "too long"), ("a\nb".to_owned(), "control characters")] {
            assert_eq!(said(&text), Err(Refusal::Invalid { field: "remark", reason }));
        }
        assert_eq!(said(&"客".repeat(100)), Ok(()));
    }
}
