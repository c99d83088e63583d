//! A deadline that remembers from when it runs, so that time for which the platform is to blame can be taken out.

use chrono::Duration;
use serde::{Deserialize, Serialize};

use crate::clock::{self, Timestamp};

/// Until when somebody must act. It has passed at the very moment `at`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deadline {
    /// From when it runs. Moves forward with every standstill that was taken out, so that none is taken out twice.
    pub since: Timestamp,
    /// When it passes.
    pub at: Timestamp,
    /// When the one who is late was told that the deadline has passed. The grace runs from here, so that a platform
    /// that tells late gives no less of it.
    pub notified_at: Option<Timestamp>,
}

impl Deadline {
    /// A deadline `window` after `now`.
    pub fn new(now: Timestamp, window: Duration) -> Self {
        Self { since: now, at: clock::after(now, window), notified_at: None }
    }

    /// Whether it has passed.
    pub fn passed(&self, now: Timestamp) -> bool {
        now >= self.at
    }

    /// When the grace ends; nothing before the late one was told.
    pub fn grace_until(&self, grace: Duration) -> Option<Timestamp> {
        self.notified_at.map(|told| clock::after(told.max(self.at), grace))
    }

    /// Whether the late one was told and the grace has passed as well.
    pub fn grace_passed(&self, now: Timestamp, grace: Duration) -> bool {
        self.grace_until(grace).is_some_and(|end| now >= end)
    }

    /// Takes out the time from `from` to `until`, as far as the deadline was running; nothing if it was not.
    #[must_use]
    pub fn without(&self, from: Timestamp, until: Timestamp) -> Option<Self> {
        let lost = until.signed_duration_since(from.max(self.since));
        (lost > Duration::zero()).then(|| Self {
            since: until,
            at: clock::after(self.at, lost),
            notified_at: self.notified_at.map(|told| clock::after(told, lost)),
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
    fn it_passes_at_its_moment_and_not_a_nanosecond_before() {
        let deadline = Deadline::new(minute(0), Duration::minutes(5));
        assert!(!deadline.passed(minute(5) - Duration::nanoseconds(1)));
        assert!(deadline.passed(minute(5)));
    }

    #[test]
    fn the_grace_runs_from_when_the_late_one_was_told() {
        let mut deadline = Deadline::new(minute(0), Duration::minutes(5));
        assert!(!deadline.grace_passed(minute(1_000), Duration::minutes(10)));
        deadline.notified_at = Some(minute(7));
        assert!(!deadline.grace_passed(minute(16), Duration::minutes(10)));
        assert!(deadline.grace_passed(minute(17), Duration::minutes(10)));
    }

    #[test]
    fn a_standstill_counts_once_and_only_while_the_deadline_ran() {
        let deadline = Deadline::new(minute(10), Duration::minutes(5));
        assert_eq!(deadline.without(minute(0), minute(10)), None);
        let moved = deadline.without(minute(0), minute(13)).unwrap();
        assert_eq!(moved.at, minute(18));
        assert_eq!(moved.without(minute(0), minute(13)), None);
        assert_eq!(moved.without(minute(13), minute(14)).unwrap().at, minute(19));
    }

    #[test]
    fn a_standstill_leaves_the_grace_whole() {
        let mut deadline = Deadline::new(minute(0), Duration::minutes(5));
        deadline.notified_at = Some(minute(6));
        let moved = deadline.without(minute(7), minute(9)).unwrap();
        assert_eq!(moved.grace_until(Duration::minutes(10)), Some(minute(18)));
    }
}
