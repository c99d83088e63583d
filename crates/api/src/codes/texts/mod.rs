//! The messages: one file for each language, one line for each key. Names in braces are replaced with the refusal's
//! facts.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::{Code, Coded};
use crate::language::{LANGUAGES, Language};

type Catalogue = HashMap<&'static str, &'static str>;

static CATALOGUES: LazyLock<HashMap<Language, Catalogue>> =
    LazyLock::new(|| LANGUAGES.iter().map(|language| (*language, read(source(*language)))).collect());

fn source(language: Language) -> &'static str {
    match language {
        Language::EnUs => include_str!("en_US.txt"),
        Language::ZhCn => include_str!("zh_CN.txt"),
        Language::ZhTw => include_str!("zh_TW.txt"),
        Language::KoKr => include_str!("ko_KR.txt"),
        Language::KoKp => include_str!("ko_KP.txt"),
        Language::ViVn => include_str!("vi_VN.txt"),
        Language::ThTh => include_str!("th_TH.txt"),
        Language::TrTr => include_str!("tr_TR.txt"),
        Language::EsEs => include_str!("es_ES.txt"),
        Language::PtPt => include_str!("pt_PT.txt"),
    }
}

fn read(source: &'static str) -> Catalogue {
    source.lines().filter_map(|line| line.split_once(' ')).collect()
}

/// Returns the text of a code with its placeholders.
pub fn text(code: Code, language: Language) -> &'static str {
    CATALOGUES.get(&language).and_then(|catalogue| catalogue.get(code.key)).copied().unwrap_or(code.key)
}

/// Returns the message of a code: its text with the facts filled in.
pub fn message(coded: &Coded, language: Language) -> String {
    let mut message = text(coded.code, language).to_owned();
    for (name, value) in &coded.facts {
        let shown = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        message = message.replace(&format!("{{{name}}}"), &shown);
    }
    message
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::{ALL, table};
    use super::*;

    fn braces(text: &str) -> BTreeSet<&str> {
        text.split('{').skip(1).filter_map(|part| part.split_once('}').map(|(name, _)| name)).collect()
    }

    #[test]
    fn every_language_has_every_text_once_and_no_other() {
        let keys: BTreeSet<_> = ALL.iter().map(|code| code.key).collect();
        assert_eq!(keys.len(), ALL.len(), "a key is used twice");
        for language in LANGUAGES {
            let lines: Vec<_> = source(*language).lines().filter_map(|line| line.split_once(' ')).collect();
            let had: BTreeSet<_> = lines.iter().map(|(key, _)| *key).collect();
            let missing: Vec<_> = keys.difference(&had).collect();
            let unknown: Vec<_> = had.difference(&keys).collect();
            assert!(missing.is_empty() && unknown.is_empty(), "{language:?}: missing {missing:?}, unknown {unknown:?}");
            assert_eq!(lines.len(), had.len(), "{language:?}: a key stands twice");
        }
    }

    #[test]
    fn translations_speak_of_the_same_facts() {
        for code in ALL {
            let facts = braces(text(*code, Language::EnUs));
            for language in LANGUAGES {
                assert_eq!(braces(text(*code, *language)), facts, "{} in {language:?}", code.code);
            }
        }
    }

    #[test]
    fn every_language_has_its_own_words() {
        let english = Language::EnUs;
        for language in LANGUAGES.iter().filter(|language| **language != english) {
            let same = ALL
                .iter()
                .filter(|code| **code != table::NO_SCAN_RESULT && text(**code, *language) == text(**code, english))
                .map(|code| code.code)
                .collect::<Vec<_>>();
            assert!(same.is_empty(), "{language:?} repeats English for {same:?}");
        }
    }

    #[test]
    fn facts_are_filled_in() {
        let coded = Coded::from(table::AMOUNT_OUTSIDE_LIMIT).with("min", "10").with("max", "500.5");
        assert_eq!(message(&coded, Language::EnUs), "The amount must be between 10 and 500.5.");
    }
}
