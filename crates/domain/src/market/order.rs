//! Sorts adverts, and decides which can fill a trade.

use std::cmp::{Ordering, Reverse};

use chrono::Duration;
use serde::Deserialize;

use crate::adverts::Limits;
use crate::ids::AdvertId;
use crate::money::{Amount, Price};
use crate::trade::Side;

/// The properties by which adverts are sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rank {
    pub advert: AdvertId,
    pub price: Price,
    /// The quantity of the base that can still be ordered.
    pub remaining: Amount,
    /// The owner's completion rate in millionths.
    pub completion_ppm: Option<u32>,
    /// The average time the owner takes to confirm a payment.
    pub average_confirmation: Option<Duration>,
}

impl Rank {
    /// Returns whether an advert with these limits can fill a whole quantity that costs `total`.
    pub fn fills(&self, limits: Limits, quantity: Amount, total: Amount) -> bool {
        self.remaining >= quantity && limits.contains(total)
    }

    /// Returns a sort key: higher completion rates first, then faster confirmation. Owners without statistics come last.
    fn trust(&self) -> (Reverse<Option<u32>>, bool, Option<Duration>) {
        let speed = self.average_confirmation;
        (Reverse(self.completion_ppm), speed.is_none(), speed)
    }
}

/// The order of the list. Ties are broken by completion rate, then speed, then the age of the advert.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = HallSort))]
pub enum Sort {
    #[serde(rename = "price")]
    PriceUp,
    #[serde(rename = "-price")]
    PriceDown,
    /// The smallest remaining quantity first.
    #[serde(rename = "quantity")]
    QuantityUp,
    /// The largest remaining quantity first.
    #[serde(rename = "-quantity")]
    QuantityDown,
    /// The advert that was posted last first.
    #[serde(rename = "newest")]
    Newest,
}

impl Sort {
    pub const ALL: [Self; 5] = [Self::PriceUp, Self::PriceDown, Self::QuantityUp, Self::QuantityDown, Self::Newest];

    /// Returns the order that begins with the best price for the taker: the lowest for sell adverts, the highest for buy
    /// adverts.
    pub fn best(side: Side) -> Self {
        match side {
            Side::Sell => Self::PriceUp,
            Side::Buy => Self::PriceDown,
        }
    }

    /// Compares two adverts. Only an advert is equal to itself.
    pub fn compare(self, a: &Rank, b: &Rank) -> Ordering {
        let first = match self {
            Self::PriceUp => a.price.cmp(&b.price),
            Self::PriceDown => b.price.cmp(&a.price),
            Self::QuantityUp => a.remaining.cmp(&b.remaining),
            Self::QuantityDown => b.remaining.cmp(&a.remaining),
            // The IDs of adverts begin with the time.
            Self::Newest => b.advert.cmp(&a.advert),
        };
        first.then_with(|| a.trust().cmp(&b.trust())).then_with(|| a.advert.cmp(&b.advert))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    fn rank(id: u128, price: &str) -> Rank {
        Rank {
            advert: AdvertId(Uuid::from_u128(id)),
            price: Price::parse(price).unwrap(),
            remaining: Amount::new(100).unwrap(),
            completion_ppm: Some(900_000),
            average_confirmation: Some(Duration::minutes(5)),
        }
    }

    fn sorted(mut ranks: Vec<Rank>, by: Sort) -> Vec<u128> {
        ranks.sort_by(|a, b| by.compare(a, b));
        ranks.iter().map(|rank| rank.advert.0.as_u128()).collect()
    }

    #[test]
    fn the_best_price_is_the_lowest_of_sellers_and_the_highest_of_buyers() {
        let three = || vec![rank(1, "3"), rank(2, "1"), rank(3, "2")];
        assert_eq!(sorted(three(), Sort::best(Side::Sell)), [2, 3, 1]);
        assert_eq!(sorted(three(), Sort::best(Side::Buy)), [1, 3, 2]);
        assert_eq!(sorted(three(), Sort::PriceUp), [2, 3, 1]);
        assert_eq!(sorted(three(), Sort::PriceDown), [1, 3, 2]);
    }

    #[test]
    fn quantity_sorts_both_ways() {
        let two = || vec![Rank { remaining: Amount::new(5).unwrap(), ..rank(1, "1") }, rank(2, "2")];
        assert_eq!(sorted(two(), Sort::QuantityUp), [1, 2]);
        assert_eq!(sorted(two(), Sort::QuantityDown), [2, 1]);
    }

    #[test]
    fn the_newest_advert_has_the_largest_id() {
        let unknown = Rank { completion_ppm: None, average_confirmation: None, ..rank(3, "1") };
        assert_eq!(sorted(vec![rank(2, "1"), unknown, rank(1, "9")], Sort::Newest), [3, 2, 1]);
    }

    #[test]
    fn equal_prices_sort_by_completion_rate_then_speed_then_age() {
        let unknown = Rank { completion_ppm: None, average_confirmation: None, ..rank(1, "1") };
        let older = rank(2, "1");
        let younger = rank(3, "1");
        let fast = Rank { average_confirmation: Some(Duration::minutes(1)), ..rank(4, "1") };
        let reliable = Rank { completion_ppm: Some(990_000), average_confirmation: None, ..rank(5, "1") };
        let untimed = Rank { average_confirmation: None, ..rank(0, "1") };
        let all = || vec![unknown, younger, older, fast, reliable, untimed];
        assert_eq!(sorted(all(), Sort::PriceUp), [5, 4, 2, 3, 0, 1]);
        assert_eq!(sorted(all(), Sort::PriceDown), [5, 4, 2, 3, 0, 1], "ties are the same in both directions");
    }

    #[test]
    fn only_adverts_with_enough_left_and_wide_enough_limits_fill_a_quantity() {
        let amount = |units| Amount::new(units).unwrap();
        let limits = |min, max| Limits { min: amount(min), max: amount(max) };
        let rank = rank(1, "1");
        let fills = |limits, quantity, total| rank.fills(limits, amount(quantity), amount(total));
        assert!(fills(limits(10, 1_000), 50, 50));
        assert!(fills(limits(10, 1_000), 100, 100), "the whole remaining quantity can be ordered");
        assert!(!fills(limits(10, 1_000), 101, 101));
        assert!(fills(limits(50, 50), 50, 50));
        assert!(!fills(limits(51, 1_000), 50, 50));
        assert!(!fills(limits(10, 49), 50, 50));
    }
}
