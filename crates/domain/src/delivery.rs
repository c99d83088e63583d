//! When a payout counts as undeliverable: its recipient refuses the coin.

use chrono::Duration;

use crate::clock::Timestamp;

/// So often a recipient refuses before the coins go elsewhere.
pub const REJECTIONS: u32 = 3;

/// At least so long lies between the first refusal and that decision: a recipient may be mended meanwhile.
pub const REJECTED_FOR: Duration = Duration::hours(1);

/// Whether a leg that was refused so often, for the first time at `since`, is undeliverable now.
pub fn undeliverable(times: u32, since: Timestamp, now: Timestamp) -> bool {
    times >= REJECTIONS && now.signed_duration_since(since) >= REJECTED_FOR
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
