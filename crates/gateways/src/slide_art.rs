//! Draws the pictures of slide checks from a seed. Every picture is different, so bots cannot learn a fixed set.

use app::identity::ports::{SlideArt, SlidePicture};
use app::{Error, Result};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// The size of the picture, in pixels.
const WIDTH: u32 = 300;
const HEIGHT: u32 = 150;
/// The side of the square picture of the piece, including its knob, in pixels.
const PIECE: u32 = 52;
/// The radius of the piece's knob, in pixels.
const KNOB: i32 = 8;
/// The number of discs in a picture.
const SHAPES: u32 = 26;

/// Draws discs over a gradient and cuts out a piece.
#[derive(Debug, Clone, Copy, Default)]
pub struct DrawnSlides;

type Colour = [i32; 3];

struct Disc {
    x: i32,
    y: i32,
    radius: i32,
    colour: Colour,
    share: i32,
}

struct Scene {
    corners: [Colour; 2],
    discs: Vec<Disc>,
}

impl Scene {
    fn new(random: &mut StdRng) -> Self {
        let mut colour = || [0; 3].map(|_: i32| random.random_range(40..=215));
        let corners = [colour(), colour()];
        let discs = (0..SHAPES)
            .map(|_| Disc {
                x: random.random_range(0..signed(WIDTH)),
                y: random.random_range(0..signed(HEIGHT)),
                radius: random.random_range(6..42),
                colour: [0; 3].map(|_: i32| random.random_range(10..=245)),
                share: random.random_range(25..=75),
            })
            .collect();
        Self { corners, discs }
    }

    /// Returns the color of a pixel, before noise.
    fn at(&self, x: i32, y: i32) -> Colour {
        let [from, to] = self.corners;
        let along = percent(x.saturating_add(y), signed(WIDTH.saturating_add(HEIGHT)));
        let ground = mix(from, to, along);
        self.discs.iter().fold(ground, |under, disc| {
            if inside(x, y, disc.x, disc.y, disc.radius) { mix(under, disc.colour, disc.share) } else { under }
        })
    }
}

