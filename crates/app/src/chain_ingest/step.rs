//! Collects the effects of one range on the ledger, and applies them together.

use std::collections::{BTreeMap, BTreeSet};

use domain::assets::{Asset, Home};
use domain::chain::{ChainId, Reference, SettlementOutcome, Token};
use domain::clock::Timestamp;
use domain::funding::FundingTarget;
use domain::ids::{AdvertId, DepositId, OrderId, UserId};
use domain::ledger::{Account, AccountKind, VaultAsset};
use domain::money::Amount;
use store::Tx;
use store::blocks::StoredSettlement;
use store::deposits::Deposit;
use store::payouts::{LegState, PayoutLeg, Purpose};
use store::vault_stops::{self, Cause};

use super::{apply, revert, stop_all, undeliverable};
use crate::engine::unit_of_work::{Keys, UnitOfWork};
use crate::{Context, Result};

/// The effects of one range, or a part of them.
#[derive(Debug, Clone)]
pub(super) struct Step {
    pub(super) now: Timestamp,
    pub(super) chain: ChainId,
    pub(super) assets: Vec<Asset>,
    /// Deposits to credit.
    pub(super) deposits: Vec<Deposit>,
    /// Final settlements.
    pub(super) settlements: Vec<StoredSettlement>,
    /// Settlements in the new blocks that are not final yet.
    pub(super) seen: Vec<StoredSettlement>,
    /// The contents of the removed blocks.
    pub(super) reverted: revert::Reverted,
}

/// The movements in a vault other than deposits, in base units. Sums of the ledger's amounts cannot overflow `i128`.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Flow {
    pub(super) back: i128,
    pub(super) out: i128,
}

/// Adds the users' adverts and orders that wait for coins or lost some in a reorganization.
pub(super) async fn waiting(tx: &mut Tx, keys: &mut Keys) -> Result<()> {
    let people: Vec<UserId> = keys.people.iter().copied().collect();
    for target in store::funding::holders_of(tx, &people).await? {
        match target {
            FundingTarget::Advert(advert) => keys.adverts.insert(advert),
            FundingTarget::Order(order) => keys.orders.insert(order),
        };
    }
    Ok(())
}

