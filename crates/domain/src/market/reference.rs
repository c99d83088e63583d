//! The reference price of a pair, around which the bounds of every price lie.

use std::collections::{BTreeMap, BTreeSet};

use crate::clock::Timestamp;
use crate::ids::UserId;
use crate::money::Price;

/// The trades, and the people, without which a median says nothing about the market.
pub const ENOUGH: usize = 5;

const SECONDS_OF_AN_HOUR: i64 = 3_600;

/// A completed order, as far as the reference price looks at it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Trade {
    /// The two who traded, either way round.
    pub people: (UserId, UserId),
    /// At which price.
    pub price: Price,
    /// When.
    pub at: Timestamp,
}

/// The median price of the trades of a day, if they qualify.
///
/// Of the trades of one hour (UTC) between the same two people only the last one counts, whatever their size: how often
/// two people trade with each other says nothing about the market. What remains qualifies if it is at least [`ENOUGH`]
/// trades between at least [`ENOUGH`] people. Of an even number, the median is the mean of the middle two, rounded down.
pub fn reference(trades: &[Trade]) -> Option<Price> {
    let mut last: BTreeMap<_, &Trade> = BTreeMap::new();
    for trade in trades {
        let (one, other) = trade.people;
        let hour = trade.at.timestamp().div_euclid(SECONDS_OF_AN_HOUR);
        let kept = last.entry((one.min(other), one.max(other), hour)).or_insert(trade);
        if trade.at >= kept.at {
            *kept = trade;
        }
    }
    let people: BTreeSet<_> = last.values().flat_map(|trade| [trade.people.0, trade.people.1]).collect();
    if last.len() < ENOUGH || people.len() < ENOUGH {
        return None;
    }
    let mut prices: Vec<_> = last.values().map(|trade| trade.price).collect();
    prices.sort_unstable();
    let upper = prices.get(prices.len().div_euclid(2))?;
    let lower = prices.get(prices.len().checked_sub(1)?.div_euclid(2))?;
    // Half of the way up from the lower one: the sum of the two may be more than the books hold.
    let half = upper.steps().checked_sub(lower.steps())?.div_euclid(2);
    Price::new(lower.steps().checked_add(half)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::{Duration, TimeZone, Utc};
    use proptest::prelude::*;
    use uuid::Uuid;

    fn noon() -> Timestamp {
        Utc.with_ymd_and_hms(2026, 11, 21, 12, 0, 0).unwrap()
    }

    fn user(number: u8) -> UserId {
        UserId(Uuid::from_u128(number.into()))
    }

    fn trade(one: u8, other: u8, steps: i128, minutes: i64) -> Trade {
        let price = Price::new(steps).unwrap();
        Trade { people: (user(one), user(other)), price, at: noon() + Duration::minutes(minutes) }
    }

    /// Five trades between six people.
    fn honest() -> Vec<Trade> {
        [100, 104, 98, 102, 101].into_iter().zip(1..).map(|(steps, taker)| trade(0, taker, steps, 5)).collect()
    }

    fn steps(trades: &[Trade]) -> Option<i128> {
        reference(trades).map(Price::steps)
    }

    #[test]
    fn the_median_of_enough_trades_between_enough_people() {
        assert_eq!(steps(&honest()), Some(101));
        let mut six = honest();
        six.push(trade(1, 2, 200, 6));
        assert_eq!(steps(&six), Some(101), "the mean of 101 and 102, rounded down");
    }

    #[test]
    fn four_trades_or_four_people_are_not_enough() {
        assert_eq!(steps(&[]), None);
        assert_eq!(steps(&honest()[..4]), None);
        // Four people, each with each: six trades.
        let few: Vec<_> = (0..4).flat_map(|one| (0..one).map(move |other| trade(one, other, 100, 0))).collect();
        assert_eq!((few.len(), steps(&few)), (6, None));
        // Four pairs of people of one hour, and one of them again and again.
        let again: Vec<_> = (0..10).map(|minute| trade(0, 4, 100, minute)).collect();
        assert_eq!(steps(&[&honest()[..3], &again].concat()), None);
    }

    #[test]
    fn of_an_hour_between_two_people_the_last_counts_whichever_way_round() {
        let mut trades = honest();
        trades[0] = trade(0, 1, 1_000, 59);
        assert_eq!(steps(&trades), Some(102), "98 101 102 104 1000");
        trades.push(trade(1, 0, 90, 59));
        assert_eq!(steps(&trades), Some(101), "90 98 101 102 104");
        trades.push(trade(0, 1, 1_000, 60));
        assert_eq!(steps(&trades), Some(101), "the next hour is another trade");
        assert_eq!(trades.len(), 7);
    }

    fn any_trade() -> impl Strategy<Value = Trade> {
        (0..6_u8, 1..6_u8, prop_oneof![1..2_000_i128, Just(crate::money::MAX_UNITS)], -1_440..0_i64)
            .prop_map(|(one, step, steps, minute)| trade(one, (one + step) % 6, steps, minute))
    }

    proptest! {
        #[test]
        fn it_is_a_price_between_those_that_were_paid_whatever_their_order(
            mut trades in prop::collection::vec(any_trade(), 0..40)
        ) {
            // Of two at one moment the order says which is the last.
            trades.sort_by_key(|trade| trade.at);
            trades.dedup_by_key(|trade| trade.at);
            let turned: Vec<_> = trades.iter().rev().copied().collect();
            prop_assert_eq!(reference(&trades), reference(&turned));
            if let Some(found) = reference(&trades) {
                prop_assert!(trades.iter().any(|trade| trade.price <= found));
                prop_assert!(trades.iter().any(|trade| trade.price >= found));
            }
        }

        #[test]
        fn two_people_move_it_by_no_more_than_one_trade_of_an_hour(
            prices in prop::collection::vec(900..1_100_i128, 7..20), wild in prop::collection::vec(1..1_000_000_i128, 0..60)
        ) {
            // Everybody else trades with their own partner; the two trade as often as they like within one hour.
            let mut trades: Vec<_> =
                prices.iter().zip(0_u8..).map(|(steps, place)| trade(10 + 2 * place, 11 + 2 * place, *steps, 30)).collect();
            trades.extend(wild.iter().zip(0..).map(|(steps, minute)| trade(0, 1, *steps, minute)));
            let found = steps(&trades).unwrap();
            prop_assert!((900..1_100).contains(&found), "{}", found);
        }
    }
}
