//! Compares the ledger with the chain at the newest final block. A round covers all vaults, one page at a time. In
//! addition, each new final block triggers a comparison of the vaults that it touched. Some rounds also check the
//! internal consistency of the ledger. What a round has found is stored for the dashboard of the console.
//!
//! The payouts of an asset stop if a vault holds less than the ledger's balance or if the token does not report the
//! vault's balance. The ledger's balance excludes debts after a reorganization, which stop only the vault concerned. A
//! surplus of the native coin in a vault comes from a contract, whose transfers leave no log, and is credited as a
//! deposit. So is an NFT that a vault received before the watcher followed its album, or before the vault had an owner. An NFT that
//! its album has taken out of a vault counts as a deposit that the chain has removed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use app::Context;
use app::chain::{Custody, CustodyPage, Disagreement, Reconciled, Reconciliation};
use app::chain_ingest::{self, Balance, LOSSES_AT_ONCE, Missing};
use chain::holdings::Unknown;
use chain::node::Node;
use chrono::Duration;
use domain::assets::AssetId;
use domain::chain::{BlockNumber, BlockRef, ChainId, CustodyIndex, Token};
use domain::clock::Timestamp;
use domain::money::Amount;

use crate::{Next, Result, Worker};

/// The minimum time between two checks of the ledger's internal consistency, which add up all entries.
const BOOKS_EVERY: Duration = Duration::minutes(1);

/// The progress of a round through all vaults.
#[derive(Debug, Default)]
pub struct Round(Mutex<Place>);

#[derive(Debug, Default, Clone)]
struct Place {
    after: Option<CustodyIndex>,
    compared: usize,
    found: Found,
    /// Whether this round also checks the ledger's internal consistency.
    books: bool,
    /// When the last round with such a check began, by the machine's clock.
    books_at: Option<Timestamp>,
}

/// The balance of a vault on the chain.
type Held = std::result::Result<Amount, Unknown>;

/// What a round has found so far.
#[derive(Debug, Default, Clone)]
struct Found {
    /// When the round began, and the lowest and the highest block at which it has compared vaults.
    began: Option<(Timestamp, BlockNumber, BlockNumber)>,
    assets: BTreeMap<AssetId, Reconciled>,
}

impl Found {
    fn add(&mut self, page: &CustodyPage, held: &[Held]) {
        let block = page.block.number;
        let (at, first, last) = self.began.unwrap_or((page.at, block, block));
        self.began = Some((at, first.min(block), last.max(block)));
        for (custody, held) in page.custody.iter().zip(held) {
            let found = self.of(custody.counted_as);
            let Ok(held) = held else {
                found.unknown = found.unknown.saturating_add(1);
                continue;
            };
            found.on_chain = found.on_chain.saturating_add(*held);
            found.in_ledger = found.in_ledger.saturating_add(custody.held);
            found.vaults = found.vaults.saturating_add(1);
            found.short = found.short.saturating_add(u32::from(*held < custody.held));
        }
        for asset in &page.left_out {
            let found = self.of(*asset);
            found.left_out = found.left_out.saturating_add(1);
        }
    }

    fn of(&mut self, asset: AssetId) -> &mut Reconciled {
        self.assets.entry(asset).or_insert(Reconciled {
            asset,
            on_chain: Amount::ZERO,
            in_ledger: Amount::ZERO,
            vaults: 0,
            short: 0,
            unknown: 0,
            left_out: 0,
        })
    }

    /// Returns what the round has found, if it ends with this page.
    fn ending_with(&self, page: &CustodyPage) -> Reconciliation {
        let (began_at, first_block, last_block) = self.began.unwrap_or((page.at, page.block.number, page.block.number));
        let assets = self.assets.values().copied().collect();
        Reconciliation { began_at, ended_at: page.at, first_block, last_block, assets }
    }
}

/// Compares all vaults in one round.
pub async fn step(worker: &Worker) -> Result<Next> {
    let round = Round::default();
    while next(worker, &round).await? == Next::Immediately {}
    Ok(Next::Rest)
}

/// Compares the next page of vaults. Between pages, the chain can advance. After a failure, only one page is compared
/// again.
pub async fn next(worker: &Worker, round: &Round) -> Result<Next> {
    let Some(watch) = app::chain::watch(&worker.context, 1).await? else { return Ok(Next::Rest) };
    let mut place = round.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let Some(page) = app::chain::custody(&worker.context, watch.chain.id, place.after).await? else {
        return Ok(Next::Rest);
    };
    let held = compare(worker, watch.chain.id, &page).await?;
    if place.after.is_none() {
        place.found = Found::default();
        let now = worker.context.machine_now();
        place.books = place.books_at.is_none_or(|at| now.signed_duration_since(at) >= BOOKS_EVERY);
        place.books_at = if place.books { Some(now) } else { place.books_at };
    }
    if let Some(last) = page.last.filter(|_| place.books) {
        for Disagreement { asset, because, .. } in app::chain::disagreements(&worker.context, place.after, last).await?
        {
            tracing::error!(because, asset = asset.0, "the ledger is inconsistent: payouts stopped");
            app::chain::stop_payouts(&worker.context, asset, &because).await?;
        }
    }
    place.found.add(&page, &held);
    if page.last.is_none() {
        let found = place.found.ending_with(&page);
        app::chain::keep_reconciliation(&worker.context, watch.chain.id, &found).await?;
    }
    let compared = place.compared.saturating_add(page.custody.len());
    let next = if page.last.is_some() { Next::Immediately } else { Next::Rest };
    place.after = page.last;
    place.compared = if page.last.is_some() { compared } else { 0 };
    *round.0.lock().unwrap_or_else(PoisonError::into_inner) = place;
    if next == Next::Rest {
        metrics::gauge!("mec2c_reconciled_vaults").set(f64::from(u32::try_from(compared).unwrap_or(u32::MAX)));
    }
    Ok(next)
}