impl Step {
    pub(super) fn references(&self) -> Vec<Reference> {
        let settlements = [&self.settlements, &self.seen, &self.reverted.seen].into_iter().flatten();
        let references =
            settlements.map(|settlement| settlement.reference).chain(self.reverted.final_settlements.iter().copied());
        references.collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// Applies the step. Returns `false` if trading has changed the rows after they were found and before they were
    /// locked. The caller must have locked the users concerned.
    pub(super) async fn carry_out(&self, context: &Context, tx: &mut Tx) -> Result<bool> {
        let references = self.references();
        if self.deposits.is_empty() && self.reverted.deposits.is_empty() && references.is_empty() {
            return Ok(true);
        }
        let legs = store::payouts::legs(tx, &references).await?;
        let keys = self.keys(tx, &legs).await?;
        let concerned = keys.people.clone();
        let work = UnitOfWork::load(context, tx, self.now, keys).await?;
        let legs = store::payouts::lock_legs(tx, &references).await?;
        let payouts: BTreeSet<_> = legs.iter().map(|leg| leg.payout).collect();
        let payouts: Vec<_> = payouts.into_iter().collect();
        let siblings = store::payouts::legs_of(tx, &payouts).await?;
        let deposits = self.deposits.iter().chain(&self.reverted.deposits);
        let vault_assets = deposits
            .map(|d| VaultAsset { vault: d.vault, asset: d.asset })
            .chain(siblings.iter().map(|leg| leg.vault_asset));
        let vault_assets: BTreeSet<_> = vault_assets.collect();
        let locked: Vec<_> = vault_assets.iter().copied().collect();
        let holdings: BTreeMap<Account, Amount> =
            store::ledger::lock_vault_assets(tx, &locked).await?.into_iter().collect();
        let revoked: BTreeSet<_> = self.reverted.deposits.iter().map(|deposit| deposit.vault).collect();
        if !knows_all(&work, &concerned, holdings.keys().filter(|account| revoked.contains(&account.vault))) {
            return Ok(false);
        }
        let mut deposits = self.proven(context, &legs, &holdings);
        deposits.extend(self.deposits.iter().cloned());
        store::deposits::insert(tx, self.chain, &deposits, self.now).await?;

        let ended: Vec<_> =
            siblings.iter().filter(|leg| leg.state != LegState::Owed).map(|leg| leg.reference).collect();
        let outcomes = store::blocks::outcomes_of(tx, &ended).await?;
        let mut apply = apply::Ingestion::new(work, &vault_assets, &holdings, siblings);
        apply.settled_before(outcomes.into_iter().map(|(settlement, _)| settlement));
        apply.unsettle(&self.reverted, &self.seen);
        apply.take_back(&self.reverted.deposits);
        apply.resend(&self.seen);
        apply.settle(&self.settlements);
        apply.credit_deposits(&self.assets, &deposits);
        let apply::Written { mut work, legs: changed, alarms, debts } = apply.finish();
        let failed = |outcome| matches!(outcome, SettlementOutcome::Failed | SettlementOutcome::Rejected);
        for settlement in self.settlements.iter().filter(|settlement| failed(settlement.outcome)) {
            let failures = store::payouts::put_off(tx, settlement.reference, self.now).await?;
            tracing::error!(reference = settlement.reference.0, failures, "the Escrow could not pay a leg");
        }
        store::payouts::set_legs(tx, &changed).await?;
        // After the final settlements: only a leg that is still owed can be redirected.
        for settlement in self.settlements.iter().filter(|settlement| settlement.outcome == SettlementOutcome::Rejected)
        {
            if let Some(leg) = legs.iter().find(|leg| leg.reference == settlement.reference) {
                let changes = undeliverable::rejected(tx, &work, leg, self.now).await?;
                work.accept(changes);
            }
        }
        for (vault_asset, owed) in debts {
            if owed.is_zero() {
                vault_stops::lift(tx, vault_asset, Cause::Debt).await?;
            } else {
                let because = format!("its owner owes {owed} base units since a reorganization");
                vault_stops::stop(tx, vault_asset, Cause::Debt, &because, self.now).await?;
            }
        }
        for alarm in alarms {
            tracing::error!(alarm, "payouts stopped");
            stop_all(tx, &self.assets, &alarm, self.now).await?;
        }
        work.write(tx).await?;
        Ok(true)
    }

    /// Returns the users whom the blocks name: the owners of the vaults of deposits and payouts.
    pub(super) fn named(&self, legs: &[PayoutLeg]) -> BTreeSet<UserId> {
        let deposits = self.deposits.iter().chain(&self.reverted.deposits).map(|deposit| deposit.vault);
        deposits.chain(legs.iter().map(|leg| leg.vault_asset.vault)).collect()
    }

    /// Returns the keys of the rows that the step may change.
    pub(super) async fn keys(&self, tx: &mut Tx, legs: &[PayoutLeg]) -> Result<Keys> {
        let mut keys = Keys { people: self.named(legs), ..Keys::default() };
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
        waiting(tx, &mut keys).await?;
        Ok(keys)
    }

    /// Computes the movements of the step in each vault, except deposits.
    pub(super) fn flows(&self, legs: &[PayoutLeg]) -> BTreeMap<VaultAsset, Flow> {
        let mut flows: BTreeMap<VaultAsset, Flow> = BTreeMap::new();
        let mut note = |vault_asset: VaultAsset, back: i128, out: i128| {
            let flow = flows.entry(vault_asset).or_default();
            (flow.back, flow.out) = (flow.back.saturating_add(back), flow.out.saturating_add(out));
        };
        for deposit in &self.reverted.deposits {
            note(VaultAsset { vault: deposit.vault, asset: deposit.asset }, 0, deposit.amount.units());
        }
        let legs: BTreeMap<_, _> = legs.iter().map(|leg| (leg.reference, leg)).collect();
        let mut owed_again = BTreeSet::new();
        for reference in &self.reverted.final_settlements {
            let Some(leg) = legs.get(reference) else { continue };
            if owed_again.insert(leg.reference) && leg.state == LegState::Paid {
                note(leg.vault_asset, leg.amount.units(), 0);
            }
        }
        for settlement in self.settlements.iter().filter(|settlement| settlement.outcome == SettlementOutcome::Paid) {
            let Some(leg) = legs.get(&settlement.reference) else { continue };
            if leg.state == LegState::Owed || owed_again.contains(&leg.reference) {
                note(leg.vault_asset, 0, leg.amount.units());
            }
        }
        flows
    }

    /// Returns deposits of native coins that must exist because the Escrow paid the coins out of the vault. A
    /// contract's transfer leaves no log, so if a reorganization removes and repeats such a deposit, only the payout
    /// proves it. Comparing balances finds any further coins in the vault.
    fn proven(&self, context: &Context, legs: &[PayoutLeg], holdings: &BTreeMap<Account, Amount>) -> Vec<Deposit> {
        let native =
            self.assets.iter().find(|asset| asset.home == Home::Chain { chain: self.chain, token: Token::Native });
        let Some(native) = native else { return Vec::new() };
        let of_native = self.flows(legs).into_iter().filter(|(vault_asset, _)| vault_asset.asset == native.id);
        let proven = of_native.filter_map(|(vault_asset, flow)| {
            let deposits =
                self.deposits.iter().filter(|d| (d.vault, d.asset) == (vault_asset.vault, vault_asset.asset));
            let came = deposits.fold(0_i128, |sum, deposit| sum.saturating_add(deposit.amount.units()));
            let custody = holdings.get(&vault_asset.custody()).map_or(0_i128, |held| held.units());
            let there = custody.saturating_add(flow.back).saturating_add(came);
            let amount = Amount::new(flow.out.saturating_sub(there)).ok().filter(|amount| !amount.is_zero())?;
            let of_vault_asset = |settlement: &&StoredSettlement| {
                let leg = legs.iter().find(|leg| leg.reference == settlement.reference);
                settlement.outcome == SettlementOutcome::Paid && leg.is_some_and(|leg| leg.vault_asset == vault_asset)
            };
            let payout = self.settlements.iter().rfind(of_vault_asset)?;
            Some(Deposit {
                id: DepositId(context.fresh(self.now)),
                block: payout.block,
                block_hash: payout.block_hash,
                tx: Some(payout.tx),
                position: None,
                sender: None,
                vault: vault_asset.vault,
                asset: vault_asset.asset,
                amount,
            })
        });
        proven.collect()
    }
}

/// Returns whether the loaded rows include all rows that the step may change: the funding requests of the vaults
/// concerned, and the adverts and orders whose escrow is in these accounts. The counterparty's funding request is not
/// needed, because the step adds nothing to it.
fn knows_all<'a>(
    work: &UnitOfWork,
    concerned: &BTreeSet<UserId>,
    mut accounts: impl Iterator<Item = &'a Account>,
) -> bool {
    let advert = |id| work.adverts.contains_key(&id);
    let order = |id| work.orders.contains_key(&id);
    let mut funding_requests =
        work.funding_requests.iter().filter(|request| concerned.contains(&request.vault_asset.vault));
    let waiting = funding_requests.all(|request| match request.target {
        FundingTarget::Advert(id) => advert(id),
        FundingTarget::Order(id) => order(id),
    });
    waiting
        && accounts.all(|account| match account.kind {
            AccountKind::AdvertEscrow => advert(AdvertId(account.owner)),
            AccountKind::OrderEscrow => order(OrderId(account.owner)),
            _ => true,
        })
}
