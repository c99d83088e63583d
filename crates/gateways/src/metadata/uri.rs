//! Where a URI points to.

use data_url::DataUrl;
use domain::nfts::MetadataFault;
use url::Url;

/// The maximum length of a URI that does not contain its document, in bytes.
const MAX_LENGTH: usize = 4_096;
/// The maximum length of what precedes the document in a `data:` URI, in bytes.
const MAX_DATA_HEADER: usize = 1_024;

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// The document that a `data:` URI contains.
    Document(Vec<u8>),
    /// A document on a server. The guard checks the URL.
    Remote(Url),
}

/// Returns what a URI points to. `gateway` is the base URL of the server that has the files of IPFS, and `max_bytes` the maximum
/// size of a document.
pub(super) fn target(uri: &str, gateway: Option<&Url>, max_bytes: usize) -> Result<Target, MetadataFault> {
    let uri = uri.trim();
    if uri.is_empty() {
        return Err(MetadataFault::Missing);
    }
    if after_scheme(uri, "data:").is_some() {
        return document(uri, max_bytes).map(Target::Document);
    }
    if uri.len() > MAX_LENGTH {
        return Err(MetadataFault::InvalidUri);
    }
    if let Some(path) = after_scheme(uri, "ipfs:") {
        let gateway = gateway.ok_or(MetadataFault::UnsupportedScheme)?;
        return at_gateway(gateway, path).map(Target::Remote);
    }
    let url = Url::parse(uri).map_err(|_| MetadataFault::InvalidUri)?;
    if url.scheme() == "https" { Ok(Target::Remote(url)) } else { Err(MetadataFault::UnsupportedScheme) }
}

fn after_scheme<'a>(uri: &'a str, scheme: &str) -> Option<&'a str> {
    let (start, rest) = uri.split_at_checked(scheme.len())?;
    start.eq_ignore_ascii_case(scheme).then_some(rest)
}

fn document(uri: &str, max_bytes: usize) -> Result<Vec<u8>, MetadataFault> {
    // Each byte may be encoded in three characters.
    if uri.len() > max_bytes.saturating_mul(3).saturating_add(MAX_DATA_HEADER) {
        return Err(MetadataFault::TooLarge);
    }
    // Contracts put plain JSON into their URIs, in which `#` does not begin a fragment: `{"name":"Punk #1"}`.
    let uri = uri.replace('#', "%23");
    let parsed = DataUrl::process(&uri).map_err(|_| MetadataFault::InvalidUri)?;
    let mut bytes = Vec::new();
    let decoded = parsed.decode(|part| {
        bytes.extend_from_slice(part);
        if bytes.len() > max_bytes { Err(MetadataFault::TooLarge) } else { Ok(()) }
    });
    match decoded {
        Ok(_) => Ok(bytes),
        Err(data_url::forgiving_base64::DecodeError::WriteError(fault)) => Err(fault),
        Err(data_url::forgiving_base64::DecodeError::InvalidBase64(_)) => Err(MetadataFault::InvalidUri),
    }
}

