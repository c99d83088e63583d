//! Missed acceptances in a row, after which the platform takes a user offline.

use chrono::Duration;
use serde::{Deserialize, Serialize};

use crate::clock::{Timestamp, after};
use crate::ids::UserId;

/// The number of missed acceptances in a row, each of another taker, after which the user goes offline.
pub const MISSES_TO_OFFLINE: usize = 3;

/// Once a taker has helped to take a user offline, the user's missed acceptances of that taker do not count for this time:
/// otherwise, the same three takers could repeat it every few minutes.
pub const COUNTED_ONCE_IN: Duration = Duration::hours(24);

/// What an order says about whether its advertiser answers takers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Acceptance {
    /// The advertiser accepted or rejected the order.
    Answered,
    /// The advertiser let the window pass.
    Missed { taker: UserId },
}

/// The takers whom a user has kept waiting in vain, oldest first, each once.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct MissedAcceptances(Vec<Missed>);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Missed {
    taker: UserId,
    at: Timestamp,
    /// Whether the row that this belongs to has taken the user offline.
    spent: bool,
}

impl MissedAcceptances {
    /// Adds what an order says. Returns the new list, and whether the row is complete, so that the user goes offline.
    #[must_use]
    pub fn with(&self, acceptance: Acceptance, now: Timestamp) -> (Self, bool) {
        let blocks = |missed: &&Missed| !missed.spent || now < after(missed.at, COUNTED_ONCE_IN);
        let mut all: Vec<_> = self.0.iter().filter(blocks).copied().collect();
        let Acceptance::Missed { taker } = acceptance else {
            all.retain(|missed| missed.spent);
            return (Self(all), false);
        };
        if all.iter().any(|missed| missed.taker == taker) {
            return (Self(all), false);
        }
        all.push(Missed { taker, at: now, spent: false });
        let complete = all.iter().filter(|missed| !missed.spent).count() >= MISSES_TO_OFFLINE;
        if complete {
            for missed in &mut all {
                missed.spent = true;
            }
        }
        (Self(all), complete)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::{TimeZone, Utc};
    use proptest::prelude::*;
    use uuid::Uuid;

    fn minute(minute: i64) -> Timestamp {
        Utc.timestamp_opt(minute * 60, 0).unwrap()
    }

    fn missed(taker: u128) -> Acceptance {
        Acceptance::Missed { taker: UserId(Uuid::from_u128(taker)) }
    }

    /// Returns at which of the acceptances, one a minute, the user goes offline.
    fn offline_at(acceptances: &[Acceptance]) -> Vec<usize> {
        let mut list = MissedAcceptances::default();
        let mut offline = Vec::new();
        for (number, acceptance) in acceptances.iter().enumerate() {
            let (next, complete) = list.with(*acceptance, minute(i64::try_from(number).unwrap()));
            list = next;
            if complete {
                offline.push(number);
            }
        }
        offline
    }

    #[test]
    fn three_different_takers_in_a_row_take_a_user_offline() {
        assert_eq!(offline_at(&[missed(1), missed(2)]), [0_usize; 0]);
        assert_eq!(offline_at(&[missed(1), missed(2), missed(3)]), [2]);
        assert_eq!(offline_at(&[missed(1), missed(1), missed(1), missed(2), missed(2), missed(3)]), [5]);
    }

    #[test]
    fn an_answer_ends_the_row() {
        let answered = Acceptance::Answered;
        assert_eq!(offline_at(&[missed(1), missed(2), answered, missed(3), missed(4)]), [0_usize; 0]);
        assert_eq!(offline_at(&[missed(1), missed(2), answered, missed(1), missed(2), missed(3)]), [5]);
    }

    #[test]
    fn the_same_takers_count_again_only_after_a_day() {
        let (mut list, mut complete) = (MissedAcceptances::default(), false);
        for taker in 1..=3 {
            (list, complete) = list.with(missed(taker), minute(0));
        }
        assert!(complete);
        let day = COUNTED_ONCE_IN.num_minutes();
        let repeat = |list: &MissedAcceptances, at| {
            let mut list = list.clone();
            let mut complete = false;
            for taker in 1..=3 {
                (list, complete) = list.with(missed(taker), minute(at));
            }
            complete
        };
        assert!(!repeat(&list, day - 1));
        assert!(!repeat(&list.with(Acceptance::Answered, minute(1)).0, day - 1), "an answer does not renew them");
        assert!(repeat(&list, day));
        for taker in 4..=6 {
            (list, complete) = list.with(missed(taker), minute(1));
        }
        assert!(complete, "others count at once");
    }

    proptest! {
        #[test]
        fn a_user_goes_offline_only_after_three_new_takers_since_the_last_answer(
            acceptances in prop::collection::vec(prop::option::weighted(0.8, 0..6_u128), 0..60)
        ) {
            let events: Vec<_> =
                acceptances.iter().map(|taker| taker.map_or(Acceptance::Answered, missed)).collect();
            let mut from = 0;
            for at in offline_at(&events) {
                let row = &acceptances[from..=at];
                let start = row.iter().rposition(Option::is_none).map_or(0, |answer| answer + 1);
                let mut takers: Vec<_> = row[start..].iter().flatten().collect();
                takers.sort();
                takers.dedup();
                prop_assert!(takers.len() >= MISSES_TO_OFFLINE, "{row:?}");
                from = at + 1;
            }
        }

        #[test]
        fn one_taker_or_two_never_take_a_user_offline(takers in prop::collection::vec(1..=2_u128, 0..60)) {
            let events: Vec<_> = takers.into_iter().map(missed).collect();
            prop_assert_eq!(offline_at(&events), [0_usize; 0]);
        }
    }
}
