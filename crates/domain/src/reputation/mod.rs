//! Credit: what a person's behaviour costs, and what it shows to others.

mod statistics;

pub use statistics::{FAST_AVERAGE, FAST_CONFIRMATIONS, PERIOD, Record, fast};

use chrono::{DateTime, Datelike, NaiveTime, Utc};

use crate::clock::Timestamp;

/// What everybody starts with, and has again at the start of each month.
pub const FULL: i32 = 100;

/// Below this, no new adverts.
pub const NEEDED_TO_POST: i32 = 60;

/// What a cancellation costs.
pub const CANCEL_POINTS: i32 = 20;

/// How many cancellations of a UTC day are free.
pub const FREE_CANCELLATIONS: u32 = 3;

/// Why credit changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cause {
    /// The person cancelled.
    Cancelled,
    /// The person did not deposit in time.
    DepositOverdue,
    /// The person did not pay in time.
    PaymentOverdue,
    /// A new month has begun.
    MonthlyRestoration,
}

impl Cause {
    /// All causes.
    pub const ALL: [Self; 4] = [Self::Cancelled, Self::DepositOverdue, Self::PaymentOverdue, Self::MonthlyRestoration];

    /// The name under which it is kept and sent.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cancelled => "CANCELLED",
            Self::DepositOverdue => "DEPOSIT_OVERDUE",
            Self::PaymentOverdue => "PAYMENT_OVERDUE",
            Self::MonthlyRestoration => "MONTHLY_RESTORATION",
        }
    }
}

/// How a person stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReputationStanding {
    /// Points, 0 to 100.
    pub reputation: i32,
    /// How many cancellations have counted against the person since the start of the UTC day, free ones included.
    pub cancelled_today: u32,
}

/// A change of credit, which becomes a row of its own even if it costs nothing: the free ones of a day are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Change {
    /// Why.
    pub cause: Cause,
    /// Points added; negative for a charge.
    pub points: i32,
    /// Points afterwards.
    pub reputation: i32,
}

/// What the next cancellation that counts against the person costs, in points: nothing for the first
/// [`FREE_CANCELLATIONS`] of a UTC day, and never more than there is.
///
/// The one function that says so: screens show its answer and [`charge`] takes it.
pub fn cancel_cost(standing: ReputationStanding) -> i32 {
    if standing.cancelled_today < FREE_CANCELLATIONS { 0 } else { CANCEL_POINTS.min(standing.reputation.max(0)) }
}

/// How many cancellations are still free today.
pub fn free_cancellations(standing: ReputationStanding) -> u32 {
    FREE_CANCELLATIONS.saturating_sub(standing.cancelled_today)
}

/// Charges a person for a cancellation that counts against them.
pub fn charge(standing: ReputationStanding, cause: Cause) -> Change {
    let cost = cancel_cost(standing);
    Change { cause, points: cost.saturating_neg(), reputation: standing.reputation.saturating_sub(cost) }
}

/// Restores credit, if there is less than the month's charges explain: what was charged before it is forgiven. `charged` is
/// the sum of the changes since [`month_start`], without restorations; whether it comes once or again, early or late, it
/// brings the same.
pub fn restore(reputation: i32, charged: i32) -> Option<Change> {
    let due = FULL.saturating_add(charged.min(0)).max(0);
    let points = due.saturating_sub(reputation);
    (points > 0).then_some(Change { cause: Cause::MonthlyRestoration, points, reputation: due })
}

/// When the UTC month of a moment began.
pub fn month_start(now: Timestamp) -> Timestamp {
    let day = now.date_naive();
    let first = day.with_day(1).unwrap_or(day);
    DateTime::<Utc>::from_naive_utc_and_offset(first.and_time(NaiveTime::MIN), Utc)
}

/// When the UTC day of a moment began: cancellations from then on count towards the free ones.
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
    fn the_first_three_of_a_day_are_free_and_the_fourth_costs_twenty() {
        let costs: Vec<_> =
            (0..5).map(|today| cancel_cost(ReputationStanding { reputation: 100, cancelled_today: today })).collect();
        assert_eq!(costs, [0, 0, 0, 20, 20]);
        assert_eq!(free_cancellations(ReputationStanding { reputation: 100, cancelled_today: 1 }), 2);
        assert_eq!(free_cancellations(ReputationStanding { reputation: 100, cancelled_today: 9 }), 0);
    }

    #[test]
    fn credit_never_falls_below_nothing() {
        let change = charge(ReputationStanding { reputation: 12, cancelled_today: 3 }, Cause::Cancelled);
        assert_eq!(change, Change { cause: Cause::Cancelled, points: -12, reputation: 0 });
    }

    #[test]
    fn a_day_begins_at_midnight_utc() {
        assert_eq!(day_start(at(3, 9, 23)), at(3, 9, 0));
        assert_eq!(day_start(at(3, 9, 0)), at(3, 9, 0));
    }

    #[test]
    fn a_new_month_restores_what_was_charged_before_it() {
        let restored = restore(40, 0).unwrap();
        assert_eq!((restored.points, restored.reputation), (60, FULL));
        assert_eq!(restore(FULL, 0), None, "once");
        assert_eq!(restore(80, -20), None, "what this month has charged stays charged");
        assert_eq!(
            restore(20, -20).map(|change| change.reputation),
            Some(80),
            "though the restoration came after the charge"
        );
        assert_eq!(restore(0, -120), None);
    }

    #[test]
    fn a_month_begins_at_midnight_utc_of_its_first_day() {
        assert_eq!(month_start(at(3, 9, 23)), at(3, 1, 0));
        assert_eq!(month_start(at(3, 1, 0)), at(3, 1, 0));
        assert_eq!(month_start(at(12, 31, 23)), at(12, 1, 0));
    }

    proptest! {
        #[test]
        fn what_is_shown_is_what_is_charged(reputation in 0..=100, today in 0..9_u32) {
            let standing = ReputationStanding { reputation, cancelled_today: today };
            let change = charge(standing, Cause::Cancelled);
            prop_assert_eq!(change.points, -cancel_cost(standing));
            prop_assert_eq!(change.reputation, reputation + change.points);
            prop_assert!((0..=100).contains(&change.reputation));
        }
    }
}
