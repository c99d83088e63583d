//! Applies effects to the users, adverts and orders whose rows are loaded and locked, and writes the postings. Works in memory.

mod deposits;
mod settlements;

use std::collections::{BTreeMap, BTreeSet};

use domain::adverts;
use domain::chain::{Reference, SettlementOutcome, TxHash};
use domain::ids::{AdvertId, OrderId, PayoutId, UserId};
use domain::ledger::{Account, AccountKind, Entry, Posting, VaultAsset};
use domain::money::Amount;
use domain::orders;
use domain::refusal::Refusal;
use domain::trade::Leg;
use store::payouts::{LegState, PayoutLeg, Purpose};

use crate::engine::changes::CommandChanges;
use crate::engine::unit_of_work::UnitOfWork;

/// The state of a leg while effects are applied.
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

/// The rows that the effects concern, with the changes so far.
pub(super) struct Accounting {
    work: UnitOfWork,
    /// The balance of each account of the vault assets concerned, including every posting so far.
    holdings: BTreeMap<VaultAsset, BTreeMap<Account, Amount>>,
    legs: BTreeMap<Reference, LegProgress>,
    escrows: Escrows,
    /// The legs of each payout.
    references: BTreeMap<PayoutId, Vec<Reference>>,
    /// The transactions that settled legs of each payout, by these effects or before.
    settled_by: BTreeMap<PayoutId, BTreeSet<(SettlementOutcome, TxHash)>>,
    alarms: Vec<String>,
}

/// The adverts and orders that have, or wait for, coins in escrow, by vault asset.
#[derive(Debug, Default)]
struct Escrows {
    adverts: BTreeMap<VaultAsset, Vec<AdvertId>>,
    orders: BTreeMap<VaultAsset, Vec<(OrderId, Leg)>>,
}

impl Escrows {
    fn of(work: &UnitOfWork) -> Self {
        let mut escrows = Self::default();
        for advert in work.adverts.values() {
            if let Some((_, vault_asset, _)) = advert.terms.escrow() {
                escrows.adverts.entry(vault_asset).or_default().push(advert.id);
            }
        }
        for order in work.orders.values() {
            for leg in [Leg::Base, Leg::Quote] {
                escrows.orders.entry(order.terms.vault_asset(leg)).or_default().push((order.id, leg));
            }
        }
        escrows
    }
}

pub(super) struct Accounted {
    pub(super) work: UnitOfWork,
    pub(super) legs: Vec<PayoutLeg>,
    pub(super) alarms: Vec<String>,
    /// The debts of the owners of the vaults concerned.
    pub(super) debts: Vec<(VaultAsset, Amount)>,
}

impl Accounting {
    /// Begins with the stored rows. `balances` must contain all accounts of `vault_assets` that have a balance.
    pub(super) fn new(
        work: UnitOfWork,
        vault_assets: &BTreeSet<VaultAsset>,
        balances: &BTreeMap<Account, Amount>,
        legs: Vec<PayoutLeg>,
    ) -> Self {
        let mut holdings: BTreeMap<_, _> =
            vault_assets.iter().map(|vault_asset| (*vault_asset, BTreeMap::new())).collect();
        for (account, balance) in balances {
            if let Some(accounts) = holdings.get_mut(&account.vault_asset()) {
                accounts.insert(*account, *balance);
            }
        }
        let mut references: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for leg in &legs {
            references.entry(leg.payout).or_default().push(leg.reference);
        }
        let legs = legs.into_iter().map(|leg| (leg.reference, LegProgress { leg, changed: false })).collect();
        let (settled_by, alarms) = (BTreeMap::new(), Vec::new());
        Self { escrows: Escrows::of(&work), work, holdings, legs, references, settled_by, alarms }
    }

    pub(super) fn finish(self) -> Accounted {
        let changed = self.legs.into_values().filter(|standing| standing.changed);
        let accounts = self.holdings.values().flatten();
        let debts = accounts.filter(|(account, _)| account.kind == AccountKind::ReorganisationLoss);
        let debts =
            debts.map(|(account, owed)| (VaultAsset { vault: UserId(account.owner), asset: account.asset }, *owed));
        Accounted {
            debts: debts.collect(),
            work: self.work,
            legs: changed.map(|standing| standing.leg).collect(),
            alarms: self.alarms,
        }
    }

    /// Applies an event to the advert or order of a payout, and raises an alarm if the rules refuse it: the payout has then
    /// ended on the chain, but not for its order or advert, and nothing else will end it.
    fn require_payout_event(
        &mut self,
        payout: PayoutId,
        to_order: impl Fn(PayoutId) -> orders::Event,
        to_advert: impl Fn(PayoutId) -> Option<adverts::Event>,
    ) {
        if let Some(refusal) = self.payout_event(payout, to_order, to_advert) {
            metrics::counter!("mec2c_ingestion_refused_settlements_total").increment(1);
            tracing::error!(?payout, ?refusal, "an order or advert refuses what happened to its payout on the chain");
        }
    }

