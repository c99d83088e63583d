//! Chain ingestion: applies ranges of blocks and replaces them after a reorganization.
//!
//! A transfer is recorded when it is first seen and credited when its block is final. A reorganization, however deep,
//! is an ordinary step: it removes the blocks above the common ancestor, reverts their final deposits and settlements
//! in the ledger, and applies the new blocks.
//!
//! A range is valid only for the stored blocks it was read on. If another reader has changed them, the range is dropped
//! and read again. Blocks and their contents are always stored. If the ledger refuses an effect, the vault concerned is
//! stopped and the effect is retried with each range ([`consequences`]).

mod apply;
mod consequences;
mod crediting;
mod hold;
mod payments;
mod revert;
mod step;
mod undeliverable;

use std::collections::{BTreeMap, BTreeSet};

use domain::assets::{Asset, AssetId, Home};
use domain::chain::{Address, Block, BlockHash, BlockNumber, BlockRef, ChainId, Token};
use domain::clock::Timestamp;
use domain::ids::DepositId;
use domain::ledger::VaultAsset;
use domain::money::Amount;
use store::blocks::{self, StoredSettlement, VaultTransfer};
use store::deposits::Deposit;
use store::vault_stops::{self, Cause};
use store::{Tx, catalog};

pub use crediting::{Finalizing, finalizing};
use hold::{Hold, Rows};
use step::Step;

use crate::{Context, Error, Result};

/// Consecutive blocks that replace all stored blocks from a height upward.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Range {
    pub chain: ChainId,
    /// The newest stored block when this range was read; `None` if no block was stored.
    pub read_on: Option<BlockRef>,
    /// All stored blocks at this height and above are removed first. The head's height plus one removes nothing.
    pub replace_from: BlockNumber,
    /// The new blocks, in order. Empty if the chain has become shorter. Transfers that touch neither a vault nor an
    /// address to which an order is paid are ignored.
    pub blocks: Vec<Block>,
    /// The holdings of the vaults that [`finalizing`] returned. If `None`, the node could not report them: this range
    /// finalizes no blocks, and a later range finalizes them instead.
    pub held: Option<Held>,
}

/// A vault's holdings as of a block, as reported by the node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Balance {
    pub vault: Address,
    pub token: Token,
    pub amount: Amount,
}

/// The known holdings of vaults as of a block.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Held {
    /// The block; `None` if no balance was requested.
    pub at: Option<BlockRef>,
    /// The balances that the node reported.
    pub known: Vec<Balance>,
    /// Vaults and tokens whose balance the token did not report, with the reason.
    pub unknown: Vec<(Address, Token, String)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Policy {
    /// Whether a reorganization that removes credited deposits or final payouts stops all payouts until an officer resumes
    /// them.
    pub stop_on_deep_reorganisation: bool,
}

/// The result of applying a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Applied {
    /// The newest known block.
    pub head: Option<BlockNumber>,
    /// The newest final block.
    pub confirmed: Option<BlockNumber>,
    /// The number of credited deposits.
    pub deposits: usize,
    /// The number of credited deposits that a reorganization removed.
    pub revoked: usize,
    /// The number of final transfers that are not credited, because the vault does not hold the logged amount.
    pub uncredited: usize,
}

/// Applies a range of blocks. Refuses a range that does not join the stored blocks. Skips the blocks that are already
/// stored, so applying a range twice is safe.
///
/// Returns `None` and changes nothing if the stored blocks have changed since the range was read: another reader was
/// faster, and the chain must be read again.
pub async fn apply(context: &Context, range: &Range, policy: Policy) -> Result<Option<Applied>> {
    for hold in Hold::attempts() {
        match try_apply(context, range, policy, hold).await? {
            Attempt::Done(applied) => return Ok(Some(applied)),
            Attempt::Stale => return Ok(None),
            Attempt::Crowded => hold.was_crowded(),
        }
    }
    Err(crowded())
}

