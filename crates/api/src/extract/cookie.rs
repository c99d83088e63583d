//! The cookies of a request.

use axum::http::{HeaderMap, header};

/// The maximum length of a cookie that this product sets.
const MAX_LENGTH: usize = 128;

/// Returns the value of a cookie, unless it is empty or too long. If the cookie occurs twice, another site of the same domain may
/// have set one of them, so neither is returned.
pub(crate) fn single_cookie<'h>(headers: &'h HeaderMap, wanted: &str) -> Option<&'h str> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut values = cookies
        .flat_map(|line| line.split(';'))
        .filter_map(|cookie| cookie.trim().split_once('='))
        .filter(|(name, _)| *name == wanted)
        .map(|(_, value)| value);
    let (Some(value), None) = (values.next(), values.next()) else { return None };
    (!value.is_empty() && value.len() <= MAX_LENGTH).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_cookie_is_found_among_others() {
        let found = |lines: &[&str]| {
            let mut headers = HeaderMap::new();
            for line in lines {
                headers.append(header::COOKIE, line.parse().unwrap());
            }
            single_cookie(&headers, "MEC2C-console").map(str::to_owned)
        };
        assert_eq!(found(&["MEC2C-token=a; MEC2C-console=b"]), Some("b".to_owned()));
        assert_eq!(found(&["x=1", "MEC2C-console=b"]), Some("b".to_owned()));
        for none in [vec![], vec!["MEC2C-console="], vec!["MEC2C-token=a"], vec!["MEC2C-console=a; MEC2C-console=b"]] {
            assert_eq!(found(&none), None, "{none:?}");
        }
        assert_eq!(found(&[&format!("MEC2C-console={}", "a".repeat(129))]), None);
    }
}