    /// Applies an event to the advert or order of a payout. Returns why the rules refuse it, if they do.
    fn payout_event(
        &mut self,
        payout: PayoutId,
        to_order: impl Fn(PayoutId) -> orders::Event,
        to_advert: impl Fn(PayoutId) -> Option<adverts::Event>,
    ) -> Option<Refusal> {
        let leg = self.legs_of(payout).next().cloned()?;
        match leg.purpose {
            Purpose::Release | Purpose::Refund => {
                let changes = CommandChanges { details: self.settlements_of(&leg), ..CommandChanges::default() };
                self.order_event_with(changes, OrderId(leg.subject), &to_order(payout))
            }
            Purpose::AdvertReturn => self.advert_event(AdvertId(leg.subject), &to_advert(payout)?),
            Purpose::WrongDeposit | Purpose::Withdrawal | Purpose::Treasury => None,
        }
    }

    /// Applies an event to an order. If the rules refuse the event, returns why; the order does not change, but the ledger still
    /// records what happened on the chain.
    ///
    /// First extends the order's deadline by the outages so far: the blocks that were mined during an outage are applied
    /// before it is recorded, and an order that they unfreeze counts outages only from then on.
    fn order_event(&mut self, id: OrderId, event: &orders::Event) -> Option<Refusal> {
        self.order_event_with(CommandChanges::default(), id, event)
    }

    fn order_event_with(&mut self, mut changes: CommandChanges, id: OrderId, event: &orders::Event) -> Option<Refusal> {
        if let Ok(order) = changes.order(&self.work, id) {
            changes.orders.insert(id, self.work.extended_by_outages(order));
        }
        let done = changes.order_event(&self.work, id, event);
        self.accept_if_allowed(changes, done, id, event)
    }

    fn advert_event(&mut self, id: AdvertId, event: &adverts::Event) -> Option<Refusal> {
        let mut changes = CommandChanges::default();
        let done = changes.advert_event(&self.work, id, event);
        self.accept_if_allowed(changes, done, id, event)
    }

    fn accept_if_allowed(
        &mut self,
        changes: CommandChanges,
        done: Result<bool, Refusal>,
        id: impl std::fmt::Debug,
        event: &impl std::fmt::Debug,
    ) -> Option<Refusal> {
        match done {
            Ok(_) => self.accept(changes),
            Err(ref refusal) => tracing::debug!(?id, ?event, ?refusal, "a chain event was refused and changes nothing"),
        }
        done.err()
    }

    fn post(&mut self, posting: Posting) {
        self.accept(CommandChanges { postings: vec![posting], ..CommandChanges::default() });
    }

    /// Records changes and applies their postings to the holdings, so that later decisions see them.
    fn accept(&mut self, changes: CommandChanges) {
        for entry in changes.postings.iter().flat_map(|posting| &posting.entries) {
            let Entry { account, debit, amount } = *entry;
            let held = self.held(account);
            let Some(accounts) = self.holdings.get_mut(&account.vault_asset()) else { continue };
            // The ledger refuses an impossible balance.
            let held = if debit == account.kind.debit_normal() {
                held.add(amount).unwrap_or(held)
            } else {
                held.saturating_sub(amount)
            };
            accounts.insert(account, held);
        }
        self.work.accept(changes);
    }

    fn holdings_of(&self, vault_asset: VaultAsset) -> impl Iterator<Item = (Account, Amount)> {
        self.holdings.get(&vault_asset).into_iter().flatten().map(|(account, amount)| (*account, *amount))
    }

    fn legs_of(&self, payout: PayoutId) -> impl Iterator<Item = &PayoutLeg> {
        let references = self.references.get(&payout).into_iter().flatten();
        references.filter_map(|reference| self.legs.get(reference)).map(|standing| &standing.leg)
    }

    /// Returns the temporary balance that does not count toward an open funding request.
    fn unallocated(&self, vault_asset: VaultAsset) -> Amount {
        let counted = self.work.funding_requests.of(vault_asset).next().map_or(Amount::ZERO, |request| request.funded);
        self.held(vault_asset.temporary()).saturating_sub(counted)
    }

    fn held(&self, account: Account) -> Amount {
        let accounts = self.holdings.get(&account.vault_asset());
        accounts.and_then(|accounts| accounts.get(&account)).copied().unwrap_or(Amount::ZERO)
    }
}
