//! Detection of forbidden words, regardless of case, separators, lookalike letters and digits used as letters.

use super::nickname::skeleton;

/// Words that public texts must not contain.
#[derive(Debug, Clone, Default)]
pub struct ForbiddenWords {
    /// Each word in its folded form, and the folded form of its skeleton.
    folded: Vec<(String, String)>,
}

impl ForbiddenWords {
    /// Creates the list. Ignores empty words.
    pub fn new<'a>(words: impl IntoIterator<Item = &'a str>) -> Self {
        let both = words.into_iter().map(|word| (fold(word), fold(&skeleton(word))));
        Self { folded: both.filter(|(read, looks)| !read.is_empty() && !looks.is_empty()).collect() }
    }

    pub fn found_in(&self, text: &str) -> bool {
        let (read, looks) = (fold(text), fold(&skeleton(text)));
        self.folded.iter().any(|(word, face)| read.contains(word.as_str()) || looks.contains(face.as_str()))
    }
}

/// Converts to lowercase, replaces lookalike digits with letters, and removes separators.
fn fold(text: &str) -> String {
    text.chars()
        .flat_map(char::to_lowercase)
        .map(|c| match c {
            '0' => 'o',
            // `1` can stand for `i` or `l`.
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
}
