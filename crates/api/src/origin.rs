//! Recognizes requests of other sites by the headers that browsers add and scripts cannot change.

use axum::http::{HeaderMap, Uri, header};

const SEC_FETCH_SITE: &str = "sec-fetch-site";

/// Returns whether the request comes from a trusted page, whose origin is the requested host or is configured. Browsers
/// send the cookie with requests from any page, so this check keeps other sites out.
pub(crate) fn is_trusted(headers: &HeaderMap, uri: &Uri, allowed: &[String]) -> bool {
    let Some(origin) = headers.get(header::ORIGIN).and_then(|value| value.to_str().ok()) else { return false };
    if allowed.iter().any(|one| one.eq_ignore_ascii_case(origin)) {
        return true;
    }
    let Some(place) = origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://")) else { return false };
    let host = headers.get(header::HOST).and_then(|value| value.to_str().ok());
    let host = host.or_else(|| uri.authority().map(axum::http::uri::Authority::as_str));
    !place.is_empty() && host.is_some_and(|host| host.eq_ignore_ascii_case(place))
}

/// Returns whether a page of another site sends the request. Browsers name the page's origin with every request that changes
/// something, and otherwise the relation of its site. Clients that are not browsers send neither, and have no cookies that a
/// page could use.
pub(crate) fn is_of_other_site(headers: &HeaderMap, uri: &Uri, allowed: &[String]) -> bool {
    if headers.contains_key(header::ORIGIN) {
        return !is_trusted(headers, uri, allowed);
    }
    // `none` means that the user entered the address.
    headers.get(SEC_FETCH_SITE).is_some_and(|site| site != "same-origin" && site != "none")
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    #[test]
    fn only_our_own_pages_may_ask() {
        let uri = Uri::from_static("/api/fiat/x");
        let ours = |origin: Option<&'static str>, host: &'static str| {
            let mut headers = HeaderMap::from_iter([(header::HOST, HeaderValue::from_static(host))]);
            if let Some(origin) = origin {
                headers.insert(header::ORIGIN, HeaderValue::from_static(origin));
            }
            is_trusted(&headers, &uri, &["https://app.example".to_owned()])
        };
        assert!(ours(Some("https://mec.example"), "mec.example"));
        assert!(ours(Some("http://127.0.0.1:5173"), "127.0.0.1:5173"));
        assert!(ours(Some("https://app.example"), "mec.example"));
        for origin in [
            None,
            Some("null"),
            Some("https://"),
            Some("https://evil.example"),
            Some("https://mec.example.evil.example"),
        ] {
            assert!(!ours(origin, "mec.example"), "{origin:?}");
        }
        assert!(!ours(Some("http://127.0.0.1:1"), "127.0.0.1:2"));
    }

    #[test]
    fn a_request_of_another_site_is_recognized_by_its_origin_or_else_by_its_site() {
        let other = |named: &[(&'static str, &'static str)]| {
            let mut headers = HeaderMap::from_iter([(header::HOST, HeaderValue::from_static("mec.example"))]);
            for (name, value) in named {
                headers.insert(*name, HeaderValue::from_static(value));
            }
            is_of_other_site(&headers, &Uri::from_static("/api/console/me"), &["https://app.example".to_owned()])
        };
        for ours in [
            &[][..],
            &[("origin", "https://mec.example")],
            &[("origin", "https://app.example"), ("sec-fetch-site", "cross-site")],
            &[("sec-fetch-site", "same-origin")],
            &[("sec-fetch-site", "none")],
        ] {
            assert!(!other(ours), "{ours:?}");
        }
        for foreign in [
            &[("origin", "null")][..],
            &[("origin", "https://evil.example")],
            &[("origin", "https://evil.example"), ("sec-fetch-site", "same-origin")],
            &[("sec-fetch-site", "same-site")],
            &[("sec-fetch-site", "cross-site")],
        ] {
            assert!(other(foreign), "{foreign:?}");
        }
    }
}
