//! What officers last decided about pairs and maintenance.

use domain::assets::PairId;
use domain::clock::Timestamp;
use serde_json::{Value, json};

use super::audit::{self, By, Entry, Subject};
use crate::{Error, Result, Tx};

/// A change of a pair's setting by an officer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairAct {
    pub setting: String,
    pub before: String,
    pub after: String,
    pub officer: String,
    pub reason: String,
    pub at: Timestamp,
}

/// The action of a [`PairAct`] in the audit log.
const SET_PAIR: &str = "set_pair";

/// Records the change of a setting from `before` to `after`.
pub async fn record_pair_act(
    tx: &mut Tx,
    pair: PairId,
    by: &By,
    (setting, before, after): (&str, &str, &str),
    reason: &str,
    at: Timestamp,
) -> Result<()> {
    let details = json!({ "setting": setting, "before": before, "after": after });
    let entry = Entry { action: SET_PAIR, subject: Subject::Pair(pair), details, reason: Some(reason) };
    audit::record(tx, by, entry, at).await
}

/// Returns every change of a pair's settings, oldest first.
pub async fn pair_acts(tx: &mut Tx, pair: PairId) -> Result<Vec<PairAct>> {
    let lines = audit::decisions_on(tx, Subject::Pair(pair)).await?;
    let acts = lines.into_iter().filter(|line| line.action == SET_PAIR).map(|line| {
        let text = |name: &str| line.details.get(name).and_then(Value::as_str).map(str::to_owned);
        let missing = || Error::row("audit_log", line.id, "details");
        Ok(PairAct {
            setting: text("setting").ok_or_else(missing)?,
            before: text("before").ok_or_else(missing)?,
            after: text("after").ok_or_else(missing)?,
            officer: line.name,
            reason: line.reason.unwrap_or_default(),
            at: line.at,
        })
    });
    acts.collect()
}

/// The reference price that an officer set last for a pair: its ID, the officer and the time.
pub async fn last_reference_act(tx: &mut Tx, pair: PairId) -> Result<Option<(i64, String, Timestamp)>> {
    let row = sqlx::query!(
        "select id, officer, at from reference_price_acts where pair_id = $1 order by id desc limit 1",
        pair.0
    )
    .fetch_optional(tx.connection())
    .await?;
    Ok(row.map(|row| (row.id, row.officer, row.at)))
}

/// Returns the ID of the newest maintenance plan; 0 if there is none.
pub async fn last_plan(tx: &mut Tx) -> Result<i64> {
    let id = sqlx::query_scalar!("select id from maintenance_plans order by id desc limit 1")
        .fetch_optional(tx.connection())
        .await?;
    match id {
        Some(id) if id < 1 => Err(Error::row("maintenance_plans", id, "ID")),
        id => Ok(id.unwrap_or_default()),
    }
}
