//! The reference price of a pair, from which price bands are computed.

use std::collections::BTreeSet;

use chrono::Duration;

use crate::clock::Timestamp;
use crate::ids::UserId;
use crate::money::Price;

/// The minimum number of trades and of users from which a median is computed.
pub const MIN_TRADES: usize = 5;

/// How old both accounts of a trade must be when it is completed. New accounts are cheap.
pub const MIN_ACCOUNT_AGE: Duration = Duration::days(7);

const SECONDS_OF_AN_HOUR: i64 = 3_600;

/// A completed order between two users whose accounts are [`MIN_ACCOUNT_AGE`] and who are not related.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Trade {
    /// The two parties in either order.
    pub users: (UserId, UserId),
    pub price: Price,
    pub at: Timestamp,
}

/// Returns the median price of a day's trades, or `None` if there are too few.
///
/// Each user counts once within an hour (UTC): of the trades of an hour, from the last one back, those count whose parties have
/// both not counted yet, regardless of their size. So accounts that trade with one another in every combination count no more
/// often than accounts that trade once. The rest must be at least [`MIN_TRADES`] trades between at least [`MIN_TRADES`] users. If their
/// number is even, the median is the mean of the middle two, rounded down.
pub fn reference(trades: &[Trade]) -> Option<Price> {
    let mut newest_first: Vec<_> = trades.iter().collect();
    // Stable: of two trades at the same time, the later one in the list comes first.
    newest_first.reverse();
    newest_first.sort_by_key(|trade| std::cmp::Reverse(trade.at));
    let mut counted = BTreeSet::new();
    let mut last = Vec::new();
    for trade in newest_first {
        let (one, other) = trade.users;
        let hour = trade.at.timestamp().div_euclid(SECONDS_OF_AN_HOUR);
        if !counted.contains(&(one, hour)) && !counted.contains(&(other, hour)) {
            counted.extend([(one, hour), (other, hour)]);
            last.push(trade);
        }
    }
    let users: BTreeSet<_> = last.iter().flat_map(|trade| [trade.users.0, trade.users.1]).collect();
    if last.len() < MIN_TRADES || users.len() < MIN_TRADES {
        return None;
    }
    let mut prices: Vec<_> = last.iter().map(|trade| trade.price).collect();
    prices.sort_unstable();
    let upper = prices.get(prices.len().div_euclid(2))?;
    let lower = prices.get(prices.len().checked_sub(1)?.div_euclid(2))?;
    // Adding half the difference avoids a sum that exceeds the maximum price.
    let half = upper.steps().checked_sub(lower.steps())?.div_euclid(2);
    Price::new(lower.steps().checked_add(half)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::{TimeZone, Utc};
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
        Trade { users: (user(one), user(other)), price, at: noon() + Duration::minutes(minutes) }
    }

    /// The trades of one user with five others, an hour apart.
    fn honest() -> Vec<Trade> {
        let prices = [100, 104, 98, 102, 101].into_iter().zip(1..);
        prices.map(|(steps, taker)| trade(0, taker, steps, 5 + 60 * i64::from(taker))).collect()
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
        // Four users who all trade with each other, each pair in an hour of its own: six trades.
        let pairs = (0..4).flat_map(|one| (0..one).map(move |other| (one, other)));
        let few: Vec<_> = pairs.zip(0..).map(|((one, other), hour)| trade(one, other, 100, 60 * hour)).collect();
        assert_eq!((few.len(), steps(&few)), (6, None));
        // Four trades of pairs, one of which trades repeatedly within an hour.
        let again: Vec<_> = (0..10).map(|minute| trade(0, 4, 100, minute)).collect();
        assert_eq!(steps(&[&honest()[..3], &again].concat()), None);
    }

    #[test]
    fn each_user_counts_once_an_hour_with_the_last_trade() {
        let mut trades = honest();
        trades.push(trade(0, 6, 1_000, 64));
        assert_eq!(steps(&trades), Some(101), "user 0 has traded later in this hour: 98 100 101 102 104");
        trades.push(trade(6, 0, 1_000, 119));
        assert_eq!(steps(&trades), Some(102), "98 101 102 104 1000");
        trades.push(trade(7, 6, 90, 118));
        assert_eq!(steps(&trades), Some(102), "user 6 has traded later in this hour");
        trades.push(trade(7, 1, 90, 118));
        assert_eq!(steps(&trades), Some(101), "neither of these two has: 90 98 101 102 104 1000");
    }

    /// Ten pairs of five accounts count no more than the two pairs that five accounts can form at once.
    #[test]
    fn five_accounts_are_outnumbered_by_a_few_honest_pairs() {
        let hours = 0..24;
        let attackers = hours.clone().flat_map(|hour| {
            let pairs = (0..5_u8).flat_map(|one| (0..one).map(move |other| (one, other)));
            pairs.zip(0..).map(move |((one, other), minute)| trade(one, other, 110, 60 * hour + minute))
        });
        // Three honest pairs, of which each trades once an hour.
        let honest =
            hours.flat_map(|hour| (0..3_u8).map(move |pair| trade(10 + 2 * pair, 11 + 2 * pair, 100, 60 * hour)));
        let trades: Vec<_> = attackers.chain(honest).collect();
        assert_eq!(steps(&trades), Some(100));
    }

    fn any_trade() -> impl Strategy<Value = Trade> {
        (0..6_u8, 1..6_u8, prop_oneof![1..2_000_i128, Just(crate::money::MAX_UNITS)], -1_440..0_i64)
            .prop_map(|(one, step, steps, minute)| trade(one, (one + step) % 6, steps, minute))
    }

    proptest! {
        #[test]
        fn the_median_is_within_the_prices_and_independent_of_their_order(
            mut trades in prop::collection::vec(any_trade(), 0..40)
        ) {
            // Of two trades at the same time, the later one in the list wins.
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
        fn two_users_cannot_move_the_median_by_trading_often(
            prices in prop::collection::vec(900..1_100_i128, 7..20), wild in prop::collection::vec(1..1_000_000_i128, 0..60)
        ) {
            // All other users trade with a fixed partner; these two trade any number of times within one hour.
            let mut trades: Vec<_> =
                prices.iter().zip(0_u8..).map(|(steps, place)| trade(10 + 2 * place, 11 + 2 * place, *steps, 30)).collect();
            trades.extend(wild.iter().zip(0..).map(|(steps, minute)| trade(0, 1, *steps, minute)));
            let found = steps(&trades).unwrap();
            prop_assert!((900..1_100).contains(&found), "{}", found);
        }
    }
}
