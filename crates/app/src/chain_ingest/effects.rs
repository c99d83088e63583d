//! What a range changes in the ledger, and whose rows and which vaults that concerns.

use std::collections::{BTreeMap, BTreeSet};

use domain::chain::{ChainId, Reference, SettlementOutcome};
use domain::clock::Timestamp;
use domain::funding::FundingTarget;
use domain::ids::{AdvertId, OrderId, UserId};
use domain::ledger::{AccountKind, VaultAsset};
use store::Tx;
use store::blocks::StoredSettlement;
use store::deposits::Deposit;
use store::payouts::{LegState, PayoutLeg, Purpose};

use super::assets::ChainAssets;
use super::revert::Reverted;
use crate::Result;
use crate::engine::unit_of_work::Keys;

/// The effects of one range, or a part of them.
#[derive(Debug, Clone)]
pub(super) struct RangeEffects {
    pub(super) now: Timestamp,
    pub(super) chain: ChainId,
    pub(super) assets: ChainAssets,
    /// Deposits to credit.
    pub(super) deposits: Vec<Deposit>,
    /// Final settlements.
    pub(super) final_settlements: Vec<StoredSettlement>,
    /// Settlements in the new blocks that are not final yet.
    pub(super) unconfirmed_settlements: Vec<StoredSettlement>,
    /// The contents of the removed blocks.
    pub(super) reverted: Reverted,
}

/// The movements in a vault other than deposits, in base units. Sums of the ledger's amounts cannot overflow `i128`.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Flow {
    pub(super) back: i128,
    pub(super) out: i128,
}

/// Adds the users' adverts and orders that wait for coins or lost some in a reorganization.
pub(super) async fn add_awaiting_coins(tx: &mut Tx, keys: &mut Keys) -> Result<()> {
    let users: Vec<UserId> = keys.users.iter().copied().collect();
    for target in store::funding::holders_of(tx, &users).await? {
        match target {
            FundingTarget::Advert(advert) => keys.adverts.insert(advert),
            FundingTarget::Order(order) => keys.orders.insert(order),
        };
    }
    Ok(())
}

impl RangeEffects {
    /// Returns effects of nothing yet.
    pub(super) fn none(now: Timestamp, chain: ChainId, assets: ChainAssets) -> Self {
        Self {
            now,
            chain,
            assets,
            deposits: Vec::new(),
            final_settlements: Vec::new(),
            unconfirmed_settlements: Vec::new(),
            reverted: Reverted::default(),
        }
    }

    pub(super) fn references(&self) -> Vec<Reference> {
        let settlements =
            [&self.final_settlements, &self.unconfirmed_settlements, &self.reverted.unconfirmed_settlements]
                .into_iter()
                .flatten();
        let references =
            settlements.map(|settlement| settlement.reference).chain(self.reverted.final_settlements.iter().copied());
        references.collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// Returns the users whom the blocks name: the owners of the vaults of deposits and payouts.
    pub(super) fn named_users(&self, legs: &[PayoutLeg]) -> BTreeSet<UserId> {
        let deposits = self.deposits.iter().chain(&self.reverted.deposits).map(|deposit| deposit.vault);
        deposits.chain(legs.iter().map(|leg| leg.vault_asset.vault)).collect()
    }

    /// Returns the keys of the rows that the effects may change.
    pub(super) async fn keys(&self, tx: &mut Tx, legs: &[PayoutLeg]) -> Result<Keys> {
        let mut keys = Keys { users: self.named_users(legs), ..Keys::default() };
        for leg in legs {
            match leg.purpose {
                Purpose::Release | Purpose::Refund => {
                    keys.orders.insert(OrderId(leg.subject));
                }
                Purpose::AdvertReturn => {
                    keys.adverts.insert(AdvertId(leg.subject));
                }
                Purpose::WrongDeposit | Purpose::Withdrawal | Purpose::Treasury => {}
            }
        }
        // The adverts and orders that a revoked deposit may have funded.
        let revoked: BTreeSet<_> = self.reverted.deposits.iter().map(|deposit| deposit.vault).collect();
        for vault in revoked {
            for (account, _) in store::ledger::holdings_in(tx, vault).await? {
                match account.kind {
                    AccountKind::AdvertEscrow => keys.adverts.insert(AdvertId(account.owner)),
                    AccountKind::OrderEscrow => keys.orders.insert(OrderId(account.owner)),
                    _ => false,
                };
            }
        }
        add_awaiting_coins(tx, &mut keys).await?;
        Ok(keys)
    }

    /// Computes the movements in each vault, except deposits.
    pub(super) fn payout_flows(&self, legs: &[PayoutLeg]) -> BTreeMap<VaultAsset, Flow> {
        let mut flows: BTreeMap<VaultAsset, Flow> = BTreeMap::new();
        let mut add = |vault_asset: VaultAsset, back: i128, out: i128| {
            let flow = flows.entry(vault_asset).or_default();
            (flow.back, flow.out) = (flow.back.saturating_add(back), flow.out.saturating_add(out));
        };
        for deposit in &self.reverted.deposits {
            add(VaultAsset { vault: deposit.vault, asset: deposit.asset }, 0, deposit.amount.units());
        }
        let legs: BTreeMap<_, _> = legs.iter().map(|leg| (leg.reference, leg)).collect();
        let mut owed_again = BTreeSet::new();
        for reference in &self.reverted.final_settlements {
            let Some(leg) = legs.get(reference) else { continue };
            if owed_again.insert(leg.reference) && leg.state == LegState::Paid {
                add(leg.vault_asset, leg.amount.units(), 0);
            }
        }
        for settlement in
            self.final_settlements.iter().filter(|settlement| settlement.outcome == SettlementOutcome::Paid)
        {
            let Some(leg) = legs.get(&settlement.reference) else { continue };
            if leg.state == LegState::Owed || owed_again.contains(&leg.reference) {
                add(leg.vault_asset, 0, leg.amount.units());
            }
        }
        flows
    }

    /// Returns the part of the effects that concerns these vault assets.
    pub(super) fn restricted_to(&self, vault_assets: &BTreeSet<VaultAsset>, legs: &[PayoutLeg]) -> Self {
        let references: BTreeSet<Reference> =
            legs.iter().filter(|leg| vault_assets.contains(&leg.vault_asset)).map(|leg| leg.reference).collect();
        let mut part = self.clone();
        let deposits = [&mut part.deposits, &mut part.reverted.deposits];
        for all in deposits {
            all.retain(|deposit| vault_assets.contains(&VaultAsset { vault: deposit.vault, asset: deposit.asset }));
        }
        for all in
            [&mut part.final_settlements, &mut part.unconfirmed_settlements, &mut part.reverted.unconfirmed_settlements]
        {
            all.retain(|settlement| references.contains(&settlement.reference));
        }
        part.reverted.final_settlements.retain(|reference| references.contains(reference));
        part
    }
}
