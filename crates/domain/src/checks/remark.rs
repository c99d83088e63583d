//! Checks of texts for everybody, such as remarks: no forbidden words, and no contact information. Messages are searched for contact
//! information too.

use crate::identity::words::ForbiddenWords;
use crate::refusal::Refusal;

/// The maximum length of a public text, in characters.
pub const MAX_REMARK: usize = 100;

/// A number with at least this many digits counts as contact information.
const CONTACT_DIGITS: usize = 8;

/// Top-level domains of links that people write without `http` or `www`.
const TOP_LEVEL: &[&str] = &[
    "app", "biz", "cc", "club", "cn", "co", "com", "de", "es", "gg", "hk", "info", "io", "jp", "kp", "kr", "link",
    "ly", "me", "net", "online", "org", "pro", "pt", "ru", "shop", "site", "th", "to", "top", "tr", "tv", "tw", "uk",
    "us", "vip", "vn", "xyz",
];

/// Refuses a public text that is too long, contains forbidden words, or contains contact information: an email address, a
/// link, an account name or a phone number.
pub fn public_text(field: &'static str, text: &str, words: &ForbiddenWords) -> Result<(), Refusal> {
    let invalid = |reason| Err(Refusal::Invalid { field, reason });
    if text.chars().count() > MAX_REMARK {
        return invalid("too long");
    }
    if text.chars().any(char::is_control) {
        return invalid("control characters");
    }
    unspeakable(text, words).map_or(Ok(()), |reason| Err(Refusal::Unspeakable { field, reason }))
}

/// Returns why strangers may not read a text, if it contains forbidden words or contact information.
pub fn unspeakable(text: &str, words: &ForbiddenWords) -> Option<&'static str> {
    if words.found_in(text) {
        return Some("forbidden words");
    }
    has_contact_information(text).then_some("contact information")
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
/// them. Dates, times and amounts of money have many digits too.
fn names_number(text: &str) -> bool {
    let text = without_dates(text);
    let mut at = 0_usize;
    text.split_inclusive(|c: char| !c.is_numeric() && !separates(c)).any(|part| {
        let run = part.trim_end_matches(|c: char| !c.is_numeric() && !separates(c));
        let (before, after) = (text.get(..at), text.get(at.saturating_add(run.len())..));
        at = at.saturating_add(part.len());
        let is_priced = before.is_some_and(ends_with_currency) || after.is_some_and(begins_with_currency);
        let is_international = before.is_some_and(|before| before.trim_end().ends_with('+'));
        let digits = run.chars().filter(|c| !separates(*c)).count();
        digits >= CONTACT_DIGITS && (is_international || !is_amount(run.trim(), is_priced))
    })
}

fn separates(c: char) -> bool {
    matches!(c, ' ' | '-' | '.' | '(' | ')' | '/' | '_')
}

