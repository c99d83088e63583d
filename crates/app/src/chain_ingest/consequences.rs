//! What a range means for the books, vault by vault. What the chain says is stored already and stays stored, whatever becomes
//! of it here.
//!
//! Usually all of it is carried out at once. If the books refuse it, each part that is independent of the others is carried
//! out by itself. A part that is refused again stays undone: its vaults are stopped, and the chain's word waits, as not final
//! yet or as not taken back yet, for the next range, which tries again. As soon as it succeeds, the stops are lifted.

use std::collections::{BTreeMap, BTreeSet};

use domain::chain::Reference;
use domain::ids::{PayoutId, UserId};
use domain::ledger::VaultAsset;
use store::payouts::Leg;
use store::vault_stops::{self, Cause};
use store::{Tx, blocks, deposits, payouts};

use super::step::Step;
use super::stop_all;
use crate::{Context, Error, Result};

/// What the books refused.
#[derive(Debug, Default)]
pub(super) struct Refused {
    /// The vaults that were stopped.
    vault_assets: BTreeSet<VaultAsset>,
    /// How many deposits did not become money.
    pub(super) deposits: usize,
}

/// Carries a step out, as far as the books accept it. Nothing if trading has moved on since `people` were locked; then the
/// transaction must be given up.
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
    // What was refused before is likely to be refused again: nobody else is tried together with it.
    let (mut alone, together): (Vec<_>, Vec<_>) =
        groups.into_iter().partition(|group| group.iter().any(|vault_asset| stopped.contains(vault_asset)));
    let all: BTreeSet<_> = together.iter().flatten().copied().collect();
    match attempt(&step.only(&all, &legs), context, tx).await? {
        Attempt::Done => {}
        Attempt::Crowded => return Ok(None),
        Attempt::Refused(why) => {
            tracing::error!(why, "the books refused what the chain says: each vault by itself");
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

/// Lifts the stops of vaults of which nothing is refused any more.
pub(super) async fn lift(tx: &mut Tx, refused: &Refused) -> Result<()> {
    for vault_asset in vault_stops::of(tx, Cause::Refused).await? {
        if !refused.vault_assets.contains(&vault_asset) && vault_stops::lift(tx, vault_asset, Cause::Refused).await? {
            tracing::info!(vault = %vault_asset.vault, asset = vault_asset.asset.0, "the books accept what the chain says of the vault");
        }
    }
    Ok(())
}

/// What became of a part.
enum Attempt {
    Done,
    Crowded,
    /// The books refused it, and nothing of it is done; why, in words.
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
        // A database that is gone, or another transaction in the way: the whole range is tried again.
        Err(error @ Error::Unavailable { .. }) => Err(error),
        Err(error) => {
            tx.roll_back_to_mark().await?;
            Ok(Attempt::Refused(error.to_string()))
        }
    }
}

/// Stops the vaults of a part that was refused, and keeps what the chain says of them for the next range.
async fn keep_back(part: &Step, tx: &mut Tx, group: &BTreeSet<VaultAsset>, why: &str) -> Result<()> {
    let because = format!("the books refuse what the chain says of the vault: {why}");
    for vault_asset in group {
        tracing::error!(because, vault = %vault_asset.vault, asset = vault_asset.asset.0, "payouts out of a vault stopped");
        vault_stops::stop(tx, *vault_asset, Cause::Refused, &because, part.now).await?;
    }
    let transfers: Vec<_> = part.deposits.iter().map(|deposit| deposit.id.0).collect();
    blocks::unfinalize_transfers(tx, &transfers).await?;
    blocks::unfinalize_settlements(tx, part.chain, &part.settlements).await?;
    let revoked: Vec<_> = part.reverted.deposits.iter().map(|deposit| deposit.id).collect();
    deposits::orphan(tx, &revoked).await?;
    payouts::orphan(tx, &part.reverted.counted).await?;
    Ok(())
}

/// A reference that is none of ours: the database is older than the Escrow, or somebody else has a settler's key.
async fn unowed(step: &Step, tx: &mut Tx, legs: &[Leg]) -> Result<()> {
    let ours: BTreeSet<_> = legs.iter().map(|leg| leg.reference).collect();
    for settlement in step.settlements.iter().filter(|settlement| !ours.contains(&settlement.reference)) {
        let (reference, outcome) = (settlement.reference.0, settlement.outcome);
        let alarm = format!("the Escrow says of reference {reference}, which nobody owed: {outcome:?}");
        tracing::error!(alarm, tx = %settlement.tx, "payouts stopped");
        stop_all(tx, &step.assets, &alarm, step.now).await?;
    }
    Ok(())
}

/// The vaults and assets that the step is about, those together that a payout ties to one another.
async fn groups(step: &Step, tx: &mut Tx, legs: &[Leg]) -> Result<Vec<BTreeSet<VaultAsset>>> {
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
    /// The part of the step that is about some vaults and assets.
    fn only(&self, vault_assets: &BTreeSet<VaultAsset>, legs: &[Leg]) -> Self {
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
        part.reverted.counted.retain(|reference| references.contains(reference));
        part
    }
}
