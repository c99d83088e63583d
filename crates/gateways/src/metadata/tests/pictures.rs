use app::nfts::metadata::{LARGE_SIDE, Picture, SMALL_SIDE, ScaledPicture};

use domain::files::MediaType;
use image::codecs::gif::GifEncoder;
use image::codecs::jpeg::JpegEncoder;
use image::codecs::webp::WebPEncoder;
use image::{DynamicImage, Frame, ImageFormat, Rgb, RgbImage, Rgba, RgbaImage};
use proptest::prelude::*;

use super::MetadataFault;
use crate::metadata::picture::picture;

/// A picture with soft colors, like a photograph.
pub(super) fn shades(width: u32, height: u32) -> DynamicImage {
    let pixel = |x: u32, y: u32| {
        let wave = |value: u32| u8::try_from((value * value / 97 + x * y / 31) % 64).unwrap();
        Rgb([wave(x) + 90, wave(y) + 60, wave(x + y) + 120])
    };
    RgbImage::from_fn(width, height, pixel).into()
}

fn encoded(image: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    image.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

pub(super) fn png(image: &DynamicImage) -> Vec<u8> {
    encoded(image, ImageFormat::Png)
}

fn jpeg(image: &DynamicImage) -> Vec<u8> {
    let mut bytes = Vec::new();
    image.write_with_encoder(JpegEncoder::new_with_quality(&mut bytes, 90)).unwrap();
    bytes
}

fn webp(image: &DynamicImage) -> Vec<u8> {
    let mut bytes = Vec::new();
    image.write_with_encoder(WebPEncoder::new_lossless(&mut bytes)).unwrap();
    bytes
}

/// A square of one color.
fn plain(side: u32, color: [u8; 4]) -> RgbaImage {
    RgbaImage::from_pixel(side, side, Rgba(color))
}

/// The color of the frame with this number: the first is red.
fn color(frame: u32) -> [u8; 4] {
    if frame == 0 { [200, 0, 0, 255] } else { [0, 0, 200, 255] }
}

fn gif(frames: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    GifEncoder::new(&mut bytes).encode_frames((0..frames).map(|frame| Frame::new(plain(8, color(frame))))).unwrap();
    bytes
}

fn apng(frames: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 8, 8);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_animated(frames, 0).unwrap();
    let mut writer = encoder.write_header().unwrap();
    for frame in 0..frames {
        writer.write_image_data(plain(8, color(frame)).as_raw()).unwrap();
    }
    writer.finish().unwrap();
    bytes
}

/// A chunk of a WebP.
fn chunk(name: &[u8], content: &[u8]) -> Vec<u8> {
    let padding: &[u8] = if content.len() % 2 == 1 { &[0] } else { &[] };
    [name, &u32::try_from(content.len()).unwrap().to_le_bytes(), content, padding].concat()
}

fn riff(chunks: &[u8]) -> Vec<u8> {
    chunk(b"RIFF", &[b"WEBP", chunks].concat())
}

/// The header of an extended WebP.
fn vp8x(flags: u8, side: u32) -> Vec<u8> {
    let side = (side - 1).to_le_bytes();
    chunk(b"VP8X", &[&[flags, 0, 0, 0], &side[..3], &side[..3]].concat())
}

fn animated_webp(frames: u32) -> Vec<u8> {
    let mut chunks = [vp8x(0b1_0010, 8), chunk(b"ANIM", &[0; 6])].concat();
    for frame in 0..frames {
        // The frame is at 0, 0, has 8 × 8 pixels and lasts 100 ms.
        let header = [0, 0, 0, 0, 0, 0, 7, 0, 0, 7, 0, 0, 100, 0, 0, 0];
        let image = webp(&plain(8, color(frame)).into());
        chunks.extend(chunk(b"ANMF", &[&header, &image[12..]].concat()));
    }
    riff(&chunks)
}

fn decoded(scaled: &ScaledPicture) -> DynamicImage {
    let image = image::load_from_memory(&scaled.bytes).unwrap();
    assert_eq!((image.width(), image.height()), (scaled.width, scaled.height));
    image
}

