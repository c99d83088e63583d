//! Draws a garden: a sky, a sun or moon, hills and flowers, all of it from one number.

use anyhow::Context as _;
use png::{BitDepth, ColorType, Encoder};

/// The pixels of a side, of which each is drawn as a square.
const SIDE: usize = 32;
/// The width of such a square in the picture.
const SQUARE: usize = 8;

type Color = [u8; 3];

/// A time of day with the colors of its sky (top and bottom) and of its sun or moon.
const SKIES: [(&str, Color, Color, Color); 4] = [
    ("Morning", [0xff, 0xd9, 0xb8], [0xff, 0xf1, 0xdc], [0xff, 0xb3, 0x47]),
    ("Noon", [0x8f, 0xcf, 0xf2], [0xd6, 0xef, 0xfb], [0xff, 0xe0, 0x66]),
    ("Evening", [0x6a, 0x4c, 0x93], [0xf2, 0x84, 0x82], [0xff, 0xd1, 0x66]),
    ("Night", [0x12, 0x1b, 0x3a], [0x2b, 0x3a, 0x67], [0xe8, 0xec, 0xff]),
];
/// A season with the colors of its hills.
const SEASONS: [(&str, Color, Color); 4] = [
    ("Spring", [0x7b, 0xb6, 0x61], [0x4f, 0x8f, 0x4b]),
    ("Summer", [0x5a, 0xa4, 0x4a], [0x35, 0x7a, 0x38]),
    ("Autumn", [0xc9, 0x94, 0x4a], [0x9a, 0x5f, 0x2d]),
    ("Winter", [0xe6, 0xee, 0xf4], [0xb8, 0xc9, 0xd9]),
];
/// A kind of flower with the colors of its petals and of its heart.
const FLOWERS: [(&str, Color, Color); 5] = [
    ("Poppy", [0xe6, 0x3b, 0x3b], [0x2b, 0x1d, 0x1d]),
    ("Daisy", [0xff, 0xff, 0xff], [0xf5, 0xc2, 0x18]),
    ("Iris", [0x7a, 0x5b, 0xd6], [0xf7, 0xe1, 0x5c]),
    ("Rose", [0xf0, 0x7a, 0xa8], [0xb8, 0x2e, 0x62]),
    ("Sunflower", [0xf9, 0xb8, 0x1a], [0x6b, 0x3d, 0x13]),
];
const STEM: Color = [0x2f, 0x6b, 0x32];

/// A generator of numbers that always draws the same ones (`SplitMix64`).
struct Draws(u64);

