//! The product's clock as a value. Only the outermost layer reads the time; everything else takes it as a parameter.

use chrono::{DateTime, Duration, Utc};

/// A point in time in UTC, read from the product's clock.
pub type Timestamp = DateTime<Utc>;

/// The product's clock relative to the machine's.
///
/// In production it runs without a shift. Tests and demonstrations shift or stop it; all processes that share the
/// database see the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    Running {
        /// Added to the machine's time; may be negative.
        shift: Duration,
    },
    Stopped {
        at: Timestamp,
    },
}

impl Reading {
    /// The product's time when the machine's clock shows `machine`. A shift that is out of range is ignored.
    pub fn now(self, machine: Timestamp) -> Timestamp {
        match self {
            Self::Running { shift } => machine.checked_add_signed(shift).unwrap_or(machine),
            Self::Stopped { at } => at,
        }
    }
}

/// Adds a duration to a timestamp. Saturates at the maximum, so that a deadline is never lost.
pub fn after(timestamp: Timestamp, span: Duration) -> Timestamp {
    timestamp.checked_add_signed(span).unwrap_or(DateTime::<Utc>::MAX_UTC)
}
