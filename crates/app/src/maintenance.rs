//! Planned maintenance: an officer closes the product for some time, and every running deadline is extended.
//!
//! Maintenance counts as an outage: no deadline takes effect during it, and each deadline that was running is extended
//! afterwards by the time lost. Only the time in which the product was actually closed counts, so an officer can move a
//! plan or end it early at any time.

use domain::clock::Timestamp;
use domain::refusal::Refusal;
use store::Tx;
use store::maintenance::{self, Plan};

pub use store::maintenance::Closing;

use crate::{Context, Result};

/// The officer who decides, and the reason. Recorded permanently.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// 1 to 100 characters.
    pub officer: String,
    /// 1 to 500 characters.
    pub reason: String,
}

/// Plans to close the product from `from` to `until`. Replaces an earlier plan, but the time in which that plan has
/// already closed the product still counts. If `from` is in the past, the product closes now.
pub async fn plan(context: &Context, from: Timestamp, until: Timestamp, decision: Decision) -> Result<()> {
    let (mut tx, now) = begin(context).await?;
    if until <= from.max(now) {
        return Err(
            Refusal::Invalid { field: "until", reason: "must lie after the beginning and in the future" }.into()
        );
    }
    let Decision { officer, reason } = decision;
    maintenance::plan(&mut tx, &Plan { window: Some((from, until)), officer, reason, at: now }).await?;
    Ok(tx.commit().await?)
}

/// Ends the current maintenance, or cancels the planned maintenance, and returns it. Returns `None` if there is none.
pub async fn end(context: &Context, decision: Decision) -> Result<Option<Closing>> {
    let (mut tx, now) = begin(context).await?;
    let Some(closing) = maintenance::closings(&mut tx).await?.into_iter().find(|closing| now < closing.until) else {
        return Ok(None);
    };
    let Decision { officer, reason } = decision;
    maintenance::plan(&mut tx, &Plan { window: None, officer, reason, at: now }).await?;
    tx.commit().await?;
    Ok(Some(closing))
}

async fn begin(context: &Context) -> Result<(Tx, Timestamp)> {
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

/// Returns the periods before `now` in which these closings closed the product.
pub(crate) fn begun(closings: &[Closing], now: Timestamp) -> impl Iterator<Item = (Timestamp, Timestamp)> {
    let begun = closings.iter().filter(move |closing| closing.from <= now);
    begun.map(move |closing| (closing.from, closing.until.min(now)))
}