fn signed(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

fn percent(part: i32, whole: i32) -> i32 {
    part.saturating_mul(100).checked_div(whole).unwrap_or(0).clamp(0, 100)
}

fn mix(under: Colour, over: Colour, share: i32) -> Colour {
    let [r, g, b] = under;
    let [or, og, ob] = over;
    [(r, or), (g, og), (b, ob)].map(|(low, high)| {
        let weighted = low.saturating_mul(100_i32.saturating_sub(share)).saturating_add(high.saturating_mul(share));
        weighted.checked_div(100).unwrap_or(0).clamp(0, 255)
    })
}

fn inside(x: i32, y: i32, cx: i32, cy: i32, radius: i32) -> bool {
    let (dx, dy) = (x.saturating_sub(cx), y.saturating_sub(cy));
    dx.saturating_mul(dx).saturating_add(dy.saturating_mul(dy)) <= radius.saturating_mul(radius)
}

/// Returns whether a point, relative to the corner of the piece, is part of the piece: a square with a knob on the
/// right and a notch at the top.
fn of_piece(x: i32, y: i32) -> bool {
    let body = signed(PIECE).saturating_sub(KNOB);
    let middle = body.checked_div(2).unwrap_or(0);
    let knob = inside(x, y, body.saturating_sub(1), middle.saturating_add(KNOB), KNOB);
    let notch = inside(x, y, middle, KNOB, KNOB);
    let square = (0..body).contains(&x) && (KNOB..signed(PIECE)).contains(&y);
    (square || knob) && !notch
}

fn channels(colour: Colour) -> [u8; 3] {
    colour.map(|value| u8::try_from(value.clamp(0, 255)).unwrap_or(0))
}

impl SlideArt for DrawnSlides {
    fn draw(&self, seed: [u8; 32]) -> Result<SlidePicture> {
        let mut random = StdRng::from_seed(seed);
        let scene = Scene::new(&mut random);
        // Keep the gap inside the picture and clear of the piece's starting position.
        let x = random.random_range(PIECE.saturating_add(20)..WIDTH.saturating_sub(PIECE));
        let y = random.random_range(0..HEIGHT.saturating_sub(PIECE));
        let mut background = Vec::new();
        let mut piece = vec![0; usize::try_from(PIECE.saturating_mul(PIECE).saturating_mul(4)).unwrap_or(0)];
        for row in 0..signed(HEIGHT) {
            for column in 0..signed(WIDTH) {
                let noise = random.random_range(-9..=9);
                let colour = scene.at(column, row).map(|value| value.saturating_add(noise));
                let (px, py) = (column.saturating_sub(signed(x)), row.saturating_sub(signed(y)));
                let cut = of_piece(px, py);
                if cut {
                    put(&mut piece, px, py, channels(colour));
                }
                background.extend(channels(if cut { mix(colour, [20; 3], 55) } else { colour }));
            }
        }
        Ok(SlidePicture {
            background: png(WIDTH, HEIGHT, png::ColorType::Rgb, &background)?,
            piece: png(PIECE, PIECE, png::ColorType::Rgba, &piece)?,
            width: WIDTH,
            height: HEIGHT,
            piece_width: PIECE,
            piece_y: y,
            x,
        })
    }
}

fn put(piece: &mut [u8], x: i32, y: i32, colour: [u8; 3]) {
    let place = y.saturating_mul(signed(PIECE)).saturating_add(x).saturating_mul(4);
    let [red, green, blue] = colour;
    let pixel = usize::try_from(place).ok().and_then(|start| piece.get_mut(start..start.saturating_add(4)));
    if let Some(pixel) = pixel {
        pixel.copy_from_slice(&[red, green, blue, 255]);
    }
}

fn png(width: u32, height: u32, kind: png::ColorType, pixels: &[u8]) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(kind);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Fast);
    let written = encoder.write_header().and_then(|mut writer| writer.write_image_data(pixels));
    written.map_err(|error| Error::Internal(format!("slide check picture: {error}")))?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pixels(bytes: &[u8]) -> (u32, u32, Vec<u8>) {
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        (info.width, info.height, pixels)
    }

    #[test]
    fn the_gap_is_darker_than_the_piece() {
        let picture = DrawnSlides.draw([7; 32]).unwrap();
        let (width, height, background) = pixels(&picture.background);
        assert_eq!((width, height), (picture.width, picture.height));
        let (side, _, piece) = pixels(&picture.piece);
        assert_eq!(side, picture.piece_width);
        let sum = |bytes: &[u8]| bytes.iter().take(3).map(|value| u32::from(*value)).sum::<u32>();
        let (mut cut, mut darker) = (0_u32, 0_u32);
        for y in 0..side {
            for x in 0..side {
                let of_piece = &piece[usize::try_from((y * side + x) * 4).unwrap()..];
                let place = ((picture.piece_y + y) * width + picture.x + x) * 3;
                if of_piece[3] == 255 {
                    cut += 1;
                    darker += u32::from(sum(&background[usize::try_from(place).unwrap()..]) < sum(of_piece));
                }
            }
        }
        assert!(cut > 1_000 && darker * 100 > cut * 95, "{darker} of {cut}");
    }

    #[test]
    fn equal_seeds_draw_equal_pictures_and_others_differ() {
        assert_eq!(DrawnSlides.draw([1; 32]).unwrap(), DrawnSlides.draw([1; 32]).unwrap());
        assert_ne!(DrawnSlides.draw([1; 32]).unwrap().background, DrawnSlides.draw([2; 32]).unwrap().background);
    }

    #[test]
    fn the_gap_is_clear_of_the_start_and_inside_the_picture() {
        for seed in 0..40 {
            let picture = DrawnSlides.draw([seed; 32]).unwrap();
            assert!(picture.x > PIECE && picture.x + PIECE <= WIDTH && picture.piece_y + PIECE <= HEIGHT);
            assert!(picture.background.len() < 200_000);
        }
    }
}
