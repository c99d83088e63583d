//! Stage 6: applies the effects of a range to the ledger, vault by vault. The blocks and their contents are stored beforehand and stay stored
//! even if the ledger refuses them.
//!
//! Normally the whole range is applied at once. If the ledger refuses it, its independent parts are applied separately:
//! the range is halved until the parts that the ledger refuses are found. Their vaults are stopped, and their deposits
//! and settlements stay not final (or not reverted), so that the next range retries them. A successful retry lifts the
//! stops.

mod accounting;
mod part;
mod undeliverable;

use std::collections::{BTreeMap, BTreeSet};

use domain::ids::{PayoutId, UserId};
use domain::ledger::VaultAsset;
use store::payouts::PayoutLeg;
use store::vault_stops::{self, Cause};
use store::{Tx, blocks, deposits, payouts};

use super::effects::RangeEffects;
use crate::{Context, Error, Result};

#[derive(Debug, Default)]
pub(super) struct Refused {
    /// The vaults that were stopped.
    vault_assets: BTreeSet<VaultAsset>,
    /// The number of deposits that were not credited.
    pub(super) deposits: usize,
}

impl Refused {
    pub(super) fn is_empty(&self) -> bool {
        self.vault_assets.is_empty()
    }
}

/// Applies the effects that the ledger accepts. Returns `None` if trading has changed the rows since `users`
/// were locked; the transaction must then be rolled back.
pub(super) async fn apply(
    effects: &RangeEffects,
    context: &Context,
    tx: &mut Tx,
    users: &BTreeSet<UserId>,
) -> Result<Option<Refused>> {
    let legs = payouts::legs(tx, &effects.references()).await?;
    let mut keys = effects.keys(tx, &legs).await?;
    keys.complete(tx).await?;
    if !keys.users.is_subset(users) {
        return Ok(None);
    }
    stop_on_unknown_references(effects, tx, &legs).await?;
    let mut refused = Refused::default();
    let stopped: BTreeSet<_> = vault_stops::of(tx, Cause::Refused).await?.into_iter().collect();
    let groups = vault_groups(effects, tx, &legs).await?;
    // The ledger will probably refuse groups with a stopped vault again, so they are tried separately.
    let (separate, together): (Vec<_>, Vec<_>) =
        groups.into_iter().partition(|group| group.iter().any(|vault_asset| stopped.contains(vault_asset)));
    let mut parts: Vec<_> = separate.into_iter().map(|group| vec![group]).collect();
    parts.push(together);
    while let Some(mut groups) = parts.pop() {
        let vault_assets: BTreeSet<_> = groups.iter().flatten().copied().collect();
        let part = effects.restricted_to(&vault_assets, &legs);
        match try_part(&part, context, tx).await? {
            Attempt::Done => {}
            Attempt::Conflict => return Ok(None),
            Attempt::Refused(why) if groups.len() > 1 => {
                tracing::error!(why, groups = groups.len(), "the ledger refused a part of the range; halving it");
                let half = groups.split_off(groups.len().div_ceil(2));
                parts.extend([groups, half]);
            }
            Attempt::Refused(why) => {
                defer(&part, tx, &vault_assets, &why).await?;
                refused.deposits = refused.deposits.saturating_add(part.deposits.len());
                refused.vault_assets.extend(vault_assets);
            }
        }
    }
    Ok(Some(refused))
}

/// Lifts the stops of vaults for which the ledger no longer refuses anything.
pub(super) async fn lift_stops(tx: &mut Tx, refused: &Refused) -> Result<()> {
    for vault_asset in vault_stops::of(tx, Cause::Refused).await? {
        if !refused.vault_assets.contains(&vault_asset) && vault_stops::lift(tx, vault_asset, Cause::Refused).await? {
            tracing::info!(vault = %vault_asset.vault, asset = vault_asset.asset.0, "the ledger accepts what the chain reports about the vault; stop lifted");
        }
    }
    Ok(())
}

enum Attempt {
    Done,
    Conflict,
    /// The ledger refused the part for this reason. None of it was applied.
    Refused(String),
}

async fn try_part(part: &RangeEffects, context: &Context, tx: &mut Tx) -> Result<Attempt> {
    tx.mark().await?;
    match part.apply(context, tx).await {
        Ok(true) => {
            tx.keep().await?;
            Ok(Attempt::Done)
        }
        Ok(false) => Ok(Attempt::Conflict),
        // The database is unavailable or another transaction conflicts: the caller retries the whole range.
        Err(error @ Error::Unavailable { .. }) => Err(error),
        Err(error) => {
            tx.roll_back_to_mark().await?;
            Ok(Attempt::Refused(error.to_string()))
        }
    }
}

