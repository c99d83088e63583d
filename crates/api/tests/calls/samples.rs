//! Small pictures and videos.

use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::PngEncoder;
use image::{DynamicImage, Rgb, RgbImage};

/// Returns whether `bytes` contains `part`.
pub(crate) fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

/// Returns a picture of large squares. Pictures with other seeds look different.
pub(crate) fn squares(seed: u8, width: u32, height: u32) -> RgbImage {
    RgbImage::from_fn(width, height, |x, y| {
        let square = u8::try_from(x * 4 / width * 5 + y * 4 / height * 11).unwrap();
        let shade = square.wrapping_mul(seed.wrapping_mul(34).wrapping_add(37));
        Rgb([shade, shade, shade.wrapping_add(10)])
    })
}

pub(crate) fn jpeg_of(image: &RgbImage, quality: u8) -> Vec<u8> {
    let mut bytes = Vec::new();
    JpegEncoder::new_with_quality(&mut bytes, quality).encode_image(image).unwrap();
    bytes
}

pub(crate) fn png_of(image: RgbImage) -> Vec<u8> {
    let mut bytes = Vec::new();
    DynamicImage::ImageRgb8(image).write_with_encoder(PngEncoder::new(&mut bytes)).unwrap();
    bytes
}

/// Returns a JPEG of 24 × 16 pixels.
pub(crate) fn jpeg() -> Vec<u8> {
    jpeg_of(&squares(1, 24, 16), 90)
}

/// Returns a PNG of 24 × 16 pixels.
pub(crate) fn png() -> Vec<u8> {
    png_of(squares(2, 24, 16))
}

/// Returns a JPEG with more segments: their marks and contents.
pub(crate) fn jpeg_with(segments: &[(u8, &[u8])]) -> Vec<u8> {
    let jpeg = jpeg();
    let mut bytes = jpeg[..2].to_vec();
    for (mark, content) in segments {
        bytes.extend([0xff, *mark]);
        bytes.extend(u16::try_from(content.len() + 2).unwrap().to_be_bytes());
        bytes.extend(*content);
    }
    bytes.extend(&jpeg[2..]);
    bytes
}

fn chunk(name: &[u8], content: &[u8]) -> Vec<u8> {
    let mut crc = !0_u32;
    for byte in name.iter().chain(content) {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 };
        }
    }
    [&u32::try_from(content.len()).unwrap().to_be_bytes(), name, content, &(!crc).to_be_bytes()].concat()
}

/// Returns a PNG with one more chunk.
pub(crate) fn png_with(name: &[u8], content: &[u8]) -> Vec<u8> {
    let png = png();
    [&png[..33], &chunk(name, content), &png[33..]].concat()
}

/// Returns a PNG whose header says that it has this size.
pub(crate) fn sized(width: u32, height: u32) -> Vec<u8> {
    let png = png();
    let header = [&width.to_be_bytes(), &height.to_be_bytes(), &png[24..29]].concat();
    [&png[..8], &chunk(b"IHDR", &header), &png[33..]].concat()
}

fn boxed(name: &[u8], content: &[u8]) -> Vec<u8> {
    [&u32::try_from(content.len() + 8).unwrap().to_be_bytes(), name, content].concat()
}

/// Returns an MP4 of a duration in milliseconds, with the place of its recording.
pub(crate) fn mp4(milliseconds: u32) -> Vec<u8> {
    let head = [[0_u8; 12].as_slice(), &1_000_u32.to_be_bytes(), &milliseconds.to_be_bytes(), &[0; 80]].concat();
    let handler = boxed(b"hdlr", &[[0_u8; 8].as_slice(), b"vide", &[0; 13]].concat());
    let track = boxed(b"trak", &boxed(b"mdia", &[boxed(b"mdhd", &head), handler].concat()));
    let place = boxed(b"udta", b"+37.5665+126.9780/");
    let movie = boxed(b"moov", &[boxed(b"mvhd", &head), track, place].concat());
    [boxed(b"ftyp", b"isom\0\0\0\0isom"), boxed(b"mdat", &[7; 300]), movie].concat()
}
