//! When things were last changed, as far as this process knows. With it, a process can tell without a statement whether what it
//! has read before is still up to date.
//!
//! The process counts up a stamp with each change that it learns of: from its own commits at once, and from those of other
//! processes through the change feed. Data is read after taking the current stamp, and is up to date as long as nothing on
//! which it depends has a later stamp.

use std::sync::{PoisonError, RwLock};

use chrono::Duration;
use domain::clock::Timestamp;
use lru::LruCache;
use store::outages::Heartbeat;

use super::feed::Change;
use super::outages;
use crate::Context;

/// How long after the last read of the feed the versions are trusted. A change by another process is unknown for no longer.
const TRUSTED_FOR: Duration = Duration::seconds(1);
/// The number of changed things that are remembered. Of others, it is only known that they were not changed recently.
const MAX_REMEMBERED: usize = 400_000;

/// A moment in the order of the changes that the process has learnt of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stamp(u64);

/// How long data stays up to date.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lasting {
    /// What it depends on.
    pub on: Vec<Change>,
    /// When it changes by itself; `None` if it does not.
    pub until: Option<Timestamp>,
    /// Whether it contains deadlines, which wait during an outage.
    pub deadlines: bool,
}

#[derive(Debug)]
struct Stamps {
    last: u64,
    /// The last stamp of each changed thing, in the order of the stamps.
    changed: LruCache<Change, u64>,
    /// The latest stamp that is no longer in `changed`.
    forgotten: u64,
}

/// The last successful read of the feed.
#[derive(Debug, Clone, Copy)]
struct Read {
    /// By the machine's clock.
    at: Timestamp,
    heartbeat: Option<Heartbeat>,
}

#[derive(Debug)]
pub(crate) struct Versions {
    stamps: RwLock<Stamps>,
    read: RwLock<Option<Read>>,
}

impl Default for Versions {
    fn default() -> Self {
        let stamps = Stamps { last: 0, changed: LruCache::unbounded(), forgotten: 0 };
        Self { stamps: RwLock::new(stamps), read: RwLock::default() }
    }
}

impl Versions {
    pub(crate) fn changed(&self, changes: &[Change]) {
        if changes.is_empty() {
            return;
        }
        let mut stamps = self.stamps.write().unwrap_or_else(PoisonError::into_inner);
        stamps.last = stamps.last.saturating_add(1);
        let last = stamps.last;
        for change in changes {
            stamps.changed.put(*change, last);
            if stamps.changed.len() > MAX_REMEMBERED
                && let Some((_, at)) = stamps.changed.pop_lru()
            {
                stamps.forgotten = at;
            }
        }
    }

    /// Records a read of the feed that began at `at`, after [`Self::changed`] was told of what it found.
    pub(crate) fn read(&self, at: Timestamp, heartbeat: Option<Heartbeat>) {
        *self.read.write().unwrap_or_else(PoisonError::into_inner) = Some(Read { at, heartbeat });
    }

    /// Forgets everything, because changes may have been missed.
    pub(crate) fn reset(&self) {
        *self.read.write().unwrap_or_else(PoisonError::into_inner) = None;
        let mut stamps = self.stamps.write().unwrap_or_else(PoisonError::into_inner);
        stamps.last = stamps.last.saturating_add(1);
        let last = stamps.last;
        *stamps = Stamps { last, changed: LruCache::unbounded(), forgotten: last };
    }

    fn stamp(&self) -> Stamp {
        Stamp(self.stamps.read().unwrap_or_else(PoisonError::into_inner).last)
    }

    /// Returns whether none of `on` was changed since a stamp.
    fn unchanged(&self, since: Stamp, on: &[Change]) -> bool {
        let stamps = self.stamps.read().unwrap_or_else(PoisonError::into_inner);
        since.0 >= stamps.forgotten && on.iter().all(|one| stamps.changed.peek(one).is_none_or(|at| *at <= since.0))
    }
}

impl Context {
    /// Tells this process what it has committed, so that its next response shows it. Other processes read it from the change
    /// feed.
    pub fn changed(&self, changes: &[Change]) {
        self.versions.changed(changes);
        self.has_committed();
    }

    /// Returns the current stamp. Take it before reading data that is to be kept.
    pub fn stamp(&self) -> Stamp {
        self.versions.stamp()
    }

    /// Returns whether the change feed was last read longer ago, so that recent changes by others are unknown.
    pub(crate) fn feed_is_older_than(&self, age: Duration) -> bool {
        let read = *self.versions.read.read().unwrap_or_else(PoisonError::into_inner);
        read.is_some_and(|read| self.machine_now().signed_duration_since(read.at) > age)
    }

    /// Returns whether data that was read after a stamp is still up to date at `now`.
    pub fn lasts(&self, since: Stamp, lasting: &Lasting, now: Timestamp) -> bool {
        let Some(read) = *self.versions.read.read().unwrap_or_else(PoisonError::into_inner) else { return false };
        let age = self.machine_now().signed_duration_since(read.at);
        let silent = lasting.deadlines && outages::silence(self, read.heartbeat, now) > Duration::zero();
        (Duration::zero()..TRUSTED_FOR).contains(&age)
            && !silent
            && lasting.until.is_none_or(|until| now < until)
            && self.versions.unchanged(since, &lasting.on)
    }
}

#[cfg(test)]
mod tests {
    use domain::ids::UserId;
    use uuid::Uuid;

    use super::*;

    fn user(number: usize) -> Change {
        Change::User(UserId(Uuid::from_u128(number.try_into().unwrap())))
    }

    #[test]
    fn only_later_changes_of_the_same_thing_count() {
        let versions = Versions::default();
        versions.changed(&[user(1)]);
        let stamp = versions.stamp();
        versions.changed(&[user(2), Change::Reference]);
        assert!(versions.unchanged(stamp, &[user(1), user(3)]));
        assert!(!versions.unchanged(stamp, &[user(1), Change::Reference]));
        versions.changed(&[user(1)]);
        assert!(!versions.unchanged(stamp, &[user(1)]));
        assert!(versions.unchanged(versions.stamp(), &[user(1), user(2)]));
    }

    #[test]
    fn what_is_forgotten_counts_as_changed() {
        let versions = Versions::default();
        let first = versions.stamp();
        versions.changed(&[user(0)]);
        let stamp = versions.stamp();
        for number in 1..=MAX_REMEMBERED {
            versions.changed(&[user(number)]);
        }
        assert!(versions.stamps.read().unwrap().changed.peek(&user(0)).is_none(), "the change is forgotten");
        for number in [0, MAX_REMEMBERED + 1] {
            assert!(!versions.unchanged(first, &[user(number)]), "{number}");
            assert!(versions.unchanged(stamp, &[user(number)]), "only older changes are forgotten: {number}");
        }
        assert!(!versions.unchanged(stamp, &[user(1)]));
        assert!(versions.unchanged(versions.stamp(), &[user(0), user(MAX_REMEMBERED)]));
    }

    #[test]
    fn nothing_is_known_after_a_reset() {
        let versions = Versions::default();
        let stamp = versions.stamp();
        versions.reset();
        assert!(!versions.unchanged(stamp, &[user(1)]));
        assert!(versions.unchanged(versions.stamp(), &[user(1)]));
    }
}