enum Attempt {
    Done(Applied),
    /// The stored blocks have changed since the range was read. Nothing was changed.
    Stale,
    /// Trading changed the rows. Nothing was changed; a retry may succeed.
    Crowded,
}

fn crowded() -> Error {
    store::Error::Conflict.into()
}

async fn try_apply(context: &Context, range: &Range, policy: Policy, hold: Hold) -> Result<Attempt> {
    let (mut tx, now) = context.begin().await?;
    let (head, confirmed) = blocks::lock_progress(&mut tx, range.chain).await?;
    let stored = match head {
        Some(head) => blocks::at(&mut tx, range.chain, head).await?,
        None => None,
    };
    if stored != range.read_on {
        // Release the chain's lock before returning.
        tx.rollback().await?;
        return Ok(Attempt::Stale);
    }
    let chain = catalog::escrow_chain(&mut tx).await?.ok_or(Error::Unavailable { what: "the chain" })?;
    joins(&mut tx, range, head).await?;
    let range = &unknown_part(&mut tx, range, head).await?;

    let mut reverted = revert::Reverted::default();
    if head.is_some_and(|head| range.replace_from <= head) {
        reverted = revert::forget(&mut tx, range, now).await?;
    }
    let assets = catalog::assets(&mut tx).await?;
    let seen = see(context, &mut tx, range, &assets, now).await?;
    let head = range.head();
    let confirmed_now = range.confirmed(confirmed, chain.confirmations);
    let mut applied =
        Applied { head, confirmed: confirmed_now, revoked: reverted.deposits.len(), ..Applied::default() };
    if policy.stop_on_deep_reorganisation && !(reverted.deposits.is_empty() && reverted.final_settlements.is_empty()) {
        let because = "a reorganization removed final transactions";
        tracing::error!(alarm = because, from = range.replace_from, "payouts stopped");
        stop_all(&mut tx, &assets, because, now).await?;
    }
    revert::add_refused(&mut tx, range.chain, now, &mut reverted).await?;

    let mut step =
        Step { now, chain: range.chain, assets, deposits: Vec::new(), settlements: Vec::new(), seen, reverted };
    let mut finalized = false;
    if let (Some(up_to), Some(held)) = (confirmed_now, &range.held) {
        let mut transfers = blocks::finalize_transfers(&mut tx, range.chain, up_to, now).await?;
        transfers.retain(|transfer| transfer.incoming);
        step.settlements = blocks::finalize_settlements(&mut tx, range.chain, up_to, now).await?;
        let mined: BTreeSet<_> = step.settlements.iter().map(|settlement| settlement.tx).collect();
        let mined: Vec<_> = mined.into_iter().collect();
        store::payouts::close_attempts(&mut tx, range.chain, &mined, now).await?;
        let crediting = step.choose_creditable(&mut tx, transfers, up_to, held).await?;
        applied.uncredited = crediting.uncredited;
        step.deposits = crediting.credited.iter().map(deposit).collect();
        finalized = true;
    }
    let people = hold.step(&mut tx, &step).await?;
    let Some(refused) = consequences::carry_out(&step, context, &mut tx, &people).await? else {
        tx.rollback().await?;
        return Ok(Attempt::Crowded);
    };
    applied.deposits = step.deposits.len().saturating_sub(refused.deposits);
    if finalized {
        consequences::lift(&mut tx, &refused).await?;
    }
    blocks::set_progress(&mut tx, range.chain, head, confirmed_now).await?;
    tx.commit().await?;
    Ok(Attempt::Done(applied))
}

/// Applies the vaults' balances as of a final block: credits any excess over the ledger as a deposit.
///
/// Does nothing if that block is no longer the newest final block, or if the excess was already credited. Skips vaults
/// whose ledger is behind the chain, because their excess is unknown.
pub async fn apply_balances(context: &Context, chain: ChainId, at: BlockRef, balances: &[Balance]) -> Result<usize> {
    for hold in Hold::attempts() {
        match try_apply_balances(context, chain, at, balances, hold).await? {
            Some(found) => return Ok(found),
            None => hold.was_crowded(),
        }
    }
    Err(crowded())
}

