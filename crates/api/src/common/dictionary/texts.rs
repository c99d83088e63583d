//! The names in the dictionary: one file for each language, one line for each value.

use domain::orders::AppealReason;

use crate::language::Language;

fn source(language: Language) -> &'static str {
    match language {
        Language::EnUs => include_str!("texts/en_US.txt"),
        Language::ZhCn => include_str!("texts/zh_CN.txt"),
        Language::ZhTw => include_str!("texts/zh_TW.txt"),
        Language::KoKr => include_str!("texts/ko_KR.txt"),
        Language::KoKp => include_str!("texts/ko_KP.txt"),
        Language::ViVn => include_str!("texts/vi_VN.txt"),
        Language::ThTh => include_str!("texts/th_TH.txt"),
        Language::TrTr => include_str!("texts/tr_TR.txt"),
        Language::EsEs => include_str!("texts/es_ES.txt"),
        Language::PtPt => include_str!("texts/pt_PT.txt"),
    }
}

/// Returns the name of a reason of an appeal.
pub(super) fn reason(reason: AppealReason, language: Language) -> &'static str {
    let mut lines = source(language).lines().filter_map(|line| line.split_once(' '));
    lines.find(|(value, _)| *value == reason.into_str()).map_or(reason.into_str(), |(_, name)| name)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use strum::VariantArray;

    use super::*;
    use crate::language::LANGUAGES;

    #[test]
    fn every_language_names_every_reason_and_nothing_else() {
        for language in LANGUAGES {
            let lines: Vec<_> = source(*language).lines().map(|line| line.split_once(' ').unwrap()).collect();
            let values: Vec<_> = lines.iter().map(|(value, _)| *value).collect();
            let reasons: Vec<_> = AppealReason::VARIANTS.iter().map(AppealReason::into_str).collect();
            assert_eq!(values, reasons, "{language:?}");
            let names: BTreeSet<_> = lines.iter().map(|(_, name)| *name).collect();
            assert_eq!(names.len(), lines.len(), "{language:?} has the same name twice");
            assert!(names.iter().all(|name| !name.trim().is_empty()), "{language:?}");
        }
    }
}
