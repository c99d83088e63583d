use std::sync::LazyLock;

use app::nfts::metadata::{
    LARGE_SIDE, MAX_DESCRIPTION_LENGTH, MAX_NAME_LENGTH, MAX_TRAIT_LENGTH, MAX_TRAITS, SMALL_SIDE, ScaledPicture,
};

use domain::text::is_ignorable;
use proptest::prelude::*;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use super::pictures::{png, shades};
use super::*;

/// Fetches metadata whose picture is at `https://art.strangers.example/picture`.
async fn with_picture(reply: impl Fn() -> Reply + Send + Sync + 'static) -> Metadata {
    with_picture_within(LIMITS, reply).await
}

async fn with_picture_within(limits: Limits, reply: impl Fn() -> Reply + Send + Sync + 'static) -> Metadata {
    let server = Server::start(move |at| match at {
        "art.strangers.example/1" => Reply::ok(
            json!({"name": "One", "description": "Two", "image": "https://art.strangers.example/picture"})
                .to_string()
                .as_bytes(),
        ),
        _ => reply(),
    });
    let metadata =
        source_at(&server.await, &Names::default(), limits).fetch("https://art.strangers.example/1").await.unwrap();
    assert_eq!((metadata.name.as_deref(), metadata.description.as_deref()), (Some("One"), Some("Two")));
    metadata
}

async fn with_image(image: Value) -> Metadata {
    let uri = format!(
        "data:application/json;utf8,{}",
        json!({"name": "One", "image": image}).to_string().replace('%', "%25")
    );
    let metadata = source_alone().fetch(&uri).await.unwrap();
    assert_eq!(metadata.name.as_deref(), Some("One"));
    metadata
}

#[tokio::test]
async fn a_picture_of_a_server_and_one_inside_the_metadata_are_shown() {
    let picture = png(&shades(40, 30));
    let sent = picture.clone();
    let remote = with_picture(move || Reply::ok(&sent)).await;
    let inline = with_image(json!(format!("data:image/svg+xml,{}", encoded(&picture)))).await;
    assert_eq!(remote.image, inline.image);
    assert!(has_picture(&inline));
}

/// Encodes every byte for a `data:` URI.
fn encoded(bytes: &[u8]) -> String {
    bytes.iter().flat_map(|byte| ["%".to_owned(), format!("{byte:02x}")]).collect()
}

#[tokio::test]
async fn a_picture_that_is_refused_does_not_cost_the_texts() {
    let too_large = vec![0; LIMITS.picture_bytes + 1];
    assert_eq!(fault(&with_picture(move || Reply::ok(&too_large)).await), MetadataFault::TooLarge);
    assert_eq!(fault(&with_picture(|| Reply::redirect("https://10.0.0.1/")).await), MetadataFault::NumericAddress);
    assert_eq!(fault(&with_picture(|| Reply::text("HTTP/1.1 404 No\r\n\r\n")).await), MetadataFault::Unreachable);
    for (image, expected) in [
        (json!(null), MetadataFault::Missing),
        (json!(["data:,x"]), MetadataFault::Missing),
        (json!("1.png"), MetadataFault::InvalidUri),
        (json!("data:image/png;base64,@"), MetadataFault::InvalidUri),
        (json!("ftp://art.strangers.example/1.png"), MetadataFault::UnsupportedScheme),
        (json!("ipfs://Qmx"), MetadataFault::UnsupportedScheme),
        (json!("data:image/png,nothing"), MetadataFault::NotAPicture),
    ] {
        assert_eq!(fault(&with_image(image.clone()).await), expected, "{image}");
    }
}

