//! Metadata as JSON: ERC-721, and what marketplaces have added to it. A field of a wrong type counts as absent.

use app::nfts::metadata::{MAX_DESCRIPTION_LENGTH, MAX_NAME_LENGTH, MAX_TRAIT_LENGTH, MAX_TRAITS, Trait};
use domain::nfts::MetadataFault;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::picture::markup;
use super::text;

/// The maximum number of arrays and objects inside one another.
const MAX_DEPTH: usize = 16;

/// What a document says. The picture is not fetched yet.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Document {
    pub(super) name: Option<String>,
    pub(super) description: Option<String>,
    pub(super) creator: Option<String>,
    pub(super) traits: Vec<Trait>,
    pub(super) image: ImageSource,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum ImageSource {
    Uri(String),
    /// The picture itself, as text.
    Inline(String),
    None,
}

/// Values stay text until they are needed, so that a small document does not become a large tree.
#[derive(Deserialize)]
struct Fields<'a> {
    #[serde(borrow)]
    name: Option<&'a RawValue>,
    #[serde(borrow)]
    description: Option<&'a RawValue>,
    #[serde(borrow)]
    creator: Option<&'a RawValue>,
    #[serde(borrow)]
    created_by: Option<&'a RawValue>,
    #[serde(borrow)]
    artist: Option<&'a RawValue>,
    #[serde(borrow)]
    image: Option<&'a RawValue>,
    #[serde(borrow)]
    image_url: Option<&'a RawValue>,
    #[serde(borrow)]
    image_data: Option<&'a RawValue>,
    #[serde(borrow)]
    attributes: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Attribute<'a> {
    #[serde(borrow)]
    trait_type: Option<&'a RawValue>,
    #[serde(borrow)]
    value: Option<&'a RawValue>,
}

impl Document {
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, MetadataFault> {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let json = std::str::from_utf8(bytes).map_err(|_| MetadataFault::InvalidMetadata)?;
        // Deserializing also accepts the fields as an array.
        if !json.trim_start().starts_with('{') {
            return Err(markup(bytes)
                .filter(|fault| *fault == MetadataFault::Html)
                .unwrap_or(MetadataFault::InvalidMetadata));
        }
        if depth(json) > MAX_DEPTH {
            return Err(MetadataFault::InvalidMetadata);
        }
        let fields: Fields = serde_json::from_str(json).map_err(|_| MetadataFault::InvalidMetadata)?;
        let line = |value| scalar(value).and_then(|value| text::line(&value, MAX_NAME_LENGTH));
        let uri = |value| scalar(value).filter(|uri| !uri.trim().is_empty());
        Ok(Self {
            name: line(fields.name),
            description: scalar(fields.description).and_then(|value| text::lines(&value, MAX_DESCRIPTION_LENGTH)),
            creator: [fields.creator, fields.created_by, fields.artist].into_iter().find_map(line),
            traits: traits(fields.attributes),
            image: match uri(fields.image).or_else(|| uri(fields.image_url)) {
                Some(uri) => ImageSource::Uri(uri),
                None => scalar(fields.image_data).map_or(ImageSource::None, ImageSource::Inline),
            },
        })
    }
}