impl Draws {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Draws a number below a limit, which must not be zero.
    fn below(&mut self, limit: usize) -> usize {
        let limit = u64::try_from(limit).unwrap_or(u64::MAX);
        self.next().checked_rem(limit).and_then(|drawn| usize::try_from(drawn).ok()).unwrap_or_default()
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> Option<T> {
        let place = self.below(from.len());
        from.get(place).copied()
    }
}

pub(super) struct Garden {
    pixels: Vec<Color>,
    traits: [(&'static str, String); 4],
}

impl Garden {
    /// Draws the garden of a number.
    pub(super) fn grow(number: u8) -> Self {
        let mut draws = Draws(u64::from(number).wrapping_mul(0x1000_0001).wrapping_add(0x6a09_e667));
        let (sky, top, bottom, light) = draws.pick(&SKIES).unwrap_or(SKIES[1]);
        let (season, near, far) = draws.pick(&SEASONS).unwrap_or(SEASONS[0]);
        let (flower, petals, heart) = draws.pick(&FLOWERS).unwrap_or(FLOWERS[0]);
        let blossoms = 3_usize.saturating_add(draws.below(5));
        let mut garden = Self {
            pixels: Vec::with_capacity(SIDE.saturating_mul(SIDE)),
            traits: [
                ("Sky", sky.to_owned()),
                ("Season", season.to_owned()),
                ("Flower", flower.to_owned()),
                ("Blossoms", blossoms.to_string()),
            ],
        };
        for row in 0..SIDE {
            garden.pixels.extend(std::iter::repeat_n(if row < 12 { top } else { bottom }, SIDE));
        }
        garden.disc((draws.below(20).saturating_add(6), draws.below(5).saturating_add(5)), 3, light);
        garden.hill(draws.below(6).saturating_add(18), draws.below(SIDE), far);
        garden.hill(draws.below(3).saturating_add(24), draws.below(SIDE), near);
        for blossom in 0..blossoms {
            let column = blossom.saturating_mul(SIDE).checked_div(blossoms).unwrap_or_default();
            let column = column.saturating_add(2).saturating_add(draws.below(2));
            let height = 14_usize.saturating_add(draws.below(8));
            for row in height..SIDE.saturating_sub(2) {
                garden.set(column, row, STEM);
            }
            for (across, down) in [(1, 0), (0, 1), (2, 1), (1, 2), (0, 0), (2, 0), (0, 2), (2, 2)] {
                let (column, row) = (column.saturating_add(across), height.saturating_add(down));
                garden.set(column.saturating_sub(1), row.saturating_sub(1), petals);
            }
            garden.set(column, height, heart);
        }
        garden
    }

    pub(super) fn traits(&self) -> &[(&'static str, String)] {
        &self.traits
    }

    pub(super) fn description(&self) -> String {
        let [(_, sky), (_, season), (_, flower), (_, blossoms)] = &self.traits;
        let (sky, season, flower) = (sky.to_lowercase(), season.to_lowercase(), flower.to_lowercase());
        format!("{blossoms} blossoms of a {flower} in {season}, painted at {sky}.")
    }

    fn set(&mut self, column: usize, row: usize, color: Color) {
        if column < SIDE
            && let Some(pixel) = row.checked_mul(SIDE).and_then(|at| self.pixels.get_mut(at.checked_add(column)?))
        {
            *pixel = color;
        }
    }

    fn disc(&mut self, (column, row): (usize, usize), radius: usize, color: Color) {
        for y in 0..SIDE {
            for x in 0..SIDE {
                let (across, down) = (x.abs_diff(column), y.abs_diff(row));
                let square = |length: usize| length.saturating_mul(length);
                if square(across).saturating_add(square(down)) <= square(radius) {
                    self.set(x, y, color);
                }
            }
        }
    }

    /// Draws a hill with its top in a column: its ridge falls by one row every six columns.
    fn hill(&mut self, row: usize, column: usize, color: Color) {
        for x in 0..SIDE {
            let fall = x.abs_diff(column).checked_div(6).unwrap_or_default();
            for y in row.saturating_add(fall)..SIDE {
                self.set(x, y, color);
            }
        }
    }

    fn enlarged(&self) -> Vec<Color> {
        let wide =
            |row: &[Color]| -> Vec<_> { row.iter().flat_map(|color| std::iter::repeat_n(*color, SQUARE)).collect() };
        let rows = self.pixels.chunks(SIDE).map(wide);
        rows.flat_map(|row| std::iter::repeat_n(row, SQUARE)).flatten().collect()
    }

    pub(super) fn png(&self) -> anyhow::Result<Vec<u8>> {
        let side = u32::try_from(SIDE.saturating_mul(SQUARE))?;
        let mut bytes = Vec::new();
        let mut encoder = Encoder::new(&mut bytes, side, side);
        encoder.set_color(ColorType::Rgb);
        encoder.set_depth(BitDepth::Eight);
        let mut writer = encoder.write_header().context("the header of a picture")?;
        writer.write_image_data(self.enlarged().as_flattened()).context("the pixels of a picture")?;
        writer.finish().context("the end of a picture")?;
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_garden_always_looks_the_same_and_unlike_its_neighbors() {
        let drawn = |number| Garden::grow(number).png().unwrap();
        assert_eq!(drawn(7), drawn(7));
        let all: std::collections::BTreeSet<_> = (1..=60).map(drawn).collect();
        assert_eq!(all.len(), 60);
        assert!(all.iter().all(|png| png.len() < 2_000), "minting stores it on the chain");
    }
}
