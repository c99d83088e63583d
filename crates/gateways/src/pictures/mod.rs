//! Decodes uploaded pictures and encodes them anew. What is stored contains only pixels: no metadata, such as the place
//! where a photograph was taken, and nothing that another program could run.

use std::io::Cursor;

use app::files::ports::{CleanPicture, PictureFault, Pictures};
use domain::files::{Content, GRID, Look, MOST_IMAGE_BYTES, MediaType};
use image::codecs::bmp::BmpDecoder;
use image::codecs::jpeg::{JpegDecoder, JpegEncoder};
use image::codecs::png::{CompressionType, FilterType, PngDecoder, PngEncoder};
use image::{DynamicImage, ExtendedColorType, ImageDecoder, ImageError, ImageResult, Limits};

/// The maximum width and height, in pixels.
const LONGEST_SIDE: u32 = 16_384;
/// The memory that one picture may need, in bytes.
const MAX_MEMORY: u64 = 64 * 1024 * 1024;
/// The part of this memory that does not depend on the size of the picture, in bytes: copies of the upload, its metadata, and
/// the state of a decoder.
const RESERVED_BYTES: u64 = 4 * 1024 * 1024;
/// The memory that is needed per pixel besides the decoded pixels, in bytes: a copy with 8 bits per channel.
const COPY_BYTES_PER_PIXEL: u64 = 4;
/// The most pixels that a decoder adds to a side: a unit of a JPEG has at most four blocks of 8 pixels in each direction.
const PADDING: u64 = 31;
/// 0 to 100.
pub(crate) const JPEG_QUALITY: u8 = 88;

/// The memory that decoding a picture may need.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Memory {
    /// In bytes.
    pub(crate) max: u64,
    /// What is needed per pixel at least, in bytes. A progressive JPEG has up to four channels, whose coefficients of two bytes are
    /// kept until the last scan, and its decoded pixels have three bytes.
    pub(crate) per_pixel: u64,
    /// What is needed per column besides, in bytes. A JPEG has rows of coefficients and of enlarged samples, for each of four
    /// channels.
    pub(crate) per_column: u64,
}

impl Memory {
    pub(crate) fn of_most_formats(max: u64) -> Self {
        Self { max, per_pixel: 4 * 2 + 3, per_column: 0 }
    }

    pub(crate) fn of_jpeg(max: u64) -> Self {
        Self { per_column: 1024, ..Self::of_most_formats(max) }
    }
}

/// Cleans pictures in JPEG, PNG and BMP, which are recognized by their content.
#[derive(Debug, Clone, Copy, Default)]
pub struct CleanedPictures;

impl Pictures for CleanedPictures {
    fn clean(&self, upload: &[u8]) -> Result<CleanPicture, PictureFault> {
        let (format, image) = decode(upload)?;
        let image = plain(image);
        let (media, bytes) = encode(format, &image).map_err(|_| PictureFault::Damaged)?;
        let content = Content::Image { width: image.width(), height: image.height(), look: look_of(&image)? };
        Ok(CleanPicture { media, bytes, content })
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Jpeg,
    Png,
    Bmp,
}

impl Format {
    fn of(bytes: &[u8]) -> Option<Self> {
        if bytes.starts_with(&[0xff, 0xd8, 0xff]) {
            Some(Self::Jpeg)
        } else if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
            Some(Self::Png)
        } else {
            bytes.starts_with(b"BM").then_some(Self::Bmp)
        }
    }
}

fn decode(bytes: &[u8]) -> Result<(Format, DynamicImage), PictureFault> {
    let format = Format::of(bytes).ok_or(PictureFault::Format)?;
    let cursor = Cursor::new(bytes);
    let image = match format {
        Format::Jpeg if !is_complete_jpeg(bytes) => return Err(PictureFault::Damaged),
        Format::Jpeg => upright(JpegDecoder::new(cursor).map_err(|error| fault(&error))?, Memory::of_jpeg(MAX_MEMORY))?,
        Format::Png => {
            let bare = without_ancillary_chunks(bytes);
            let decoder =
                PngDecoder::with_limits(Cursor::new(bare), limits(MAX_MEMORY)).map_err(|error| fault(&error))?;
            if decoder.is_apng().map_err(|error| fault(&error))? {
                return Err(PictureFault::Animated);
            }
            upright(decoder, Memory::of_most_formats(MAX_MEMORY))?
        }
        Format::Bmp => {
            upright(BmpDecoder::new(cursor).map_err(|error| fault(&error))?, Memory::of_most_formats(MAX_MEMORY))?
        }
    };
    Ok((format, image))
}

