//! Medians and percentiles.

use std::time::Duration;

/// Returns the median, or the mean of the two middle values; zero for an empty list.
pub(crate) fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len().div_euclid(2);
    let upper = sorted.get(middle).copied().unwrap_or_default();
    if sorted.len().is_multiple_of(2) {
        let lower = middle.checked_sub(1).and_then(|below| sorted.get(below)).copied().unwrap_or_default();
        f64::midpoint(lower, upper)
    } else {
        upper
    }
}

/// Latencies of requests, in microseconds.
#[derive(Debug, Clone, Default)]
pub(crate) struct Latencies(Vec<u32>);

impl Latencies {
    pub(crate) fn add(&mut self, latency: Duration) {
        self.0.push(u32::try_from(latency.as_micros()).unwrap_or(u32::MAX));
    }

    pub(crate) fn merge(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn sort(&mut self) {
        self.0.sort_unstable();
    }

    /// Returns a percentile of the sorted latencies, in milliseconds.
    pub(crate) fn percentile(&self, percent: usize) -> f64 {
        let index = self.0.len().saturating_mul(percent).div_euclid(100).min(self.0.len().saturating_sub(1));
        self.0.get(index).map_or(0.0, |micros| f64::from(*micros) / 1000.0)
    }
}

/// Returns a number per second.
pub(crate) fn per_second(count: usize, time: Duration) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX)) / time.as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_an_even_number_of_values_is_the_mean_of_the_middle_ones() {
        assert!((median(&[4.0, 1.0, 3.0, 2.0]) - 2.5).abs() < f64::EPSILON);
        assert!((median(&[9.0, 1.0, 3.0]) - 3.0).abs() < f64::EPSILON);
    }

    #[test]
    fn percentiles_are_of_the_sorted_latencies() {
        let mut latencies = Latencies((1..=100).rev().map(|number| number * 1000).collect());
        latencies.sort();
        assert!((latencies.percentile(50) - 51.0).abs() < f64::EPSILON);
        assert!((latencies.percentile(99) - 100.0).abs() < f64::EPSILON);
    }
}
