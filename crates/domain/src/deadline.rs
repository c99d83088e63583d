//! Deadlines, which outages of the platform extend.

use chrono::Duration;
use serde::{Deserialize, Serialize};

use crate::clock::{self, Timestamp};

/// The time by which someone must act. The deadline has passed as soon as the clock reaches `at`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deadline {
    /// When the deadline started to run. Moves to the end of each outage by which it was extended, so that no outage
    /// counts twice.
    pub since: Timestamp,
    pub at: Timestamp,
    /// When the late user was notified that the deadline has passed. The grace period starts at this time, so that a
    /// delayed notification does not shorten it.
    pub notified_at: Option<Timestamp>,
    /// Whether the late user was notified again and has a second grace period.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub extended: bool,
}

impl Deadline {
    pub fn new(now: Timestamp, window: Duration) -> Self {
        Self { since: now, at: clock::after(now, window), notified_at: None, extended: false }
    }

    pub fn passed(&self, now: Timestamp) -> bool {
        now >= self.at
    }

    /// Returns when the grace period ends; `None` if the late user has not been notified yet.
    pub fn grace_until(&self, grace: Duration) -> Option<Timestamp> {
        self.notified_at.map(|told| clock::after(told.max(self.at), grace))
    }

    /// Extends the deadline by the part of an outage during which it was running. Returns `None` if it was not running.
    #[must_use]
    pub fn extended_by(&self, from: Timestamp, until: Timestamp) -> Option<Self> {
        let lost = until.signed_duration_since(from.max(self.since));
        (lost > Duration::zero()).then(|| Self {
            since: until,
            at: clock::after(self.at, lost),
            notified_at: self.notified_at.map(|told| clock::after(told, lost)),
            extended: self.extended,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::{TimeZone, Utc};

    fn minute(minute: i64) -> Timestamp {
        Utc.timestamp_opt(minute * 60, 0).unwrap()
    }

    #[test]
    fn a_deadline_passes_exactly_at_its_time() {
        let deadline = Deadline::new(minute(0), Duration::minutes(5));
        assert!(!deadline.passed(minute(5) - Duration::nanoseconds(1)));
        assert!(deadline.passed(minute(5)));
    }

    #[test]
    fn the_grace_period_starts_with_the_notification() {
        let mut deadline = Deadline::new(minute(0), Duration::minutes(5));
        assert_eq!(deadline.grace_until(Duration::minutes(10)), None);
        deadline.notified_at = Some(minute(7));
        assert_eq!(deadline.grace_until(Duration::minutes(10)), Some(minute(17)));
    }

    #[test]
    fn an_outage_counts_once_and_only_while_the_deadline_ran() {
        let deadline = Deadline::new(minute(10), Duration::minutes(5));
        assert_eq!(deadline.extended_by(minute(0), minute(10)), None);
        let moved = deadline.extended_by(minute(0), minute(13)).unwrap();
        assert_eq!(moved.at, minute(18));
        assert_eq!(moved.extended_by(minute(0), minute(13)), None);
        assert_eq!(moved.extended_by(minute(13), minute(14)).unwrap().at, minute(19));
    }

    #[test]
    fn an_outage_does_not_shorten_the_grace_period() {
        let mut deadline = Deadline::new(minute(0), Duration::minutes(5));
        deadline.notified_at = Some(minute(6));
        let moved = deadline.extended_by(minute(7), minute(9)).unwrap();
        assert_eq!(moved.grace_until(Duration::minutes(10)), Some(minute(18)));
    }
}