pub(crate) fn limits(max_memory: u64) -> Limits {
    let mut limits = Limits::no_limits();
    limits.max_image_width = Some(LONGEST_SIDE);
    limits.max_image_height = Some(LONGEST_SIDE);
    limits.max_alloc = Some(max_memory);
    limits
}

pub(crate) fn fault(error: &ImageError) -> PictureFault {
    match error {
        ImageError::Limits(_) => PictureFault::TooManyPixels,
        _ => PictureFault::Damaged,
    }
}

/// Returns a PNG with only those chunks that determine its pixels and how they are turned. The decoder would unpack a color
/// profile and keep it while it decodes the pixels.
pub(crate) fn without_ancillary_chunks(png: &[u8]) -> Vec<u8> {
    const NEEDED: [&[u8]; 7] = [b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND", b"eXIf", b"acTL"];
    let (signature, mut rest) = png.split_at(png.len().min(8));
    let mut kept = signature.to_vec();
    while let Some(length) = rest.first_chunk() {
        // The name and the checksum are not part of the length.
        let size = usize::try_from(u32::from_be_bytes(*length)).ok().and_then(|length| length.checked_add(12));
        let Some((chunk, others)) = size.and_then(|size| rest.split_at_checked(size)) else { break };
        if chunk.get(4..8).is_some_and(|name| NEEDED.contains(&name)) {
            kept.extend_from_slice(chunk);
        }
        rest = others;
    }
    // The start of a chunk that is not complete, which the decoder refuses.
    kept.extend_from_slice(rest);
    kept
}

/// Decodes a picture whose header was read, unless its size would need too much memory, and turns it as its metadata
/// says.
pub(crate) fn upright(mut decoder: impl ImageDecoder, memory: Memory) -> Result<DynamicImage, PictureFault> {
    let (width, height) = decoder.dimensions();
    let padded = |side: u32| u64::from(side).saturating_add(PADDING);
    let pixels = padded(width).saturating_mul(padded(height));
    let per_pixel =
        u64::from(decoder.color_type().bytes_per_pixel()).saturating_add(COPY_BYTES_PER_PIXEL).max(memory.per_pixel);
    let columns = u64::from(width).saturating_mul(memory.per_column);
    let needed = pixels.saturating_mul(per_pixel).saturating_add(columns).saturating_add(RESERVED_BYTES);
    if width > LONGEST_SIDE || height > LONGEST_SIDE || needed > memory.max {
        return Err(PictureFault::TooManyPixels);
    }
    decoder.set_limits(limits(memory.max)).map_err(|error| fault(&error))?;
    // Without readable metadata, the picture is upright.
    let orientation = decoder.orientation().unwrap_or(image::metadata::Orientation::NoTransforms);
    let mut image = DynamicImage::from_decoder(decoder).map_err(|error| fault(&error))?;
    image.apply_orientation(orientation);
    Ok(image)
}

/// Returns whether a JPEG contains the mark of its end. The decoder would fill the rest of a truncated picture.
pub(crate) fn is_complete_jpeg(bytes: &[u8]) -> bool {
    const START_OF_SCAN: u8 = 0xda;
    let mut at = 2_usize;
    // The segments before the pixels. They may contain other pictures, whose end does not count.
    while let Some(&[0xff, mark, high, low]) = bytes.get(at..at.saturating_add(4)) {
        if mark == START_OF_SCAN {
            return bytes.get(at..).is_some_and(|rest| rest.windows(2).any(|pair| pair == [0xff, 0xd9]));
        }
        // Marks may be preceded by any number of fill bytes.
        let length = if mark == 0xff { 0 } else { usize::from(u16::from_be_bytes([high, low])).saturating_add(1) };
        at = at.saturating_add(length).saturating_add(1);
    }
    false
}

/// Converts a picture to 8 bits per channel, without an alpha channel that hides nothing.
pub(crate) fn plain(image: DynamicImage) -> DynamicImage {
    let image = match image {
        DynamicImage::ImageLuma8(_) | DynamicImage::ImageRgb8(_) | DynamicImage::ImageRgba8(_) => image,
        DynamicImage::ImageLuma16(_) => DynamicImage::ImageLuma8(image.into_luma8()),
        other if other.color().has_alpha() => DynamicImage::ImageRgba8(other.into_rgba8()),
        other => DynamicImage::ImageRgb8(other.into_rgb8()),
    };
    match image {
        DynamicImage::ImageRgba8(pixels) if pixels.pixels().all(|pixel| pixel.0.last() == Some(&u8::MAX)) => {
            DynamicImage::ImageRgb8(DynamicImage::ImageRgba8(pixels).into_rgb8())
        }
        other => other,
    }
}

/// Encodes a picture. Photographs stay JPEG; drawings, screenshots and codes stay exact as PNG, unless that is large.
fn encode(format: Format, image: &DynamicImage) -> ImageResult<(MediaType, Vec<u8>)> {
    if format != Format::Jpeg {
        let mut bytes = Vec::new();
        let encoder = PngEncoder::new_with_quality(&mut bytes, CompressionType::Default, FilterType::Adaptive);
        image.write_with_encoder(encoder)?;
        if bytes.len() <= MOST_IMAGE_BYTES || image.color().has_alpha() {
            return Ok((MediaType::Png, bytes));
        }
    }
    let mut bytes = Vec::new();
    let mut encoder = JpegEncoder::new_with_quality(&mut bytes, JPEG_QUALITY);
    encoder.encode(image.as_bytes(), image.width(), image.height(), ExtendedColorType::from(image.color()))?;
    Ok((MediaType::Jpeg, bytes))
}

/// Computes the average brightness of each cell. Pixels count by the share of their area that lies in a cell, so that a
/// scaled copy has almost the same averages.
fn look_of(image: &DynamicImage) -> Result<Look, PictureFault> {
    let pixels = image.to_luma8();
    let (columns, rows) = (cells_of(pixels.width()), cells_of(pixels.height()));
    let area = u64::from(pixels.width()).saturating_mul(pixels.height().into());
    let mut sums = [0_u64; GRID * GRID];
    let mut line = [0_u64; GRID];
    for (pixels, rows) in pixels.rows().zip(&rows) {
        line.fill(0);
        for (pixel, columns) in pixels.zip(&columns) {
            let [brightness] = pixel.0;
            for (column, share) in columns {
                if let Some(sum) = line.get_mut(*column) {
                    *sum = sum.saturating_add(share.saturating_mul(brightness.into()));
                }
            }
        }
        for (row, share) in rows {
            let cells = sums.iter_mut().skip(row.saturating_mul(GRID)).take(GRID);
            for (cell, sum) in cells.zip(&line) {
                *cell = cell.saturating_add(sum.saturating_mul(*share));
            }
        }
    }
    let average = |sum: u64| u8::try_from(sum.checked_div(area)?).ok();
    let grid: Option<Vec<u8>> = sums.into_iter().map(average).collect();
    let grid: [u8; GRID * GRID] = grid.and_then(|grid| grid.try_into().ok()).ok_or(PictureFault::Damaged)?;
    Ok(Look::of(&grid))
}

/// Returns for each of `length` pixels the cells in which it lies, each with its share of the pixel. A pixel has
/// [`GRID`] shares, and a cell `length`.
fn cells_of(length: u32) -> Vec<Vec<(usize, u64)>> {
    let grid = u64::try_from(GRID).unwrap_or(u64::MAX);
    let length = u64::from(length.max(1));
    let cells = |pixel: u64| {
        let (from, to) = (pixel.saturating_mul(grid), pixel.saturating_add(1).saturating_mul(grid));
        let (first, last) = (from.div_euclid(length), to.saturating_sub(1).div_euclid(length));
        let share = move |cell: u64| {
            let end = to.min(cell.saturating_add(1).saturating_mul(length));
            (usize::try_from(cell).unwrap_or(usize::MAX), end.saturating_sub(from.max(cell.saturating_mul(length))))
        };
        (first..=last).map(share).collect()
    };
    (0..length).map(cells).collect()
}

#[cfg(test)]
mod tests;
