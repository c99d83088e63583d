#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]
//! No picture of an NFT needs more than 256 MiB, whatever its format. The test is a program of its own, because its allocator counts
//! what all of its threads use.

use app::nfts::metadata::{Image, MetadataSource};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use domain::nfts::MetadataFault;
use gateways::GuardedMetadata;
use image::{DynamicImage, ImageFormat};
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

const MAX_MEMORY: usize = 256 * 1024 * 1024;

fn encoded(image: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    image.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

/// Fetches metadata that contains a picture, and asserts that this needs little memory.
async fn fetched(source: &GuardedMetadata, name: &str, picture: &[u8]) -> Image {
    let uri = format!(r#"data:,{{"image":"data:;base64,{}"}}"#, STANDARD.encode(picture));
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let metadata = source.fetch(&uri).await.unwrap();
    let needed = MEMORY.peak_usage() - before;
    assert!(needed <= MAX_MEMORY, "{name} needs {needed} bytes");
    metadata.image
}

/// A chunk of a WebP.
fn chunk(name: &[u8], content: &[u8]) -> Vec<u8> {
    let padding: &[u8] = if content.len() % 2 == 1 { &[0] } else { &[] };
    [name, &u32::try_from(content.len()).unwrap().to_le_bytes(), content, padding].concat()
}

/// A WebP as an animation with one frame.
fn animated(side: u32, webp: &[u8]) -> Vec<u8> {
    let size = (side - 1).to_le_bytes();
    let size = [&size[..3], &size[..3]].concat();
    let frame = [&[0; 6][..], &size, &[100, 0, 0, 0], &webp[12..]].concat();
    let header = chunk(b"VP8X", &[&[0b1_0010, 0, 0, 0], &size[..]].concat());
    let chunks = [header, chunk(b"ANIM", &[0; 6]), chunk(b"ANMF", &frame)].concat();
    chunk(b"RIFF", &[b"WEBP", &chunks[..]].concat())
}

#[tokio::test]
async fn no_picture_needs_more_than_256_mb() {
    let source = GuardedMetadata::new(None).unwrap();
    // A small picture that contains a frame of 16,383 × 16,383 pixels.
    let frame = [&[0x10, 0, 0, 0x9d, 0x01, 0x2a, 0xff, 0x3f, 0xff, 0x3f][..], &[0; 1_000]].concat();
    let header = chunk(b"VP8X", &[0, 0, 0, 0, 7, 0, 0, 7, 0, 0]);
    let small = chunk(b"RIFF", &[b"WEBP", &header[..], &chunk(b"VP8 ", &frame)].concat());
    assert_eq!(fetched(&source, "a large frame", &small).await, Image::Refused(MetadataFault::DamagedPicture));
    let rgb = |side| DynamicImage::new_rgb8(side, side);
    let rgba = |side| DynamicImage::new_rgba8(side, side);
    let webp = |side| encoded(&rgba(side), ImageFormat::WebP);
    // The largest sizes that are accepted, in steps of 50 pixels.
    let png = |image: DynamicImage| encoded(&image, ImageFormat::Png);
    for (name, picture) in [
        ("a PNG", png(rgb(4_850))),
        ("a PNG with alpha", png(rgba(4_850))),
        ("a PNG with 16 bits", png(DynamicImage::new_rgba16(4_650, 4_650))),
        ("a JPEG", encoded(&rgb(4_800), ImageFormat::Jpeg)),
        ("a GIF", encoded(&rgba(4_850), ImageFormat::Gif)),
        ("a WebP", webp(4_300)),
        ("an animated WebP", animated(4_300, &webp(4_300))),
    ] {
        let image = fetched(&source, name, &picture).await;
        assert!(matches!(image, Image::Picture(_)), "{name}: {image:?}");
    }
    for (name, picture) in [("a PNG", png(rgb(4_900))), ("a WebP", webp(4_350))] {
        let image = fetched(&source, name, &picture).await;
        assert_eq!(image, Image::Refused(MetadataFault::TooLarge), "{name}");
    }
}
