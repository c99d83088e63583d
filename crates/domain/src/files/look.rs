//! Recognizes a picture that was used before, also if it was scaled or compressed again.
//!
//! A picture is reduced to a small grid of brightness. Its *difference hash* says for each cell of an even smaller grid
//! whether it is brighter than its neighbor: similar pictures have hashes that differ in few bits, and these can be
//! found with an index. But receipts of the same bank look alike, so the hash alone would accuse honest buyers: pictures
//! count as the same only if no cell of their grids differs by more than compression explains.

/// The width and height of the grid of brightness.
pub const GRID: usize = 32;
/// The maximum number of different bits in the hashes of the same picture.
pub const LARGEST_DISTANCE: u32 = 10;
/// The maximum difference of a cell between two copies of a picture, of 255.
const LARGEST_DIFFERENCE: u8 = 6;
/// The number of bits in a band of the hash.
const BAND: u32 = 16;

/// The appearance of a picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Look {
    pub hash: u64,
    /// The brightness of each cell, row by row: [`GRID`] rows and columns. Empty if it was not read from the database.
    pub grid: Vec<u8>,
}

impl Look {
    /// Computes the hash of a grid: 8 rows of 8 comparisons, each of two neighboring cells of a grid of 9 × 8.
    pub fn of(grid: &[u8; GRID * GRID]) -> Self {
        let cell = |row: usize, column: usize| -> u32 {
            // 8 rows of 4 lines, and 9 columns that begin at multiples of 32 / 9.
            let lines = grid.chunks_exact(GRID).skip(row.saturating_mul(4)).take(4);
            let (from, to) = (start_of(column), start_of(column.saturating_add(1)));
            let cells = lines.flat_map(|line| line.iter().take(to).skip(from));
            let sum = cells.fold(0_u32, |sum, cell| sum.saturating_add((*cell).into()));
            let count = to.saturating_sub(from).saturating_mul(4).max(1);
            // 16 steps of brightness per level, so that rounding does not decide.
            sum.saturating_mul(16).checked_div(u32::try_from(count).unwrap_or(1)).unwrap_or(0)
        };
        let mut hash = 0_u64;
        for row in 0..8 {
            for column in 0..8_usize {
                // A clear difference only: otherwise the noise of compression would decide in plain areas.
                let brighter = cell(row, column.saturating_add(1)) > cell(row, column).saturating_add(8);
                hash = hash.wrapping_shl(1) | u64::from(brighter);
            }
        }
        Self { hash, grid: grid.to_vec() }
    }

    /// Returns the four bands of the hash. Hashes that differ in at most three bits share a band.
    pub fn bands(&self) -> [u16; 4] {
        [3, 2, 1, 0].map(|place: u32| {
            let band = self.hash.wrapping_shr(BAND.saturating_mul(place)) & u64::from(u16::MAX);
            u16::try_from(band).unwrap_or(u16::MAX)
        })
    }

    /// Returns whether both are the same picture.
    pub fn is_same(&self, other: &Self) -> bool {
        let near = (self.hash ^ other.hash).count_ones() <= LARGEST_DISTANCE;
        let mut cells = self.grid.iter().zip(&other.grid);
        let complete = [&self.grid, &other.grid].iter().all(|grid| grid.len() == GRID.saturating_mul(GRID));
        near && complete && cells.all(|(one, two)| one.abs_diff(*two) <= LARGEST_DIFFERENCE)
    }
}

/// Returns the column of the grid with which a column of the hash begins.
fn start_of(column: usize) -> usize {
    column.saturating_mul(GRID).checked_div(9).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn slope() -> [u8; GRID * GRID] {
        std::array::from_fn(|place| u8::try_from((place % GRID) * 8).unwrap())
    }

    #[test]
    fn the_hash_says_which_neighbor_is_brighter() {
        assert_eq!(Look::of(&slope()).hash, u64::MAX);
        let mut falling = slope();
        falling.reverse();
        assert_eq!(Look::of(&falling).hash, 0);
        let half: [u8; GRID * GRID] =
            std::array::from_fn(|place| if place < GRID * GRID / 2 { 0 } else { slope()[place] });
        assert_eq!(Look::of(&half).hash, 0x0000_0000_ffff_ffff);
        assert_eq!(Look::of(&half).bands(), [0, 0, 0xffff, 0xffff]);
    }

    #[test]
    fn receipts_that_differ_in_one_number_are_different_pictures() {
        // A white page with a few lines of text. Another number changes one cell.
        let page: [u8; GRID * GRID] = std::array::from_fn(|place| if place / GRID % 5 == 2 { 190 } else { 250 });
        let mut other = page;
        other[GRID * 12 + 20] -= 12;
        let (page, other) = (Look::of(&page), Look::of(&other));
        assert!((page.hash ^ other.hash).count_ones() <= LARGEST_DISTANCE, "the hash alone cannot tell");
        assert!(!page.is_same(&other));
        assert!(page.is_same(&page.clone()));
    }

    proptest! {
        /// Noise as small as that of compression does not hide a copy.
        #[test]
        fn a_copy_with_little_noise_is_the_same(cells in prop::collection::vec(10_u8..240, GRID * GRID),
                                                noise in prop::collection::vec(-1_i8..=1, GRID * GRID)) {
            let grid: [u8; GRID * GRID] = cells.try_into().unwrap();
            let copy: [u8; GRID * GRID] = std::array::from_fn(|place| grid[place].saturating_add_signed(noise[place]));
            prop_assert!(Look::of(&grid).is_same(&Look::of(&copy)));
        }

        #[test]
        fn the_bands_are_the_hash(cells in prop::collection::vec(any::<u8>(), GRID * GRID)) {
            let look = Look::of(&cells.try_into().unwrap());
            let joined = look.bands().iter().fold(0_u64, |sum, band| sum << 16 | u64::from(*band));
            prop_assert_eq!(joined, look.hash);
        }
    }
}