/// Compares a page of vaults. Returns the balance of each on the chain.
pub(crate) async fn compare(worker: &Worker, chain: ChainId, page: &CustodyPage) -> Result<Vec<Held>> {
    let CustodyPage { block, custody, .. } = page;
    let all_held = held(worker.node.as_ref(), page).await?;
    // A failure must not prevent the stops of other assets.
    let explained = explained(worker, chain, page, &all_held).await;
    let mut surplus = Vec::new();
    for (custody, held) in custody.iter().zip(&all_held) {
        let is_explained = explained.as_ref().is_ok_and(|found| found.contains(&(custody.vault, custody.asset)));
        if let Some(because) = shortage(custody, held, *block).filter(|_| !is_explained) {
            tracing::error!(because, "payouts stopped");
            app::chain::stop_payouts(&worker.context, custody.asset, &because).await?;
        }
        // Tokens are credited by their logs, so ignore a larger balance, unless there may be none on record.
        if let Ok(amount) = held
            && *amount > custody.held
            && custody.unrecorded
        {
            surplus.push(Balance { vault: custody.vault, token: custody.token, amount: *amount });
        }
    }
    explained?;
    if !surplus.is_empty() {
        let found = chain_ingest::apply_balances(&worker.context, chain, *block, &surplus).await?;
        tracing::info!(found, "credited what arrived without a recorded transfer");
    }
    Ok(all_held)
}

/// Revokes the deposits of NFTs that have left their vaults, and returns which. This freezes their adverts and orders, and needs no
/// stop: the ledger then agrees with the chain. Also returns the rest of the missing NFTs if the page is out of date, because the next
/// comparison decides about them.
async fn explained(worker: &Worker, chain: ChainId, page: &CustodyPage, held: &[Held]) -> Result<BTreeSet<Missing>> {
    let missing = page.custody.iter().zip(held).filter(|(custody, held)| {
        matches!(custody.token, Token::Erc721(..)) && held.as_ref().is_ok_and(|held| *held < custody.held)
    });
    let missing: Vec<_> = missing.map(|(custody, _)| (custody.vault, custody.asset)).collect();
    let mut explained = BTreeSet::new();
    for part in missing.chunks(LOSSES_AT_ONCE) {
        let Some(lost) = chain_ingest::apply_losses(&worker.context, chain, page.block, part).await? else {
            return Ok(missing.into_iter().collect());
        };
        for (vault, nft) in &lost {
            tracing::error!(%vault, asset = nft.0, "an album has taken an NFT out of its vault; its deposit is revoked");
        }
        explained.extend(lost);
    }
    Ok(explained)
}

/// Describes every vault that holds too little of an asset, and every inconsistency of the asset in the ledger. An album includes
/// its NFTs.
pub async fn shortages(context: &Context, node: &dyn Node, asset: AssetId) -> Result<Vec<String>> {
    let Some(watch) = app::chain::watch(context, 1).await? else {
        return Ok(vec!["no chain is configured".to_owned()]);
    };
    let mut short = Vec::new();
    let mut after = None;
    loop {
        let Some(mut page) = app::chain::custody(context, watch.chain.id, after).await? else {
            return Ok(vec!["no block is final yet".to_owned()]);
        };
        page.custody.retain(|custody| [custody.asset, custody.counted_as].contains(&asset));
        if let Some(last) = page.last {
            let wrong = app::chain::disagreements(context, after, last).await?;
            let wrong = wrong.into_iter().filter(|wrong| [wrong.asset, wrong.counted_as].contains(&asset));
            short.extend(wrong.map(|wrong| wrong.because));
        }
        let held = held(node, &page).await?;
        short.extend(page.custody.iter().zip(held).filter_map(|(custody, held)| shortage(custody, &held, page.block)));
        after = page.last;
        if after.is_none() {
            return Ok(short);
        }
    }
}

async fn held(node: &dyn Node, page: &CustodyPage) -> Result<Vec<Held>> {
    let holders: Vec<_> = page.custody.iter().map(|custody| (custody.vault, custody.token)).collect();
    Ok(chain::holdings::at_block(node, page.block.hash, &holders).await?)
}

fn shortage(custody: &Custody, held: &Held, block: BlockRef) -> Option<String> {
    // `held` already excludes the owner's debt after a reorganization, which stops the vault but not the asset.
    let Custody { vault, held: should, .. } = custody;
    let number = block.number;
    match held {
        Ok(held) if held < should => Some(format!("vault {vault} holds {held} instead of {should} at block {number}")),
        Ok(_) => None,
        // Nothing is owed, and nothing can be credited either.
        Err(_) if custody.unrecorded && should.is_zero() => None,
        Err(why) => Some(format!(
            "the token does not report the balance of vault {vault}, expected {should} at block {number}: {why}"
        )),
    }
}
