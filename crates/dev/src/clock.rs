//! The control of the product's clock, and of the chain's with it.
//!
//! `GET /clock` says how time runs; `POST /clock` lets it run otherwise: `{"stopAt": "2026-11-21T12:00:00Z"}`,
//! `{"advanceSeconds": 86400}` or `{"run": {"shiftSeconds": 0}}`. Every process of the product reads the one row that is
//! written here, so a day passes for all of them at once.

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

/// What the control works on.
#[derive(Clone)]
pub(crate) struct Clocks {
    /// The product's database, whose row all processes read.
    pub(crate) store: Store,
    /// The chain, whose blocks carry times.
    pub(crate) node: Node,
}

/// The calls.
pub(crate) fn router(clocks: Clocks) -> Router {
    Router::new().route("/clock", get(read).post(change)).with_state(clocks)
}

/// What is wanted of the clock.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
enum Wish {
    /// Stand still at this moment.
    StopAt(DateTime<Utc>),
    /// Be so much later, running or standing as before. Negative is earlier.
    AdvanceSeconds(i64),
    /// Run with the machine's time, shifted.
    #[serde(rename_all = "camelCase")]
    Run {
        /// How much later than the machine; negative is earlier.
        shift_seconds: i64,
    },
}

/// How time runs.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Answer {
    /// The product's time.
    now: DateTime<Utc>,
    /// Whether it stands still.
    stopped: bool,
    /// How much later than the machine's it is, in seconds.
    shift_seconds: i64,
    /// The time of the newest block. A chain never goes back: it may be later than the product's.
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
    let reading = changed(reading, wish).ok_or_else(|| Failure::bad("a timestamp that no calendar has"))?;
    store::clock::set(&mut tx, reading).await?;
    tx.commit().await?;
    let target = reading.now(Utc::now()).timestamp();
    // Blocks only get later. When the clock goes back, the chain stays where it is.
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
    fn a_standing_clock_is_advanced_and_stands() {
        let standing =
            changed(Reading::Running { shift: Duration::zero() }, wish(r#"{"stopAt": "2026-02-28T23:59:59Z"}"#));
        let later = changed(standing.unwrap(), wish(r#"{"advanceSeconds": 1}"#));
        assert_eq!(later, Some(Reading::Stopped { at: at("2026-03-01T00:00:00Z") }));
    }

    #[test]
    fn a_running_clock_is_advanced_and_runs() {
        let running =
            changed(Reading::Stopped { at: at("2026-01-01T00:00:00Z") }, wish(r#"{"run": {"shiftSeconds": 60}}"#));
        let later = changed(running.unwrap(), wish(r#"{"advanceSeconds": -90}"#));
        assert_eq!(later, Some(Reading::Running { shift: Duration::seconds(-30) }));
    }

    #[test]
    fn a_moment_that_no_calendar_has_is_refused() {
        let standing = Reading::Stopped { at: DateTime::<Utc>::MAX_UTC };
        assert_eq!(changed(standing, Wish::AdvanceSeconds(1)), None);
        assert_eq!(changed(standing, Wish::Run { shift_seconds: i64::MAX }), None);
    }

    #[test]
    fn other_wishes_are_not_understood() {
        for text in [r#"{"stop": 1}"#, r#"{"advanceSeconds": "1"}"#, r#"{"run": {}}"#, r#"{"stopAt": "tomorrow"}"#] {
            assert!(serde_json::from_str::<Wish>(text).is_err(), "{text}");
        }
    }
}
