//! Reads the chain range by range and passes the ranges to ingestion.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use app::chain::Watch;
use app::chain_ingest::{self, Balance, Finalizing, Held, Range};
use chain::node::NodeError;
use chain::watch::{WatchError, Watched, next_range};
use domain::assets::Home;
use domain::chain::{Address, BlockNumber, Token};

use crate::{Next, Point, Result, Worker, chain_identity, reconcile};

/// Reads and applies one range, if there are new blocks.
pub async fn step(worker: &Worker) -> Result<Next> {
    let mut depth = worker.settings.remembered_blocks;
    loop {
        let Some(watch) = app::chain::watch(&worker.context, depth).await? else { return Ok(Next::Rest) };
        chain_identity::pass(worker, &watch).await?;
        let Some(escrow) = watch.chain.escrow else { return Ok(Next::Rest) };
        let most = worker.settings.blocks_at_once;
        let watched = watched(&watch, escrow);
        match next_range(worker.node.as_ref(), &watched, most, &watch.recent, watch.chain.start).await {
            Ok(None) => {
                beat(worker).await?;
                look(worker, &watch, watch.chain.confirmed).await?;
                return Ok(Next::Rest);
            }
            Ok(Some(update)) => {
                worker.points.reached(Point::Read);
                let mut range = Range {
                    chain: watch.chain.id,
                    read_on: watch.recent.first().copied(),
                    replace_from: update.replace_from,
                    blocks: update.blocks,
                    held: Some(Held::default()),
                };
                range.held = held(worker, &range, update.head).await?;
                let applied = chain_ingest::apply(&worker.context, &range, worker.settings.policy).await?;
                let Some(applied) = applied else {
                    tracing::debug!(from = range.replace_from, "another reader was faster; reading again");
                    return Ok(Next::Immediately);
                };
                worker.points.reached(Point::Applied);
                worker.scan_state.lock().done = false;
                tracing::debug!(?applied, "applied a range");
                let behind = applied.head.is_some_and(|head| head < update.head);
                if !behind {
                    beat(worker).await?;
                    look(worker, &watch, applied.confirmed).await?;
                }
                return Ok(if behind { Next::Immediately } else { Next::Rest });
            }
            // The reorganization is deeper than the blocks that were compared. Compare more blocks, if more are stored.
            Err(WatchError::DeeperThan { .. })
                if i64::try_from(watch.recent.len()).is_ok_and(|known| known >= depth) =>
            {
                depth = depth.saturating_mul(8);
            }
            Err(error) => return Err(error.into()),
        }
    }
}

/// Reads the balances of the vaults whose token transfers become final with a range, as of the newest final block once
/// the range is applied. Sends no request if there are none. Returns `None` if the node has pruned the state of that
/// block and more blocks are left to read: a later range then finalizes the transfers.
async fn held(worker: &Worker, range: &Range, head: BlockNumber) -> Result<Option<Held>> {
    let Some(Finalizing { block, vault_assets }) = chain_ingest::finalizing(&worker.context, range).await? else {
        return Ok(Some(Held::default()));
    };
    let answers = match chain::holdings::at_block(worker.node.as_ref(), block.hash, &vault_assets).await {
        Ok(answers) => answers,
        Err(NodeError::Fatal(why)) if range.blocks.last().is_some_and(|last| last.place.number < head) => {
            tracing::debug!(block = block.number, why, "crediting is delayed until more blocks are read");
            return Ok(None);
        }
        Err(error) => return Err(error.into()),
    };
    let mut held = Held { at: Some(block), ..Held::default() };
    for ((vault, token), answer) in vault_assets.into_iter().zip(answers) {
        match answer {
            Ok(amount) => held.known.push(Balance { vault, token, amount }),
            Err(why) => held.unknown.push((vault, token, why.to_string())),
        }
    }
    Ok(Some(held))
}

/// Records that the chain was read up to its newest block, which allows deadlines to take effect.
async fn beat(worker: &Worker) -> Result<()> {
    if let Some(lost) = app::outages::beat(&worker.context).await? {
        tracing::warn!(seconds = lost.num_seconds(), "the platform was down; extending every deadline");
        metrics::counter!("mec2c_outages_total").increment(1);
    }
    Ok(())
}

fn watched(watch: &Watch, escrow: Address) -> Watched {
    let mut watched = Watched::of(escrow);
    watched.accounts.extend(watch.vaults.iter().chain(&watch.payees).copied());
    for asset in &watch.assets {
        match asset.home {
            Home::Chain { token: Token::Erc20(contract), .. } => {
                watched.tokens.insert(contract);
            }
            Home::Chain { token: Token::Erc721(contract, _), .. } => {
                watched.albums.insert(contract);
            }
            Home::Chain { token: Token::Native, .. } | Home::Fiat => {}
        }
    }
    watched
}

/// Compares the vaults that the newest final blocks touched, once per new block. Repeats a failed comparison in the
/// next step.
async fn look(worker: &Worker, watch: &Watch, confirmed: Option<u64>) -> Result<()> {
    let above = {
        let look = worker.scan_state.lock();
        if look.done {
            return Ok(());
        }
        look.above
    };
    // A failed comparison must not block the search for a surplus.
    let compared = match app::chain::touched(&worker.context, watch.chain.id, above).await? {
        Some(page) => reconcile::compare(worker, watch.chain.id, &page).await,
        None => Ok(()),
    };
    surplus(worker, watch, confirmed).await?;
    compared?;
    *worker.scan_state.lock() = Look { above: confirmed, done: true };
    Ok(())
}

/// The progress of the comparisons.
#[derive(Debug, Default)]
struct Look {
    /// The newest final block at the last comparison.
    above: Option<u64>,
    /// Whether no range has been applied since the last comparison.
    done: bool,
}

/// State that a worker keeps between scans. Losing it at a restart is safe, because reconciliation rounds cover all
/// vaults.
#[derive(Debug, Clone, Default)]
pub struct ScanState(Arc<Mutex<Look>>);

impl ScanState {
    fn lock(&self) -> MutexGuard<'_, Look> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Credits coins that contracts sent without a log to vaults where an advert or order waits for coins.
async fn surplus(worker: &Worker, watch: &Watch, confirmed: Option<u64>) -> Result<()> {
    let awaited = app::chain::awaited(&worker.context, watch.chain.id).await?;
    let Some(number) = confirmed.filter(|_| !awaited.is_empty()) else { return Ok(()) };
    let Some(header) = worker.node.header(number).await? else { return Ok(()) };
    let holders: Vec<_> = awaited.iter().map(|vault| (*vault, Token::Native)).collect();
    let held = chain::holdings::at_block(worker.node.as_ref(), header.place.hash, &holders).await?;
    let balances: Vec<_> = awaited
        .into_iter()
        .zip(held)
        // Skip unknown balances. Reconciliation rounds stop payouts of the asset if its token does not report a
        // balance.
        .filter_map(|(vault, amount)| Some(Balance { vault, token: Token::Native, amount: amount.ok()? }))
        .collect();
    let found = chain_ingest::apply_balances(&worker.context, watch.chain.id, header.place, &balances).await?;
    if found > 0 {
        tracing::info!(found, "credited coins that arrived without a log");
    }
    Ok(())
}
