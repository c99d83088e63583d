//! Reads the chain range by range and passes the ranges to ingestion.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use app::chain::Watch;
use app::chain_ingest::{self, Balance, Finalizing, Held, Range};
use async_trait::async_trait;
use chain::node::NodeError;
use chain::watch::{Accounts, WatchError, Watched, next_range};
use chrono::Duration;
use domain::assets::Home;
use domain::chain::{Address, BlockNumber, ChainId, Token};
use domain::clock::Timestamp;

use crate::{Next, Point, Result, Worker, chain_identity, reconcile};

/// Reads and applies one range, if there are new blocks.
pub async fn step(worker: &Worker) -> Result<Next> {
    if let Some(confirmed) = unchanged(worker).await? {
        beat(worker).await?;
        look(worker, confirmed).await?;
        return Ok(Next::Rest);
    }
    let mut depth = worker.settings.remembered_blocks;
    loop {
        let Some(watch) = app::chain::watch(&worker.context, depth).await? else { return Ok(Next::Rest) };
        chain_identity::pass(worker, &watch).await?;
        worker.scan_state.lock().identified_at = Some(worker.context.machine_now());
        let Some(escrow) = watch.chain.escrow else { return Ok(Next::Rest) };
        let most = worker.settings.blocks_at_once;
        let watched = watched(&watch, escrow);
        match next_range(worker.node.as_ref(), &watched, &Followed(worker), most, &watch.recent, watch.chain.start)
            .await
        {
            Ok(None) => {
                beat(worker).await?;
                look(worker, (watch.chain.id, watch.chain.confirmed)).await?;
                return Ok(Next::Rest);
            }
            Ok(Some(update)) => {
                worker.points.reached(Point::Read);
                let mut range = Range {
                    chain: watch.chain.id,
                    read_on: watch.recent.first().copied(),
                    albums: watched.albums.clone(),
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
                    look(worker, (watch.chain.id, applied.confirmed)).await?;
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

/// Returns the chain and its newest final block if the node's newest block is the newest one that was read. The node then
/// serves the expected chain. The chain is nevertheless identified from time to time.
async fn unchanged(worker: &Worker) -> Result<Option<Confirmed>> {
    let identified = worker.scan_state.lock().identified_at;
    let now = worker.context.machine_now();
    if identified.is_none_or(|at| now.signed_duration_since(at) >= IDENTIFY_EVERY) {
        return Ok(None);
    }
    caught_up(worker, 0).await
}

/// Returns the chain and its newest final block if the node serves the newest block that was read, and at most `new` blocks after it.
pub(crate) async fn caught_up(worker: &Worker, new: u64) -> Result<Option<Confirmed>> {
    let Some((chain, Some(newest))) = app::chain::newest(&worker.context).await? else { return Ok(None) };
    if chain.stopped_because.is_some() {
        return Ok(None);
    }
    if worker.node.head().await?.checked_sub(newest.number).is_none_or(|waiting| waiting > new) {
        return Ok(None);
    }
    let header = worker.node.header(newest.number).await?;
    Ok(header.filter(|header| header.place == newest).map(|_| (chain.id, chain.confirmed)))
}

/// Looks up the accounts whose transfers concern the product.
struct Followed<'a>(&'a Worker);

#[async_trait]
impl Accounts for Followed<'_> {
    async fn among(&self, addresses: Vec<Address>) -> std::result::Result<HashSet<Address>, String> {
        app::chain::followed(&self.0.context, &addresses).await.map_err(|error| error.to_string())
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
    let now = worker.context.machine_now();
    let beaten = worker.scan_state.lock().beaten_at;
    if beaten.is_some_and(|at| (Duration::zero()..BEAT_EVERY).contains(&now.signed_duration_since(at))) {
        return Ok(());
    }
    if let Some(lost) = app::deadlines::outages::beat(&worker.context).await? {
        tracing::warn!(seconds = lost.num_seconds(), "the platform was down; extending every deadline");
        metrics::counter!("mec2c_outages_total").increment(1);
    }
    worker.scan_state.lock().beaten_at = Some(now);
    Ok(())
}

fn watched(watch: &Watch, escrow: Address) -> Watched {
    let mut watched = Watched::of(escrow);
    for asset in &watch.assets {
        match asset.home {
            Home::Chain { token: Token::Erc20(contract), .. } => {
                watched.tokens.insert(contract);
            }
            Home::Album { contract, .. } => {
                watched.albums.insert(contract);
            }
            Home::Chain { token: Token::Native | Token::Erc721(..), .. } | Home::Fiat => {}
        }
    }
    watched
}

/// Compares the vaults that the newest final blocks touched, once per new block. Repeats a failed comparison in the
/// next step.
async fn look(worker: &Worker, (chain, confirmed): Confirmed) -> Result<()> {
    let above = {
        let look = worker.scan_state.lock();
        if look.done {
            return Ok(());
        }
        look.above
    };
    // A failed comparison must not block the search for a surplus.
    let compared = match app::chain::touched(&worker.context, chain, above).await? {
        Some(page) => reconcile::compare(worker, chain, &page).await.map(drop),
        None => Ok(()),
    };
    surplus(worker, chain, confirmed).await?;
    compared?;
    let mut look = worker.scan_state.lock();
    (look.above, look.done) = (confirmed, true);
    Ok(())
}

/// A chain and its newest final block.
pub(crate) type Confirmed = (ChainId, Option<BlockNumber>);

/// How often the node's chain is identified while it has no new blocks.
const IDENTIFY_EVERY: Duration = Duration::seconds(5);
/// How often a heartbeat is recorded. Much shorter than the time for which it is fresh.
const BEAT_EVERY: Duration = Duration::seconds(1);

/// The progress of the scans.
#[derive(Debug, Default)]
struct Look {
    /// The newest final block at the last comparison.
    above: Option<u64>,
    /// Whether no range has been applied since the last comparison.
    done: bool,
    /// When the node's chain was last identified, by the machine's clock.
    identified_at: Option<Timestamp>,
    /// When the last heartbeat was recorded, by the machine's clock.
    beaten_at: Option<Timestamp>,
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
async fn surplus(worker: &Worker, chain: ChainId, confirmed: Option<BlockNumber>) -> Result<()> {
    let awaited = app::chain::awaited(&worker.context, chain).await?;
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
    let found = chain_ingest::apply_balances(&worker.context, chain, header.place, &balances).await?;
    if found > 0 {
        tracing::info!(found, "credited coins that arrived without a log");
    }
    Ok(())
}