/// Replaces each date, as in `2026-11-23`, `23.11.2026` and `11/23/2026`, and a time after it, as in `14.30`.
fn without_dates(text: &str) -> String {
    let is_date = |word: &str| {
        ['-', '.', '/'].into_iter().any(|separator| {
            let parts: Vec<_> = word.split(separator).map(|part| (part.len(), part.parse::<u32>().ok())).collect();
            let is_year = |(length, year)| length == 4 && matches!(year, Some(1900..=2099));
            let is_small = |(length, number)| length <= 2 && matches!(number, Some(1..=31));
            let is_month = |(_, number)| matches!(number, Some(1..=12));
            match *parts.as_slice() {
                [year, month, day] if is_year(year) => is_small(month) && is_small(day) && is_month(month),
                [one, two, year] => is_year(year) && is_small(one) && is_small(two) && (is_month(one) || is_month(two)),
                _ => false,
            }
        })
    };
    let is_time = |word: &str| match word.split_once('.') {
        Some((hour, minute)) => hour.len() <= 2 && minute.len() == 2 && hour.parse().is_ok_and(|hour: u32| hour < 24),
        None => false,
    };
    let mut after_date = false;
    let words = text.split(' ').map(|word| {
        let bare = word.trim_matches(|c: char| !c.is_ascii_digit());
        let replaced = is_date(bare) || (after_date && is_time(bare));
        after_date = is_date(bare);
        if replaced { word.replacen(bare, "date", 1) } else { word.to_owned() }
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Returns whether a run of digits and separators is an amount: digits that are grouped by thousands, as in `1.000.000`, or have two
/// decimals at most; next to a currency also many digits or decimals, and groups between spaces. Phone numbers begin with a zero,
/// have more digits, or are grouped by spaces and hyphens.
fn is_amount(run: &str, is_priced: bool) -> bool {
    let (whole, decimals) = match run.split_once('.') {
        Some((whole, decimals)) if !decimals.contains('.') && decimals.chars().all(char::is_numeric) => {
            (whole, decimals)
        }
        _ => (run, ""),
    };
    let is_whole = |whole: &str, most: usize| {
        let groups: Vec<_> = whole.split(|c| c == '.' || (c == ' ' && is_priced)).collect();
        let digits = |group: &&str| !group.is_empty() && group.bytes().all(|byte| byte.is_ascii_digit());
        groups.iter().all(digits)
            && match groups.as_slice() {
                [single] => single.len() <= most && (*single == "0" || !single.starts_with('0')),
                [first, rest @ ..] => {
                    first.len() <= 3 && !first.starts_with('0') && rest.iter().all(|group| group.len() == 3)
                }
                [] => false,
            }
    };
    // Without a currency, only decimals explain why a number is long.
    let (most, most_decimals) = if is_priced { (9, 8) } else { (CONTACT_DIGITS.saturating_sub(1), 2) };
    is_whole(run, if is_priced { most } else { 0 }) || (is_whole(whole, most) && decimals.len() <= most_decimals)
}

/// The signs and codes of currencies and coins, in lowercase.
const CURRENCIES: &[&str] = &[
    "$", "€", "£", "¥", "₩", "₫", "₺", "฿", "r$", "元", "원", "円", "块", "万", "usd", "usdt", "mec", "krw", "cny",
    "rmb", "vnd", "thb", "try", "eur", "gbp", "jpy", "hkd", "twd", "brl", "mxn", "idr", "php", "won", "dong", "baht",
    "tl", "btc", "eth",
];

fn begins_with_currency(text: &str) -> bool {
    CURRENCIES.iter().any(|currency| {
        let rest = text.trim_start().strip_prefix(currency);
        rest.is_some_and(|rest| !currency.ends_with(char::is_alphanumeric) || !continues(rest.chars().next(), currency))
    })
}

fn ends_with_currency(text: &str) -> bool {
    CURRENCIES.iter().any(|currency| {
        let rest = text.trim_end().strip_suffix(currency);
        rest.is_some_and(|rest| {
            !currency.ends_with(char::is_alphanumeric) || !continues(rest.chars().next_back(), currency)
        })
    })
}

/// Returns whether the code of a currency is only a part of a word.
fn continues(next: Option<char>, currency: &str) -> bool {
    currency.is_ascii() && next.is_some_and(|c| c.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Result<(), Refusal> {
        public_text("remark", text, &ForbiddenWords::new(["telegram", "官方"]))
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
            "I paid on 2026-11-23",
            "Paid 23.11.2026 14.30, ref 4711",
            "on 11/23/2026 at 14:30:05",
            "2026/11/23 14:30",
            "2026-11-23: 1400.25",
            "I sent 15000000 VND",
            "₩12345678 arrived",
            "KRW 12345678.90",
            "1234567.89",
            "0.12345678 BTC",
            "5 500 000.00 KRW",
            "1.000.000 and 2.000.000",
            "已付12345678元",
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
            "call +84 912 345 678",
            "+84.912.345.678 CNY",
            "84 912 345 678",
            "612-345-678",
            "01012345678",
            "０１０１２３４５６７８",
            "id 123 456 789 0",
            "010.123.456",
            "2026-11-23 01012345678",
            "13812345678 CNY",
            "01012345 KRW",
            "12345678",
            "12345678 used",
            "1990-45-99",
            "2026-1123",
            "12345678.90",
            "138.1234.5678",
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
