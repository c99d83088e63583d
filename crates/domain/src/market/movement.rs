//! How fast the reference price of a pair moves.

use chrono::Duration;

use crate::clock::Timestamp;
use crate::money::Price;

/// The part of the price by which it moves at most within an hour, as a divisor: one fiftieth, 2 percent.
const LARGEST_MOVE: i128 = 50;

/// How long the price is compared with the same earlier price.
const HOUR: Duration = Duration::hours(1);

/// The reference price of a pair, and the price with which the next ones are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AnchoredPrice {
    pub price: Price,
    /// The price at the beginning of the current hour.
    pub anchor: Price,
    /// When that hour began.
    pub anchored_at: Timestamp,
}

impl AnchoredPrice {
    /// A price with which nothing earlier is compared: the first median of a pair, or a price that an officer has set.
    pub fn at(price: Price, now: Timestamp) -> Self {
        Self { price, anchor: price, anchored_at: now }
    }

    /// Moves the price toward a median, within an hour by at most 2 percent of what it was at the beginning of that hour. So
    /// whoever controls the trades of a quiet pair for a moment moves the price little, and an officer has time to look.
    #[must_use]
    pub fn toward(self, median: Price, now: Timestamp) -> Self {
        let hour_is_over = now.signed_duration_since(self.anchored_at) >= HOUR;
        let (anchor, anchored_at) = if hour_is_over { (self.price, now) } else { (self.anchor, self.anchored_at) };
        let most = anchor.steps().checked_div(LARGEST_MOVE).unwrap_or_default().max(1);
        let bound = |steps: i128| Price::new(steps).unwrap_or(anchor);
        let lowest = bound(anchor.steps().saturating_sub(most));
        let highest = bound(anchor.steps().saturating_add(most));
        Self { price: median.max(lowest).min(highest), anchor, anchored_at }
    }
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, Utc};
    use proptest::prelude::*;

    use super::*;
    use crate::money::MAX_UNITS;

    fn minute(minute: i64) -> Timestamp {
        DateTime::<Utc>::UNIX_EPOCH + Duration::minutes(minute)
    }

    fn price(steps: i128) -> Price {
        Price::new(steps).unwrap()
    }

    #[test]
    fn an_outlier_moves_the_price_by_two_percent_an_hour() {
        let mut anchored = AnchoredPrice::at(price(1_000), minute(0));
        let moves = [(1, 1_020), (59, 1_020), (60, 1_040), (119, 1_040), (120, 1_060)];
        for (at, steps) in moves {
            anchored = anchored.toward(price(5_000), minute(at));
            assert_eq!(anchored.price, price(steps), "after {at} minutes");
        }
        let fallen = anchored.toward(price(1), minute(180));
        assert_eq!(fallen.price, price(1_039), "2 percent of 1060, rounded down");
    }

    #[test]
    fn a_price_follows_a_median_nearby_at_once_and_back() {
        let anchored = AnchoredPrice::at(price(1_000), minute(0));
        for (median, steps) in [(1_019, 1_019), (981, 981), (1_000, 1_000), (1_021, 1_020), (979, 980)] {
            assert_eq!(anchored.toward(price(median), minute(30)).price, price(steps));
        }
    }

    #[test]
    fn the_smallest_and_the_largest_price_move_as_well() {
        assert_eq!(AnchoredPrice::at(price(1), minute(0)).toward(price(9), minute(1)).price, price(2));
        assert_eq!(AnchoredPrice::at(price(2), minute(0)).toward(price(1), minute(1)).price, price(1));
        let largest = AnchoredPrice::at(price(MAX_UNITS), minute(0));
        assert_eq!(largest.toward(price(MAX_UNITS), minute(1)).price, price(MAX_UNITS));
        assert_eq!(largest.toward(price(1), minute(1)).price, price(MAX_UNITS - MAX_UNITS / 50));
    }

    proptest! {
        /// Whatever the medians are, and also over an hour that begins between two anchors.
        #[test]
        fn no_hour_moves_the_price_by_more_than_two_moves(
            medians in prop::collection::vec((100_i128..10_000_000, 0_i64..40), 1..60)
        ) {
            let mut now = 0;
            let mut anchored = AnchoredPrice::at(price(100_000), minute(0));
            let mut history = vec![(0, anchored.price.steps())];
            for (median, minutes) in medians {
                now += minutes;
                anchored = anchored.toward(price(median), minute(now));
                prop_assert_eq!(anchored.toward(price(median), minute(now)), anchored, "a repetition changes nothing");
                history.push((now, anchored.price.steps()));
                let hour = history.iter().filter(|(at, _)| now - at < 60).map(|(_, steps)| *steps);
                let (lowest, highest) = hour.fold((i128::MAX, 0), |(low, high), steps| (low.min(steps), high.max(steps)));
                // From the bottom of one hour's range to the top of the next: 0.98 to 1.02 of a price within the first range.
                prop_assert!(highest * 98 * 98 <= lowest * 102 * 102 + 102 * 102 * 100, "{} to {}", lowest, highest);
            }
        }
    }
}
