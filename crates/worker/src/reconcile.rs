//! Compares what the books say with what the chain holds, at the newest final block: all vaults, round after round, and at
//! each new block those that it touched. What the books say of themselves is compared in the rounds too, more rarely.
//!
//! A vault that holds less than the books say stops the payouts of that coin, and so does one of which a token does not say
//! what it holds. What its owner owes since a reorganisation is not there either: that stops the payouts out of this vault
//! alone, and the books know it. A vault that holds
//! more of the chain's own coin was sent it by a contract, which leaves no trace: the rest is a deposit.

use std::sync::{Mutex, PoisonError};

use app::Context;
use app::chain::{Custody, CustodyPage};
use app::chain_ingest::{self, Balance};
use chain::holdings::Unknown;
use chain::node::Node;
use chrono::Duration;
use domain::assets::AssetId;
use domain::chain::{BlockRef, ChainId, CustodyIndex, Token};
use domain::clock::Timestamp;
use domain::money::Amount;

use crate::{Next, Result, Worker};

/// How long it takes at least from one comparison of the books with themselves to the next: it sums all their entries.
const BOOKS_EVERY: Duration = Duration::minutes(1);

/// How far a round through all vaults has got.
#[derive(Debug, Default)]
pub struct Round(Mutex<Place>);

#[derive(Debug, Default, Clone, Copy)]
struct Place {
    after: Option<CustodyIndex>,
    compared: usize,
    /// Whether this round compares what the books say of themselves.
    books: bool,
    /// When such a round began last, by the machine's time.
    books_at: Option<Timestamp>,
}

/// Compares all vaults once.
pub async fn step(worker: &Worker) -> Result<Next> {
    let round = Round::default();
    while next(worker, &round).await? == Next::Immediately {}
    Ok(Next::Rest)
}

/// Compares the next vaults of a round, some at a time: the chain goes on meanwhile, and a failure costs no more than them.
pub async fn next(worker: &Worker, round: &Round) -> Result<Next> {
    let Some(watch) = app::chain::watch(&worker.context, 1).await? else { return Ok(Next::Rest) };
    let mut place = *round.0.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(page) = app::chain::custody(&worker.context, watch.chain.id, place.after).await? else {
        return Ok(Next::Rest);
    };
    compare(worker, watch.chain.id, &page).await?;
    if place.after.is_none() {
        let now = worker.context.machine_now();
        place.books = place.books_at.is_none_or(|at| now.signed_duration_since(at) >= BOOKS_EVERY);
        place.books_at = if place.books { Some(now) } else { place.books_at };
    }
    if let Some(last) = page.last.filter(|_| place.books) {
        for (asset, because) in app::chain::disagreements(&worker.context, place.after, last).await? {
            tracing::error!(because, asset = asset.0, "the books do not agree with themselves: payouts stopped");
            app::chain::stop_payouts(&worker.context, asset, &because).await?;
        }
    }
    let compared = place.compared.saturating_add(page.custody.len());
    let pace = if page.last.is_some() { Next::Immediately } else { Next::Rest };
    place.after = page.last;
    place.compared = if page.last.is_some() { compared } else { 0 };
    *round.0.lock().unwrap_or_else(PoisonError::into_inner) = place;
    if pace == Next::Rest {
        metrics::gauge!("mec2c_reconciled_vaults").set(f64::from(u32::try_from(compared).unwrap_or(u32::MAX)));
    }
    Ok(pace)
}

/// Compares some vaults.
pub(crate) async fn compare(worker: &Worker, chain: ChainId, page: &CustodyPage) -> Result<()> {
    let CustodyPage { block, custody, .. } = page;
    let held = held(worker.node.as_ref(), page).await?;
    let mut surplus = Vec::new();
    for (custody, held) in custody.iter().zip(held) {
        if let Some(because) = shortage(custody, &held, *block) {
            tracing::error!(because, "payouts stopped");
            app::chain::stop_payouts(&worker.context, custody.asset, &because).await?;
        }
        // What a token says beyond its own logs is not believed.
        if let Ok(amount) = held
            && amount > custody.held
            && custody.token == Token::Native
        {
            surplus.push(Balance { vault: custody.vault, token: custody.token, amount });
        }
    }
    if !surplus.is_empty() {
        let found = chain_ingest::apply_balances(&worker.context, chain, *block, &surplus).await?;
        tracing::info!(found, "coins arrived that no transaction explains");
    }
    Ok(())
}

/// Every vault that holds less of a coin than it should, and whatever else is wrong with its books, in words.
pub(crate) async fn shortages(context: &Context, node: &dyn Node, asset: AssetId) -> Result<Vec<String>> {
    let Some(watch) = app::chain::watch(context, 1).await? else { return Ok(vec!["no chain is known".to_owned()]) };
    let mut short = Vec::new();
    let mut after = None;
    loop {
        let Some(mut page) = app::chain::custody(context, watch.chain.id, after).await? else {
            return Ok(vec!["no block of the chain is final yet".to_owned()]);
        };
        page.custody.retain(|custody| custody.asset == asset);
        if let Some(last) = page.last {
            let wrong = app::chain::disagreements(context, after, last).await?;
            short.extend(wrong.into_iter().filter(|(of, _)| *of == asset).map(|(_, why)| why));
        }
        let held = held(node, &page).await?;
        short.extend(page.custody.iter().zip(held).filter_map(|(custody, held)| shortage(custody, &held, page.block)));
        after = page.last;
        if after.is_none() {
            return Ok(short);
        }
    }
}

async fn held(node: &dyn Node, page: &CustodyPage) -> Result<Vec<std::result::Result<Amount, Unknown>>> {
    let holders: Vec<_> = page.custody.iter().map(|custody| (custody.vault, custody.token)).collect();
    Ok(chain::holdings::at_block(node, page.block.hash, &holders).await?)
}

fn shortage(custody: &Custody, held: &std::result::Result<Amount, Unknown>, block: BlockRef) -> Option<String> {
    // What its owner owes since a reorganisation is missing too. That stops the vault, and not the coin.
    let Custody { vault, held: should, .. } = custody;
    let number = block.number;
    match held {
        Ok(held) if held < should => {
            Some(format!("vault {vault} holds {held} of what should be {should} at block {number}"))
        }
        Ok(_) => None,
        Err(why) => Some(format!(
            "the token does not say what vault {vault} holds of what should be {should} at block {number}: {why}"
        )),
    }
}
