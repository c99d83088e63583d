//! Reputation: the cost of cancellations, and the trade statistics that other users see.

mod acceptance;
mod statistics;

pub use acceptance::{Acceptance, COUNTED_ONCE_IN, MISSES_TO_OFFLINE, MissedAcceptances};
pub use statistics::{FAST_AVERAGE, FAST_CONFIRMATIONS, PERIOD, Record, fast};

use chrono::{DateTime, Datelike, Duration, NaiveTime, Utc};
use serde::Serialize;
use strum::{EnumString, IntoStaticStr, VariantArray};

use crate::clock::{Timestamp, after};

/// The reputation with which users start, and to which it returns at the start of each month.
pub const FULL: i32 = 100;

/// The minimum for posting adverts.
pub const NEEDED_TO_POST: i32 = 60;

pub const CANCEL_POINTS: i32 = 20;

/// The cost of losing an appeal.
pub const APPEAL_POINTS: i32 = 20;

pub const FREE_CANCELLATIONS: u32 = 3;

#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, IntoStaticStr, EnumString, VariantArray,
)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE", const_into_str)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = ReputationCause))]
pub enum Cause {
    Cancelled,
    DepositOverdue,
    PaymentOverdue,
    /// The user lost an appeal.
    AppealLost,
    /// An officer found the user's appeal malicious.
    AppealMalicious,
    MonthlyRestoration,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReputationStanding {
    /// 0 to 100.
    pub reputation: i32,
    /// Cancellations that counted against the user since the start of the UTC day, including free ones.
    pub cancelled_today: u32,
}

/// A change of reputation. Changes of zero points are stored as well, because free cancellations are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Change {
    pub cause: Cause,
    /// Points added; negative for a charge.
    pub points: i32,
    pub reputation: i32,
}

/// The number of lapses in [`LAPSES_OVER`] from which a taker deposits before ordering on an automatic advert.
pub const MAX_LAPSES: u32 = 3;
/// The time over which the lapses of a taker are counted.
pub const LAPSES_OVER: Duration = Duration::hours(24);

impl Cause {
    /// Returns whether the user let the deadline of a deposit or payment pass.
    pub fn is_lapse(self) -> bool {
        matches!(self, Self::DepositOverdue | Self::PaymentOverdue)
    }
}

/// Returns whether a taker can order on an automatic advert only with coins that are already in custody. An automatic order
/// takes the advert's escrow at once, so a taker who never deposits could keep the advert sold out.
pub fn must_prefund(reputation: i32, lapses: u32) -> bool {
    reputation < NEEDED_TO_POST || lapses >= MAX_LAPSES
}

/// Returns the points that the user's next cancellation costs: zero for the first [`FREE_CANCELLATIONS`] of a UTC day,
/// and at most the user's reputation.
///
/// Screens display this value, and [`charge`] applies it.
pub fn cancel_cost(standing: ReputationStanding) -> i32 {
    if standing.cancelled_today < FREE_CANCELLATIONS { 0 } else { CANCEL_POINTS.min(standing.reputation.max(0)) }
}

pub fn free_cancellations(standing: ReputationStanding) -> u32 {
    FREE_CANCELLATIONS.saturating_sub(standing.cancelled_today)
}

/// Returns the points that losing an appeal costs, at most the user's reputation.
pub fn appeal_cost(standing: ReputationStanding) -> i32 {
    APPEAL_POINTS.min(standing.reputation.max(0))
}

/// Charges a user for a cancellation, or for an appeal. An appeal does not use a free cancellation.
pub fn charge(standing: ReputationStanding, cause: Cause) -> Change {
    let cost = match cause {
        Cause::AppealLost => appeal_cost(standing),
        Cause::AppealMalicious => standing.reputation.max(0),
        _ => cancel_cost(standing),
    };
    Change { cause, points: cost.saturating_neg(), reputation: standing.reputation.saturating_sub(cost) }
}

/// Restores the reputation lost before this month. `charged` is the sum of the changes since [`month_start`], without
/// restorations. Idempotent; the result does not depend on the day of the month.
pub fn restore(reputation: i32, charged: i32) -> Option<Change> {
    let due = FULL.saturating_add(charged.min(0)).max(0);
    let points = due.saturating_sub(reputation);
    (points > 0).then_some(Change { cause: Cause::MonthlyRestoration, points, reputation: due })
}