/// Stops the vaults of a refused part, and keeps its deposits and settlements for the next range.
async fn defer(part: &RangeEffects, tx: &mut Tx, group: &BTreeSet<VaultAsset>, why: &str) -> Result<()> {
    let because = format!("the ledger refuses what the chain reports about the vault: {why}");
    for vault_asset in group {
        tracing::error!(because, vault = %vault_asset.vault, asset = vault_asset.asset.0, "payouts out of the vault stopped");
        vault_stops::stop(tx, *vault_asset, Cause::Refused, &because, part.now).await?;
    }
    let transfers: Vec<_> = part.deposits.iter().map(|deposit| deposit.id.0).collect();
    blocks::unfinalize_transfers(tx, &transfers).await?;
    blocks::unfinalize_settlements(tx, part.chain, &part.final_settlements).await?;
    let revoked: Vec<_> = part.reverted.deposits.iter().map(|deposit| deposit.id).collect();
    deposits::orphan(tx, &revoked).await?;
    payouts::orphan(tx, &part.reverted.final_settlements).await?;
    Ok(())
}

/// Stops all payouts if the Escrow reports an unknown reference: either the database was restored from an old backup,
/// or an attacker has a settler's key.
async fn stop_on_unknown_references(effects: &RangeEffects, tx: &mut Tx, legs: &[PayoutLeg]) -> Result<()> {
    let ours: BTreeSet<_> = legs.iter().map(|leg| leg.reference).collect();
    for settlement in effects.final_settlements.iter().filter(|settlement| !ours.contains(&settlement.reference)) {
        let (reference, outcome) = (settlement.reference.0, settlement.outcome);
        let alarm = format!("the Escrow reports an unknown reference, {reference}: {outcome:?}");
        tracing::error!(alarm, tx = %settlement.tx, "payouts stopped");
        effects.assets.stop_payouts(tx, &alarm, effects.now).await?;
    }
    Ok(())
}

/// Groups the vault assets that the effects concern, so that the vault assets of one payout are in the same group.
async fn vault_groups(effects: &RangeEffects, tx: &mut Tx, legs: &[PayoutLeg]) -> Result<Vec<BTreeSet<VaultAsset>>> {
    let ids: BTreeSet<_> = legs.iter().map(|leg| leg.payout).collect();
    let ids: Vec<_> = ids.into_iter().collect();
    let mut tied: BTreeMap<PayoutId, BTreeSet<VaultAsset>> = BTreeMap::new();
    for leg in payouts::legs_of(tx, &ids).await? {
        tied.entry(leg.payout).or_default().insert(leg.vault_asset);
    }
    let deposits = effects.deposits.iter().chain(&effects.reverted.deposits);
    let single = deposits.map(|deposit| BTreeSet::from([VaultAsset { vault: deposit.vault, asset: deposit.asset }]));
    Ok(merge_overlapping(single.chain(tied.into_values())))
}

/// Merges the sets that have elements in common.
fn merge_overlapping<T: Copy + Ord>(sets: impl Iterator<Item = BTreeSet<T>>) -> Vec<BTreeSet<T>> {
    let mut groups: BTreeMap<usize, BTreeSet<T>> = BTreeMap::new();
    let mut places: BTreeMap<T, usize> = BTreeMap::new();
    for (place, mut set) in sets.enumerate() {
        let touched: BTreeSet<_> = set.iter().filter_map(|element| places.get(element).copied()).collect();
        let largest = touched.iter().copied().max_by_key(|place| groups.get(place).map_or(0, BTreeSet::len));
        let home = largest.unwrap_or(place);
        for other in touched.into_iter().filter(|other| *other != home) {
            set.extend(groups.remove(&other).unwrap_or_default());
        }
        places.extend(set.iter().map(|element| (*element, home)));
        groups.entry(home).or_default().append(&mut set);
    }
    groups.into_values().collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn merged_sets_are_disjoint_and_connected(
            sets in prop::collection::vec(prop::collection::btree_set(0..40_u8, 1..4), 0..30),
        ) {
            let groups = merge_overlapping(sets.iter().cloned());
            prop_assert_eq!(
                groups.iter().map(BTreeSet::len).sum::<usize>(),
                sets.iter().flatten().collect::<BTreeSet<_>>().len()
            );
            for set in &sets {
                prop_assert!(groups.iter().any(|group| set.is_subset(group)));
            }
            // A group cannot be split without splitting a set.
            for group in &groups {
                let mut reached: BTreeSet<_> = group.first().copied().into_iter().collect();
                for _ in group {
                    reached.extend(sets.iter().filter(|set| !set.is_disjoint(&reached)).flatten().copied().collect::<Vec<_>>());
                }
                prop_assert_eq!(&reached, group);
            }
        }
    }
}
