//! Temporary balance that its owner gives to an advert or order that waits for coins of the same asset.

use std::collections::BTreeMap;

use domain::adverts;
use domain::claims::{Claim, Holder};
use domain::ids::UserId;
use domain::ledger::VaultAsset;
use domain::money::Amount;
use domain::orders;
use domain::refusal::{Refusal, RiskFlag};
use domain::trade::Leg;
use store::Tx;

use super::command::{Answer, Command, What};
use super::draft::Draft;
use super::world::World;

/// The temporary balance of those who offer some, as the books had it before the set.
#[derive(Default)]
pub(super) struct Free(BTreeMap<VaultAsset, Amount>);

impl Free {
    /// Loads what the set's offers are made of; nothing if there are none. Their owners are locked: nobody else takes of it.
    pub(super) async fn load(tx: &mut Tx, world: &World, set: &[Command]) -> store::Result<Self> {
        let mut free = Self::default();
        for command in set {
            let What::Offer { holder, .. } = &command.what else { continue };
            if let Some(claim) = world.claim(*holder) {
                free.0.insert(claim.vault_asset, store::ledger::balance(tx, claim.vault_asset.temporary()).await?);
            }
        }
        Ok(free)
    }

    /// What a claim could still be given, as the set has left the books so far.
    fn beyond(&self, world: &World, claim: &Claim) -> Amount {
        let before = self.0.get(&claim.vault_asset).copied().unwrap_or(Amount::ZERO);
        before.saturating_sub(world.taken(claim.vault_asset.temporary())).saturating_sub(claim.counted)
    }
}

/// Counts an offer; the one that completes a claim meets it, as coins from the chain would.
pub(super) fn offer(
    draft: &mut Draft,
    world: &World,
    free: &Free,
    user: UserId,
    holder: Holder,
    amount: Amount,
) -> Result<Answer, Refusal> {
    match holder {
        Holder::Advert(id) if draft.advert(world, id)?.terms.owner != user => return Err(Refusal::AdvertMissing),
        Holder::Order(id) if draft.order(world, id)?.terms.party(user).is_none() => return Err(Refusal::OrderMissing),
        Holder::Advert(_) | Holder::Order(_) => {}
    }
    // What keeps balance from being withdrawn keeps it from being given away.
    let person = world.person(user)?;
    if person.forbidden.contains(&RiskFlag::Withdrawal) {
        return Err(Refusal::Risk(RiskFlag::Withdrawal));
    }
    if let Some(until) = person.held_until.filter(|until| world.now < *until) {
        return Err(Refusal::HeldUntil { until });
    }
    // Whose coins are waited for no longer, or never were, has looked at an old screen.
    let claim = world.claim(holder).filter(|claim| claim.vault_asset.vault == user).ok_or(Refusal::Stale)?;
    let decimals = world.assets.get(&claim.vault_asset.asset).map_or(0, |asset| asset.decimals);
    let claim = claim.offer(amount, free.beyond(world, claim), decimals)?;
    draft.claims_counted.push(claim);
    if claim.complete() {
        meet(draft, world, &claim)?;
    }
    Ok(match holder {
        Holder::Advert(id) => Answer { id: Some(id.0), version: draft.advert(world, id)?.version },
        Holder::Order(id) => Answer { id: Some(id.0), version: draft.order(world, id)?.version },
    })
}

/// Gives what a complete claim counted to whatever waited for it. Says whether that changed anything.
pub(crate) fn meet(draft: &mut Draft, world: &World, claim: &Claim) -> Result<bool, Refusal> {
    match claim.holder {
        Holder::Advert(advert) => draft.advert_event(world, advert, &adverts::Event::DepositClaimed),
        Holder::Order(order) => {
            let quote = draft.order(world, order)?.terms.vault_asset(Leg::Quote) == claim.vault_asset;
            let event = if quote { orders::Event::PaymentClaimed } else { orders::Event::DepositClaimed };
            draft.order_event(world, order, &event)
        }
    }
}
