//! Decodes pictures of strangers and encodes them anew in two sizes. What they are is recognized by their content.

use std::io::Cursor;

use app::files::ports::PictureFault;
use app::nfts::metadata::{LARGE_SIDE, Picture, SMALL_SIDE, ScaledPicture};
use domain::files::MediaType;
use domain::nfts::MetadataFault;
use image::codecs::gif::GifDecoder;
use image::codecs::jpeg::{JpegDecoder, JpegEncoder};
use image::codecs::png::{CompressionType, FilterType as Filter, PngDecoder, PngEncoder};
use image::codecs::webp::WebPDecoder;
use image::imageops::FilterType;
use image::{DynamicImage, ImageError, ImageResult, RgbaImage};

use crate::pictures::{JPEG_QUALITY, Memory, is_complete_jpeg, limits, plain, upright, without_ancillary_chunks};

/// The memory that one picture may need, in bytes. It is enough for 4,300 × 4,300 pixels in each format.
const MAX_MEMORY: u64 = 256 * 1024 * 1024;
/// The maximum number of frames of an animation, of which only the first is shown.
const MAX_FRAMES: u32 = 256;
/// The memory that a WebP needs per pixel, in bytes: the result, the canvas and the frame of an animation, and the planes of a
/// lossy frame.
const WEBP_PIXEL: u64 = 4 * 3 + 2;

type Result<T> = std::result::Result<T, MetadataFault>;

/// Takes seconds of CPU time at most, so call it on a blocking thread.
pub(super) fn picture(bytes: &[u8]) -> Result<Picture> {
    let image = fitted(plain(decode(bytes)?), LARGE_SIDE);
    let large = encode(&image).map_err(|error| fault(&error))?;
    let small = encode(&fitted(image, SMALL_SIDE)).map_err(|error| fault(&error))?;
    Ok(Picture { small, large })
}

/// Returns which markup a text begins with. It only explains why something else than a picture or metadata is refused.
pub(super) fn markup(bytes: &[u8]) -> Option<MetadataFault> {
    let start: Vec<u8> = bytes.iter().take(1_024).map(u8::to_ascii_lowercase).collect();
    let contains = |tag: &[u8]| start.windows(tag.len()).any(|part| part == tag);
    let text = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&start);
    if text.trim_ascii_start().first() != Some(&b'<') {
        None
    } else if contains(b"<!doctype html") || contains(b"<html") {
        Some(MetadataFault::Html)
    } else {
        contains(b"<svg").then_some(MetadataFault::Svg)
    }
}

fn decode(bytes: &[u8]) -> Result<DynamicImage> {
    let cursor = Cursor::new(bytes);
    let most = Memory::of_most_formats(MAX_MEMORY);
    let image = if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        let bare = without_ancillary_chunks(bytes);
        let decoder = PngDecoder::with_limits(Cursor::new(&bare), limits(MAX_MEMORY)).map_err(|error| fault(&error))?;
        if decoder.is_apng().map_err(|error| fault(&error))? {
            check_frames(png_frames(&bare)?)?;
        }
        upright(decoder, most)
    } else if bytes.starts_with(&[0xff, 0xd8, 0xff]) {
        if !is_complete_jpeg(bytes) {
            return Err(MetadataFault::DamagedPicture);
        }
        upright(JpegDecoder::new(cursor).map_err(|error| fault(&error))?, Memory::of_jpeg(MAX_MEMORY))
    } else if bytes.starts_with(b"GIF87a") || bytes.starts_with(b"GIF89a") {
        check_frames(gif_frames(bytes)?)?;
        upright(GifDecoder::new(cursor).map_err(|error| fault(&error))?, most)
    } else if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        check_frames(webp_frames(bytes)?)?;
        upright(WebPDecoder::new(cursor).map_err(|error| fault(&error))?, Memory { per_pixel: WEBP_PIXEL, ..most })
    } else {
        return Err(markup(bytes).unwrap_or(MetadataFault::NotAPicture));
    };
    image.map_err(|fault| match fault {
        PictureFault::TooManyPixels => MetadataFault::TooLarge,
        PictureFault::Format | PictureFault::Animated | PictureFault::Damaged => MetadataFault::DamagedPicture,
    })
}

fn fault(error: &ImageError) -> MetadataFault {
    match error {
        ImageError::Limits(_) => MetadataFault::TooLarge,
        _ => MetadataFault::DamagedPicture,
    }
}

fn check_frames(frames: u32) -> Result<()> {
    if frames > MAX_FRAMES { Err(MetadataFault::TooManyFrames) } else { Ok(()) }
}

