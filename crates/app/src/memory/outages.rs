//! The outages by which not all deadlines have been moved yet, and the current one.

use chrono::Duration;
use domain::clock::Timestamp;
use store::outages::Heartbeat;

use super::reference_data::Current;
use crate::Context;

/// A silence longer than this is an outage.
pub const OUTAGE_AFTER: Duration = Duration::seconds(30);

/// Returns the outages that are not applied to all deadlines yet, in order, including current outages. Code that reads
/// a deadline must add them to it.
pub(crate) fn pending(context: &Context, current: &Current, now: Timestamp) -> Vec<(Timestamp, Timestamp)> {
    let mut found: Vec<_> = current.data.lost(now).collect();
    let silent = silence(context, current.heartbeat, now);
    if silent > Duration::zero() {
        found.push((before(now, silent), now));
    }
    found.sort_unstable();
    found
}

/// Computes the length of the current outage by the product's clock; zero if there is none.
pub(crate) fn silence(context: &Context, last: Option<Heartbeat>, now: Timestamp) -> Duration {
    last.map_or(Duration::zero(), |last| lost(last, now, context.machine_now()))
}

/// Computes the length of an outage that ends now, by the product's clock; zero if there was none.
pub(crate) fn lost(last: Heartbeat, now: Timestamp, machine: Timestamp) -> Duration {
    let silence = machine.signed_duration_since(last.machine_at);
    if silence <= OUTAGE_AFTER {
        return Duration::zero();
    }
    silence.min(now.signed_duration_since(last.at)).max(Duration::zero())
}

pub(crate) fn before(now: Timestamp, span: Duration) -> Timestamp {
    now.checked_sub_signed(span).unwrap_or(Timestamp::MIN_UTC)
}
