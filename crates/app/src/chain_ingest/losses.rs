//! Revokes the deposits of NFTs that have left their vaults without a payout: their albums have burned or moved them.

use std::collections::{BTreeMap, BTreeSet};

use domain::assets::AssetId;
use domain::chain::{Address, BlockRef, ChainId};
use domain::ledger::{self, VaultAsset};
use domain::money::Amount;
use store::vault_stops::{self, Cause};
use store::{Tx, deposits, nfts};

use super::assets::ChainAssets;
use super::consequences;
use super::effects::RangeEffects;
use super::locking::{Rows, UserLocking};
use crate::{Context, Result};

/// The number of NFTs whose deposits are revoked in one transaction, which keeps ingestion waiting.
pub const LOSSES_AT_ONCE: usize = 100;

/// An NFT that its vault does not hold, although the ledger says so.
pub type Missing = (Address, AssetId);

/// Revokes the deposits of NFTs that their vaults do not hold as of a final block. Returns those of which this is done; `None` if
/// that block is no longer the newest final block, and nothing was done.
///
/// Leaves out an NFT that the transfers on record say is still in the vault, because its album may lie for a while, and one that a
/// payout is moving: its payout fails, and can be voided. Transfers that are not credited say nothing.
pub async fn apply_losses(
    context: &Context,
    chain: ChainId,
    at: BlockRef,
    missing: &[Missing],
) -> Result<Option<BTreeSet<Missing>>> {
    for locking in UserLocking::attempts() {
        match try_apply_losses(context, chain, at, missing, locking).await? {
            Attempt::Done(lost) => return Ok(Some(lost)),
            Attempt::Stale => return Ok(None),
            Attempt::Conflict => locking.count_conflict(),
        }
    }
    Err(store::Error::Conflict.into())
}

enum Attempt {
    Done(BTreeSet<Missing>),
    /// The block is no longer the newest final block.
    Stale,
    /// Trading changed the rows. Nothing was changed; a retry may succeed.
    Conflict,
}

async fn try_apply_losses(
    context: &Context,
    chain: ChainId,
    at: BlockRef,
    missing: &[Missing],
    locking: UserLocking,
) -> Result<Attempt> {
    let (mut tx, now) = context.begin().await?;
    if !super::lock_at_final(&mut tx, chain, at).await? {
        tx.rollback().await?;
        return Ok(Attempt::Stale);
    }
    let vaults: Vec<_> = missing.iter().map(|(vault, _)| *vault).collect();
    let owners: BTreeMap<_, _> = store::users::vault_owners(&mut tx, &vaults).await?.into_iter().collect();
    let owned = missing
        .iter()
        .filter_map(|(vault, nft)| Some(((*vault, *nft), VaultAsset { vault: *owners.get(vault)?, asset: *nft })));
    let behind = vault_stops::of(&mut tx, Cause::Refused).await?;
    let mut left: BTreeMap<_, _> = owned.filter(|(_, vault_asset)| !behind.contains(vault_asset)).collect();
    let suspects: Vec<_> = left.keys().map(|(_, nft)| *nft).collect();
    let holders = nfts::credible_holders(&mut tx, &suspects, at.number).await?;
    left.retain(|(vault, nft), _| holders.get(nft).is_some_and(|holder| holder != vault));
    let available = in_custody(&mut tx, left.values()).await?;
    left.retain(|_, vault_asset| available.contains(vault_asset));
    if left.is_empty() {
        tx.rollback().await?;
        return Ok(Attempt::Done(BTreeSet::new()));
    }
    let mut effects = RangeEffects::none(now, chain, ChainAssets::load(&mut tx, chain).await?);
    let vault_assets: Vec<_> = left.values().copied().collect();
    effects.reverted.deposits = deposits::revoke_newest(&mut tx, &vault_assets, now).await?;
    let named: BTreeSet<_> = left.values().map(|vault_asset| vault_asset.vault).collect();
    let users = locking.lock(&mut tx, named, Rows::OfEffects(&effects, &[])).await?;
    // A payout may have taken an NFT before its owner was locked.
    if in_custody(&mut tx, left.values()).await? != available {
        tx.rollback().await?;
        return Ok(Attempt::Conflict);
    }
    match consequences::apply(&effects, context, &mut tx, &users).await? {
        None => {
            tx.rollback().await?;
            Ok(Attempt::Conflict)
        }
        // The next comparison tries again. Nothing else would know whether the NFT is back by then.
        Some(refused) if !refused.is_empty() => {
            tx.rollback().await?;
            Ok(Attempt::Done(BTreeSet::new()))
        }
        Some(_) => {
            tx.commit().await?;
            Ok(Attempt::Done(left.into_keys().collect()))
        }
    }
}

/// Returns those of the NFTs that are in an account of their owner, an advert or an order, and so in no payout.
async fn in_custody(tx: &mut Tx, nfts: impl Iterator<Item = &VaultAsset>) -> Result<BTreeSet<VaultAsset>> {
    let nfts: Vec<_> = nfts.copied().collect();
    let mut found = BTreeSet::new();
    for (account, amount) in store::ledger::of_vault_assets(tx, &nfts).await? {
        if !ledger::draw(Amount::ONE, &[(account, amount)]).is_empty() {
            found.insert(account.vault_asset());
        }
    }
    Ok(found)
}
