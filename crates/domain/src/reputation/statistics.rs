//! What a person's last 30 days show to others.

use chrono::Duration;

/// Over how long statistics look back.
pub const PERIOD: Duration = Duration::days(30);

/// How many confirmations the fast badge needs.
pub const FAST_CONFIRMATIONS: u32 = 10;

/// The fast badge needs an average below this.
pub const FAST_AVERAGE: Duration = Duration::minutes(30);

/// What was counted of a person's orders that ended within [`PERIOD`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Record {
    /// Orders that were completed.
    pub completed: u32,
    /// Orders whose cancellation counted against the person.
    pub failed: u32,
    /// Orders in which the person, as the seller, confirmed a payment.
    pub confirmations: u32,
    /// How long those took together, from "paid" to the confirmation.
    pub confirming: Duration,
}

impl Record {
    /// The share of orders that were completed, in millionths, rounded down; nothing without orders. An order that
    /// failed by the other side is not counted.
    pub fn completion_ppm(&self) -> Option<u32> {
        let all = u64::from(self.completed).saturating_add(u64::from(self.failed));
        let share = u64::from(self.completed).saturating_mul(1_000_000).checked_div(all)?;
        u32::try_from(share).ok()
    }

    /// The average time from "paid" to the confirmation; nothing without confirmations.
    pub fn average_confirmation(&self) -> Option<Duration> {
        let count = i32::try_from(self.confirmations).ok().filter(|&count| count > 0)?;
        self.confirming.checked_div(count)
    }

    /// Whether the person has the fast badge.
    pub fn fast(&self) -> bool {
        fast(self.confirmations, self.average_confirmation())
    }
}

/// Whether so many confirmations with such an average make a fast trader.
pub fn fast(confirmations: u32, average: Option<Duration>) -> bool {
    confirmations >= FAST_CONFIRMATIONS && average.is_some_and(|average| average < FAST_AVERAGE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(completed: u32, failed: u32, confirmations: u32, seconds: i64) -> Record {
        Record { completed, failed, confirmations, confirming: Duration::seconds(seconds) }
    }

    #[test]
    fn the_completion_rate_is_a_share_of_what_the_person_decided() {
        assert_eq!(record(0, 0, 0, 0).completion_ppm(), None);
        assert_eq!(record(2, 1, 0, 0).completion_ppm(), Some(666_666));
        assert_eq!(record(u32::MAX, 0, 0, 0).completion_ppm(), Some(1_000_000));
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