/// Returns how deep a JSON text is nested.
fn depth(json: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    let (mut in_text, mut escaped) = (false, false);
    for byte in json.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_text => escaped = true,
            b'"' => in_text = !in_text,
            b'[' | b'{' if !in_text => {
                depth = depth.saturating_add(1);
                deepest = deepest.max(depth);
            }
            b']' | b'}' if !in_text => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

/// Returns a string, or a number or truth value as it is written.
fn scalar(value: Option<&RawValue>) -> Option<String> {
    let text = value?.get();
    match text.bytes().next()? {
        b'"' => serde_json::from_str(text).ok(),
        b'{' | b'[' | b'n' => None,
        _ => Some(text.to_owned()),
    }
}

fn traits(attributes: Option<&RawValue>) -> Vec<Trait> {
    let read = |value| scalar(value).and_then(|value| text::line(&value, MAX_TRAIT_LENGTH));
    let listed: Vec<&RawValue> = attributes.and_then(|list| serde_json::from_str(list.get()).ok()).unwrap_or_default();
    let attributes = listed.into_iter().filter(|listed| listed.get().starts_with('{'));
    let traits = attributes.filter_map(|listed| {
        let attribute: Attribute = serde_json::from_str(listed.get()).ok()?;
        Some(Trait { kind: read(attribute.trait_type), value: read(attribute.value)? })
    });
    traits.take(MAX_TRAITS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(json: &str) -> Document {
        Document::parse(json.as_bytes()).unwrap()
    }

    fn refused(json: &str) -> MetadataFault {
        Document::parse(json.as_bytes()).unwrap_err()
    }

    #[test]
    fn the_fields_of_erc_721_and_of_marketplaces_are_read() {
        let document = parsed(
            r#"{"name":"Punk \u002312","description":"One\nTwo","image":"ipfs://x","created_by":"Ann","seller_fee":{"a":[1]},
                "attributes":[{"trait_type":"Hat","value":"Red"},{"display_type":"number","trait_type":"Level","value":12.50},
                              {"trait_type":"Rare","value":true},{"value":"Old"}]}"#,
        );
        assert_eq!(document.name.as_deref(), Some("Punk #12"));
        assert_eq!(document.description.as_deref(), Some("One\nTwo"));
        assert_eq!(document.creator.as_deref(), Some("Ann"));
        assert_eq!(document.image, ImageSource::Uri("ipfs://x".to_owned()));
        let traits: Vec<_> = document.traits.iter().map(|one| (one.kind.as_deref(), one.value.as_str())).collect();
        assert_eq!(traits, [(Some("Hat"), "Red"), (Some("Level"), "12.50"), (Some("Rare"), "true"), (None, "Old")]);
    }

    #[test]
    fn the_first_usable_picture_counts() {
        let uri = |uri: &str| ImageSource::Uri(uri.to_owned());
        assert_eq!(parsed(r#"{"image":"a","image_url":"b","image_data":"c"}"#).image, uri("a"));
        assert_eq!(parsed(r#"{"image":"","image_url":"b"}"#).image, uri("b"));
        assert_eq!(
            parsed(r#"{"image":null,"image_url":{},"image_data":"<svg>"}"#).image,
            ImageSource::Inline("<svg>".into())
        );
        assert_eq!(parsed("{}").image, ImageSource::None);
    }

    #[test]
    fn a_field_of_a_wrong_type_is_absent_and_the_others_stay() {
        let document = parsed(
            r#"{"name":["x"],"description":{"en":"x"},"creator":null,"artist":7,"attributes":{"Hat":"Red"},"image":[]}"#,
        );
        assert_eq!((document.name, document.description), (None, None));
        assert_eq!(document.creator.as_deref(), Some("7"));
        assert_eq!((document.traits, document.image), (vec![], ImageSource::None));
        let some = parsed(
            r#"{"attributes":["x",null,[["a","b"]],["Hat","Red"],{"trait_type":"Hat"},{"value":{}},{"value":""},
                {"trait_type":{},"value":5}]}"#,
        );
        assert_eq!(some.traits, [Trait { kind: None, value: "5".to_owned() }]);
        // Half of a surrogate pair, and a number that no type can represent.
        let odd = parsed(r#"{"name":"\ud800","description":1e999}"#);
        assert_eq!((odd.name, odd.description.as_deref()), (None, Some("1e999")));
    }

    #[test]
    fn what_is_no_json_object_is_refused() {
        for json in [
            "",
            "null",
            "7",
            "\"x\"",
            "[]",
            r#"["name","text"]"#,
            "{",
            r#"{"name":}"#,
            r#"{"name":"a"} x"#,
            "{'name':1}",
        ] {
            assert_eq!(refused(json), MetadataFault::InvalidMetadata, "{json}");
        }
        assert_eq!(Document::parse(b"{\"name\":\"\xff\"}"), Err(MetadataFault::InvalidMetadata));
        assert_eq!(refused(r#"{"name":"a","name":"b"}"#), MetadataFault::InvalidMetadata);
        assert_eq!(refused("\n<!DOCTYPE HTML><html></html>"), MetadataFault::Html);
        assert_eq!(refused("<svg/>"), MetadataFault::InvalidMetadata);
        assert_eq!(parsed("\u{feff} {\"name\":\"a\"}").name.as_deref(), Some("a"));
    }

    #[test]
    fn deep_json_is_refused_wherever_it_is() {
        let nested = |levels: usize| format!(r#"{{"name":"a","other":{}{}}}"#, "[".repeat(levels), "]".repeat(levels));
        assert_eq!(parsed(&nested(MAX_DEPTH - 1)).name.as_deref(), Some("a"));
        for levels in [MAX_DEPTH, 1_000, 500_000] {
            assert_eq!(refused(&nested(levels)), MetadataFault::InvalidMetadata, "{levels} levels");
        }
        // Brackets in texts are no levels.
        assert_eq!(parsed(&format!(r#"{{"name":"\"{}"}}"#, "[".repeat(20))).name.unwrap().len(), 21);
    }

    #[test]
    fn lengths_and_counts_are_bounded() {
        let long = "x".repeat(100_000);
        let attributes = format!(r#"{{"trait_type":"{long}","value":"{long}"}},"#).repeat(3)
            + &vec![r#"{"value":1}"#; 50_000].join(",");
        let document = parsed(&format!(
            r#"{{"name":"{long}","description":"{long}","creator":"{long}","attributes":[{attributes}]}}"#
        ));
        assert_eq!(document.name.unwrap().len(), MAX_NAME_LENGTH);
        assert_eq!(document.creator.unwrap().len(), MAX_NAME_LENGTH);
        assert_eq!(document.description.unwrap().len(), MAX_DESCRIPTION_LENGTH);
        assert_eq!(document.traits.len(), MAX_TRAITS);
        assert_eq!(document.traits[0].kind.as_ref().unwrap().len(), MAX_TRAIT_LENGTH);
        assert_eq!(document.traits[0].value.len(), MAX_TRAIT_LENGTH);
    }
}