fn is_red(picture: &Picture) -> bool {
    let [red, _, blue, _] = decoded(&picture.small).to_rgba8().get_pixel(0, 0).0;
    red > 150 && blue < 50
}

#[test]
fn each_format_is_recognized_by_its_content() {
    let image = shades(60, 40);
    for bytes in [png(&image), jpeg(&image), webp(&image), encoded(&image, ImageFormat::Gif)] {
        let picture = picture(&bytes).unwrap();
        assert_eq!((picture.small.width, picture.small.height), (60, 40));
        assert_eq!(decoded(&picture.small), decoded(&picture.large));
    }
    for bytes in [encoded(&image, ImageFormat::Bmp), b"RIFF\x04\0\0\0WAVE".to_vec(), vec![0; 100]] {
        assert_eq!(picture(&bytes), Err(MetadataFault::NotAPicture));
    }
}

#[test]
fn a_picture_has_two_sizes_and_is_never_enlarged() {
    for (width, height, small, large) in [
        (3_000, 1_500, (256, 128), (1_024, 512)),
        (1_100, 1_100, (256, 256), (1_024, 1_024)),
        (300, 600, (128, 256), (300, 600)),
        (1, 1, (1, 1), (1, 1)),
        (16_384, 1, (256, 1), (1_024, 1)),
    ] {
        let picture = picture(&png(&DynamicImage::new_rgb8(width, height))).unwrap();
        for (scaled, (width, height), side) in
            [(&picture.small, small, SMALL_SIDE), (&picture.large, large, LARGE_SIDE)]
        {
            assert_eq!((scaled.width, scaled.height), (width, height));
            assert!(width.max(height) <= side);
            decoded(scaled);
        }
    }
}

#[test]
fn photographs_become_jpeg_and_drawings_stay_exact() {
    let photo = picture(&png(&shades(400, 400))).unwrap();
    assert_eq!(photo.large.media, MediaType::Jpeg);
    let drawing =
        RgbImage::from_fn(300, 300, |x, y| Rgb(if (x / 50 + y / 50) % 2 == 0 { [250, 200, 0] } else { [20, 20, 60] }));
    let kept = picture(&png(&drawing.clone().into())).unwrap();
    assert_eq!((kept.large.media, decoded(&kept.large).into_rgb8()), (MediaType::Png, drawing));
}

#[test]
fn transparent_pixels_do_not_bleed_into_others() {
    // A gray disc on transparent green.
    let disc = RgbaImage::from_fn(1_200, 1_200, |x, y| {
        let inside = (i64::from(x) - 600).pow(2) + (i64::from(y) - 600).pow(2) < 500_i64.pow(2);
        Rgba(if inside { [150, 150, 150, 255] } else { [0, 255, 0, 0] })
    });
    let picture = picture(&png(&disc.into())).unwrap();
    let small = decoded(&picture.small).into_rgba8();
    let edge = small.pixels().filter(|pixel| (1..255).contains(&pixel.0[3])).collect::<Vec<_>>();
    assert!(!edge.is_empty() && small.get_pixel(0, 0).0[3] == 0);
    assert!(
        edge.iter()
            .filter(|pixel| pixel.0[3] > 20)
            .all(|pixel| pixel.0[..3].iter().all(|color| (130..170).contains(color)))
    );
}

#[test]
fn only_pixels_remain() {
    let script = b"<script>alert(1)</script>";
    let picture = picture(&[png(&shades(40, 30)).as_slice(), script, b"PK\x03\x04"].concat()).unwrap();
    for scaled in [picture.small, picture.large] {
        assert!(!scaled.bytes.windows(script.len()).any(|part| part == script));
    }
}

#[test]
fn an_animation_shows_its_first_frame_unless_it_is_long() {
    for of_frames in [gif, apng, animated_webp] {
        for frames in [1, 3, 256] {
            assert!(is_red(&picture(&of_frames(frames)).unwrap()), "{frames} frames");
        }
        assert_eq!(picture(&of_frames(257)).unwrap_err(), MetadataFault::TooManyFrames);
    }
}

