//! Applies effects that belong together: all of them, or none if the ledger refuses one.

use std::collections::{BTreeMap, BTreeSet};

use domain::chain::{SettlementOutcome, Token};
use domain::funding::FundingTarget;
use domain::ids::{AdvertId, DepositId, OrderId, UserId};
use domain::ledger::{Account, AccountKind, VaultAsset};
use domain::money::Amount;
use store::Tx;
use store::blocks::StoredSettlement;
use store::deposits::Deposit;
use store::payouts::{LegState, PayoutLeg};
use store::vault_stops::{self, Cause};

use super::accounting::{Accounted, Accounting};
use super::undeliverable;
use crate::chain_ingest::effects::RangeEffects;
use crate::engine::unit_of_work::UnitOfWork;
use crate::{Context, Result};

impl RangeEffects {
    /// Applies the effects together. Returns `false` if trading has changed the rows after they were found and before they were
    /// locked. The caller must have locked the users concerned.
    pub(super) async fn apply(&self, context: &Context, tx: &mut Tx) -> Result<bool> {
        let references = self.references();
        if self.deposits.is_empty() && self.reverted.deposits.is_empty() && references.is_empty() {
            return Ok(true);
        }
        let legs = store::payouts::legs(tx, &references).await?;
        let keys = self.keys(tx, &legs).await?;
        let concerned = keys.users.clone();
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
        if !all_rows_loaded(&work, &concerned, holdings.keys().filter(|account| revoked.contains(&account.vault))) {
            return Ok(false);
        }
        let mut deposits = self.deposits_proven_by_payouts(context, &legs, &holdings);
        deposits.extend(self.deposits.iter().cloned());
        store::deposits::insert(tx, self.chain, &deposits, self.now).await?;

        let ended: Vec<_> =
            siblings.iter().filter(|leg| leg.state != LegState::Owed).map(|leg| leg.reference).collect();
        let outcomes = store::blocks::outcomes_of(tx, &ended).await?;
        let mut assets = self.assets.clone();
        assets.add(tx, deposits.iter().map(|deposit| deposit.asset)).await?;
        let mut accounting = Accounting::new(work, &vault_assets, &holdings, siblings);
        accounting.note_earlier_settlements(outcomes.into_iter().map(|(settlement, _)| settlement));
        accounting.revert_settlements(&self.reverted, &self.unconfirmed_settlements);
        accounting.revoke_deposits(&self.reverted.deposits);
        accounting.notify_resent(&self.unconfirmed_settlements);
        accounting.apply_settlements(&self.final_settlements);
        accounting.credit_deposits(&assets, &deposits);
        let Accounted { mut work, legs: changed, alarms, debts } = accounting.finish();
        let failed = |outcome| matches!(outcome, SettlementOutcome::Failed | SettlementOutcome::Rejected);
        for settlement in self.final_settlements.iter().filter(|settlement| failed(settlement.outcome)) {
            let failures = store::payouts::put_off(tx, settlement.reference, self.now).await?;
            tracing::error!(reference = settlement.reference.0, failures, "the Escrow could not pay a leg");
        }
        store::payouts::set_legs(tx, &changed).await?;
        // After the final settlements: only a leg that is still owed can be redirected.
        for settlement in
            self.final_settlements.iter().filter(|settlement| settlement.outcome == SettlementOutcome::Rejected)
        {
            if let Some(leg) = legs.iter().find(|leg| leg.reference == settlement.reference) {
                let changes = undeliverable::count_rejection(tx, &work, leg, self.now).await?;
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
            self.assets.stop_payouts(tx, &alarm, self.now).await?;
        }
        work.write(tx).await?;
        Ok(true)
    }

    /// Returns deposits of native coins that must exist because the Escrow paid the coins out of the vault. A
    /// contract's transfer leaves no log, so if a reorganization removes and repeats such a deposit, only the payout
    /// proves it. Comparing balances finds any further coins in the vault.
    fn deposits_proven_by_payouts(
        &self,
        context: &Context,
        legs: &[PayoutLeg],
        holdings: &BTreeMap<Account, Amount>,
    ) -> Vec<Deposit> {
        let Some(native) = self.assets.of_token(Token::Native) else { return Vec::new() };
        let of_native = self.payout_flows(legs).into_iter().filter(|(vault_asset, _)| vault_asset.asset == native);
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
            let payout = self.final_settlements.iter().rfind(of_vault_asset)?;
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

/// Returns whether the loaded rows include all rows that the effects may change: the funding requests of the vaults
/// concerned, and the adverts and orders whose escrow is in these accounts. The counterparty's funding request is not
/// needed, because the effects add nothing to it.
fn all_rows_loaded<'a>(
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
