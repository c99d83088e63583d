//! Detection of forbidden words, regardless of case, separators, lookalike letters and digits used as letters.

use super::nickname::skeleton;
use crate::text::is_ignorable;

/// Words that public texts must not contain.
#[derive(Debug, Clone, Default)]
pub struct ForbiddenWords {
    /// Each word in its folded form, and the folded form of its skeleton.
    folded: Vec<(Vec<char>, Vec<char>)>,
}

impl ForbiddenWords {
    /// Creates the list. Ignores empty words.
    pub fn new<'a>(words: impl IntoIterator<Item = &'a str>) -> Self {
        let letters = |text: &str| fold(text).into_iter().map(|sign| sign.read).collect::<Vec<_>>();
        let both = words.into_iter().map(|word| (letters(word), letters(&skeleton(word))));
        Self { folded: both.filter(|(read, looks)| !read.is_empty() && !looks.is_empty()).collect() }
    }

    /// Returns whether the text contains one of the words, also as a part of another word. What is spread over several words of the
    /// text counts only if it begins and ends with a word: `pizza lover` does not contain `zalo`.
    pub fn found_in(&self, text: &str) -> bool {
        self.find(text, Bounds::IfSpread, |_| false)
    }

    /// Returns whether the text contains one of the words, not as a part of another word and not where `excused` returns true for
    /// the text before it.
    pub fn stand_in(&self, text: &str, excused: impl Fn(&str) -> bool) -> bool {
        self.find(text, Bounds::Always, excused)
    }

    fn find(&self, text: &str, bounds: Bounds, excused: impl Fn(&str) -> bool) -> bool {
        let looks = skeleton(text);
        let (read, seen) = (fold(text), fold(&looks));
        self.folded.iter().any(|(word, face)| {
            let excused = |text: &str, at: usize| text.get(..at).is_some_and(&excused);
            occurs(&read, word, bounds, |at| excused(text, at)) || occurs(&seen, face, bounds, |at| excused(&looks, at))
        })
    }
}

/// Where a match must begin and end with a word of the text. In scripts without spaces, it need not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bounds {
    Always,
    /// If it is spread over several words.
    IfSpread,
}

/// A letter or digit of a text.
#[derive(Debug, Clone, Copy)]
struct Sign {
    /// What it can be read as.
    read: char,
    /// Whether it is a letter of a script with spaces between words, and not a digit.
    spaced: bool,
    /// Whether something separates it from the sign before it.
    begins: bool,
    /// Its position in the text, in bytes.
    at: usize,
}

/// Converts to lowercase, replaces lookalike digits with letters, and removes separators.
fn fold(text: &str) -> Vec<Sign> {
    let mut signs = Vec::new();
    let mut begins = true;
    for (at, written) in text.char_indices() {
        for c in written.to_lowercase() {
            let read = match c {
                '0' => 'o',
                // `1` can stand for `i` or `l`.
                '1' | '!' | 'l' => 'i',
                '3' => 'e',
                '4' | '@' => 'a',
                '5' | '$' => 's',
                '7' => 't',
                other => other,
            };
            if read.is_alphanumeric() {
                signs.push(Sign { read, spaced: c.is_alphabetic() && is_spaced(c), begins, at });
                begins = false;
            } else {
                begins |= !is_invisible(c);
            }
        }
    }
    signs
}

/// Returns whether a letter belongs to a script with spaces between words, such as Latin or Cyrillic.
fn is_spaced(letter: char) -> bool {
    letter < '\u{e00}' || ('\u{1e00}'..='\u{1fff}').contains(&letter)
}

/// Returns whether a character changes the one before it, such as an accent, or is not shown.
fn is_invisible(c: char) -> bool {
    is_ignorable(c) || matches!(c, '\u{300}'..='\u{36f}')
}

fn occurs(text: &[Sign], word: &[char], bounds: Bounds, excused: impl Fn(usize) -> bool) -> bool {
    let same = |signs: &[Sign]| signs.iter().map(|sign| sign.read).eq(word.iter().copied());
    let positions = text.windows(word.len()).enumerate().filter(|(_, signs)| same(signs));
    positions.into_iter().any(|(from, signs)| {
        let [first, others @ ..] = signs else { return false };
        let is_spread = others.iter().any(|sign| sign.begins);
        let before = from.checked_sub(1).and_then(|at| text.get(at));
        let after = text.get(from.saturating_add(word.len()));
        let begins = first.begins || !first.spaced || before.is_none_or(|sign| !sign.spaced);
        let last = signs.last().unwrap_or(first);
        let ends = !last.spaced || after.is_none_or(|sign| sign.begins || !sign.spaced);
        let is_bounded = begins && ends;
        (is_bounded || (bounds == Bounds::IfSpread && !is_spread)) && !excused(first.at)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn disguised_words_are_found() {
        let words = ForbiddenWords::new(["telegram", "官方", ""]);
        for text in [
            "my TELEGRAM",
            "t.e.l.e.g.r.a.m",
            "t3l3gr4m",
            "te1egram",
            "我是官 方客服",
            "tеlеgrаm",
            "ｔｅｌｅｇｒａｍ",
            "TЕLЕGRАM",
        ] {
            assert!(words.found_in(text), "{text}");
        }
        for text in ["", "tele", "官", "bank transfer"] {
            assert!(!words.found_in(text), "{text}");
        }
    }

    #[test]
    fn a_word_that_is_spread_over_others_begins_and_ends_with_one() {
        let words = ForbiddenWords::new(["zalo", "release first", "mở khóa", "官方"]);
        for text in ["z a l o", "my z.a.l.o!", "加z.a.l.o吧", "Release  first.", "MỞ KHÓA", "我官 方客", "za\u{200b}lo"]
        {
            assert!(words.found_in(text) && words.stand_in(text, |_| false), "{text}");
        }
        for text in ["pizza lover", "plaza local", "prerelease firstly", "za loud"] {
            assert!(!words.found_in(text) && !words.stand_in(text, |_| false), "{text}");
        }
    }

    #[test]
    fn a_word_stands_in_a_text_if_it_is_no_part_of_another() {
        let words = ForbiddenWords::new(["zalo", "微信"]);
        for text in ["my zalo: anna", "Z4L0", "zalo99", "加zalo吧", "加微信吧", "zalo_anna"] {
            assert!(words.stand_in(text, |_| false), "{text}");
            assert!(!words.stand_in(text, |_| true), "{text}");
        }
        for text in ["Gonzalo", "zalora"] {
            assert!(words.found_in(text) && !words.stand_in(text, |_| false), "{text}");
        }
        assert!(!words.stand_in("never zalo", |before| before == "never "));
        assert!(words.stand_in("never zalo, zalo", |before| before == "never "));
    }
}