pub fn month_start(now: Timestamp) -> Timestamp {
    let day = now.date_naive();
    let first = day.with_day(1).unwrap_or(day);
    DateTime::<Utc>::from_naive_utc_and_offset(first.and_time(NaiveTime::MIN), Utc)
}

/// Returns when points that are deducted now are restored.
pub fn next_month_start(now: Timestamp) -> Timestamp {
    month_start(after(month_start(now), Duration::days(32)))
}

/// Returns the start of the UTC day in which free cancellations are counted.
pub fn day_start(now: Timestamp) -> Timestamp {
    DateTime::<Utc>::from_naive_utc_and_offset(now.date_naive().and_time(NaiveTime::MIN), Utc)
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::TimeZone;
    use proptest::prelude::*;

    fn at(month: u32, day: u32, hour: u32) -> Timestamp {
        Utc.with_ymd_and_hms(2026, month, day, hour, 0, 0).unwrap()
    }

    #[test]
    fn low_reputation_or_three_lapses_require_prefunding() {
        assert!(!must_prefund(NEEDED_TO_POST, MAX_LAPSES - 1));
        assert!(must_prefund(NEEDED_TO_POST - 1, 0));
        assert!(must_prefund(FULL, MAX_LAPSES));
        let lapses: Vec<_> = Cause::VARIANTS.iter().copied().filter(|cause| cause.is_lapse()).collect();
        assert_eq!(lapses, [Cause::DepositOverdue, Cause::PaymentOverdue]);
    }

    #[test]
    fn the_first_three_cancellations_of_a_day_are_free_and_the_fourth_costs_twenty() {
        let costs: Vec<_> =
            (0..5).map(|today| cancel_cost(ReputationStanding { reputation: 100, cancelled_today: today })).collect();
        assert_eq!(costs, [0, 0, 0, 20, 20]);
        assert_eq!(free_cancellations(ReputationStanding { reputation: 100, cancelled_today: 1 }), 2);
        assert_eq!(free_cancellations(ReputationStanding { reputation: 100, cancelled_today: 9 }), 0);
    }

    #[test]
    fn reputation_never_falls_below_zero() {
        let change = charge(ReputationStanding { reputation: 12, cancelled_today: 3 }, Cause::Cancelled);
        assert_eq!(change, Change { cause: Cause::Cancelled, points: -12, reputation: 0 });
    }

    #[test]
    fn a_day_begins_at_midnight_utc() {
        assert_eq!(day_start(at(3, 9, 23)), at(3, 9, 0));
        assert_eq!(day_start(at(3, 9, 0)), at(3, 9, 0));
    }

    #[test]
    fn a_new_month_forgives_earlier_charges() {
        let restored = restore(40, 0).unwrap();
        assert_eq!((restored.points, restored.reputation), (60, FULL));
        assert_eq!(restore(FULL, 0), None, "once");
        assert_eq!(restore(80, -20), None, "charges of this month remain");
        assert_eq!(
            restore(20, -20).map(|change| change.reputation),
            Some(80),
            "although the restoration ran after the charge"
        );
        assert_eq!(restore(0, -120), None);
    }

    #[test]
    fn a_month_begins_at_midnight_utc_of_its_first_day() {
        assert_eq!(month_start(at(3, 9, 23)), at(3, 1, 0));
        assert_eq!(month_start(at(3, 1, 0)), at(3, 1, 0));
        assert_eq!(month_start(at(12, 31, 23)), at(12, 1, 0));
        assert_eq!(next_month_start(at(1, 31, 23)), at(2, 1, 0));
        assert_eq!(next_month_start(at(2, 1, 0)), at(3, 1, 0));
    }

    proptest! {
        #[test]
        fn the_displayed_cost_is_charged(reputation in 0..=100, today in 0..9_u32) {
            let standing = ReputationStanding { reputation, cancelled_today: today };
            let change = charge(standing, Cause::Cancelled);
            prop_assert_eq!(change.points, -cancel_cost(standing));
            prop_assert_eq!(change.reputation, reputation + change.points);
            prop_assert!((0..=100).contains(&change.reputation));
        }
    }
}
