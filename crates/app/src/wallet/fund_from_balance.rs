//! Gives a user's temporary balance to their own advert or order that waits for coins of the same asset.

use std::collections::BTreeMap;

use domain::adverts;
use domain::funding::{FundingRequest, FundingTarget};
use domain::ids::UserId;
use domain::ledger::{Account, VaultAsset};
use domain::money::Amount;
use domain::orders;
use domain::refusal::{Refusal, RiskFlag};
use domain::trade::Leg;
use store::Tx;

use crate::engine::changes::CommandChanges;
use crate::engine::funding_requests::FundingChange;
use crate::engine::idempotency::Response;
use crate::engine::unit_of_work::UnitOfWork;

/// The temporary balances that users of the set can offer, as in the ledger before the set.
#[derive(Default)]
pub(crate) struct Free(BTreeMap<VaultAsset, Amount>);

impl Free {
    /// Loads the balances that the set's commands offer. Their owners are locked, so no other transaction uses the balances.
    pub(crate) async fn load(tx: &mut Tx, offered: Vec<VaultAsset>) -> store::Result<Self> {
        let accounts: Vec<_> = offered.into_iter().map(VaultAsset::temporary).collect();
        let balances = store::ledger::balances(tx, &accounts).await?;
        let vault_asset = |account: Account| VaultAsset { vault: account.vault, asset: account.asset };
        Ok(Self(balances.into_iter().map(|(account, balance)| (vault_asset(account), balance)).collect()))
    }

    /// Returns what is left of a balance after the set's postings so far.
    fn left(&self, work: &UnitOfWork, vault_asset: VaultAsset) -> Amount {
        let before = self.0.get(&vault_asset).copied().unwrap_or(Amount::ZERO);
        before.saturating_sub(work.taken(vault_asset.temporary()))
    }

    /// Returns the balance that can still be given to a funding request, considering the set's postings so far.
    fn beyond(&self, work: &UnitOfWork, request: &FundingRequest) -> Amount {
        self.left(work, request.vault_asset).saturating_sub(request.funded)
    }

    /// Returns the balance that is not promised to an open funding request, considering the set's postings so far.
    pub(crate) fn unpromised(&self, work: &UnitOfWork, vault_asset: VaultAsset) -> Amount {
        let promised = work.funding_requests.of(vault_asset).map(|request| request.funded);
        promised.fold(self.left(work, vault_asset), Amount::saturating_sub)
    }
}

/// Gives temporary balance to the request that an advert or order has just opened, which this completes.
pub(crate) fn fund_whole(
    changes: &mut CommandChanges,
    work: &UnitOfWork,
    target: FundingTarget,
) -> Result<(), Refusal> {
    let opened = changes.funding.iter().find_map(|change| match change {
        FundingChange::Open(request) if request.target == target => Some(*request),
        _ => None,
    });
    let request = opened.ok_or(Refusal::Stale)?;
    let request = FundingRequest { funded: request.required, ..request };
    changes.funding.push(FundingChange::Fund(request));
    fulfill(changes, work, &request)?;
    Ok(())
}

/// Adds an offer to a funding request. If this completes the request, its advert or order gets the coins, as after a
/// deposit.
pub(crate) fn offer(
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
    if let FundingTarget::Order(id) = target
        && changes.order(work, id)?.open_appeal().is_some()
    {
        return Err(Refusal::LockedByAppeal);
    }
    // The same restrictions as for withdrawals apply.
    let row = work.user(user)?;
    if row.forbidden.contains(&RiskFlag::Withdrawal) {
        return Err(Refusal::Risk(RiskFlag::Withdrawal));
    }
    domain::checks::hold(row, work.now)?;
    // If no request waits for the coins, the user's screen is outdated.
    let request = work.request(target).filter(|request| request.vault_asset.vault == user).ok_or(Refusal::Stale)?;
    let decimals = work.assets.get(request.vault_asset.asset).map_or(0, |asset| asset.decimals);
    let request = request.offer(amount, free.beyond(work, request), decimals)?;
    changes.funding.push(FundingChange::Fund(request));
    if request.complete() {
        fulfill(changes, work, &request)?;
    }
    Ok(match target {
        FundingTarget::Advert(id) => Response { id: Some(id.0), version: changes.advert(work, id)?.version },
        FundingTarget::Order(id) => Response { id: Some(id.0), version: changes.order(work, id)?.version },
    })
}

/// Gives the coins of a complete funding request to its advert or order. Returns whether that changed anything.
pub(crate) fn fulfill(
    changes: &mut CommandChanges,
    work: &UnitOfWork,
    request: &FundingRequest,
) -> Result<bool, Refusal> {
    match request.target {
        FundingTarget::Advert(advert) => changes.advert_event(work, advert, &adverts::Event::DepositFunded),
        FundingTarget::Order(order) => {
            let quote = changes.order(work, order)?.terms.vault_asset(Leg::Quote) == request.vault_asset;
            let event = if quote { orders::Event::PaymentFunded } else { orders::Event::DepositFunded };
            changes.order_event(work, order, &event)
        }
    }
}