/// Replaces the size in the header of a PNG.
fn sized_png(side: u32) -> Vec<u8> {
    let png = png(&DynamicImage::new_rgb8(1, 1));
    let header = [&b"IHDR"[..], &side.to_be_bytes(), &side.to_be_bytes(), &png[24..29]].concat();
    let mut crc = flate2::Crc::new();
    crc.update(&header);
    [&png[..12], &header, &crc.sum().to_be_bytes(), &png[33..]].concat()
}

#[test]
fn a_tiny_file_with_huge_dimensions_is_refused_before_it_is_decoded() {
    let mut gif = gif(1);
    gif[6..10].copy_from_slice(&[0xff; 4]);
    let mut jpeg = jpeg(&shades(20, 20));
    let frame = jpeg.windows(2).position(|pair| pair == [0xff, 0xc0]).unwrap();
    jpeg[frame + 5..frame + 9].copy_from_slice(&[0x3f, 0xff, 0x3f, 0xff]);
    let mut webp = webp(&shades(20, 20));
    // 16,383 × 16,383 pixels, each minus one, in 14 bits.
    webp[21..25].copy_from_slice(&0x0fff_bffe_u32.to_le_bytes());
    let extended = riff(&[vp8x(0, 1 << 20), chunk(b"VP8L", &webp[20..])].concat());
    let pngs = [8_000, 16_385, u32::MAX >> 1].map(sized_png);
    for (number, bytes) in pngs.into_iter().chain([gif, jpeg, webp, extended]).enumerate() {
        assert!(bytes.len() < 10_000);
        assert_eq!(picture(&bytes), Err(MetadataFault::TooLarge), "number {number}");
    }
    let bomb = png(&DynamicImage::new_luma8(5_000, 5_000));
    assert!(bomb.len() < 500_000);
    assert_eq!(picture(&bomb), Err(MetadataFault::TooLarge));
}

#[test]
fn a_frame_that_is_larger_than_its_picture_is_refused() {
    let mut frame = gif(1);
    frame[6..10].copy_from_slice(&[4, 0, 4, 0]);
    // The header of a key frame of 16,383 × 16,383 pixels.
    let lossy = chunk(b"VP8 ", &[0x10, 0, 0, 0x9d, 0x01, 0x2a, 0xff, 0x3f, 0xff, 0x3f, 0, 0]);
    for bytes in [frame, riff(&[vp8x(0, 8), lossy].concat())] {
        assert_eq!(picture(&bytes), Err(MetadataFault::DamagedPicture));
    }
}

#[test]
fn a_picture_that_ends_early_is_refused() {
    let image = shades(200, 150);
    for whole in [png(&image), jpeg(&image), webp(&image), encoded(&image, ImageFormat::Gif)] {
        for part in [10, 50, 95] {
            let length = whole.len() * part / 100;
            assert_eq!(picture(&whole[..length]), Err(MetadataFault::DamagedPicture), "{part} percent");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn a_damaged_picture_is_decoded_or_refused(format in 0..7_usize, at in any::<prop::sample::Index>(),
                                               bytes in prop::collection::vec(any::<u8>(), 1..8), keep in any::<bool>()) {
        let image = shades(40, 30);
        let mut damaged = match format {
            0 => png(&image),
            1 => jpeg(&image),
            2 => webp(&image),
            3 => gif(3),
            4 => apng(3),
            5 => animated_webp(3),
            _ => encoded(&image, ImageFormat::Gif),
        };
        let at = at.index(damaged.len());
        let end = damaged.len().min(at + bytes.len());
        damaged[at..end].copy_from_slice(&bytes[..end - at]);
        if !keep {
            damaged.truncate(end);
        }
        if let Ok(picture) = picture(&damaged) {
            for (scaled, side) in [(&picture.small, SMALL_SIDE), (&picture.large, LARGE_SIDE)] {
                prop_assert!(scaled.width.max(scaled.height) <= side);
                decoded(scaled);
            }
        }
    }

    #[test]
    fn any_bytes_are_decoded_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..400), format in 0..5_usize) {
        let start = [b"".as_slice(), b"\xff\xd8\xff\xe0", b"\x89PNG\r\n\x1a\n", b"GIF89a", b"RIFF\xff\xff\0\0WEBPVP8"][format];
        let _ = picture(&[start, &bytes].concat());
    }
}
