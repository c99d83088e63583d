//! Decides when a payout is undeliverable because its recipient rejects the coin.

use chrono::Duration;

use crate::clock::Timestamp;

/// The number of rejections after which the coins are redirected.
const MAX_REJECTIONS: u32 = 3;

/// Minimum time between the first rejection and the redirection, so that the recipient contract can be repaired.
const REJECTED_FOR: Duration = Duration::hours(1);

/// Returns whether a leg that was rejected `times` times, first at `since`, is undeliverable.
pub fn undeliverable(times: u32, since: Timestamp, now: Timestamp) -> bool {
    times >= MAX_REJECTIONS && now.signed_duration_since(since) >= REJECTED_FOR
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::orders::tests::{instant, start};

    #[test]
    fn a_leg_is_undeliverable_after_three_refusals_over_an_hour() {
        let hour = start() + Duration::hours(1);
        assert!(undeliverable(3, start(), hour));
        assert!(!undeliverable(2, start(), hour), "too few");
        assert!(!undeliverable(30, start(), hour - instant()), "too soon");
    }
}
