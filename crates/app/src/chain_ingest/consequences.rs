//! Applies a range to the ledger, vault by vault. The blocks and their contents are stored beforehand and stay stored
//! even if the ledger refuses them.
//!
//! Normally the whole range is applied at once. If the ledger refuses it, each independent part is applied separately.
//! If the ledger refuses a part, that part's vaults are stopped, and its deposits and settlements stay not final (or
//! not reverted), so that the next range retries them. A successful retry lifts the stops.

use std::collections::{BTreeMap, BTreeSet};

use domain::chain::Reference;
use domain::ids::{PayoutId, UserId};
use domain::ledger::VaultAsset;
use store::payouts::PayoutLeg;
use store::vault_stops::{self, Cause};
use store::{Tx, blocks, deposits, payouts};

use super::step::Step;
use super::stop_all;
use crate::{Context, Error, Result};

#[derive(Debug, Default)]
pub(super) struct Refused {
    /// The vaults that were stopped.
    vault_assets: BTreeSet<VaultAsset>,
    /// The number of deposits that were not credited.
    pub(super) deposits: usize,
}

/// Applies the parts of a step that the ledger accepts. Returns `None` if trading has changed the rows since `people`
/// were locked; the transaction must then be rolled back.
pub(super) async fn carry_out(
    step: &Step,
    context: &Context,
    tx: &mut Tx,
    people: &BTreeSet<UserId>,
) -> Result<Option<Refused>> {
    let legs = payouts::legs(tx, &step.references()).await?;
    let mut keys = step.keys(tx, &legs).await?;
    keys.complete(tx).await?;
    if !keys.people.is_subset(people) {
        return Ok(None);
    }
    unowed(step, tx, &legs).await?;
    let mut refused = Refused::default();
    let stopped: BTreeSet<_> = vault_stops::of(tx, Cause::Refused).await?.into_iter().collect();
    let groups = groups(step, tx, &legs).await?;
    // The ledger will probably refuse groups with a stopped vault again, so they are tried separately.
    let (mut alone, together): (Vec<_>, Vec<_>) =
        groups.into_iter().partition(|group| group.iter().any(|vault_asset| stopped.contains(vault_asset)));
    let all: BTreeSet<_> = together.iter().flatten().copied().collect();
    match attempt(&step.only(&all, &legs), context, tx).await? {
        Attempt::Done => {}
        Attempt::Crowded => return Ok(None),
        Attempt::Refused(why) => {
            tracing::error!(why, "the ledger refused the range; applying each vault separately");
            alone.extend(together);
        }
    }
    for group in alone {
        let part = step.only(&group, &legs);
        match attempt(&part, context, tx).await? {
            Attempt::Done => {}
            Attempt::Crowded => return Ok(None),
            Attempt::Refused(why) => {
                keep_back(&part, tx, &group, &why).await?;
                refused.deposits = refused.deposits.saturating_add(part.deposits.len());
                refused.vault_assets.extend(group);
            }
        }
    }
    Ok(Some(refused))
}

/// Lifts the stops of vaults for which the ledger no longer refuses anything.
pub(super) async fn lift(tx: &mut Tx, refused: &Refused) -> Result<()> {
    for vault_asset in vault_stops::of(tx, Cause::Refused).await? {
        if !refused.vault_assets.contains(&vault_asset) && vault_stops::lift(tx, vault_asset, Cause::Refused).await? {
            tracing::info!(vault = %vault_asset.vault, asset = vault_asset.asset.0, "the ledger accepts what the chain reports about the vault; stop lifted");
        }
    }
    Ok(())
}

enum Attempt {
    Done,
    Crowded,
    /// The ledger refused the part for this reason. None of it was applied.
    Refused(String),
}

async fn attempt(part: &Step, context: &Context, tx: &mut Tx) -> Result<Attempt> {
    tx.mark().await?;
    match part.carry_out(context, tx).await {
        Ok(true) => {
            tx.keep().await?;
            Ok(Attempt::Done)
        }
        Ok(false) => Ok(Attempt::Crowded),
        // The database is unavailable or another transaction conflicts: the caller retries the whole range.
        Err(error @ Error::Unavailable { .. }) => Err(error),
        Err(error) => {
            tx.roll_back_to_mark().await?;
            Ok(Attempt::Refused(error.to_string()))
        }
    }
}

