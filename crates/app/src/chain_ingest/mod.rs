//! What the chain says becomes what the product knows: ranges of blocks in, ranges replaced.
//!
//! A transfer is a record at first sight and money when its block is deep enough. A reorganisation takes the blocks above
//! the common ancestor away, undoes through the books what had become money in them, and plays the new blocks forward: an
//! ordinary step, however deep.
//!
//! A range belongs to the chain that it was read on: if another reader has changed what is stored, the range is dropped and
//! read again. What the chain says is always stored; a consequence that the books refuse stops the vault concerned, and is
//! tried again with each range ([`consequences`]).

mod apply;
mod consequences;
mod crediting;
mod payments;
mod revert;
mod step;
mod undeliverable;

use std::collections::{BTreeMap, BTreeSet};

use domain::assets::{Asset, AssetId, Home};
use domain::chain::{Address, BlockHash, BlockNumber, BlockRef, ChainId, Reference, Token, TxHash};
use domain::clock::Timestamp;
use domain::ids::DepositId;
use domain::ledger::VaultAsset;
use domain::money::Amount;
pub use store::blocks::SettlementOutcome;
use store::blocks::{self, Settlement};
use store::deposits::Deposit;
use store::vault_stops::{self, Cause};
use store::{Tx, catalog};

pub use crediting::{Finalizing, finalizing};
use step::Step;

use crate::trading::unit_of_work::Keys;
use crate::{Context, Error, Result};

/// Some consecutive blocks, to replace everything from a height on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Range {
    /// Of which chain.
    pub chain: ChainId,
    /// The newest stored block when this was read; nothing if there was none. The range is about what was stored then.
    pub read_on: Option<BlockRef>,
    /// Everything from this height on is forgotten first. One above the head where nothing is to be forgotten.
    pub replace_from: BlockNumber,
    /// What stands there now, in order. Empty if the chain has become shorter.
    pub blocks: Vec<Block>,
    /// What the vaults named by [`finalizing`] hold. Nothing where the node cannot say: then nothing becomes money with this
    /// range, and all of it with a later one.
    pub held: Option<Held>,
}

/// One block, with what concerns the product.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// Its height and hashes.
    pub place: BlockRef,
    /// Its time stamp.
    pub at: Timestamp,
    /// Transfers by successful transactions and logs of configured contracts. Those that touch neither a vault nor an
    /// address to which an order is paid are passed over.
    pub transfers: Vec<Transfer>,
    /// What the Escrow did.
    pub settlements: Vec<(Reference, SettlementOutcome, TxHash)>,
}

/// Coins that moved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transfer {
    /// What moved.
    pub token: Token,
    /// By which transaction.
    pub tx: TxHash,
    /// The log's index in the block, or −1 − the transaction's index for the native coin.
    pub position: i64,
    /// From where.
    pub from: Address,
    /// To where.
    pub to: Address,
    /// How much.
    pub amount: Amount,
}

/// What the node says that a vault holds as of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Balance {
    /// Which vault.
    pub vault: Address,
    /// Of what.
    pub token: Token,
    /// How much.
    pub amount: Amount,
}

/// What vaults hold as of a block, as far as it can be known.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Held {
    /// As of which block; nothing if nothing was asked.
    pub at: Option<BlockRef>,
    /// What the node says.
    pub known: Vec<Balance>,
    /// Where the token does not say it: which vault, of what, and why, in words.
    pub unknown: Vec<(Address, Token, String)>,
}

/// What to be wary of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Policy {
    /// Whether a reorganisation that takes money back stops all payouts, until an administrator resumes them.
    pub stop_on_deep_reorganisation: bool,
}

/// What a range has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Applied {
    /// The newest block that is known now.
    pub head: Option<BlockNumber>,
    /// The newest block whose contents are money now.
    pub confirmed: Option<BlockNumber>,
    /// How many deposits have become money.
    pub deposits: usize,
    /// How many deposits the chain has taken back.
    pub revoked: usize,
    /// How many transfers became final and are not money for now, because the vault does not hold what they say.
    pub uncredited: usize,
}

/// How often a step is begun anew because trading has moved on between looking for what it touches and locking that.
const ATTEMPTS: u32 = 8;

/// Takes a range of blocks. Refuses one that does not join what is known. What is known of it already is passed over, so
/// the same range twice is harmless.
///
/// Answers nothing, and does nothing, if something else is stored by now than what the range was read on: another reader was
/// faster, and only a new look at the chain says what is true now.
pub async fn apply(context: &Context, range: &Range, policy: Policy) -> Result<Option<Applied>> {
    for _ in 0..ATTEMPTS {
        match try_apply(context, range, policy).await? {
            Attempt::Done(applied) => return Ok(Some(applied)),
            Attempt::Stale => return Ok(None),
            Attempt::Crowded => {}
        }
    }
    Err(crowded())
}