/// Returns how many frames an animated PNG says that it has. It is decoded without them.
fn png_frames(bytes: &[u8]) -> Result<u32> {
    let reader = png::Decoder::new(Cursor::new(bytes)).read_info().map_err(|_| MetadataFault::DamagedPicture)?;
    Ok(reader.info().animation_control.map_or(1, |animation| animation.num_frames))
}

fn gif_frames(bytes: &[u8]) -> Result<u32> {
    let mut options = gif::DecodeOptions::new();
    options.skip_frame_decoding(true);
    // A frame that is larger than the picture would need more memory than the size of the picture tells.
    options.check_frame_consistency(true);
    let mut decoder = options.read_info(bytes).map_err(|_| MetadataFault::DamagedPicture)?;
    let mut frames = 0_u32;
    while frames <= MAX_FRAMES && decoder.next_frame_info().map_err(|_| MetadataFault::DamagedPicture)?.is_some() {
        frames = frames.saturating_add(1);
    }
    Ok(frames)
}

fn webp_frames(bytes: &[u8]) -> Result<u32> {
    let decoder = image_webp::WebPDecoder::new(Cursor::new(bytes)).map_err(|error| match error {
        image_webp::DecodingError::ImageTooLarge => MetadataFault::TooLarge,
        _ => MetadataFault::DamagedPicture,
    })?;
    let (width, height) = decoder.dimensions();
    // The decoder compares the size of a lossy frame with that of the picture only after it has decoded the frame.
    for header in bytes.windows(18).filter(|header| header.starts_with(b"VP8 ")) {
        if let [0x9d, 0x01, 0x2a, w0, w1, h0, h1] = header.get(11..).unwrap_or_default() {
            let side = |low: u8, high: u8| u32::from(u16::from_le_bytes([low, high]) & 0x3fff);
            if side(*w0, *w1) > width || side(*h0, *h1) > height {
                return Err(MetadataFault::DamagedPicture);
            }
        }
    }
    Ok(decoder.num_frames())
}

/// Returns a picture whose sides are at most `side` long. Smaller pictures keep their size.
fn fitted(mut image: DynamicImage, side: u32) -> DynamicImage {
    if image.width().max(image.height()) <= side {
        return image;
    }
    if let DynamicImage::ImageRgba8(pixels) = &mut image {
        multiply_alpha(pixels);
    }
    // Scaling a large picture directly would need much memory, and averaging alone leaves jagged edges.
    let near = side.saturating_mul(2);
    if image.width().max(image.height()) > near {
        image = image.thumbnail(near, near);
    }
    image = image.resize(side, side, FilterType::CatmullRom);
    if let DynamicImage::ImageRgba8(pixels) = &mut image {
        divide_alpha(pixels);
    }
    image
}

fn encode(image: &DynamicImage) -> ImageResult<ScaledPicture> {
    let mut bytes = Vec::new();
    image.write_with_encoder(PngEncoder::new_with_quality(&mut bytes, CompressionType::Default, Filter::Adaptive))?;
    let mut media = MediaType::Png;
    if !image.color().has_alpha() {
        // Drawings are smaller and exact as PNG, photographs smaller as JPEG.
        let mut jpeg = Vec::new();
        image.write_with_encoder(JpegEncoder::new_with_quality(&mut jpeg, JPEG_QUALITY))?;
        if jpeg.len() < bytes.len() {
            (media, bytes) = (MediaType::Jpeg, jpeg);
        }
    }
    Ok(ScaledPicture { media, width: image.width(), height: image.height(), bytes })
}

/// Weights colors by their opacity, so that the color of transparent pixels does not bleed into their neighbors.
fn multiply_alpha(pixels: &mut RgbaImage) {
    each_color(pixels, |color, alpha| color.saturating_mul(alpha).saturating_add(127).div_euclid(255));
}

fn divide_alpha(pixels: &mut RgbaImage) {
    each_color(pixels, |color, alpha| {
        let half = alpha.div_euclid(2);
        color.saturating_mul(255).saturating_add(half).checked_div(alpha).unwrap_or(0)
    });
}

fn each_color(pixels: &mut RgbaImage, change: impl Fn(u16, u16) -> u16) {
    for pixel in pixels.pixels_mut() {
        let [red, green, blue, alpha] = pixel.0;
        let changed = |color: u8| u8::try_from(change(color.into(), alpha.into())).unwrap_or(u8::MAX);
        pixel.0 = [changed(red), changed(green), changed(blue), alpha];
    }
}
