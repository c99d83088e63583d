//! Controls the clock of the product and of the chain.
//!
//! `GET /clock` returns the clock's state. `POST /clock` changes it: `{"stopAt": "2026-11-21T12:00:00Z"}`,
//! `{"advanceSeconds": 86400}` or `{"run": {"shiftSeconds": 0}}`. All processes of the product read the clock from the
//! same database row, so it changes for all of them at once.

use axum::extract::State;
use axum::routing::get;
use axum::{Json, Router};
use chrono::{DateTime, Duration, Utc};
use domain::clock::Reading;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use store::Store;

use crate::http::Failure;
use crate::rpc::Node;

#[derive(Clone)]
pub(crate) struct Clocks {
    /// The product's database, which holds the clock.
    pub(crate) store: Store,
    /// The chain, whose block times follow the clock.
    pub(crate) node: Node,
}

pub(crate) fn router(clocks: Clocks) -> Router {
    Router::new().route("/clock", get(read).post(change)).with_state(clocks)
}

/// A change of the clock.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
enum Wish {
    /// Stops the clock at this time.
    StopAt(DateTime<Utc>),
    /// Advances the clock, running or stopped; negative values set it back.
    AdvanceSeconds(i64),
    /// Follows the machine's clock with a shift.
    #[serde(rename_all = "camelCase")]
    Run {
        /// Seconds ahead of the machine's clock; negative if behind.
        shift_seconds: i64,
    },
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Answer {
    /// The product's time.
    now: DateTime<Utc>,
    stopped: bool,
    /// Seconds ahead of the machine's clock.
    shift_seconds: i64,
    /// The time of the newest block. Block times never decrease, so it may be later than the product's time.
    block_time: Option<DateTime<Utc>>,
}

async fn read(State(clocks): State<Clocks>) -> Result<Json<Answer>, Failure> {
    let mut tx = clocks.store.begin().await?;
    let reading = store::clock::read(&mut tx).await?;
    tx.rollback().await?;
    Ok(Json(answer(&clocks, reading).await?))
}

async fn change(State(clocks): State<Clocks>, Json(wish): Json<Wish>) -> Result<Json<Answer>, Failure> {
    let mut tx = clocks.store.begin().await?;
    let reading = store::clock::read(&mut tx).await?;
    let reading = changed(reading, wish).ok_or_else(|| Failure::bad("the timestamp is out of range"))?;
    store::clock::set(&mut tx, reading).await?;
    tx.commit().await?;
    let target = reading.now(Utc::now()).timestamp();
    // Block times never decrease. If the clock is set back, the chain keeps its time.
    if u64::try_from(target).is_ok_and(|target| target > 0) && target > i64::try_from(clocks.node.head_time().await?)? {
        clocks.node.call::<Value>("evm_setNextBlockTimestamp", json!([target])).await?;
        clocks.node.mine().await?;
    }
    Ok(Json(answer(&clocks, reading).await?))
}

fn changed(reading: Reading, wish: Wish) -> Option<Reading> {
    Some(match (wish, reading) {
        (Wish::StopAt(at), _) => Reading::Stopped { at },
        (Wish::Run { shift_seconds }, _) => Reading::Running { shift: Duration::try_seconds(shift_seconds)? },
        (Wish::AdvanceSeconds(seconds), Reading::Stopped { at }) => {
            Reading::Stopped { at: at.checked_add_signed(Duration::try_seconds(seconds)?)? }
        }
        (Wish::AdvanceSeconds(seconds), Reading::Running { shift }) => {
            Reading::Running { shift: shift.checked_add(&Duration::try_seconds(seconds)?)? }
        }
    })
}

async fn answer(clocks: &Clocks, reading: Reading) -> Result<Answer, Failure> {
    let machine = Utc::now();
    let now = reading.now(machine);
    let block_time = i64::try_from(clocks.node.head_time().await?)?;
    Ok(Answer {
        now,
        stopped: matches!(reading, Reading::Stopped { .. }),
        shift_seconds: now.signed_duration_since(machine).num_seconds(),
        block_time: DateTime::from_timestamp(block_time, 0),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wish(text: &str) -> Wish {
        serde_json::from_str(text).unwrap()
    }

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().unwrap()
    }

    #[test]
    fn a_stopped_clock_stays_stopped_when_advanced() {
        let standing =
            changed(Reading::Running { shift: Duration::zero() }, wish(r#"{"stopAt": "2026-02-28T23:59:59Z"}"#));
        let later = changed(standing.unwrap(), wish(r#"{"advanceSeconds": 1}"#));
        assert_eq!(later, Some(Reading::Stopped { at: at("2026-03-01T00:00:00Z") }));
    }

    #[test]
    fn a_running_clock_keeps_running_when_advanced() {
        let running =
            changed(Reading::Stopped { at: at("2026-01-01T00:00:00Z") }, wish(r#"{"run": {"shiftSeconds": 60}}"#));
        let later = changed(running.unwrap(), wish(r#"{"advanceSeconds": -90}"#));
        assert_eq!(later, Some(Reading::Running { shift: Duration::seconds(-30) }));
    }

    #[test]
    fn a_timestamp_out_of_range_is_refused() {
        let standing = Reading::Stopped { at: DateTime::<Utc>::MAX_UTC };
        assert_eq!(changed(standing, Wish::AdvanceSeconds(1)), None);
        assert_eq!(changed(standing, Wish::Run { shift_seconds: i64::MAX }), None);
    }

    #[test]
    fn unknown_requests_are_refused() {
        for text in [r#"{"stop": 1}"#, r#"{"advanceSeconds": "1"}"#, r#"{"run": {}}"#, r#"{"stopAt": "tomorrow"}"#] {
            assert!(serde_json::from_str::<Wish>(text).is_err(), "{text}");
        }
    }
}
