//! Random numbers that are the same on every machine.

use std::sync::Mutex;

use domain::ids::IdSource;
use rand::rngs::StdRng;
use rand::{Rng as _, RngExt as _, SeedableRng as _};

/// The random numbers of one step.
pub(crate) struct Draws(StdRng);

impl Draws {
    pub(crate) fn new(seed: u64) -> Self {
        Self(StdRng::seed_from_u64(seed))
    }

    pub(crate) fn number(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number from 0 to `end` - 1; 0 if `end` is 0.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        if end == 0 { 0 } else { self.0.random_range(0..end) }
    }

    pub(crate) fn within(&mut self, range: std::ops::RangeInclusive<i64>) -> i64 {
        self.0.random_range(range)
    }

    /// True in `percent` of all cases.
    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub(crate) fn pick<'a, T>(&mut self, all: &'a [T]) -> Option<&'a T> {
        all.get(self.below(all.len()))
    }

    /// The index of a weight, in proportion to the weights.
    pub(crate) fn weighted(&mut self, weights: impl Iterator<Item = usize> + Clone) -> usize {
        let mut left = self.below(weights.clone().sum());
        for (index, weight) in weights.enumerate() {
            if left < weight {
                return index;
            }
            left -= weight;
        }
        0
    }

    /// A size from 1 to `most`, of which each power of two is equally likely.
    pub(crate) fn size(&mut self, most: usize) -> usize {
        let power = 1_usize << self.below(usize::try_from(most.max(1).ilog2()).expect("small") + 1);
        (power + self.below(power)).min(most.max(1))
    }
}

/// Identifiers that depend only on the seed and the order in which they are drawn.
pub(crate) struct SeededIds(Mutex<StdRng>);

impl SeededIds {
    pub(crate) fn new(seed: u64) -> Self {
        Self(Mutex::new(StdRng::seed_from_u64(seed)))
    }
}

impl IdSource for SeededIds {
    fn random(&self) -> [u8; 10] {
        let mut bytes = [0; 10];
        self.0.lock().expect("no panic while drawing").fill_bytes(&mut bytes);
        bytes
    }
}
