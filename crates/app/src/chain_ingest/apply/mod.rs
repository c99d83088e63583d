//! Applies a range to the users, adverts and orders whose rows are loaded and locked. Works in memory.

mod deposits;
mod settlements;

use std::collections::{BTreeMap, BTreeSet};

use domain::adverts;
use domain::chain::Reference;
use domain::ids::{AdvertId, OrderId, PayoutId, UserId};
use domain::ledger::{Account, AccountKind, Entry, Posting, VaultAsset};
use domain::money::Amount;
use domain::orders;
use domain::refusal::Refusal;
use store::payouts::{LegState, PayoutLeg, Purpose};

use crate::trading::changes::CommandChanges;
use crate::trading::unit_of_work::UnitOfWork;

/// The state of a leg during the step.
#[derive(Debug, Clone)]
struct LegProgress {
    leg: PayoutLeg,
    changed: bool,
}

impl LegProgress {
    fn set(&mut self, state: LegState) {
        self.leg.state = state;
        self.changed = true;
    }
}

/// A step in progress.
pub(super) struct Ingestion {
    work: UnitOfWork,
    /// The balance of each account of the vaults concerned, including every posting of the step so far.
    holdings: BTreeMap<Account, Amount>,
    vault_assets: BTreeSet<VaultAsset>,
    legs: BTreeMap<u64, LegProgress>,
    alarms: Vec<String>,
}

pub(super) struct Written {
    pub(super) work: UnitOfWork,
    pub(super) legs: Vec<(Reference, LegState, u32)>,
    pub(super) alarms: Vec<String>,
    /// The debts of the owners of the vaults concerned.
    pub(super) debts: Vec<(VaultAsset, Amount)>,
}

impl Ingestion {
    /// Starts a step. `holdings` must contain all accounts of `vault_assets` that have a balance.
    pub(super) fn new(
        work: UnitOfWork,
        vault_assets: &BTreeSet<VaultAsset>,
        holdings: BTreeMap<Account, Amount>,
        legs: Vec<PayoutLeg>,
    ) -> Self {
        let legs = legs.into_iter().map(|leg| (leg.reference.0, LegProgress { leg, changed: false })).collect();
        Self { work, holdings, vault_assets: vault_assets.clone(), legs, alarms: Vec::new() }
    }

    pub(super) fn finish(self) -> Written {
        let changed = self.legs.into_values().filter(|standing| standing.changed);
        let debts = self.holdings.iter().filter(|(account, _)| account.kind == AccountKind::ReorganisationLoss);
        let debts =
            debts.map(|(account, owed)| (VaultAsset { vault: UserId(account.owner), asset: account.asset }, *owed));
        Written {
            debts: debts.collect(),
            work: self.work,
            legs: changed.map(|standing| (standing.leg.reference, standing.leg.state, standing.leg.rounds)).collect(),
            alarms: self.alarms,
        }
    }

    /// Applies an event to the advert or order of a payout.
    fn tell(
        &mut self,
        payout: PayoutId,
        to_order: impl Fn(PayoutId) -> orders::Event,
        to_advert: impl Fn(PayoutId) -> Option<adverts::Event>,
    ) {
        let Some(leg) =
            self.legs.values().find(|standing| standing.leg.payout == payout).map(|standing| standing.leg.clone())
        else {
            return;
        };
        match leg.purpose {
            Purpose::Release | Purpose::Refund => self.order_event(OrderId(leg.subject), &to_order(payout)),
            Purpose::AdvertReturn => {
                if let Some(event) = to_advert(payout) {
                    self.advert_event(AdvertId(leg.subject), &event);
                }
            }
            Purpose::WrongDeposit | Purpose::Withdrawal | Purpose::Treasury => {}
        }
    }

    /// Applies an event to an order. If the rules refuse the event, the order does not change, but the ledger still
    /// records what happened on the chain.
    fn order_event(&mut self, id: OrderId, event: &orders::Event) {
        let mut changes = CommandChanges::default();
        let done = changes.order_event(&self.work, id, event);
        self.take(changes, done, id, event);
    }

    fn advert_event(&mut self, id: AdvertId, event: &adverts::Event) {
        let mut changes = CommandChanges::default();
        let done = changes.advert_event(&self.work, id, event);
        self.take(changes, done, id, event);
    }

    fn take(
        &mut self,
        changes: CommandChanges,
        done: Result<bool, Refusal>,
        id: impl std::fmt::Debug,
        event: &impl std::fmt::Debug,
    ) {
        match done {
            Ok(_) => self.accept(changes),
            Err(refusal) => tracing::debug!(?id, ?event, ?refusal, "a chain event was refused and changes nothing"),
        }
    }

    fn post(&mut self, posting: Posting) {
        self.accept(CommandChanges { postings: vec![posting], ..CommandChanges::default() });
    }

    /// Records changes and applies their postings to the holdings, so that later decisions see them.
    fn accept(&mut self, changes: CommandChanges) {
        for entry in changes.postings.iter().flat_map(|posting| &posting.entries) {
            let Entry { account, debit, amount } = *entry;
            if !self.vault_assets.contains(&VaultAsset { vault: account.vault, asset: account.asset }) {
                continue;
            }
            let held = self.held(account);
            // The ledger refuses an impossible balance.
            let held = if debit == account.kind.debit_normal() {
                held.add(amount).unwrap_or(held)
            } else {
                held.saturating_sub(amount)
            };
            self.holdings.insert(account, held);
        }
        self.work.accept(changes);
    }

    fn holdings_of(&self, vault_asset: VaultAsset) -> impl Iterator<Item = (Account, Amount)> {
        self.holdings
            .iter()
            .filter(move |(account, _)| account.vault == vault_asset.vault && account.asset == vault_asset.asset)
            .map(|(account, amount)| (*account, *amount))
    }

    /// Returns the temporary balance that does not count toward an open funding request.
    fn free(&self, vault_asset: VaultAsset) -> Amount {
        let counted = self
            .work
            .funding_requests
            .iter()
            .find(|request| request.vault_asset == vault_asset)
            .map_or(Amount::ZERO, |request| request.funded);
        self.held(vault_asset.temporary()).saturating_sub(counted)
    }

    fn held(&self, account: Account) -> Amount {
        self.holdings.get(&account).copied().unwrap_or(Amount::ZERO)
    }
}
