//! Forbidden words: found in any case, with the usual digits for letters, with letters that look like theirs, and across
//! separators.

use super::nickname::skeleton;

/// A list of words that no public text may have.
#[derive(Debug, Clone, Default)]
pub struct ForbiddenWords {
    /// Each as it is read, and as it looks.
    folded: Vec<(String, String)>,
}

impl ForbiddenWords {
    /// A list; empty entries are dropped.
    pub fn new<'a>(words: impl IntoIterator<Item = &'a str>) -> Self {
        let both = words.into_iter().map(|word| (fold(word), fold(&skeleton(word))));
        Self { folded: both.filter(|(read, looks)| !read.is_empty() && !looks.is_empty()).collect() }
    }

    /// Whether the text has any of the words.
    pub fn found_in(&self, text: &str) -> bool {
        let (read, looks) = (fold(text), fold(&skeleton(text)));
        self.folded.iter().any(|(word, face)| read.contains(word.as_str()) || looks.contains(face.as_str()))
    }
}

/// Lower case, look-alike digits as letters, everything between words dropped.
fn fold(text: &str) -> String {
    text.chars()
        .flat_map(char::to_lowercase)
        .map(|c| match c {
            '0' => 'o',
            // Both letters that a one may stand for.
            '1' | '!' | 'l' => 'i',
            '3' => 'e',
            '4' | '@' => 'a',
            '5' | '$' => 's',
            '7' => 't',
            other => other,
        })
        .filter(|c| c.is_alphanumeric())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn disguises_do_not_help() {
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
}
