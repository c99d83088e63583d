//! Compares what the books say with what the chain holds, at the newest final block. A vault that holds less than it
//! should stops the payouts of that coin. One that holds more of the chain's own coin was sent it by a contract, which
//! leaves no trace: the rest is a deposit.

use std::sync::{Mutex, PoisonError};

use app::chain::CustodyPage;
use app::chain_feed::{self, Balance};
use domain::chain::{ChainId, CustodyIndex, Token};

use crate::{Pace, Result, Worker};

/// How far a round through all vaults has got.
#[derive(Debug, Default)]
pub struct Round(Mutex<(Option<CustodyIndex>, usize)>);

/// Compares all vaults once.
pub async fn step(worker: &Worker) -> Result<Pace> {
    let round = Round::default();
    while next(worker, &round).await? == Pace::Again {}
    Ok(Pace::Rest)
}

/// Compares the next vaults of a round, some at a time: the chain goes on meanwhile, and a failure costs no more than them.
pub async fn next(worker: &Worker, round: &Round) -> Result<Pace> {
    let Some(watch) = app::chain::watch(&worker.context, 1).await? else { return Ok(Pace::Rest) };
    let (after, compared) = *round.0.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(page) = app::chain::custody(&worker.context, watch.chain.id, after).await? else { return Ok(Pace::Rest) };
    compare(worker, watch.chain.id, &page).await?;
    let compared = compared.saturating_add(page.custody.len());
    let (pace, place) =
        if page.last.is_some() { (Pace::Again, (page.last, compared)) } else { (Pace::Rest, (None, 0)) };
    *round.0.lock().unwrap_or_else(PoisonError::into_inner) = place;
    if pace == Pace::Rest {
        metrics::gauge!("mec2c_reconciled_vaults").set(f64::from(u32::try_from(compared).unwrap_or(u32::MAX)));
    }
    Ok(pace)
}

async fn compare(worker: &Worker, chain: ChainId, page: &CustodyPage) -> Result<()> {
    let CustodyPage { block, custody, .. } = page;
    let holders: Vec<_> = custody.iter().map(|custody| (custody.vault, custody.token)).collect();
    let held = chain::holdings::at_block(worker.node.as_ref(), block.hash, &holders).await?;
    let mut surplus = Vec::new();
    for (custody, held) in custody.iter().zip(held) {
        if held < custody.owed {
            let because = format!(
                "vault {} holds {held} of what should be {} at block {}",
                custody.vault, custody.owed, block.number
            );
            tracing::error!(because, "payouts stopped");
            app::chain::stop_payouts(&worker.context, custody.asset, &because).await?;
        }
        // What a token says beyond its own logs is not believed.
        if held > custody.owed && custody.token == Token::Native {
            surplus.push(Balance { vault: custody.vault, token: custody.token, amount: held });
        }
    }
    if !surplus.is_empty() {
        let found = chain_feed::apply_balances(&worker.context, chain, *block, &surplus).await?;
        tracing::info!(found, "coins arrived that no transaction explains");
    }
    Ok(())
}
