//! Authorizes websockets: the page must have a trusted origin, and the cookie must contain a session of the user.

use axum::http::{HeaderMap, header};
use base64::Engine;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use domain::ids::UserId;
use serde::Deserialize;

use crate::envelope::ApiError;

/// The cookie with the session's token.
pub const COOKIE: &str = "MEC2C-token";

const LENIENT_CONFIG: GeneralPurposeConfig =
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
const STANDARD: GeneralPurpose = GeneralPurpose::new(&alphabet::STANDARD, LENIENT_CONFIG);
const URL_SAFE: GeneralPurpose = GeneralPurpose::new(&alphabet::URL_SAFE, LENIENT_CONFIG);

/// The last part of the path: JSON in base64 or base64url.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Address {
    pub(super) user_id: UserId,
    /// The kind of client: `WEB`.
    pub(super) way: String,
    /// The ID that the client chose for its device.
    pub(super) unique: String,
}

/// The maximum length of the last part of the path.
const MAX_PART_LENGTH: usize = 512;

impl Address {
    pub(super) fn read(text: &str) -> Result<Self, ApiError> {
        let wrong = |reason: &str| ApiError::invalid("address", reason);
        if text.len() > MAX_PART_LENGTH {
            return Err(wrong("too long"));
        }
        let bytes = STANDARD.decode(text).or_else(|_| URL_SAFE.decode(text)).map_err(|_| wrong("not base64"))?;
        let mut json = serde_json::Deserializer::from_slice(&bytes);
        let address: Self = serde_path_to_error::deserialize(&mut json)
            .map_err(|error| crate::extract::field_error(&error.path().to_string(), &error.inner().to_string()))?;
        if address.way.is_empty() {
            return Err(ApiError::invalid("way", "empty"));
        }
        if address.unique.is_empty() {
            return Err(ApiError::invalid("unique", "empty"));
        }
        Ok(address)
    }
}

pub(crate) fn token_of(headers: &HeaderMap) -> Option<&str> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    cookies
        .flat_map(|line| line.split(';'))
        .filter_map(|cookie| cookie.trim().split_once('='))
        .find(|(name, _)| *name == COOKIE)
        .map(|(_, value)| value.trim_matches('"'))
        .filter(|token| !token.is_empty() && token.len() <= 128)
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;
    use base64::engine::general_purpose as b64;
    use uuid::Uuid;

    #[test]
    fn an_address_is_read_in_both_alphabets_with_and_without_padding() {
        // The JSON contains characters that base64 and base64url encode differently.
        let json = r#"{"userId":"00000000-0000-0000-0000-000000000005","way":"WEB","unique":"d?>~\u00fc"}"#;
        let wanted =
            Address { user_id: UserId(Uuid::from_u128(5)), way: "WEB".to_owned(), unique: "d?>~\u{fc}".to_owned() };
        for text in [
            b64::STANDARD.encode(json),
            b64::STANDARD_NO_PAD.encode(json),
            b64::URL_SAFE.encode(json),
            b64::URL_SAFE_NO_PAD.encode(json),
        ] {
            assert_eq!(Address::read(&text).unwrap(), wanted, "{text}");
        }
    }

    #[test]
    fn what_is_no_address_is_refused() {
        use base64::engine::general_purpose::STANDARD as b64;
        for text in
            ["%%%", "", &b64.encode("{}"), &b64.encode(r#"{"userId":"x","way":"WEB","unique":"d"}"#), &"e".repeat(600)]
        {
            assert!(Address::read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_cookie_is_found_among_others() {
        let mut headers = HeaderMap::new();
        assert_eq!(token_of(&headers), None);
        headers.insert(header::COOKIE, HeaderValue::from_static("me_lang=en; MEC2C-token=abc; x=1"));
        assert_eq!(token_of(&headers), Some("abc"));
        headers.insert(header::COOKIE, HeaderValue::from_static("XMEC2C-token=abc; MEC2C-token="));
        assert_eq!(token_of(&headers), None);
    }
}