#[tokio::test]
async fn a_fault_of_the_pictures_server_that_may_pass_does_not_cost_the_texts() {
    let impatient = Limits { patience: Patience { total: Duration::from_secs(1), ..LIMITS.patience }, ..LIMITS };
    let slow =
        with_picture_within(impatient, || Reply::Stalled(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n".to_vec()));
    let busy = with_picture(|| Reply::text("HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n"));
    let dead = with_picture(|| Reply::Ended(Vec::new()));
    for (metadata, expected) in [
        (slow.await, MetadataFault::TooSlow),
        (busy.await, MetadataFault::Unreachable),
        (dead.await, MetadataFault::Unreachable),
    ] {
        assert_eq!(fault(&metadata), expected);
        assert!(expected.is_temporary());
    }
}

#[tokio::test]
async fn the_type_that_somebody_declares_does_not_count() {
    for (body, expected) in [
        ("<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>", MetadataFault::Svg),
        ("\u{feff}\n<?xml version='1.0'?><!-- art --><SVG/>", MetadataFault::Svg),
        ("<!DOCTYPE html><svg/>", MetadataFault::Html),
        ("<html><body>", MetadataFault::Html),
        ("<p>", MetadataFault::NotAPicture),
        ("%PDF-1.7 <svg>", MetadataFault::NotAPicture),
        ("BM", MetadataFault::NotAPicture),
        ("", MetadataFault::NotAPicture),
    ] {
        let reply = move || {
            Reply::text(&format!(
                "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: {}\r\n\r\n{body}",
                body.len()
            ))
        };
        assert_eq!(fault(&with_picture(reply).await), expected, "{body}");
        let image_data = format!("data:,{}", encoded(json!({ "image_data": body }).to_string().as_bytes()));
        let metadata = source_alone().fetch(&image_data).await.unwrap();
        assert_eq!(fault(&metadata), expected, "{body}");
    }
}

#[tokio::test]
async fn a_uri_that_is_refused_has_a_reason() {
    for (uri, expected) in [
        ("", MetadataFault::Missing),
        ("data:application/json", MetadataFault::InvalidUri),
        ("data:application/json;base64,!", MetadataFault::InvalidUri),
        ("data:application/json,{", MetadataFault::InvalidMetadata),
        ("data:application/json,[]", MetadataFault::InvalidMetadata),
        ("data:text/html,<html>", MetadataFault::Html),
        ("http://art.strangers.example/1", MetadataFault::UnsupportedScheme),
        ("ipfs://Qmx/1", MetadataFault::UnsupportedScheme),
    ] {
        assert_eq!(source_alone().fetch(uri).await, Err(expected), "{uri}");
    }
}

fn assert_bounded(metadata: &Metadata) {
    let shown = |text: &Option<String>, most: usize| {
        text.as_ref().is_none_or(|text| {
            let joiner = |c| matches!(c, '\u{200c}' | '\u{200d}' | '\u{fe0e}' | '\u{fe0f}');
            text.chars().count() <= most
                && text.chars().all(|c| c == '\n' || !c.is_control() && (joiner(c) || !is_ignorable(c)))
        })
    };
    assert!(shown(&metadata.name, MAX_NAME_LENGTH) && shown(&metadata.creator, MAX_NAME_LENGTH), "{metadata:?}");
    assert!(shown(&metadata.description, MAX_DESCRIPTION_LENGTH), "{metadata:?}");
    assert!(metadata.traits.len() <= MAX_TRAITS, "{metadata:?}");
    for one in &metadata.traits {
        assert!(shown(&one.kind, MAX_TRAIT_LENGTH) && shown(&Some(one.value.clone()), MAX_TRAIT_LENGTH), "{one:?}");
    }
    if let Image::Picture(picture) = &metadata.image {
        let fits =
            |scaled: &ScaledPicture, side| (1..=side).contains(&scaled.width) && (1..=side).contains(&scaled.height);
        assert!(fits(&picture.small, SMALL_SIDE) && fits(&picture.large, LARGE_SIDE));
    }
}

/// Fetches a URI in a world in which no name has an address.
fn fetched(uri: &str) -> Result<Metadata, MetadataFault> {
    static RUNTIME: LazyLock<(Runtime, GuardedMetadata)> = LazyLock::new(|| {
        let nobody = Names { default: Vec::new(), ..Names::default() };
        let network = Network { names: Arc::new(nobody), detours: HashMap::new(), authorities: Vec::new() };
        (Runtime::new().unwrap(), GuardedMetadata::over(network, None, LIMITS).unwrap())
    });
    let (runtime, source) = &*RUNTIME;
    runtime.block_on(source.fetch(uri))
}

fn any_json() -> impl Strategy<Value = Value> {
    let text = prop_oneof![".*", "[\u{0}-\u{1f}\u{202a}-\u{202e}\u{2066}-\u{2069}a]{0,300}"];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        text.clone().prop_map(Value::from),
        "data:[a-z/;,]{0,9}(base64)?,.*".prop_map(Value::from),
    ];
    leaf.prop_recursive(6, 200, 120, move |inner| {
        let field = prop_oneof![
            "name|description|creator|image|image_data|attributes|trait_type|value".prop_map(|name| name),
            ".*".prop_map(|name| name)
        ];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..120).prop_map(Value::from),
            prop::collection::hash_map(field, inner, 0..9)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn any_uri_is_refused_or_bounded(uri in prop_oneof![
        ".*",
        "(data|https|ipfs|HTTPS|ipfs://ipfs)[:/]{0,3}.*",
        "data:[a-z/;=]{0,20}(;base64)?,[A-Za-z0-9+/=%{}\":]{0,200}",
    ]) {
        if let Ok(metadata) = fetched(&uri) {
            assert_bounded(&metadata);
        }
    }

    #[test]
    fn any_json_is_refused_or_bounded(json in any_json(), name in any_json(), attributes in any_json()) {
        for json in [json, json!({"name": name, "description": name, "attributes": attributes, "image": name})] {
            if let Ok(metadata) = fetched(&format!("data:,{}", encoded(json.to_string().as_bytes()))) {
                assert_bounded(&metadata);
            }
        }
    }
}
