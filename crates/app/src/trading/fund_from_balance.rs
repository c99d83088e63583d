//! Temporary balance that its owner gives to an advert or order that waits for coins of the same asset.

use std::collections::BTreeMap;

use domain::adverts;
use domain::funding::{FundingRequest, FundingTarget};
use domain::ids::UserId;
use domain::ledger::VaultAsset;
use domain::money::Amount;
use domain::orders;
use domain::refusal::{Refusal, RiskFlag};
use domain::trade::Leg;
use store::Tx;

use super::changes::CommandChanges;
use super::command::{Command, CommandKind};
use super::unit_of_work::UnitOfWork;
use crate::idempotency::Response;

/// The temporary balance of those who offer some, as the books had it before the set.
#[derive(Default)]
pub(super) struct Free(BTreeMap<VaultAsset, Amount>);

impl Free {
    /// Loads what the set's offers are made of; nothing if there are none. Their owners are locked: nobody else takes of it.
    pub(super) async fn load(tx: &mut Tx, work: &UnitOfWork, set: &[Command]) -> store::Result<Self> {
        let mut free = Self::default();
        for command in set {
            let CommandKind::FundFromBalance { target, .. } = &command.what else { continue };
            if let Some(request) = work.request(*target) {
                free.0.insert(request.vault_asset, store::ledger::balance(tx, request.vault_asset.temporary()).await?);
            }
        }
        Ok(free)
    }

    /// What a funding request could still be given, as the set has left the books so far.
    fn beyond(&self, work: &UnitOfWork, request: &FundingRequest) -> Amount {
        let before = self.0.get(&request.vault_asset).copied().unwrap_or(Amount::ZERO);
        before.saturating_sub(work.taken(request.vault_asset.temporary())).saturating_sub(request.funded)
    }
}

/// Counts an offer; the one that completes a funding request meets it, as coins from the chain would.
pub(super) fn offer(
    changes: &mut CommandChanges,
    work: &UnitOfWork,
    free: &Free,
    user: UserId,
    target: FundingTarget,
    amount: Amount,
) -> Result<Response, Refusal> {
    match target {
        FundingTarget::Advert(id) if changes.advert(work, id)?.terms.owner != user => {
            return Err(Refusal::AdvertMissing);
        }
        FundingTarget::Order(id) if changes.order(work, id)?.terms.party(user).is_none() => {
            return Err(Refusal::OrderMissing);
        }
        FundingTarget::Advert(_) | FundingTarget::Order(_) => {}
    }
    // What keeps balance from being withdrawn keeps it from being given away.
    let person = work.person(user)?;
    if person.forbidden.contains(&RiskFlag::Withdrawal) {
        return Err(Refusal::Risk(RiskFlag::Withdrawal));
    }
    if let Some(until) = person.held_until.filter(|until| work.now < *until) {
        return Err(Refusal::HeldUntil { until });
    }
    // Whose coins are waited for no longer, or never were, has looked at an old screen.
    let request = work.request(target).filter(|request| request.vault_asset.vault == user).ok_or(Refusal::Stale)?;
    let decimals = work.assets.get(&request.vault_asset.asset).map_or(0, |asset| asset.decimals);
    let request = request.offer(amount, free.beyond(work, request), decimals)?;
    changes.funding_updated.push(request);
    if request.complete() {
        meet(changes, work, &request)?;
    }
    Ok(match target {
        FundingTarget::Advert(id) => Response { id: Some(id.0), version: changes.advert(work, id)?.version },
        FundingTarget::Order(id) => Response { id: Some(id.0), version: changes.order(work, id)?.version },
    })
}

/// Gives what a complete funding request counted to whatever waited for it. Says whether that changed anything.
pub(crate) fn meet(changes: &mut CommandChanges, work: &UnitOfWork, request: &FundingRequest) -> Result<bool, Refusal> {
    match request.target {
        FundingTarget::Advert(advert) => changes.advert_event(work, advert, &adverts::Event::DepositFunded),
        FundingTarget::Order(order) => {
            let quote = changes.order(work, order)?.terms.vault_asset(Leg::Quote) == request.vault_asset;
            let event = if quote { orders::Event::PaymentFunded } else { orders::Event::DepositFunded };
            changes.order_event(work, order, &event)
        }
    }
}
