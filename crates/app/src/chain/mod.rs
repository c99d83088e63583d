//! Tells the worker the stored state of the chain and of the ledger.

pub mod catalog;
pub mod settlement;

use std::collections::{BTreeMap, BTreeSet, HashSet};

use domain::assets::{Asset, AssetId, Home};
use domain::chain::{Address, BlockNumber, BlockRef, ChainId, CustodyIndex, Token};
use domain::clock::Timestamp;
use domain::money::Amount;
use store::Tx;
pub use store::catalog::Chain;
pub use store::ledger::Disagreement;
pub use store::reconciliations::{Reconciled, Reconciliation};
use store::vault_stops::Cause;

use crate::{Context, Result};

/// The data that the worker needs to read the chain.
#[derive(Debug, Clone)]
pub struct Watch {
    pub chain: Chain,
    /// The newest stored blocks, newest first.
    pub recent: Vec<BlockRef>,
    /// All coins and albums of the chain.
    pub assets: Vec<Asset>,
}

/// Returns the data that the worker needs to read the chain, with at most `depth` recent blocks; `None` before the
/// chain is configured.
pub async fn watch(context: &Context, depth: i64) -> Result<Option<Watch>> {
    let (mut tx, _) = context.begin().await?;
    let Some(chain) = store::catalog::escrow_chain(&mut tx).await? else { return Ok(None) };
    let recent = store::blocks::recent(&mut tx, chain.id, depth).await?;
    let on_chain = |asset: &Asset| matches!(asset.home, Home::Chain { chain: id, .. } | Home::Album { chain: id, .. } if id == chain.id);
    let assets = store::catalog::assets(&mut tx).await?.into_iter().filter(on_chain).collect();
    Ok(Some(Watch { chain, recent, assets }))
}

/// The maximum number of addresses per query.
const ADDRESSES: usize = 10_000;

/// Returns those of the addresses whose transfers concern the product: vaults, and addresses to which open manual orders
/// are paid.
pub async fn followed(context: &Context, addresses: &[Address]) -> Result<HashSet<Address>> {
    let mut followed = HashSet::new();
    if addresses.is_empty() {
        return Ok(followed);
    }
    let (mut tx, _) = context.alone().await?;
    for part in addresses.chunks(ADDRESSES) {
        followed.extend(store::users::vault_owners(&mut tx, part).await?.into_iter().map(|(vault, _)| vault));
        followed.extend(store::payments::payees(&mut tx, part).await?);
    }
    Ok(followed)
}

/// Returns the chain's configuration and ingestion progress; `None` before the chain is configured.
pub async fn known(context: &Context) -> Result<Option<Chain>> {
    let (mut tx, _) = context.alone().await?;
    Ok(store::catalog::escrow_chain(&mut tx).await?)
}

/// Returns the chain with the newest stored block, if there is one.
pub async fn newest(context: &Context) -> Result<Option<(Chain, Option<BlockRef>)>> {
    let mut tx = context.store.alone().await?;
    let Some(chain) = store::catalog::escrow_chain(&mut tx).await? else { return Ok(None) };
    let newest = store::blocks::recent(&mut tx, chain.id, 1).await?.pop();
    Ok(Some((chain, newest)))
}

/// Refuses all commands that move money for the given reason, or allows them again.
pub async fn stop(context: &Context, chain: ChainId, because: Option<&str>) -> Result<()> {
    let (mut tx, _) = context.begin().await?;
    store::catalog::stop_chain(&mut tx, chain, because).await?;
    Ok(tx.commit().await?)
}

/// Returns the vaults with an open funding request for the native coin, which contracts can send without a log.
pub async fn awaited(context: &Context, chain: ChainId) -> Result<Vec<Address>> {
    let (mut tx, _) = context.begin().await?;
    let native = store::catalog::assets(&mut tx)
        .await?
        .into_iter()
        .find(|asset| asset.home == Home::Chain { chain, token: Token::Native });
    let Some(native) = native else { return Ok(Vec::new()) };
    Ok(store::funding::vaults_awaiting(&mut tx, native.id).await?)
}

/// The ledger's balance of one asset in one vault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Custody {
    pub vault: Address,
    pub asset: AssetId,
    /// The asset under which reports count it: for an NFT, its album.
    pub counted_as: AssetId,
    pub token: Token,
    pub held: Amount,
    /// Whether the vault may have received it without a recorded transfer, so that a surplus is a deposit: the native coin, and
    /// NFTs that came before ingestion read their album or before the vault had an owner.
    pub unrecorded: bool,
}

/// The holdings that the ledger expects in a page of vaults, as of a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CustodyPage {
    /// The newest final block.
    pub block: BlockRef,
    /// When the page was read.
    pub at: Timestamp,
    pub custody: Vec<Custody>,
    /// The assets of the vaults that are left out because the ledger is behind the chain there.
    pub left_out: Vec<AssetId>,
    /// The last vault of the page; `None` on the last page.
    pub last: Option<CustodyIndex>,
}

/// The number of vaults per page.
pub const VAULTS_AT_ONCE: u32 = 200;

/// Returns the next page of the vaults' expected holdings as of the newest final block; `None` before any block is
/// final. Always includes the native coin, because contracts can send it without a log.
pub async fn custody(context: &Context, chain: ChainId, after: Option<CustodyIndex>) -> Result<Option<CustodyPage>> {
    let (mut tx, now) = context.begin().await?;
    let page = page_behind(&mut tx, (chain, after), now).await?;
    // Roll back explicitly: a dropped transaction would hold the chain's lock until the connection pool cleans it up.
    tx.rollback().await?;
    Ok(page)
}

