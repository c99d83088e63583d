//! The language of messages, from the `language` header. The default is Simplified Chinese.

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;

/// A supported language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Language {
    EnUs,
    ZhCn,
    ZhTw,
    /// Korean (South Korea).
    KoKr,
    /// Korean (North Korea).
    KoKp,
    ViVn,
    ThTh,
    TrTr,
    EsEs,
    PtPt,
}

pub(crate) const LANGUAGES: &[Language] = &[
    Language::EnUs,
    Language::ZhCn,
    Language::ZhTw,
    Language::KoKr,
    Language::KoKp,
    Language::ViVn,
    Language::ThTh,
    Language::TrTr,
    Language::EsEs,
    Language::PtPt,
];

impl Language {
    /// Returns the tag of the language, as used in the `language` header.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::EnUs => "en_US",
            Self::ZhCn => "zh_CN",
            Self::ZhTw => "zh_TW",
            Self::KoKr => "ko_KR",
            Self::KoKp => "ko_KP",
            Self::ViVn => "vi_VN",
            Self::ThTh => "th_TH",
            Self::TrTr => "tr_TR",
            Self::EsEs => "es_ES",
            Self::PtPt => "pt_PT",
        }
    }

    /// Returns the language with a tag such as `en_US` or `en-us`.
    pub(crate) fn named(tag: &str) -> Option<Self> {
        let tag = tag.replace('-', "_");
        LANGUAGES.iter().find(|language| language.as_str().eq_ignore_ascii_case(&tag)).copied()
    }

    /// Parses a tag such as `en_US`, `pt-PT` or `en`. Anything else is Simplified Chinese.
    fn of_header(name: Option<&str>) -> Self {
        let name = name.unwrap_or_default().trim().replace('-', "_").to_ascii_lowercase();
        let first = name.split('_').next().unwrap_or_default();
        let near = || LANGUAGES.iter().find(|language| language.as_str().split('_').next() == Some(first)).copied();
        Self::named(&name).or_else(near).unwrap_or(Self::ZhCn)
    }
}

tokio::task_local! {
    static SPOKEN: Language;
}

/// Returns the language of the current request.
pub(crate) fn spoken() -> Language {
    SPOKEN.try_with(|language| *language).unwrap_or(Language::ZhCn)
}

/// Reads the `language` header, so that all messages of the response are in its language.
pub(crate) async fn layer(request: Request, next: Next) -> Response {
    let header = request.headers().get("language").and_then(|value| value.to_str().ok());
    SPOKEN.scope(Language::of_header(header), next.run(request)).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_in_both_spellings() {
        for (name, language) in [
            (Some("en_US"), Language::EnUs),
            (Some("en"), Language::EnUs),
            (Some("zh-TW"), Language::ZhTw),
            (Some("KO_kp"), Language::KoKp),
            (Some("pt_BR"), Language::PtPt),
            (Some("xx"), Language::ZhCn),
            (Some(""), Language::ZhCn),
            (None, Language::ZhCn),
        ] {
            assert_eq!(Language::of_header(name), language, "{name:?}");
        }
    }
}
