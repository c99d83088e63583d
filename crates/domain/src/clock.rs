//! The product's clock as a value. Only the outermost layer reads the clock; all other code gets the time as a
//! parameter.

use chrono::{DateTime, Duration, Utc};

/// A point in time in UTC, read from the product's clock.
pub type Timestamp = DateTime<Utc>;

/// The setting of the product's clock relative to the machine's clock.
///
/// In production, the product's clock equals the machine's. Tests and demonstrations can shift or stop it, and all
/// processes that share the database then use the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    Running {
        /// The difference to the machine's time; may be negative.
        shift: Duration,
    },
    Stopped {
        at: Timestamp,
    },
}

impl Reading {
    /// Returns the product's time when the machine's clock shows `machine`. Ignores a shift that is out of range.
    pub fn now(self, machine: Timestamp) -> Timestamp {
        match self {
            Self::Running { shift } => machine.checked_add_signed(shift).unwrap_or(machine),
            Self::Stopped { at } => at,
        }
    }
}

/// Adds a duration to a timestamp. Saturates at the maximum, so that an overflow cannot drop a deadline.
pub fn after(timestamp: Timestamp, span: Duration) -> Timestamp {
    timestamp.checked_add_signed(span).unwrap_or(DateTime::<Utc>::MAX_UTC)
}
