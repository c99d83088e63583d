//! Trade statistics of a user's last 30 days.

use chrono::Duration;

pub const PERIOD: Duration = Duration::days(30);

/// The minimum number of confirmations for the fast badge.
pub const FAST_CONFIRMATIONS: u32 = 10;

/// The average time must be shorter than this for the fast badge.
pub const FAST_AVERAGE: Duration = Duration::minutes(30);

/// Statistics of a user's orders that ended within [`PERIOD`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Record {
    pub completed: u32,
    /// Orders whose cancellation counted against the user.
    pub failed: u32,
    /// Payments that the user confirmed as the seller.
    pub confirmations: u32,
    /// The total time from "paid" to the confirmation.
    pub confirming: Duration,
    /// Confirmations, and releases by a verdict, after the deadline.
    pub late: u32,
    /// Orders placed with the user as the advertiser that the user accepted. The platform accepts automatic orders itself.
    pub accepted: u32,
    /// Orders placed with the user as the advertiser that the user rejected or let pass.
    pub unaccepted: u32,
}

impl Record {
    /// Returns the share of completed orders in millionths, rounded down; `None` without orders. Orders that failed
    /// because of the other party do not count.
    pub fn completion_ppm(&self) -> Option<u32> {
        share_ppm(self.completed, self.failed)
    }

    /// Returns the share of orders that the user accepted as the advertiser in millionths, rounded down; `None` without
    /// such orders. Orders that the taker cancelled in time do not count.
    pub fn acceptance_ppm(&self) -> Option<u32> {
        share_ppm(self.accepted, self.unaccepted)
    }

    /// Returns the average time from "paid" to the confirmation; `None` without confirmations.
    pub fn average_confirmation(&self) -> Option<Duration> {
        let count = i32::try_from(self.confirmations).ok().filter(|&count| count > 0)?;
        self.confirming.checked_div(count)
    }

    pub fn fast(&self) -> bool {
        fast(self.confirmations, self.average_confirmation())
    }
}

/// Returns the share of the first number in the sum of both, in millionths, rounded down; `None` if both are zero.
fn share_ppm(part: u32, rest: u32) -> Option<u32> {
    let all = u64::from(part).saturating_add(u64::from(rest));
    u32::try_from(u64::from(part).saturating_mul(1_000_000).checked_div(all)?).ok()
}

/// Returns whether this number of confirmations with this average earns the fast badge.
pub fn fast(confirmations: u32, average: Option<Duration>) -> bool {
    confirmations >= FAST_CONFIRMATIONS && average.is_some_and(|average| average < FAST_AVERAGE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(completed: u32, failed: u32, confirmations: u32, seconds: i64) -> Record {
        let confirming = Duration::seconds(seconds);
        Record { completed, failed, confirmations, confirming, ..Record::default() }
    }

    #[test]
    fn the_completion_rate_is_rounded_down_and_needs_orders() {
        assert_eq!(record(0, 0, 0, 0).completion_ppm(), None);
        assert_eq!(record(2, 1, 0, 0).completion_ppm(), Some(666_666));
        assert_eq!(record(u32::MAX, 0, 0, 0).completion_ppm(), Some(1_000_000));
    }

    #[test]
    fn the_acceptance_rate_is_rounded_down_and_needs_orders() {
        let of = |accepted, unaccepted| Record { accepted, unaccepted, ..Record::default() }.acceptance_ppm();
        assert_eq!((of(0, 0), of(0, 3), of(2, 1), of(5, 0)), (None, Some(0), Some(666_666), Some(1_000_000)));
    }

    #[test]
    fn the_average_needs_a_confirmation() {
        assert_eq!(record(0, 0, 0, 60).average_confirmation(), None);
        assert_eq!(record(0, 0, 4, 60).average_confirmation(), Some(Duration::seconds(15)));
    }

    #[test]
    fn fast_is_ten_confirmations_under_thirty_minutes() {
        assert!(record(0, 0, 10, 10 * 30 * 60 - 1).fast());
        assert!(!record(0, 0, 10, 10 * 30 * 60).fast());
        assert!(!record(0, 0, 9, 9).fast());
    }
}
