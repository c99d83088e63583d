//! Texts that users and officers write.

/// Returns whether a reader sees nothing of a text: it consists of whitespace and of characters without a shape.
pub fn is_blank(text: &str) -> bool {
    text.chars().all(|c| c.is_whitespace() || is_ignorable(c) || c == BRAILLE_BLANK)
}

/// A pattern without dots, which has the shape of a space but is none.
const BRAILLE_BLANK: char = '\u{2800}';

/// Returns whether a character has no shape of its own: the property `Default_Ignorable_Code_Point` of Unicode 16
/// (DerivedCoreProperties.txt).
pub fn is_ignorable(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fff8}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_blank_if_nothing_of_it_is_visible() {
        for text in ["", " \n\u{3000}", "\u{200b}", "\u{2060}\u{3164}\u{ad}", "\u{2800} \u{feff}", "\u{e0041}"] {
            assert!(is_blank(text), "{text:?}");
        }
        for text in [".", "\u{200b}a", "👨\u{200d}👩", "❤\u{fe0f}", "\u{ffa0}你"] {
            assert!(!is_blank(text), "{text:?}");
        }
    }
}
