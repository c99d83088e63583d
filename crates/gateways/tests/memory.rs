#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]
//! No picture needs more than 64 MiB, whatever its format and its metadata. The tests of this file are a program of their own,
//! because its allocator counts what all of its threads use.

use std::io::Write;

use app::files::ports::{CleanPicture, PictureFault, Pictures};
use domain::files::MOST_IMAGE_BYTES;
use gateways::CleanedPictures;
use image::codecs::bmp::BmpEncoder;
use image::codecs::jpeg::JpegEncoder;
use image::{DynamicImage, ExtendedColorType, ImageFormat};
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

const MAX_MEMORY: usize = 64 * 1024 * 1024;

/// Cleans a picture and returns the memory that was in use at most, the upload included.
fn measured(upload: &[u8]) -> (Result<CleanPicture, PictureFault>, usize) {
    let before = MEMORY.current_usage() - upload.len();
    MEMORY.reset_peak_usage();
    let cleaned = CleanedPictures.clean(upload);
    (cleaned, MEMORY.peak_usage() - before)
}

/// Returns the largest square picture that is accepted, and asserts that no size needs too much memory.
fn largest(name: &str, of_side: impl Fn(u32) -> Vec<u8>) -> Vec<u8> {
    let accepted = |side: u32| {
        let upload = of_side(side);
        assert!(upload.len() <= MOST_IMAGE_BYTES, "{name}: {} bytes", upload.len());
        let (cleaned, peak) = measured(&upload);
        assert!(peak <= MAX_MEMORY, "{name} of {side} × {side} pixels needs {peak} bytes");
        match cleaned {
            Ok(_) => true,
            Err(PictureFault::TooManyPixels) => false,
            Err(other) => panic!("{name}: {other:?}"),
        }
    };
    // Browsers send pictures of up to 5,000,000 pixels.
    let (mut fine, mut refused) = (2_236, 2_700);
    assert!(accepted(fine) && !accepted(refused), "{name}");
    while refused - fine > 16 {
        let side = u32::midpoint(fine, refused);
        if accepted(side) { fine = side } else { refused = side }
    }
    of_side(fine)
}

fn encoded(image: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    image.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

fn zlib(megabytes: usize) -> Vec<u8> {
    let mut packer = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    for _ in 0..megabytes {
        packer.write_all(&vec![0; 1024 * 1024]).unwrap();
    }
    packer.finish().unwrap()
}

/// Inserts a chunk after the header of a PNG.
fn with_chunk(png: &[u8], name: &[u8], content: &[u8]) -> Vec<u8> {
    let mut crc = flate2::Crc::new();
    crc.update(name);
    crc.update(content);
    let length = u32::try_from(content.len()).unwrap().to_be_bytes();
    [&png[..33], &length, name, content, &crc.sum().to_be_bytes(), &png[33..]].concat()
}

/// A segment of a JPEG.
fn segment(mark: u8, content: &[u8]) -> Vec<u8> {
    let length = u16::try_from(content.len() + 2).unwrap().to_be_bytes();
    [&[0xff, mark], &length[..], content].concat()
}

/// A progressive JPEG of one color, whose only scan has the first coefficient of each block of each channel.
fn progressive(width: u32, height: u32, sampling: &[u8]) -> Vec<u8> {
    let channels = u8::try_from(sampling.len()).unwrap();
    let size = [height, width].map(|side| u16::try_from(side).unwrap().to_be_bytes()).concat();
    let described: Vec<u8> = (1..).zip(sampling).flat_map(|(id, sampling)| [id, *sampling, 0]).collect();
    let scanned: Vec<u8> = (1..=channels).flat_map(|id| [id, 0]).collect();
    let mut lengths = [0; 16];
    lengths[0] = 1;
    // Each block is one bit: its coefficient is that of the block before it.
    let most = sampling.iter().map(|sampling| u32::from((sampling >> 4) * (sampling & 15))).sum::<u32>();
    let (widest, highest) = sampling.iter().fold((1, 1), |(w, h), one| (w.max(one >> 4), h.max(one & 15)));
    let blocks = width.div_ceil(8 * u32::from(widest)) * height.div_ceil(8 * u32::from(highest)) * most;
    [
        vec![0xff, 0xd8],
        segment(0xdb, &[&[0_u8][..], &[1; 64]].concat()),
        segment(0xc2, &[&[8][..], &size, &[channels], &described].concat()),
        segment(0xc4, &[&[0_u8][..], &lengths, &[0]].concat()),
        segment(0xda, &[&[channels][..], &scanned, &[0, 0, 0]].concat()),
        vec![0; usize::try_from(blocks.div_ceil(8)).unwrap()],
        vec![0xff, 0xd9],
    ]
    .concat()
}

#[test]
fn no_picture_needs_more_than_64_mb() {
    let bomb = [b"profile\0\0".as_slice(), &zlib(63)].concat();
    let png = |image: DynamicImage| encoded(&image, ImageFormat::Png);
    let largest_png = largest("a PNG", |side| png(DynamicImage::new_rgb8(side, side)));
    let deep = largest("a PNG with 16 bits", |side| png(DynamicImage::new_rgba16(side, side)));
    // The profile neither adds to the memory nor is a reason to refuse a picture.
    for whole in [largest_png, deep] {
        let (cleaned, peak) = measured(&with_chunk(&whole, b"iCCP", &bomb));
        assert!(cleaned.is_ok() && peak <= MAX_MEMORY, "{peak} bytes: {:?}", cleaned.err());
    }

    largest("a progressive JPEG with four channels", |side| progressive(side, side, &[0x11; 4]));
    largest("a progressive JPEG with three channels", |side| progressive(side, side, &[0x11; 3]));
    largest("a progressive JPEG with larger units", |side| progressive(side, side, &[0x22, 0x11, 0x11]));
    largest("a baseline JPEG", |side| {
        let mut bytes = Vec::new();
        let pixels = vec![90; usize::try_from(side * side * 3).unwrap()];
        JpegEncoder::new_with_quality(&mut bytes, 50).encode(&pixels, side, side, ExtendedColorType::Rgb8).unwrap();
        bytes
    });
    // The rows of a wide picture are long.
    for sampling in [&[0x11; 4][..], &[0x22, 0x11, 0x11], &[0x44, 0x11, 0x11], &[0x11, 0x44, 0x11, 0x11]] {
        for height in [128, 256] {
            let (_, peak) = measured(&progressive(16_384, height, sampling));
            assert!(peak <= MAX_MEMORY, "{sampling:x?}, {height} rows: {peak} bytes");
        }
    }

    // Each of its rows is as long as the upload allows.
    let mut bmp = Vec::new();
    BmpEncoder::new(&mut bmp).encode(&vec![0; 300 * 1_000 * 3], 1_000, 300, ExtendedColorType::Rgb8).unwrap();
    let (cleaned, peak) = measured(&bmp);
    assert!(cleaned.is_ok() && peak <= MAX_MEMORY, "{peak} bytes");
}
