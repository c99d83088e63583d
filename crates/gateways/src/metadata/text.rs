//! Texts of strangers.

use domain::text::{is_blank, is_ignorable};

/// Returns the first `max_length` characters of a text that are fit to be shown; `None` if there is nothing to see. Line breaks
/// become spaces.
pub(super) fn line(text: &str, max_length: usize) -> Option<String> {
    shown(text, max_length, ' ')
}

/// Like [`line`], but keeps line breaks.
pub(super) fn lines(text: &str, max_length: usize) -> Option<String> {
    shown(text, max_length, '\n')
}

fn shown(text: &str, max_length: usize, line_break: char) -> Option<String> {
    let visible = text.chars().filter_map(|c| match c {
        '\n' | '\u{2028}' | '\u{2029}' => Some(line_break),
        '\t' => Some(' '),
        // These join letters and choose the form of emoji.
        '\u{200c}' | '\u{200d}' | '\u{fe0e}' | '\u{fe0f}' => Some(c),
        c if c.is_control() || is_ignorable(c) => None,
        c => Some(c),
    });
    let text: String = visible.skip_while(|c| c.is_whitespace()).take(max_length).collect();
    (!is_blank(&text)).then(|| text.trim_end().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invisible_characters_are_removed() {
        assert_eq!(line("a\u{202e}b\u{2066}c\u{200b}\u{0}\u{7f}\u{85}d\u{feff}", 20).as_deref(), Some("abcd"));
        assert_eq!(line(" a\r\nb\tc\u{2028}d ", 20).as_deref(), Some("a b c d"));
        assert_eq!(lines(" a\r\nb\tc\u{2029}d\n", 20).as_deref(), Some("a\nb c\nd"));
        assert_eq!(line("👨\u{200d}👩 ❤\u{fe0f} 罗汉", 20).as_deref(), Some("👨\u{200d}👩 ❤\u{fe0f} 罗汉"));
    }

    #[test]
    fn a_text_without_anything_to_see_is_none() {
        for text in ["", " \n", "\u{202e}", "\u{200d}\u{fe0f}", "\u{2800}"] {
            assert_eq!(line(text, 20), None, "{text:?}");
        }
    }

    #[test]
    fn a_long_text_is_cut() {
        assert_eq!(line(&"é".repeat(30), 20), Some("é".repeat(20)));
        assert_eq!(line(&format!("{}a", " ".repeat(30)), 20).as_deref(), Some("a"));
    }
}
