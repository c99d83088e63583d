//! Credits what a vault holds beyond the ledger without a recorded transfer: coins that a contract has sent without a log, and NFTs
//! that came before ingestion read their album or before the vault had an owner.

use std::collections::{BTreeMap, BTreeSet};

use domain::chain::{BlockRef, ChainId};
use domain::ids::DepositId;
use domain::ledger::VaultAsset;
use store::deposits::Deposit;
use store::vault_stops::{self, Cause};

use super::assets::ChainAssets;
use super::consequences;
use super::effects::RangeEffects;
use super::locking::{Rows, UserLocking};
use super::range::Balance;
use crate::{Context, Result};

/// Applies the vaults' balances as of a final block: credits any excess over the ledger as a deposit.
///
/// Does nothing if that block is no longer the newest final block, or if the excess was already credited. Skips vaults
/// whose ledger is behind the chain, because their excess is unknown.
pub async fn apply_balances(context: &Context, chain: ChainId, at: BlockRef, balances: &[Balance]) -> Result<usize> {
    for locking in UserLocking::attempts() {
        match try_apply_balances(context, chain, at, balances, locking).await? {
            Some(found) => return Ok(found),
            None => locking.count_conflict(),
        }
    }
    Err(store::Error::Conflict.into())
}

async fn try_apply_balances(
    context: &Context,
    chain: ChainId,
    at: BlockRef,
    balances: &[Balance],
    locking: UserLocking,
) -> Result<Option<usize>> {
    let (mut tx, now) = context.begin().await?;
    if !super::lock_at_final(&mut tx, chain, at).await? {
        tx.rollback().await?;
        return Ok(Some(0));
    }
    let mut assets = ChainAssets::load(&mut tx, chain).await?;
    assets.add_tokens(&mut tx, balances.iter().map(|balance| balance.token)).await?;
    let vaults: Vec<_> = balances.iter().map(|balance| balance.vault).collect();
    let owners: BTreeMap<_, _> = store::users::vault_owners(&mut tx, &vaults).await?.into_iter().collect();
    let named: BTreeSet<_> = owners.values().copied().collect();
    let users = locking.lock(&mut tx, named, Rows::AwaitingCoins).await?;
    let behind = vault_stops::of(&mut tx, Cause::Refused).await?;
    let mut deposits = Vec::new();
    for balance in balances {
        let (Some(&owner), Some(asset)) = (owners.get(&balance.vault), assets.of_token(balance.token)) else {
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
    let effects = RangeEffects { deposits, ..RangeEffects::none(now, chain, assets) };
    let Some(refused) = consequences::apply(&effects, context, &mut tx, &users).await? else {
        tx.rollback().await?;
        return Ok(None);
    };
    tx.commit().await?;
    Ok(Some(found.saturating_sub(refused.deposits)))
}
