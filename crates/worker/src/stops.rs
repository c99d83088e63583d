//! Publishes metrics about payout stops, and resumes payouts for an officer.

use std::collections::BTreeSet;

use app::Context;
use app::officers::{self, Resumption};
use chain::node::Node;

use crate::{Next, Result, Worker, reconcile};

/// Publishes metrics: per asset, whether its payouts are stopped (1 or 0) and how many of its vaults are stopped
/// individually; and the number of legs that keep failing.
pub async fn show(worker: &Worker) -> Result<Next> {
    let Some(watch) = app::chain::watch(&worker.context, 1).await? else { return Ok(Next::Rest) };
    let stopped = officers::stopped(&worker.context).await?;
    let vaults = officers::stopped_vaults(&worker.context).await?;
    let failing = officers::failing(&worker.context).await?;
    let (to_be_voided, others): (Vec<_>, Vec<_>) = failing.iter().partition(|payout| payout.failing.to_be_voided);
    for (name, legs) in [("mec2c_payouts_to_be_voided", to_be_voided), ("mec2c_payouts_failing", others)] {
        metrics::gauge!(name).set(f64::from(u32::try_from(legs.len()).unwrap_or(u32::MAX)));
    }
    for payout in &failing {
        tracing::error!(alarm = %payout, "a payout keeps failing");
    }
    for asset in watch.assets {
        let stands = stopped.iter().any(|stopped| stopped.asset.id == asset.id);
        let vault_assets: BTreeSet<_> =
            vaults.iter().map(|one| one.stop.vault_asset).filter(|vault_asset| vault_asset.asset == asset.id).collect();
        let count = u32::try_from(vault_assets.len()).unwrap_or(u32::MAX);
        metrics::gauge!("mec2c_vaults_stopped", "asset" => asset.code.clone()).set(f64::from(count));
        metrics::gauge!("mec2c_payouts_stopped", "asset" => asset.code).set(if stands { 1.0 } else { 0.0 });
    }
    Ok(Next::Rest)
}

/// The outcome of an officer's request to resume payouts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resumed {
    Done,
    /// The asset is not stopped, or is unknown. Nothing was written.
    NotStopped,
    /// The asset was stopped for another reason during the check. Nothing was written.
    StoppedAnew,
    /// The ledger and the chain disagree. Contains a description of each difference. Nothing was written.
    Disagree(Vec<String>),
}

/// Resumes the payouts of an asset, regardless of why they stopped, if the ledger and the chain now agree on the asset.
pub async fn resume(context: &Context, node: &dyn Node, resumption: &Resumption) -> Result<Resumed> {
    let stops = officers::stopped(context).await?;
    let Some(stopped) = stops.into_iter().find(|stopped| stopped.asset.code == resumption.asset) else {
        return Ok(Resumed::NotStopped);
    };
    let differences = reconcile::shortages(context, node, stopped.asset.id).await?;
    if !differences.is_empty() {
        return Ok(Resumed::Disagree(differences));
    }
    Ok(if officers::resume(context, &stopped, resumption).await? { Resumed::Done } else { Resumed::StoppedAnew })
}
