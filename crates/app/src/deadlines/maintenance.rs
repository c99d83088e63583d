//! Planned maintenance: an officer closes the product for some time, and every running deadline is extended.
//!
//! Maintenance counts as an outage: no deadline takes effect during it, and each deadline that was running is extended
//! afterwards by the time lost. Only the time in which the product was actually closed counts, so an officer can move a
//! plan or end it early at any time.

use chrono::SecondsFormat;
use domain::clock::Timestamp;
use domain::refusal::Refusal;
use serde_json::json;
use store::Tx;
use store::console::audit::{By, Entry, Subject};
use store::maintenance::{self, Plan};

pub use store::maintenance::Closing;

use crate::{Context, Result};

/// The officer who decides, and the reason. Recorded permanently.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MaintenanceDecision {
    pub officer: By,
    /// 1 to 500 characters.
    pub reason: String,
}

/// Plans to close the product from `from` to `until`, in a transaction that [`begin`] has begun. Replaces an earlier plan, but the
/// time in which that plan has already closed the product still counts. If `from` is in the past, the product closes now.
pub async fn plan(
    tx: &mut Tx,
    from: Timestamp,
    until: Timestamp,
    decision: &MaintenanceDecision,
    now: Timestamp,
) -> Result<()> {
    if until <= from.max(now) {
        return Err(
            Refusal::Invalid { field: "until", reason: "must lie after the beginning and in the future" }.into()
        );
    }
    write(tx, Some((from, until)), decision, now).await
}

/// Ends the current maintenance, or cancels the planned maintenance, and returns it. Returns `None` if there is none. In a
/// transaction that [`begin`] has begun.
pub async fn end(tx: &mut Tx, decision: &MaintenanceDecision, now: Timestamp) -> Result<Option<Closing>> {
    let Some(closing) = maintenance::closings(tx).await?.into_iter().find(|closing| now < closing.until) else {
        return Ok(None);
    };
    write(tx, None, decision, now).await?;
    Ok(Some(closing))
}

async fn write(
    tx: &mut Tx,
    window: Option<(Timestamp, Timestamp)>,
    decision: &MaintenanceDecision,
    now: Timestamp,
) -> Result<()> {
    let MaintenanceDecision { officer: by, reason } = decision;
    let plan = Plan { window, officer: by.name.clone(), reason: reason.clone(), at: now };
    maintenance::plan(tx, &plan).await?;
    let timestamp = |at: Timestamp| at.to_rfc3339_opts(SecondsFormat::Secs, true);
    let (action, details) = match window {
        Some((from, until)) => ("plan_maintenance", json!({ "from": timestamp(from), "until": timestamp(until) })),
        None => ("end_maintenance", json!({})),
    };
    let entry = Entry { action, subject: Subject::Platform, details, reason: Some(reason) };
    Ok(store::console::audit::record(tx, by, entry, now).await?)
}

/// Begins a transaction in which maintenance may be planned.
pub async fn begin(context: &Context) -> Result<(Tx, Timestamp)> {
    let (mut tx, _) = context.begin().await?;
    maintenance::lock(&mut tx).await?;
    // Read after locking, so that later plans get later timestamps.
    let now = context.now().await?;
    Ok((tx, now))
}

/// Returns maintenance that is current, planned, or finished but not recorded as an outage yet, in order of time.
pub async fn closings(context: &Context) -> Result<Vec<Closing>> {
    let (mut tx, _) = context.begin().await?;
    Ok(maintenance::closings(&mut tx).await?)
}

/// Returns whether this maintenance closes the product at `now`.
pub fn covers(closing: &Closing, now: Timestamp) -> bool {
    (closing.from..closing.until).contains(&now)
}

/// Records finished maintenance as outages. Returns whether the product is closed now.
pub(crate) async fn record(tx: &mut Tx, now: Timestamp) -> store::Result<bool> {
    let mut closed = false;
    for closing in maintenance::closings(tx).await? {
        if closing.until <= now {
            maintenance::record(tx, &closing).await?;
        }
        closed |= covers(&closing, now);
    }
    Ok(closed)
}
