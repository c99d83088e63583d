//! Publishes metrics about payout stops.

use std::collections::BTreeSet;

use app::console;

use crate::{Next, Result, Worker};

/// Publishes metrics: per asset, whether its payouts are stopped (1 or 0) and how many of its vaults are stopped
/// individually; and the number of legs that keep failing.
pub async fn show(worker: &Worker) -> Result<Next> {
    let Some(watch) = app::chain::watch(&worker.context, 1).await? else { return Ok(Next::Rest) };
    let stopped = console::stopped(&worker.context).await?;
    let vaults = console::stopped_vaults(&worker.context).await?;
    let failing = console::failing(&worker.context).await?;
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
