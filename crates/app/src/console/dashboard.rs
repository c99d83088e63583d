//! The dashboard: what the platform does now, for administrators. Figures only, no data of users except for the stopped vaults.

use std::collections::BTreeMap;

use chrono::Duration;
use domain::assets::{Asset, AssetId};
use domain::clock::{Timestamp, after};
use domain::money::Amount;
use domain::orders::StateName;
use serde_json::json;
use store::console::audit::Subject;
use store::console::dashboard as figures;
pub use store::console::dashboard::Decisions;
use store::reconciliations::{self, Reconciled, Reconciliation};
use store::{Tx, catalog};

use super::reports::{FailingPayout, Stopped, StoppedVault, failing_in, stopped_in, stopped_vaults_in};
use super::{Acting, Console};
use crate::{Error, Result};

/// A round of reconciliation takes its time with many vaults. So its result is stale after three times as long as the round took,
/// and at the earliest after this time.
const FRESH_FOR: Duration = Duration::minutes(10);

/// The number of failing payouts and of stopped vaults that are listed, those first that have waited for the longest.
const MAX_LISTED: usize = 20;

/// The completed orders of a period.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Completed {
    pub orders: i64,
    pub quantity: Amount,
}

/// The completed orders with the same base.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Volume {
    pub base: Asset,
    /// Of the last 24 hours.
    pub day: Completed,
    /// Of the last 7 days.
    pub week: Completed,
}

/// The appeals without a verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UndecidedAppeals {
    /// Counted up to [`store::console::waiting::MAX_COUNT`], as is `overdue`.
    pub waiting: i64,
    pub overdue: i64,
    /// When the oldest one should be decided.
    pub oldest_due_at: Option<Timestamp>,
}

/// The custody of an asset on the chain and in the ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EscrowOf {
    pub asset: Asset,
    pub found: Reconciled,
}

impl EscrowOf {
    /// Returns what the chain holds more than the ledger says, in base units. Negative if it holds less.
    pub fn difference(&self) -> i128 {
        self.found.on_chain.units().saturating_sub(self.found.in_ledger.units())
    }
}

/// What the latest round of reconciliation found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Escrow {
    pub began_at: Timestamp,
    pub ended_at: Timestamp,
    /// From when on the result is stale, because the next round should have ended.
    pub stale_at: Timestamp,
    pub first_block: u64,
    pub last_block: u64,
    pub assets: Vec<EscrowOf>,
}

/// The payouts that are stopped or keep failing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Payouts {
    /// Oldest first.
    pub stops: Vec<Stopped>,
    /// Oldest first, at most [`MAX_LISTED`].
    pub failing: Vec<FailingPayout>,
    /// How many there are.
    pub failing_total: usize,
    /// Oldest first, at most [`MAX_LISTED`].
    pub vaults: Vec<StoppedVault>,
    pub vaults_total: usize,
}

/// The figures of the platform.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dashboard {
    /// The time of all figures but the escrow.
    pub at: Timestamp,
    /// Of the assets with completed orders, in the order of their IDs.
    pub volumes: Vec<Volume>,
    /// The open orders in each state, counted up to [`figures::MAX_ORDERS`].
    pub open_orders: Vec<(StateName, i64)>,
    pub appeals: UndecidedAppeals,
    /// The decisions of the last 7 days.
    pub week: Decisions,
    /// The decisions of the last 30 days.
    pub month: Decisions,
    /// `None` before the first round of reconciliation has ended.
    pub escrow: Option<Escrow>,
    pub payouts: Payouts,
}

fn ago(now: Timestamp, span: Duration) -> Timestamp {
    now.checked_sub_signed(span).unwrap_or(now)
}

