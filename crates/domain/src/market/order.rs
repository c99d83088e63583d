//! Sorts and matches adverts.

use std::cmp::{Ordering, Reverse};

use chrono::Duration;

use crate::ids::AdvertId;
use crate::money::{Amount, Price};
use crate::trade::Side;

/// The properties by which adverts are sorted and matched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    pub advert: AdvertId,
    pub side: Side,
    pub price: Price,
    /// The quantity of the base that can still be ordered.
    pub remaining: Amount,
    /// The minimum total of an order, in base units of the quote.
    pub min_total: Amount,
    /// The maximum total of an order, in base units of the quote.
    pub max_total: Amount,
    /// The kinds of the advert's payment methods; empty if the quote is a coin.
    pub kinds: Vec<String>,
    /// The owner's completion rate in millionths.
    pub completion_ppm: Option<u32>,
    /// The average time the owner takes to confirm a payment.
    pub average_confirmation: Option<Duration>,
}

/// The sort order. Ties are broken by the owner's statistics, then by the advert's age.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sort {
    /// The best price for the taker: the lowest for sell adverts, the highest for buy adverts.
    Best,
    PriceUp,
    PriceDown,
    /// The smallest remaining quantity first.
    QuantityUp,
    /// The largest remaining quantity first.
    QuantityDown,
}

impl Sort {
    fn compare(self, a: &Listing, b: &Listing) -> Ordering {
        let first = match self {
            Self::Best => match a.side {
                Side::Sell => a.price.cmp(&b.price),
                Side::Buy => b.price.cmp(&a.price),
            },
            Self::PriceUp => a.price.cmp(&b.price),
            Self::PriceDown => b.price.cmp(&a.price),
            Self::QuantityUp => a.remaining.cmp(&b.remaining),
            Self::QuantityDown => b.remaining.cmp(&a.remaining),
        };
        first.then_with(|| trust(a).cmp(&trust(b))).then_with(|| a.advert.cmp(&b.advert))
    }
}

/// Returns a sort key: higher completion rates first, then faster confirmation. Owners without statistics come last.
fn trust(listing: &Listing) -> (Reverse<Option<u32>>, bool, Option<Duration>) {
    let speed = listing.average_confirmation;
    (Reverse(listing.completion_ppm), speed.is_none(), speed)
}

/// Sorts adverts, which must all have the same side.
pub fn sort(listings: &mut [Listing], by: Sort) {
    listings.sort_by(|a, b| by.compare(a, b));
}

/// The trade that a user wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Want {
    /// The side of matching adverts: `SELL` if the user wants to buy.
    pub side: Side,
    /// In base units of the base.
    pub quantity: Amount,
    /// The kind of payment method; `None` matches any.
    pub kind: Option<String>,
}

/// Returns the adverts that can fill the whole quantity, best first. `total` computes the cost of a quantity at a
/// price; adverts for which it returns `None` do not match.
pub fn matching(listings: &[Listing], want: &Want, total: impl Fn(Amount, Price) -> Option<Amount>) -> Vec<Listing> {
    let fits = |listing: &&Listing| {
        let limits = listing.min_total..=listing.max_total;
        listing.side == want.side
            && listing.remaining >= want.quantity
            && want.kind.as_ref().is_none_or(|kind| listing.kinds.contains(kind))
            && total(want.quantity, listing.price).is_some_and(|total| limits.contains(&total))
    };
    let mut found: Vec<_> = listings.iter().filter(fits).cloned().collect();
    sort(&mut found, Sort::Best);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    fn listing(id: u128, side: Side, price: &str) -> Listing {
        Listing {
            advert: AdvertId(Uuid::from_u128(id)),
            side,
            price: Price::parse(price).unwrap(),
            remaining: Amount::new(100).unwrap(),
            min_total: Amount::new(10).unwrap(),
            max_total: Amount::new(1_000).unwrap(),
            kinds: vec!["ALIPAY".to_owned()],
            completion_ppm: Some(900_000),
            average_confirmation: Some(Duration::minutes(5)),
        }
    }

    fn ids(listings: &[Listing]) -> Vec<u128> {
        listings.iter().map(|listing| listing.advert.0.as_u128()).collect()
    }

    fn sorted(mut listings: Vec<Listing>, by: Sort) -> Vec<u128> {
        sort(&mut listings, by);
        ids(&listings)
    }

    #[test]
    fn the_best_price_is_the_lowest_of_sellers_and_the_highest_of_buyers() {
        let of = |side| vec![listing(1, side, "3"), listing(2, side, "1"), listing(3, side, "2")];
        assert_eq!(sorted(of(Side::Sell), Sort::Best), [2, 3, 1]);
        assert_eq!(sorted(of(Side::Buy), Sort::Best), [1, 3, 2]);
        assert_eq!(sorted(of(Side::Buy), Sort::PriceUp), [2, 3, 1]);
        assert_eq!(sorted(of(Side::Sell), Sort::PriceDown), [1, 3, 2]);
    }

    #[test]
    fn quantity_sorts_both_ways() {
        let of = || {
            let less = Listing { remaining: Amount::new(5).unwrap(), ..listing(1, Side::Sell, "1") };
            vec![less, listing(2, Side::Sell, "2")]
        };
        assert_eq!(sorted(of(), Sort::QuantityUp), [1, 2]);
        assert_eq!(sorted(of(), Sort::QuantityDown), [2, 1]);
    }

    #[test]
    fn equal_prices_sort_by_completion_rate_then_speed_then_age() {
        let side = Side::Sell;
        let unknown = Listing { completion_ppm: None, average_confirmation: None, ..listing(1, side, "1") };
        let older = listing(2, side, "1");
        let younger = listing(3, side, "1");
        let fast = Listing { average_confirmation: Some(Duration::minutes(1)), ..listing(4, side, "1") };
        let reliable = Listing { completion_ppm: Some(990_000), average_confirmation: None, ..listing(5, side, "1") };
        let untimed = Listing { average_confirmation: None, ..listing(0, side, "1") };
        let all = vec![unknown, younger, older, fast, reliable, untimed];
        assert_eq!(sorted(all, Sort::Best), [5, 4, 2, 3, 0, 1]);
    }

    #[test]
    fn only_adverts_that_can_fill_the_whole_quantity_match() {
        let want = Want { side: Side::Sell, quantity: Amount::new(50).unwrap(), kind: Some("ALIPAY".to_owned()) };
        let total = |quantity: Amount, price: Price| quantity.mul_div_floor(price.steps(), 100_000_000).ok();
        let small = Listing { remaining: Amount::new(49).unwrap(), ..listing(1, Side::Sell, "1") };
        let limited = Listing { max_total: Amount::new(49).unwrap(), ..listing(2, Side::Sell, "1") };
        let large = Listing { min_total: Amount::new(51).unwrap(), ..listing(3, Side::Sell, "1") };
        let other = Listing { kinds: vec!["BANK".to_owned()], ..listing(4, Side::Sell, "1") };
        let buyer = listing(5, Side::Buy, "1");
        let fits = [listing(6, Side::Sell, "2"), listing(7, Side::Sell, "1")];
        let all: Vec<_> = [small, limited, large, other, buyer].into_iter().chain(fits.clone()).collect();
        assert_eq!(ids(&matching(&all, &want, total)), [7, 6]);
        let any = Want { kind: None, ..want };
        assert_eq!(ids(&matching(&all, &any, total)), [4, 7, 6]);
        let exactly = Want { quantity: Amount::new(100).unwrap(), ..any };
        assert_eq!(ids(&matching(&fits, &exactly, total)), [7, 6], "the whole remaining quantity can be ordered");
    }
}