async fn page_behind(
    tx: &mut Tx,
    (chain, after): (ChainId, Option<CustodyIndex>),
    at: Timestamp,
) -> Result<Option<CustodyPage>> {
    let Some(block) = final_block(tx, chain).await? else { return Ok(None) };
    let coins = store::catalog::assets(tx).await?;
    let native = coins.iter().find(|asset| asset.home == Home::Chain { chain, token: Token::Native });
    let mut page = store::ledger::custody_page(tx, native.map(|asset| asset.id), after, VAULTS_AT_ONCE.into()).await?;
    let last = page.last().map(|custody| custody.index);
    let assets = PageAssets::load(tx, &page).await?;
    let left_out = leave_out_what_is_behind(tx, &assets, &mut page).await?;
    Ok(Some(CustodyPage { block, at, custody: assets.on_chain(chain, page), left_out, last }))
}

/// Locks the chain's row, so that no range is applied until the transaction ends, and returns the newest final block.
async fn final_block(tx: &mut Tx, chain: ChainId) -> Result<Option<BlockRef>> {
    let (_, confirmed) = store::blocks::lock_progress(tx, chain).await?;
    let Some(number) = confirmed else { return Ok(None) };
    Ok(store::blocks::at(tx, chain, number).await?)
}

/// Returns the inconsistencies of the ledger for a page of vaults. Adds up every entry of these vaults
/// without taking locks.
pub async fn disagreements(
    context: &Context,
    after: Option<CustodyIndex>,
    last: CustodyIndex,
) -> Result<Vec<Disagreement>> {
    let (mut tx, _) = context.begin().await?;
    Ok(store::ledger::disagreements_in(&mut tx, after, last).await?)
}

/// Returns the expected holdings, as of the newest final block, of the vaults with movements above a block; `None`
/// before any block is final.
pub async fn touched(context: &Context, chain: ChainId, above: Option<BlockNumber>) -> Result<Option<CustodyPage>> {
    let (mut tx, now) = context.begin().await?;
    let page = touched_above(&mut tx, (chain, above), now).await?;
    tx.rollback().await?;
    Ok(page)
}

async fn touched_above(
    tx: &mut Tx,
    (chain, above): (ChainId, Option<BlockNumber>),
    at: Timestamp,
) -> Result<Option<CustodyPage>> {
    let Some(block) = final_block(tx, chain).await? else { return Ok(None) };
    let above = above.unwrap_or_else(|| block.number.saturating_sub(1)).min(block.number);
    let mut held = store::ledger::custody_touched(tx, chain, above, block.number).await?;
    let assets = PageAssets::load(tx, &held).await?;
    let left_out = leave_out_what_is_behind(tx, &assets, &mut held).await?;
    Ok(Some(CustodyPage { block, at, custody: assets.on_chain(chain, held), left_out, last: None }))
}

/// Removes the vaults for which the ledger has refused an event of the chain. Their payouts are stopped, and a
/// comparison is meaningless until the ledger has caught up with the chain. Returns their assets.
async fn leave_out_what_is_behind(
    tx: &mut Tx,
    assets: &PageAssets,
    custody: &mut Vec<store::ledger::Custody>,
) -> Result<Vec<AssetId>> {
    let stops = store::vault_stops::all(tx).await?;
    let behind: Vec<_> = stops.iter().filter(|stop| stop.cause == Cause::Refused).collect();
    let left_out = custody.extract_if(.., |custody| {
        behind.iter().any(|stop| (stop.address, stop.vault_asset.asset) == (custody.vault, custody.asset))
    });
    Ok(left_out.map(|custody| assets.counted_as(custody.asset)).collect())
}

/// The assets of a page of vaults.
struct PageAssets(BTreeMap<AssetId, Asset>);

impl PageAssets {
    /// Reads the coins and albums, and those NFTs that the page contains.
    async fn load(tx: &mut Tx, page: &[store::ledger::Custody]) -> Result<Self> {
        let coins = store::catalog::assets(tx).await?;
        let mut assets: BTreeMap<_, _> = coins.into_iter().map(|asset| (asset.id, asset)).collect();
        let others: BTreeSet<_> = page.iter().map(|held| held.asset).filter(|id| !assets.contains_key(id)).collect();
        let others: Vec<_> = others.into_iter().collect();
        assets.extend(store::nfts::assets(tx, &others).await?.into_iter().map(|nft| (nft.id, nft)));
        Ok(Self(assets))
    }

    fn counted_as(&self, id: AssetId) -> AssetId {
        self.0.get(&id).map_or(id, Asset::counted_as)
    }

    fn on_chain(&self, chain: ChainId, page: Vec<store::ledger::Custody>) -> Vec<Custody> {
        let on_chain = page.into_iter().filter_map(|held| match self.0.get(&held.asset)?.home {
            Home::Chain { chain: id, token } if id == chain => Some(Custody {
                vault: held.vault,
                asset: held.asset,
                counted_as: self.counted_as(held.asset),
                token,
                held: held.held,
                unrecorded: token == Token::Native || held.unrecorded,
            }),
            _ => None,
        });
        on_chain.collect()
    }
}

/// Stores what a round through all vaults found, in place of the round before.
pub async fn keep_reconciliation(context: &Context, chain: ChainId, round: &Reconciliation) -> Result<()> {
    let (mut tx, _) = context.begin().await?;
    store::reconciliations::keep(&mut tx, chain, round).await?;
    Ok(tx.commit().await?)
}

/// Stops payouts of an asset until an officer resumes them.
pub async fn stop_payouts(context: &Context, asset: AssetId, because: &str) -> Result<()> {
    let (mut tx, now) = context.begin().await?;
    store::stops::stop(&mut tx, asset, because, now).await?;
    Ok(tx.commit().await?)
}