/// Stops the vaults of a refused part, and keeps its deposits and settlements for the next range.
async fn keep_back(part: &Step, tx: &mut Tx, group: &BTreeSet<VaultAsset>, why: &str) -> Result<()> {
    let because = format!("the ledger refuses what the chain reports about the vault: {why}");
    for vault_asset in group {
        tracing::error!(because, vault = %vault_asset.vault, asset = vault_asset.asset.0, "payouts out of the vault stopped");
        vault_stops::stop(tx, *vault_asset, Cause::Refused, &because, part.now).await?;
    }
    let transfers: Vec<_> = part.deposits.iter().map(|deposit| deposit.id.0).collect();
    blocks::unfinalize_transfers(tx, &transfers).await?;
    blocks::unfinalize_settlements(tx, part.chain, &part.settlements).await?;
    let revoked: Vec<_> = part.reverted.deposits.iter().map(|deposit| deposit.id).collect();
    deposits::orphan(tx, &revoked).await?;
    payouts::orphan(tx, &part.reverted.final_settlements).await?;
    Ok(())
}

/// Stops all payouts if the Escrow reports an unknown reference: either the database was restored from an old backup,
/// or an attacker has a settler's key.
async fn unowed(step: &Step, tx: &mut Tx, legs: &[PayoutLeg]) -> Result<()> {
    let ours: BTreeSet<_> = legs.iter().map(|leg| leg.reference).collect();
    for settlement in step.settlements.iter().filter(|settlement| !ours.contains(&settlement.reference)) {
        let (reference, outcome) = (settlement.reference.0, settlement.outcome);
        let alarm = format!("the Escrow reports an unknown reference, {reference}: {outcome:?}");
        tracing::error!(alarm, tx = %settlement.tx, "payouts stopped");
        stop_all(tx, &step.assets, &alarm, step.now).await?;
    }
    Ok(())
}

/// Groups the vault assets that the step concerns, so that the vault assets of one payout are in the same group.
async fn groups(step: &Step, tx: &mut Tx, legs: &[PayoutLeg]) -> Result<Vec<BTreeSet<VaultAsset>>> {
    let ids: BTreeSet<_> = legs.iter().map(|leg| leg.payout).collect();
    let ids: Vec<_> = ids.into_iter().collect();
    let mut tied: BTreeMap<PayoutId, BTreeSet<VaultAsset>> = BTreeMap::new();
    for leg in payouts::legs_of(tx, &ids).await? {
        tied.entry(leg.payout).or_default().insert(leg.vault_asset);
    }
    let deposits = step.deposits.iter().chain(&step.reverted.deposits);
    let single = deposits.map(|deposit| BTreeSet::from([VaultAsset { vault: deposit.vault, asset: deposit.asset }]));
    Ok(single.chain(tied.into_values()).fold(Vec::new(), |groups, more| {
        let (touching, mut rest): (Vec<_>, Vec<_>) = groups.into_iter().partition(|group| !more.is_disjoint(group));
        rest.push(touching.into_iter().flatten().chain(more).collect());
        rest
    }))
}

impl Step {
    /// Returns the part of the step that concerns these vault assets.
    fn only(&self, vault_assets: &BTreeSet<VaultAsset>, legs: &[PayoutLeg]) -> Self {
        let references: BTreeSet<Reference> =
            legs.iter().filter(|leg| vault_assets.contains(&leg.vault_asset)).map(|leg| leg.reference).collect();
        let mut part = self.clone();
        let deposits = [&mut part.deposits, &mut part.reverted.deposits];
        for all in deposits {
            all.retain(|deposit| vault_assets.contains(&VaultAsset { vault: deposit.vault, asset: deposit.asset }));
        }
        for all in [&mut part.settlements, &mut part.seen, &mut part.reverted.seen] {
            all.retain(|settlement| references.contains(&settlement.reference));
        }
        part.reverted.final_settlements.retain(|reference| references.contains(reference));
        part
    }
}