impl Console {
    /// Returns the figures of the platform.
    pub async fn dashboard(&self, acting: &Acting) -> Result<Dashboard> {
        let viewing = acting.viewing();
        let (mut tx, now) = self.refreshed_view(&viewing, "view_dashboard", Subject::Platform, json!({})).await?;
        let assets: BTreeMap<_, _> =
            catalog::assets(&mut tx).await?.into_iter().map(|asset| (asset.id, asset)).collect();
        let undecided = figures::undecided(&mut tx, ago(now, self.rules.decide_within)).await?;
        let found = Dashboard {
            at: now,
            volumes: volumes(&mut tx, &assets, now).await?,
            open_orders: figures::open_orders(&mut tx, &StateName::OPEN).await?,
            appeals: UndecidedAppeals {
                waiting: undecided.waiting,
                overdue: undecided.overdue,
                oldest_due_at: undecided.oldest.map(|filed_at| after(filed_at, self.rules.decide_within)),
            },
            week: figures::decisions(&mut tx, ago(now, Duration::days(7)), now).await?,
            month: figures::decisions(&mut tx, ago(now, Duration::days(30)), now).await?,
            escrow: escrow(&mut tx, &assets).await?,
            payouts: payouts(&mut tx).await?,
        };
        tx.commit().await?;
        Ok(found)
    }
}

fn named(assets: &BTreeMap<AssetId, Asset>, id: AssetId) -> Result<Asset> {
    assets.get(&id).cloned().ok_or_else(|| Error::Internal(format!("no asset {}", id.0)))
}

async fn volumes(tx: &mut Tx, assets: &BTreeMap<AssetId, Asset>, now: Timestamp) -> Result<Vec<Volume>> {
    // An order that is completed at this very moment counts.
    let before = after(now, Duration::microseconds(1));
    let mut of = async |span| figures::volumes(tx, ago(before, span), before).await;
    let (day, week) = (of(Duration::days(1)).await?, of(Duration::days(7)).await?);
    let completed = |volume: &figures::Volume| Completed { orders: volume.orders, quantity: volume.quantity };
    // Whoever has orders of a day has orders of the week.
    let volumes = week.iter().map(|volume| {
        let of_day = day.iter().find(|one| one.base == volume.base).map(completed).unwrap_or_default();
        Ok(Volume { base: named(assets, volume.base)?, day: of_day, week: completed(volume) })
    });
    volumes.collect()
}

async fn escrow(tx: &mut Tx, assets: &BTreeMap<AssetId, Asset>) -> Result<Option<Escrow>> {
    let Some(chain) = catalog::escrow_chain(tx).await? else { return Ok(None) };
    let Some(round) = reconciliations::latest(tx, chain.id).await? else { return Ok(None) };
    let Reconciliation { began_at, ended_at, first_block, last_block, assets: found } = round;
    let found = found.into_iter().map(|found| Ok(EscrowOf { asset: named(assets, found.asset)?, found }));
    let assets = found.collect::<Result<_>>()?;
    Ok(Some(Escrow { began_at, ended_at, stale_at: stale_at(began_at, ended_at), first_block, last_block, assets }))
}

/// Returns from when on the result of a round is stale.
fn stale_at(began_at: Timestamp, ended_at: Timestamp) -> Timestamp {
    let took = ended_at.signed_duration_since(began_at);
    after(ended_at, took.checked_mul(3).unwrap_or(took).max(FRESH_FOR))
}

async fn payouts(tx: &mut Tx) -> Result<Payouts> {
    let mut stops = stopped_in(tx).await?;
    stops.sort_by_key(|stopped| stopped.stop.since);
    let mut failing = failing_in(tx).await?;
    failing.sort_by_key(|payout| payout.failing.since);
    let mut vaults = stopped_vaults_in(tx).await?;
    vaults.sort_by_key(|stopped| stopped.stop.since);
    let (failing_total, vaults_total) = (failing.len(), vaults.len());
    failing.truncate(MAX_LISTED);
    vaults.truncate(MAX_LISTED);
    Ok(Payouts { stops, failing, failing_total, vaults, vaults_total })
}

#[cfg(test)]
mod tests {
    use domain::clock::after;
    use testkit::noon;

    use super::*;

    #[test]
    fn a_result_is_stale_when_the_next_round_should_have_ended() {
        let noon = noon();
        assert_eq!(stale_at(noon, noon), after(noon, Duration::minutes(10)));
        assert_eq!(stale_at(noon, after(noon, Duration::minutes(2))), after(noon, Duration::minutes(12)));
        assert_eq!(stale_at(noon, after(noon, Duration::hours(1))), after(noon, Duration::hours(4)));
    }
}
