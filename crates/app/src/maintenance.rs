//! Planned maintenance: an officer closes the product for a while, and every deadline waits.
//!
//! A closing counts as an outage: while it lasts no deadline takes effect, and when it is over each is moved by as much of
//! it as it ran through. What counts is the time in which the product was really closed, so a plan may be moved or ended
//! early at any time.

use domain::clock::Timestamp;
use domain::refusal::Refusal;
use store::maintenance::{self, Plan};
use store::{Tx, outages};

pub use store::maintenance::Closing;

use crate::{Context, Result};

/// Who decides, and why: kept for ever.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// Who decides: 1 to 100 characters.
    pub officer: String,
    /// Why: 1 to 500 characters.
    pub reason: String,
}

/// Plans to close the product from one moment until another. It replaces the plan before, if there is one: what that one
/// closed so far stays closed time. A moment in the past means from now on.
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

/// Ends the closing that is under way, or takes back the one that was planned. Says which; nothing if there was none.
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
    // Read after the lock: plans follow one another in the order of their moments.
    let now = context.now().await?;
    Ok((tx, now))
}

/// The closings that are under way or to come, and those that are over and not recorded yet, in their order.
pub async fn closings(context: &Context) -> Result<Vec<Closing>> {
    let (mut tx, _) = context.begin().await?;
    Ok(maintenance::closings(&mut tx).await?)
}

/// Whether the product is closed at a moment by this closing.
pub fn covers(closing: &Closing, now: Timestamp) -> bool {
    (closing.from..closing.until).contains(&now)
}

/// Makes outages of the closings that are over. Says whether one is under way.
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

/// What closings have taken so far of the time before a moment, and is no outage yet.
pub(crate) async fn taken(tx: &mut Tx, now: Timestamp) -> store::Result<Vec<(Timestamp, Timestamp)>> {
    let closings = maintenance::closings(tx).await?;
    let begun = closings.into_iter().filter(|closing| closing.from <= now);
    Ok(begun.map(|closing| (closing.from, closing.until.min(now))).collect())
}

/// Whether deadlines must wait: the product is closed, or was and not every deadline was moved by it yet.
pub(crate) async fn deadlines_wait(tx: &mut Tx, now: Timestamp) -> store::Result<bool> {
    Ok(!taken(tx, now).await?.is_empty() || !outages::unmoved(tx).await?.is_empty())
}
