//! Revokes the deposits of NFTs that have left their vaults without a payout: their albums have burned or moved them.

use std::collections::{BTreeMap, BTreeSet};

use domain::assets::AssetId;
use domain::chain::{Address, BlockRef, ChainId};
use domain::ledger::{self, VaultAsset};
use domain::money::Amount;
use store::vault_stops::{self, Cause};
use store::{Tx, blocks, deposits, nfts};

use super::assets::ChainAssets;
use super::consequences;
use super::effects::RangeEffects;
use super::locking::{Rows, UserLocking};
use super::revert::Reverted;
use crate::{Context, Result};

/// Revokes the deposits of NFTs that their vaults do not hold as of a final block. Returns the NFTs of which this is done.
///
/// Leaves out an NFT that the transfers on record say is still in the vault, because its album may lie for a while, and one that a
/// payout is moving: its payout fails, and can be voided.
///
/// Does nothing if that block is no longer the newest final block.
pub async fn apply_losses(
    context: &Context,
    chain: ChainId,
    at: BlockRef,
    missing: &[(Address, AssetId)],
) -> Result<BTreeSet<AssetId>> {
    for locking in UserLocking::attempts() {
        match try_apply_losses(context, chain, at, missing, locking).await? {
            Some(lost) => return Ok(lost),
            None => locking.count_conflict(),
        }
    }
    Err(store::Error::Conflict.into())
}

async fn try_apply_losses(
    context: &Context,
    chain: ChainId,
    at: BlockRef,
    missing: &[(Address, AssetId)],
    locking: UserLocking,
) -> Result<Option<BTreeSet<AssetId>>> {
    let (mut tx, now) = context.begin().await?;
    let (_, newest_final) = blocks::lock_progress(&mut tx, chain).await?;
    if newest_final != Some(at.number) || blocks::at(&mut tx, chain, at.number).await? != Some(at) {
        tx.rollback().await?;
        return Ok(Some(BTreeSet::new()));
    }
    let vaults: Vec<_> = missing.iter().map(|(vault, _)| *vault).collect();
    let owners: BTreeMap<_, _> = store::users::vault_owners(&mut tx, &vaults).await?.into_iter().collect();
    let mut effects = RangeEffects {
        now,
        chain,
        assets: ChainAssets::load(&mut tx, chain).await?,
        deposits: Vec::new(),
        final_settlements: Vec::new(),
        unconfirmed_settlements: Vec::new(),
        reverted: Reverted::default(),
    };
    let named: BTreeSet<_> = owners.values().copied().collect();
    let revoked = missing.iter().filter_map(|(vault, nft)| Some((*vault, *owners.get(vault)?, *nft)));
    let behind = vault_stops::of(&mut tx, Cause::Refused).await?;
    for (address, vault, asset) in revoked {
        let vault_asset = VaultAsset { vault, asset };
        if !behind.contains(&vault_asset) && has_left(&mut tx, address, vault_asset, at).await? {
            effects.reverted.deposits.extend(deposits::revoke_newest(&mut tx, vault_asset, now).await?);
        }
    }
    let lost: BTreeSet<_> = effects.reverted.deposits.iter().map(|deposit| deposit.asset).collect();
    if lost.is_empty() {
        tx.rollback().await?;
        return Ok(Some(lost));
    }
    let users = locking.lock(&mut tx, named, Rows::OfEffects(&effects, &[])).await?;
    if consequences::apply(&effects, context, &mut tx, &users).await?.is_none() {
        tx.rollback().await?;
        return Ok(None);
    }
    tx.commit().await?;
    Ok(Some(lost))
}

/// Returns whether an NFT in custody left its vault, by its own history, and no payout has it in flight.
async fn has_left(tx: &mut Tx, address: Address, vault_asset: VaultAsset, at: BlockRef) -> Result<bool> {
    let holder = nfts::holder_after(tx, vault_asset.asset, at.number).await?;
    if holder.is_none_or(|holder| holder == address) {
        return Ok(false);
    }
    let holdings: Vec<_> = store::ledger::holdings_in(tx, vault_asset.vault).await?;
    let of_nft: Vec<_> = holdings.into_iter().filter(|(account, _)| account.vault_asset() == vault_asset).collect();
    Ok(!ledger::draw(Amount::ONE, &of_nft).is_empty())
}
