//! Credit: what a person's behaviour costs.

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