async fn try_apply_balances(
    context: &Context,
    chain: ChainId,
    at: BlockRef,
    balances: &[Balance],
    hold: Hold,
) -> Result<Option<usize>> {
    let (mut tx, now) = context.begin().await?;
    let (_, confirmed) = blocks::lock_progress(&mut tx, chain).await?;
    if confirmed != Some(at.number) || blocks::at(&mut tx, chain, at.number).await? != Some(at) {
        tx.rollback().await?;
        return Ok(Some(0));
    }
    let assets = catalog::assets(&mut tx).await?;
    let vaults: Vec<_> = balances.iter().map(|balance| balance.vault).collect();
    let owners: BTreeMap<_, _> = store::people::vault_owners(&mut tx, &vaults).await?.into_iter().collect();
    let named: BTreeSet<_> = owners.values().copied().collect();
    let people = hold.people(&mut tx, named, Rows::Waiting).await?;
    let behind = vault_stops::of(&mut tx, Cause::Refused).await?;
    let mut deposits = Vec::new();
    for balance in balances {
        let (Some(&owner), Some(asset)) = (owners.get(&balance.vault), asset_of(&assets, chain, balance.token)) else {
            continue;
        };
        let vault_asset = VaultAsset { vault: owner, asset };
        let held = store::ledger::balance(&mut tx, vault_asset.custody()).await?;
        let surplus = balance.amount.saturating_sub(held);
        if !surplus.is_zero() && !behind.contains(&vault_asset) {
            deposits.push(Deposit {
                id: DepositId(context.fresh(now)),
                block: at.number,
                block_hash: at.hash,
                tx: None,
                position: None,
                sender: None,
                vault: owner,
                asset,
                amount: surplus,
            });
        }
    }
    let found = deposits.len();
    let step = Step {
        now,
        chain,
        assets,
        deposits,
        settlements: Vec::new(),
        seen: Vec::new(),
        reverted: revert::Reverted::default(),
    };
    let Some(refused) = consequences::carry_out(&step, context, &mut tx, &people).await? else {
        tx.rollback().await?;
        return Ok(None);
    };
    tx.commit().await?;
    Ok(Some(found.saturating_sub(refused.deposits)))
}

/// Returns the range without the leading blocks that are already stored. If all its blocks are stored, the returned
/// range removes none of the stored blocks above them. Only a range that was read without blocks removes stored blocks
/// without a replacement.
async fn unknown_part(tx: &mut Tx, range: &Range, head: Option<BlockNumber>) -> Result<Range> {
    let mut rest = range.blocks.as_slice();
    while let Some((first, others)) = rest.split_first() {
        if blocks::at(tx, range.chain, first.place.number).await? != Some(first.place) {
            break;
        }
        rest = others;
    }
    let replace_from = match (rest.first(), range.blocks.last()) {
        (Some(first), _) => first.place.number,
        (None, Some(last)) => head.unwrap_or(last.place.number).saturating_add(1),
        (None, None) => range.replace_from,
    };
    Ok(Range { replace_from, blocks: rest.to_vec(), held: range.held.clone(), ..*range })
}

impl Range {
    /// Returns the newest block once the range is applied.
    fn head(&self) -> Option<BlockNumber> {
        self.blocks.last().map(|block| block.place.number).or_else(|| self.replace_from.checked_sub(1))
    }

    /// Returns the newest final block once the range is applied; `before` is the newest final block now.
    fn confirmed(&self, before: Option<BlockNumber>, confirmations: u64) -> Option<BlockNumber> {
        let below = self.replace_from.checked_sub(1);
        let kept = before.filter(|before| *before < self.replace_from).or_else(|| before.and(below));
        let deep_enough = self.head().and_then(|head| head.checked_add(1)?.checked_sub(confirmations));
        if self.held.is_some() { deep_enough.max(kept) } else { kept }
    }
}

