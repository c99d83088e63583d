//! The clock as a value. Who needs the time is given it; only the outermost layer asks for it.

use chrono::{DateTime, Duration, Utc};

/// A moment in UTC.
pub type Timestamp = DateTime<Utc>;

/// How the product's time runs.
///
/// A running world has [`Reading::Running`] with no shift. A test or a demonstration moves the shift, or
/// stops the clock altogether, and every process that shares the database sees the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// The machine's time plus a shift.
    Running {
        /// Added to the machine's time; may be negative.
        shift: Duration,
    },
    /// Stands still.
    Stopped {
        /// The moment at which it stands.
        at: Timestamp,
    },
}

impl Reading {
    /// The product's time, when the machine's clock says `machine`. A shift out of range stands at the machine's time.
    pub fn now(self, machine: Timestamp) -> Timestamp {
        match self {
            Self::Running { shift } => machine.checked_add_signed(shift).unwrap_or(machine),
            Self::Stopped { at } => at,
        }
    }
}

/// Adds a span to a moment; at the end of time it stays there, so a deadline can be late but never lost.
pub fn after(timestamp: Timestamp, span: Duration) -> Timestamp {
    timestamp.checked_add_signed(span).unwrap_or(DateTime::<Utc>::MAX_UTC)
}