/// What became of an attempt to apply a range.
enum Attempt {
    /// It is applied.
    Done(Applied),
    /// What is stored is no longer what it was read on. Nothing was done.
    Stale,
    /// Trading moved on meanwhile. Nothing was done; the same again may succeed.
    Crowded,
}

fn crowded() -> Error {
    store::Error::Conflict.into()
}

async fn try_apply(context: &Context, range: &Range, policy: Policy) -> Result<Attempt> {
    let (mut tx, now) = context.begin().await?;
    let (head, confirmed) = blocks::lock_progress(&mut tx, range.chain).await?;
    let stored = match head {
        Some(head) => blocks::at(&mut tx, range.chain, head).await?,
        None => None,
    };
    if stored != range.read_on {
        // The chain's lock is free again before this returns.
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
    if policy.stop_on_deep_reorganisation && !(reverted.deposits.is_empty() && reverted.counted.is_empty()) {
        let because = "a reorganisation took back what was final";
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
        let crediting = step.mark_credited(&mut tx, transfers, up_to, held).await?;
        applied.uncredited = crediting.uncredited;
        step.deposits = crediting.credited.iter().map(deposit).collect();
        finalized = true;
    }
    let people = step.hold(&mut tx).await?;
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

/// Takes what vaults hold as of a confirmed block: what is above their books is one deposit each.
///
/// Does nothing if the product has moved on from the block meanwhile, or if an earlier look counted it already; nor for a
/// vault whose books are behind the chain, because nobody knows what is above them.
pub async fn apply_balances(context: &Context, chain: ChainId, at: BlockRef, balances: &[Balance]) -> Result<usize> {
    for _ in 0..ATTEMPTS {
        if let Some(found) = try_apply_balances(context, chain, at, balances).await? {
            return Ok(found);
        }
    }
    Err(crowded())
}

async fn try_apply_balances(
    context: &Context,
    chain: ChainId,
    at: BlockRef,
    balances: &[Balance],
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
    let mut keys = Keys { people: owners.values().copied().collect(), ..Keys::default() };
    step::waiting(&mut tx, &mut keys).await?;
    let people = step::lock_people(&mut tx, keys).await?;
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

/// The range without the blocks at its beginning that are known already. One that holds known blocks only says nothing about
/// those above them; only an empty one says that there are none.
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
    /// The newest block once this is applied.
    fn head(&self) -> Option<BlockNumber> {
        self.blocks.last().map(|block| block.place.number).or_else(|| self.replace_from.checked_sub(1))
    }

    /// The newest final block once this is applied, where `before` was it until now.
    fn confirmed(&self, before: Option<BlockNumber>, confirmations: u64) -> Option<BlockNumber> {
        let below = self.replace_from.checked_sub(1);
        let kept = before.filter(|before| *before < self.replace_from).or_else(|| before.and(below));
        let deep_enough = self.head().and_then(|head| head.checked_add(1)?.checked_sub(confirmations));
        if self.held.is_some() { deep_enough.max(kept) } else { kept }
    }
}

/// Whether a range begins at what is known.
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

/// Writes the blocks, and what happened in them to vaults and references of ours. Says what the Escrow did.
async fn see(
    context: &Context,
    tx: &mut Tx,
    range: &Range,
    assets: &[Asset],
    now: Timestamp,
) -> Result<Vec<Settlement>> {
    let rows: Vec<_> = range.blocks.iter().map(|block| blocks::Block { place: block.place, at: block.at }).collect();
    blocks::insert(tx, range.chain, &rows).await?;
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
                transfers.push(blocks::Transfer {
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
        for (reference, outcome, tx) in &block.settlements {
            settlements.push(Settlement {
                block: block.place.number,
                block_hash: block.place.hash,
                tx: *tx,
                reference: *reference,
                outcome: *outcome,
            });
        }
    }
    blocks::insert_transfers(tx, range.chain, &transfers, now).await?;
    blocks::insert_settlements(tx, range.chain, &settlements).await?;
    payments::see(tx, range, assets, &owners).await?;
    Ok(settlements)
}

fn asset_of(assets: &[Asset], chain: ChainId, token: Token) -> Option<AssetId> {
    assets.iter().find(|asset| asset.home == Home::Chain { chain, token }).map(|asset| asset.id)
}

/// The deposit that a transfer becomes. It keeps the transfer's id: who looks at the record of one sees the other.
fn deposit(transfer: &blocks::Transfer) -> Deposit {
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