/// Refuses a range that does not join the stored blocks.
async fn joins(tx: &mut Tx, range: &Range, head: Option<BlockNumber>) -> Result<()> {
    let gap = |why: &str| Err(Error::Internal(format!("blocks from {} on do not join: {why}", range.replace_from)));
    let next = head.map(|head| head.saturating_add(1));
    if next.is_some_and(|next| range.replace_from > next) {
        return gap("some are missing before them");
    }
    let mut expected = range.replace_from;
    let mut parent: Option<BlockHash> = match range.replace_from.checked_sub(1) {
        Some(below) => blocks::at(tx, range.chain, below).await?.map(|block| block.hash),
        None => None,
    };
    for block in &range.blocks {
        if block.place.number != expected {
            return gap("a height is missing among them");
        }
        if parent.is_some_and(|parent| parent != block.place.parent) {
            return gap("a parent is another block");
        }
        parent = Some(block.place.hash);
        expected = expected.saturating_add(1);
    }
    Ok(())
}

/// Stores the blocks and those of their transfers that concern the product. Returns the settlements of known
/// references.
async fn see(
    context: &Context,
    tx: &mut Tx,
    range: &Range,
    assets: &[Asset],
    now: Timestamp,
) -> Result<Vec<StoredSettlement>> {
    blocks::insert(tx, range.chain, &range.blocks).await?;
    let addresses: BTreeSet<_> = range
        .blocks
        .iter()
        .flat_map(|block| &block.transfers)
        .flat_map(|transfer| [transfer.from, transfer.to])
        .collect();
    let addresses: Vec<_> = addresses.into_iter().collect();
    let owners: BTreeMap<_, _> = store::people::vault_owners(tx, &addresses).await?.into_iter().collect();
    let mut transfers = Vec::new();
    let mut settlements = Vec::new();
    for block in &range.blocks {
        for transfer in block.transfers.iter().filter(|transfer| !transfer.amount.is_zero()) {
            let Some(asset) = asset_of(assets, range.chain, transfer.token) else { continue };
            for (address, incoming) in [(transfer.to, true), (transfer.from, false)] {
                let Some(&vault) = owners.get(&address) else { continue };
                transfers.push(VaultTransfer {
                    id: context.fresh(now),
                    block: block.place.number,
                    block_hash: block.place.hash,
                    tx: Some(transfer.tx),
                    position: Some(transfer.position),
                    asset,
                    sender: Some(transfer.from),
                    recipient: transfer.to,
                    vault,
                    incoming,
                    amount: transfer.amount,
                });
            }
        }
        settlements.extend(block.settlements.iter().map(|settlement| StoredSettlement {
            block: block.place.number,
            block_hash: block.place.hash,
            tx: settlement.tx,
            reference: settlement.reference,
            outcome: settlement.outcome,
        }));
    }
    blocks::insert_transfers(tx, range.chain, &transfers, now).await?;
    blocks::insert_settlements(tx, range.chain, &settlements).await?;
    payments::see(tx, range, assets, &owners).await?;
    Ok(settlements)
}

fn asset_of(assets: &[Asset], chain: ChainId, token: Token) -> Option<AssetId> {
    assets.iter().find(|asset| asset.home == Home::Chain { chain, token }).map(|asset| asset.id)
}

/// Converts a transfer to a deposit with the same ID.
fn deposit(transfer: &VaultTransfer) -> Deposit {
    Deposit {
        id: DepositId(transfer.id),
        block: transfer.block,
        block_hash: transfer.block_hash,
        tx: transfer.tx,
        position: transfer.position,
        sender: transfer.sender,
        vault: transfer.vault,
        asset: transfer.asset,
        amount: transfer.amount,
    }
}

async fn stop_all(tx: &mut Tx, assets: &[Asset], because: &str, now: Timestamp) -> Result<()> {
    for asset in assets.iter().filter(|asset| matches!(asset.home, Home::Chain { .. })) {
        store::stops::stop(tx, asset.id, because, now).await?;
    }
    Ok(())
}
