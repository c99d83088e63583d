use image::codecs::bmp::BmpEncoder;
use image::{Rgb, RgbImage, RgbaImage};
use proptest::prelude::*;

use super::*;

fn clean(upload: &[u8]) -> Result<CleanPicture, PictureFault> {
    CleanedPictures.clean(upload)
}

/// A picture with a gradient and a dark corner at the top left.
fn photo(width: u32, height: u32) -> RgbImage {
    RgbImage::from_fn(width, height, |x, y| {
        if x < width / 4 && y < height / 4 {
            Rgb([10, 10, 10])
        } else {
            Rgb([u8::try_from(x * 200 / width).unwrap() + 40, 120, u8::try_from(y * 200 / height).unwrap()])
        }
    })
}

fn jpeg(image: &RgbImage, quality: u8) -> Vec<u8> {
    let mut bytes = Vec::new();
    JpegEncoder::new_with_quality(&mut bytes, quality).encode_image(image).unwrap();
    bytes
}

fn png(image: &DynamicImage) -> Vec<u8> {
    let mut bytes = Vec::new();
    image.write_with_encoder(PngEncoder::new(&mut bytes)).unwrap();
    bytes
}

/// Inserts a segment after the start of a JPEG.
fn with_segment(jpeg: &[u8], mark: u8, content: &[u8]) -> Vec<u8> {
    let length = u16::try_from(content.len() + 2).unwrap().to_be_bytes();
    [&jpeg[..2], &[0xff, mark], &length, content, &jpeg[2..]].concat()
}

/// Exif that says how the picture is turned and where it was taken.
fn exif(orientation: u8) -> Vec<u8> {
    let entry = |tag: u16, kind: u16, value: [u8; 4]| {
        [&tag.to_be_bytes()[..], &kind.to_be_bytes(), &1_u32.to_be_bytes(), &value].concat()
    };
    let entries = [entry(0x0112, 3, [0, orientation, 0, 0]), entry(0x8825, 4, [0, 0, 0, 60])].concat();
    [b"Exif\0\0MM\0\x2a\0\0\0\x08\0\x02".as_slice(), &entries, &[0; 4], b"GPS 37.5665 N"].concat()
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

fn look(picture: &CleanPicture) -> &Look {
    match &picture.content {
        Content::Image { look, .. } => look,
        Content::Video { .. } => panic!("a video"),
    }
}

fn size(picture: &CleanPicture) -> (u32, u32) {
    match picture.content {
        Content::Image { width, height, .. } => (width, height),
        Content::Video { .. } => panic!("a video"),
    }
}

/// A chunk of a PNG.
fn chunk(name: &[u8], content: &[u8]) -> Vec<u8> {
    let mut crc = !0_u32;
    for byte in name.iter().chain(content) {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 };
        }
    }
    [&u32::try_from(content.len()).unwrap().to_be_bytes()[..], name, content, &(!crc).to_be_bytes()].concat()
}

/// Inserts a chunk after the header of a PNG.
fn with_chunk(png: &[u8], chunk: &[u8]) -> Vec<u8> {
    [&png[..33], chunk, &png[33..]].concat()
}

#[test]
fn every_format_is_recognized_by_its_content() {
    let photo = photo(60, 40);
    let mut bmp = Vec::new();
    BmpEncoder::new(&mut bmp).encode(photo.as_raw(), 60, 40, ExtendedColorType::Rgb8).unwrap();
    for (bytes, media) in
        [(jpeg(&photo, 90), MediaType::Jpeg), (png(&photo.clone().into()), MediaType::Png), (bmp, MediaType::Png)]
    {
        let cleaned = clean(&bytes).unwrap();
        assert_eq!((cleaned.media, size(&cleaned)), (media, (60, 40)));
        assert_eq!(image::load_from_memory(&cleaned.bytes).unwrap().width(), 60);
    }
}

#[test]
fn metadata_and_foreign_content_are_gone() {
    let script = b"<script>alert(1)</script>";
    let photo = photo(80, 60);
    let jpeg = with_segment(&with_segment(&jpeg(&photo, 90), 0xfe, script), 0xe1, &exif(1));
    let png = with_chunk(&png(&photo.into()), &chunk(b"tEXt", b"Comment\0<script>alert(1)</script>"));
    let zip = b"PK\x03\x04script.js";
    for upload in [[jpeg.as_slice(), script, zip].concat(), [png.as_slice(), script, zip].concat()] {
        assert!(contains(&upload, script) && contains(&upload, zip));
        let cleaned = clean(&upload).unwrap();
        for part in [script.as_slice(), b"PK\x03\x04", b"GPS", b"Exif", b"Comment"] {
            assert!(!contains(&cleaned.bytes, part), "{}", String::from_utf8_lossy(part));
        }
    }
}