/// Returns the URL of `//CID/path` at a gateway: `https://gateway/ipfs/CID/path`.
fn at_gateway(gateway: &Url, path: &str) -> Result<Url, MetadataFault> {
    let path = path.trim_start_matches('/');
    // A common mistake: `ipfs://ipfs/CID`.
    let path = path.strip_prefix("ipfs/").unwrap_or(path);
    let cid = path.split(['/', '?', '#']).next().unwrap_or_default();
    // The gateway checks the CID. Here it must only be a single segment of the path.
    if cid.is_empty() || !cid.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return Err(MetadataFault::InvalidUri);
    }
    let base = gateway.as_str().trim_end_matches('/');
    let url = Url::parse(&format!("{base}/ipfs/{path}")).map_err(|_| MetadataFault::InvalidUri)?;
    // The path may contain `..`.
    let within = format!("{base}/ipfs/{cid}");
    let is_within =
        url.as_str().strip_prefix(&within).is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?', '#']));
    if is_within { Ok(url) } else { Err(MetadataFault::InvalidUri) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CID: &str = "bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi";

    fn at(uri: &str) -> Result<Target, MetadataFault> {
        target(uri, Some(&"https://gateway.example/".parse().unwrap()), 64)
    }

    fn document(text: &str) -> Target {
        Target::Document(text.as_bytes().to_vec())
    }

    fn remote(url: &str) -> Target {
        Target::Remote(url.parse().unwrap())
    }

    #[test]
    fn a_data_uri_contains_its_document() {
        for uri in [
            r#"data:application/json,{"name":"One #1"}"#,
            r#"data:application/json;utf8,{"name":"One #1"}"#,
            r#"data:application/json;charset=utf-8,{"name":"One #1"}"#,
            "data:application/json,%7B%22name%22%3A%22One%20%231%22%7D",
            "data:application/json;base64,eyJuYW1lIjoiT25lICMxIn0=",
            "data:application/json;base64,eyJuYW1lIjoiT25lICMxIn0",
            " DATA:;base64,eyJuYW1lIjoiT25lICMxIn0%3D\n",
        ] {
            assert_eq!(at(uri), Ok(document(r#"{"name":"One #1"}"#)), "{uri}");
        }
        assert_eq!(at("data:,"), Ok(document("")));
        assert_eq!(at("data:,%zz%"), Ok(document("%zz%")));
    }

    #[test]
    fn a_malformed_or_large_data_uri_is_refused() {
        for uri in
            ["data:", "data:application/json;base64", "data:;base64,a", "data:;base64,@@@@", "data:;base64,QUJD#1"]
        {
            assert_eq!(at(uri), Err(MetadataFault::InvalidUri), "{uri}");
        }
        assert!(at(&format!("data:,{}", "%41".repeat(64))).is_ok());
        for text in ["x".repeat(65), "%41".repeat(65), "x".repeat(1_000_000)] {
            assert_eq!(at(&format!("data:,{text}")), Err(MetadataFault::TooLarge));
        }
        assert_eq!(at(&format!("data:;base64,{}", "QUJD".repeat(22))), Err(MetadataFault::TooLarge));
    }

    #[test]
    fn only_data_https_and_ipfs_are_accepted() {
        assert_eq!(at("https://example.com/1"), Ok(remote("https://example.com/1")));
        for uri in ["http://example.com", "ftp://example.com", "file:///etc/passwd", "javascript:alert(1)", "ar://1"] {
            assert_eq!(at(uri), Err(MetadataFault::UnsupportedScheme), "{uri}");
        }
        for uri in ["1.json", "/etc/passwd", "//example.com", "https://", "https://exa mple.com", CID] {
            assert_eq!(at(uri), Err(MetadataFault::InvalidUri), "{uri}");
        }
        assert_eq!(at(" "), Err(MetadataFault::Missing));
        assert_eq!(at(&format!("https://example.com/{}", "x".repeat(5_000))), Err(MetadataFault::InvalidUri));
    }

    #[test]
    fn files_of_ipfs_come_from_the_gateway() {
        let base = format!("https://gateway.example/ipfs/{CID}");
        assert_eq!(at(&format!("ipfs://{CID}")), Ok(remote(&base)));
        assert_eq!(at(&format!("ipfs://{CID}/a%20b/1.json?x=1")), Ok(remote(&format!("{base}/a%20b/1.json?x=1"))));
        assert_eq!(at(&format!("IPFS://ipfs/{CID}/1")), Ok(remote(&format!("{base}/1"))));
        assert_eq!(at(&format!("ipfs://{CID}/a/../b")), Ok(remote(&format!("{base}/b"))));
        assert_eq!(target(&format!("ipfs://{CID}"), None, 64), Err(MetadataFault::UnsupportedScheme));
    }

    #[test]
    fn a_path_cannot_leave_its_folder_at_the_gateway() {
        for rest in
            ["..", "../ipns/x", "%2e%2e/x", "/..", "?x", "@evil.example", ".", "", "a:b@evil.example", "\\..\\x"]
        {
            assert_eq!(at(&format!("ipfs://{rest}")), Err(MetadataFault::InvalidUri), "{rest}");
        }
        for rest in ["../x", "%2e%2e/x", "a/../../x", "..\\..\\x"] {
            assert_eq!(at(&format!("ipfs://{CID}/{rest}")), Err(MetadataFault::InvalidUri), "{rest}");
        }
    }
}
