//! Compares what the books say with what the chain holds, at the newest final block. A vault that holds less than it
//! should stops the payouts of that coin.

use crate::{Pace, Result, Worker};

/// Compares all vaults once.
pub async fn step(worker: &Worker) -> Result<Pace> {
    let Some(watch) = app::chain::watch(&worker.context, 1).await? else { return Ok(Pace::Rest) };
    let Some((block, custody)) = app::chain::custody(&worker.context, watch.chain.id).await? else {
        return Ok(Pace::Rest);
    };
    let holders: Vec<_> = custody.iter().map(|custody| (custody.vault, custody.token)).collect();
    let held = chain::holdings::at_block(worker.node.as_ref(), block.hash, &holders).await?;
    for (custody, held) in custody.iter().zip(held) {
        if held < custody.owed {
            let because = format!(
                "vault {} holds {held} of what should be {} at block {}",
                custody.vault, custody.owed, block.number
            );
            tracing::error!(because, "payouts stopped");
            app::chain::stop_payouts(&worker.context, custody.asset, &because).await?;
        }
    }
    metrics::gauge!("mec2c_reconciled_vaults").set(f64::from(u32::try_from(custody.len()).unwrap_or(u32::MAX)));
    Ok(Pace::Rest)
}