#[test]
fn a_picture_is_stored_upright() {
    let turned = with_segment(&jpeg(&photo(80, 40), 90), 0xe1, &exif(6));
    let cleaned = clean(&turned).unwrap();
    assert_eq!(size(&cleaned), (40, 80));
    let stored = image::load_from_memory(&cleaned.bytes).unwrap().into_luma8();
    // Turned to the right, the dark corner is at the top right.
    assert!(stored.get_pixel(38, 2).0[0] < 60 && stored.get_pixel(2, 2).0[0] > 60);
}

#[test]
fn transparency_is_kept_only_where_there_is_some() {
    let clear = RgbaImage::from_fn(20, 20, |x, _| image::Rgba([200, 0, 0, if x < 10 { 0 } else { 255 }]));
    let cleaned = clean(&png(&clear.into())).unwrap();
    assert!(image::load_from_memory(&cleaned.bytes).unwrap().color().has_alpha());
    let opaque = RgbaImage::from_pixel(20, 20, image::Rgba([200, 0, 0, 255]));
    assert!(!image::load_from_memory(&clean(&png(&opaque.into())).unwrap().bytes).unwrap().color().has_alpha());
}

#[test]
fn what_is_no_picture_is_refused() {
    let mut gif = b"GIF89a\x01\0\x01\0\0\0\0".to_vec();
    gif.extend([0x3b]);
    for bytes in [
        b"".as_slice(),
        b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
        &gif,
        b"RIFF\0\0\0\0WEBPVP8 ",
        b"%PDF-1.7",
        b"PK\x03\x04",
        b"<html></html>",
    ] {
        assert_eq!(clean(bytes), Err(PictureFault::Format), "{}", String::from_utf8_lossy(bytes));
    }
    for bytes in [b"BM".as_slice(), b"\xff\xd8\xff\xe0", b"\x89PNG\r\n\x1a\n", b"BM<script>alert(1)</script>"] {
        assert_eq!(clean(bytes), Err(PictureFault::Damaged), "{}", String::from_utf8_lossy(bytes));
    }
}

#[test]
fn a_picture_that_ends_early_is_refused() {
    let photo = photo(200, 150);
    let thumbnail = jpeg(&self::photo(16, 16), 90);
    for whole in [with_segment(&jpeg(&photo, 90), 0xe2, &thumbnail), png(&photo.into())] {
        assert!(clean(&whole).is_ok());
        for part in [10, 25, 50, 75, 95] {
            let length = whole.len() * part / 100;
            assert_eq!(clean(&whole[..length]), Err(PictureFault::Damaged), "{part} percent");
        }
    }
}

#[test]
fn an_animation_is_refused() {
    let animated = with_chunk(&png(&photo(20, 20).into()), &chunk(b"acTL", &[0, 0, 0, 2, 0, 0, 0, 0]));
    assert_eq!(clean(&animated), Err(PictureFault::Animated));
}

/// Replaces the size in the header of a PNG.
fn sized(png: &[u8], width: u32, height: u32) -> Vec<u8> {
    let header = [&width.to_be_bytes()[..], &height.to_be_bytes(), &png[24..29]].concat();
    [&png[..8], &chunk(b"IHDR", &header), &png[33..]].concat()
}

#[test]
fn a_picture_with_too_many_pixels_is_refused_before_it_is_decoded() {
    let png = png(&photo(20, 20).into());
    for (width, height) in [(16_385, 1), (1, 16_385), (8_000, 8_000), (u32::MAX >> 1, u32::MAX >> 1)] {
        assert_eq!(clean(&sized(&png, width, height)), Err(PictureFault::TooManyPixels), "{width} × {height}");
    }
    let jpeg = jpeg(&photo(20, 20), 90);
    let frame = jpeg.windows(2).position(|pair| pair == [0xff, 0xc0]).unwrap();
    let mut huge = jpeg.clone();
    huge[frame + 5..frame + 9].copy_from_slice(&[0x3f, 0xff, 0x3f, 0xff]);
    assert_eq!(clean(&huge), Err(PictureFault::TooManyPixels));
    let mut bmp = Vec::new();
    BmpEncoder::new(&mut bmp).encode(photo(20, 20).as_raw(), 20, 20, ExtendedColorType::Rgb8).unwrap();
    bmp[18..26].copy_from_slice(&[0, 0x30, 0, 0, 0, 0x30, 0, 0]);
    assert_eq!(clean(&bmp), Err(PictureFault::TooManyPixels));
}

#[test]
fn a_decompression_bomb_is_refused() {
    // 30 kB that unpack to 7,000 × 7,000 pixels.
    let bomb = png(&DynamicImage::new_rgb8(7_000, 7_000));
    assert!(bomb.len() < 1_000_000);
    assert_eq!(clean(&bomb), Err(PictureFault::TooManyPixels));
    // A text that unpacks to 200 MB is not unpacked.
    let mut text = Vec::new();
    {
        let mut packer = flate2::write::ZlibEncoder::new(&mut text, flate2::Compression::best());
        for _ in 0..200 {
            std::io::Write::write_all(&mut packer, &vec![b'x'; 1_000_000]).unwrap();
        }
    }
    let bomb = with_chunk(&png(&photo(20, 20).into()), &chunk(b"zTXt", &[b"Comment\0\0".as_slice(), &text].concat()));
    assert_eq!(size(&clean(&bomb).unwrap()), (20, 20));
}

/// A receipt on a phone: lines of signs on white. Receipts with other numbers differ in the signs of one word.
fn receipt(number: u32) -> RgbImage {
    RgbImage::from_fn(1080, 1920, |x, y| {
        let (column, line) = (x / 30, y / 60);
        let margin = !(2..=33).contains(&column) || line < 3;
        let seed = if line == 12 && (10..16).contains(&column) { number } else { 0 };
        let sign = column.wrapping_mul(73).wrapping_add(line.wrapping_mul(151)).wrapping_add(seed.wrapping_mul(977));
        // Each sign fills some of 3 × 3 parts.
        let part = (x % 30 / 10) + 3 * (y % 60 / 20);
        let dark = !margin && line % 3 != 2 && (sign.wrapping_mul(2_654_435_761) >> part) & 1 == 1;
        if dark { Rgb([40, 44, 60]) } else { Rgb([250, 250, 252]) }
    })
}

#[test]
fn the_same_picture_is_recognized_after_scaling_and_compression() {
    let original = receipt(1);
    let first = clean(&png(&original.clone().into())).unwrap();
    for (width, height, quality) in [(1080, 1920, 60), (720, 1280, 75), (1440, 2560, 85)] {
        let scaled = image::imageops::resize(&original, width, height, image::imageops::FilterType::Triangle);
        let copy = clean(&jpeg(&scaled, quality)).unwrap();
        let bands = look(&copy).bands().iter().zip(look(&first).bands()).filter(|(one, two)| *one == two).count();
        assert!(look(&copy).is_same(look(&first)) && bands > 0, "{width} × {height}");
    }
    for number in 2..6 {
        let other = clean(&jpeg(&receipt(number), 90)).unwrap();
        assert!(!look(&other).is_same(look(&first)), "{number}");
    }
}

#[test]
fn a_picture_of_any_size_has_a_look() {
    for (width, height) in [(1, 1), (1, 100), (33, 31), (31, 33), (2_000, 3)] {
        let cleaned =
            clean(&png(&DynamicImage::ImageRgb8(RgbImage::from_pixel(width, height, Rgb([90, 90, 90]))))).unwrap();
        assert!(look(&cleaned).grid.iter().all(|cell| *cell == 90), "{width} × {height}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever is uploaded, the decoders neither panic nor pass anything on.
    #[test]
    fn any_bytes_are_cleaned_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..400), format in 0..4_usize) {
        let start = [b"".as_slice(), b"\xff\xd8\xff\xe0", b"\x89PNG\r\n\x1a\n", b"BM"][format];
        let _ = clean(&[start, &bytes].concat());
    }

    #[test]
    fn a_damaged_picture_is_cleaned_or_refused(at in any::<prop::sample::Index>(), byte in any::<u8>(),
                                               is_png in any::<bool>()) {
        let mut bytes = if is_png { png(&photo(40, 30).into()) } else { jpeg(&photo(40, 30), 80) };
        let at = at.index(bytes.len());
        bytes[at] = byte;
        if let Ok(cleaned) = clean(&bytes) {
            prop_assert!(image::load_from_memory(&cleaned.bytes).is_ok());
        }
    }
}
