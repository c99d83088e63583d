//! Applies a range to users, adverts and orders in memory, on rows that are loaded and locked.

use std::collections::{BTreeMap, BTreeSet};

use domain::adverts;
use domain::assets::Asset;
use domain::chain::{Address, Reference, SettlementOutcome};
use domain::funding::{self, DepositAllocation, FundingTarget, IncomingDeposit};
use domain::ids::{AdvertId, OrderId, PayoutId, UserId};
use domain::ledger::{self, Account, AccountKind, Entry, Posting, VaultAsset};
use domain::money::Amount;
use domain::orders;
use domain::refusal::Refusal;
use domain::trade::Leg as Side;
use store::blocks::StoredSettlement;
use store::deposits::Deposit;
use store::payouts::{Leg, LegState, Purpose};

use super::revert::Reverted;
use crate::trading::changes::CommandChanges;
use crate::trading::fund_from_balance;
use crate::trading::unit_of_work::UnitOfWork;

/// The state of a leg during the step.
#[derive(Debug, Clone)]
struct LegProgress {
    leg: Leg,
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
    pub(super) legs: Vec<(domain::chain::Reference, LegState, u32)>,
    pub(super) alarms: Vec<String>,
    /// The debts of the owners of the vaults concerned.
    pub(super) debts: Vec<(VaultAsset, Amount)>,
}

impl Ingestion {
    /// `holdings` contains all accounts of `vault_assets` with a balance.
    pub(super) fn new(
        work: UnitOfWork,
        vault_assets: &BTreeSet<VaultAsset>,
        holdings: BTreeMap<Account, Amount>,
        legs: Vec<Leg>,
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

    /// Payouts in removed blocks are owed again. If a payout is also in the new blocks and was not final, it has only
    /// moved, and no user is notified.
    pub(super) fn unsettle(&mut self, reverted: &Reverted, seen: &[StoredSettlement]) {
        let mut taken_back: Vec<PayoutId> = Vec::new();
        for reference in &reverted.counted {
            let Some(leg) = self.legs.get(&reference.0).map(|standing| standing.leg.clone()) else {
                continue;
            };
            let postings = match leg.state {
                LegState::Paid => {
                    taken_back.push(leg.payout);
                    vec![ledger::payout_revoked(leg.payout, leg.reference.0, leg.rounds, leg.vault_asset, leg.amount)]
                }
                // While only one leg of a pair was voided, nothing had been given back.
                LegState::Voided if self.all(leg.payout, LegState::Voided) => self.void_taken_back(leg.payout),
                LegState::Voided => Vec::new(),
                LegState::Owed => continue,
            };
            for posting in postings {
                self.post(posting);
            }
            if let Some(standing) = self.legs.get_mut(&reference.0) {
                standing.set(LegState::Owed);
            }
        }
        for settlement in &reverted.seen {
            let moved =
                seen.iter().any(|new| new.reference == settlement.reference && new.outcome == settlement.outcome);
            if let Some(standing) = self.legs.get(&settlement.reference.0)
                && settlement.outcome == SettlementOutcome::Paid
                && !moved
            {
                taken_back.push(standing.leg.payout);
            }
        }
        taken_back.dedup();
        for payout in taken_back {
            self.tell(
                payout,
                |payout| orders::Event::PayoutRevoked { payout },
                |payout| Some(adverts::Event::ReturnRevoked { payout }),
            );
        }
    }

    /// Whether all legs of a payout are in a state.
    fn all(&self, payout: PayoutId, state: LegState) -> bool {
        self.legs.values().filter(|standing| standing.leg.payout == payout).all(|standing| standing.leg.state == state)
    }

    fn legs_of(&self, payout: PayoutId) -> Vec<Leg> {
        self.legs.values().map(|standing| &standing.leg).filter(|leg| leg.payout == payout).cloned().collect()
    }

    /// Reverts the voiding of a payout, which is owed again.
    fn void_taken_back(&mut self, payout: PayoutId) -> Vec<ledger::Posting> {
        let postings = self.legs_of(payout).iter().map(|leg| self.leg_taken_back(leg)).collect();
        self.tell(payout, |payout| orders::Event::VoidRevoked { payout }, |_| None);
        postings
    }

    /// Reverts the voiding of a leg, using what is left of the coins that the void gave back.
    fn leg_taken_back(&mut self, leg: &Leg) -> ledger::Posting {
        let there = match leg.source.kind {
            AccountKind::Temporary => self.free(leg.vault_asset),
            _ => self.held(leg.source),
        };
        let drawn = there.min(leg.amount);
        if drawn < leg.amount {
            self.alarms.push(format!("reference {} is owed again after its coins were spent", leg.reference.0));
        }
        let from = (leg.source, drawn);
        ledger::payout_void_revoked(leg.payout, leg.reference.0, leg.rounds, leg.vault_asset, leg.amount, from)
    }

    /// Reverts credited deposits that were removed: first from the temporary balance, then from what they funded.
    pub(super) fn take_back(&mut self, deposits: &[Deposit]) {
        for deposit in deposits {
            let vault_asset = VaultAsset { vault: deposit.vault, asset: deposit.asset };
            let holdings: Vec<_> = self.holdings_of(vault_asset).collect();
            let drawn = ledger::draw(deposit.amount, &holdings);
            let posting = match ledger::deposit_revoked(deposit.id, vault_asset, deposit.amount, &drawn) {
                Ok(posting) => posting,
                Err(error) => {
                    self.alarms.push(format!("deposit {} cannot be taken back: {error}", deposit.id));
                    continue;
                }
            };
            let covered = drawn.iter().try_fold(Amount::ZERO, |sum, (_, part)| sum.add(*part)).unwrap_or(Amount::ZERO);
            if covered < deposit.amount {
                self.alarms.push(format!("deposit {} left the chain after it was paid out", deposit.id));
            }
            self.post(posting);
            for (account, part) in drawn {
                self.freeze(account, part);
            }
            let left = self.held(vault_asset.temporary());
            let funding_requests =
                self.work.funding_requests.iter().filter(|request| request.vault_asset == vault_asset);
            let funding_updated = funding_requests.map(|request| request.limited_to(left)).collect();
            self.work.accept(CommandChanges { funding_updated, ..CommandChanges::default() });
        }
    }

    fn freeze(&mut self, account: Account, drawn: Amount) {
        match account.kind {
            AccountKind::AdvertEscrow => {
                self.advert_event(AdvertId(account.owner), &adverts::Event::DepositRevoked { drawn });
            }
            AccountKind::OrderEscrow => {
                let id = OrderId(account.owner);
                if let Some(leg) = self.side(id, account) {
                    self.order_event(id, &orders::Event::DepositRevoked { leg, drawn });
                }
            }
            _ => {}
        }
    }

    fn side(&self, order: OrderId, account: Account) -> Option<Side> {
        let terms = &self.work.orders.get(&order)?.terms;
        [Side::Base, Side::Quote]
            .into_iter()
            .find(|leg| terms.vault_asset(*leg) == VaultAsset { vault: account.vault, asset: account.asset })
    }

    /// A release that a reorganization had removed is in a block again.
    pub(super) fn resend(&mut self, seen: &[StoredSettlement]) {
        let payouts = seen
            .iter()
            .filter(|settlement| settlement.outcome == SettlementOutcome::Paid)
            .filter_map(|settlement| Some(self.legs.get(&settlement.reference.0)?.leg.payout));
        let payouts: std::collections::BTreeSet<_> = payouts.collect();
        for payout in payouts {
            self.tell(payout, |payout| orders::Event::PayoutResent { payout }, |_| None);
        }
    }

    /// Applies final settlements.
    pub(super) fn settle(&mut self, settlements: &[StoredSettlement]) {
        for settlement in settlements {
            let Some(standing) = self.legs.get_mut(&settlement.reference.0) else {
                continue;
            };
            match (settlement.outcome, standing.leg.state) {
                (SettlementOutcome::Paid, LegState::Owed) => {
                    standing.set(LegState::Paid);
                    let payout = standing.leg.payout;
                    self.count(settlement.reference);
                    self.paid(payout);
                }
                (SettlementOutcome::Voided, LegState::Owed) => {
                    standing.set(LegState::Voided);
                    let payout = standing.leg.payout;
                    self.voided(payout);
                }
                // A failed leg is still owed. The worker retries it and raises an alarm if it keeps failing.
                (SettlementOutcome::Failed | SettlementOutcome::Rejected, _) => {}
                (SettlementOutcome::Paid | SettlementOutcome::Voided, LegState::Paid | LegState::Voided) => {
                    self.alarms.push(format!("the Escrow spent reference {} twice", settlement.reference.0));
                }
            }
        }
    }

    /// Starts the next round of a leg: the ledger counts every time that the chain confirmed it.
    fn next_round(&mut self, reference: Reference) -> Option<Leg> {
        let standing = self.legs.get_mut(&reference.0)?;
        standing.leg.rounds = standing.leg.rounds.saturating_add(1);
        standing.changed = true;
        Some(standing.leg.clone())
    }

    /// Records that the coins of a leg have left their vault.
    fn count(&mut self, reference: Reference) {
        let Some(leg) = self.next_round(reference) else { return };
        self.post(ledger::payout_confirmed(leg.payout, leg.reference.0, leg.rounds, leg.vault_asset, leg.amount));
    }

    fn paid(&mut self, payout: PayoutId) {
        if self.all(payout, LegState::Paid) {
            self.tell(
                payout,
                |payout| orders::Event::PayoutConfirmed { payout },
                |payout| Some(adverts::Event::ReturnConfirmed { payout }),
            );
        }
    }

    /// Gives the coins of a voided payout back. While only one leg of a pair is voided, nothing changes: the other leg
    /// can never be paid alone and will be voided as well.
    fn voided(&mut self, payout: PayoutId) {
        if !self.all(payout, LegState::Voided) {
            return;
        }
        for leg in self.legs_of(payout) {
            let Some(leg) = self.next_round(leg.reference) else { continue };
            let (number, round) = (leg.reference.0, leg.rounds);
            self.post(ledger::payout_voided(leg.payout, number, round, leg.vault_asset, leg.amount, leg.source));
            if leg.source == leg.vault_asset.temporary() {
                self.repay(&format!("payout/{payout}/{number}/voided/{round}"), leg.vault_asset, leg.amount);
            }
        }
        let legs = self.legs_of(payout);
        let order = legs.first().and_then(|leg| self.work.orders.get(&OrderId(leg.subject)));
        let came_back = |side: Side| {
            let vault_asset = order.map(|order| order.terms.vault_asset(side));
            legs.iter().find(|leg| Some(leg.vault_asset) == vault_asset).map_or(Amount::ZERO, |leg| leg.amount)
        };
        let (base, quote) = (came_back(Side::Base), came_back(Side::Quote));
        let amount = legs.first().map_or(Amount::ZERO, |leg| leg.amount);
        self.tell(
            payout,
            |payout| orders::Event::PayoutVoided { payout, base, quote },
            |payout| Some(adverts::Event::ReturnVoided { payout, amount }),
        );
    }

    /// Credits deposits.
    ///
    /// A deposit first pays the owner's debt from a reorganization, because others were paid with those coins or will
    /// be. Next it restores what the reorganization took from an advert or order, which is older than any open funding
    /// request. Only the rest counts towards open funding requests.
    pub(super) fn credit_deposits(&mut self, assets: &[Asset], deposits: &[Deposit]) {
        // Each deposit counts as unconfirmed until its turn: what it covers was protected from lapsing when its block
        // was seen.
        for deposit in deposits {
            self.work.expect(VaultAsset { vault: deposit.vault, asset: deposit.asset }, deposit.amount);
        }
        for deposit in deposits {
            let vault_asset = VaultAsset { vault: deposit.vault, asset: deposit.asset };
            self.work.no_longer_expect(vault_asset, deposit.amount);
            let posting = ledger::deposit_confirmed(deposit.id, vault_asset, deposit.amount);
            self.post(posting);
            let repaid = self.repay(&format!("deposit/{}", deposit.id), vault_asset, deposit.amount);
            self.unfreeze(vault_asset);
            let left = deposit.amount.saturating_sub(repaid).min(self.free(vault_asset));
            let Some(asset) = assets.iter().find(|asset| asset.id == deposit.asset && !left.is_zero()) else {
                continue;
            };
            let arrival = IncomingDeposit {
                vault_asset,
                amount: left,
                dust: asset.dust,
                own: deposit.sender.is_some() && deposit.sender == self.bound(deposit),
                missed: self.misses(vault_asset),
            };
            let mine: Vec<_> = self
                .work
                .funding_requests
                .iter()
                .filter(|request| request.vault_asset.vault == vault_asset.vault)
                .copied()
                .collect();
            let covered = mine.iter().any(|request| {
                matches!(request.target, FundingTarget::Advert(_))
                    && request.covered(self.work.seen(request.vault_asset))
            });
            match funding::allocate(&arrival, &mine, covered) {
                Ok(DepositAllocation::Completes { request, .. }) => self.complete(request),
                Ok(DepositAllocation::Counts { request }) => {
                    self.work.accept(CommandChanges { funding_updated: vec![request], ..CommandChanges::default() });
                }
                Ok(DepositAllocation::Wrong { advert }) => {
                    let event = adverts::Event::WrongDeposit { asset: asset.id, amount: left, gas: asset.return_gas };
                    self.advert_event(advert, &event);
                }
                Ok(DepositAllocation::Temporary) => {}
                Err(error) => self.alarms.push(format!("deposit {} cannot be counted: {error}", deposit.id)),
            }
        }
    }

    /// Pays the debt of a vault's owner from newly credited temporary balance. Returns the amount paid.
    fn repay(&mut self, by: &str, vault_asset: VaultAsset, came: Amount) -> Amount {
        let repaid = self.held(vault_asset.reorganisation_loss()).min(came);
        if !repaid.is_zero() {
            let posting = ledger::debt_repaid(by, vault_asset, repaid);
            self.post(posting);
        }
        repaid
    }

    fn complete(&mut self, request: funding::FundingRequest) {
        self.work.accept(CommandChanges { funding_updated: vec![request], ..CommandChanges::default() });
        let mut changes = CommandChanges::default();
        let met = fund_from_balance::meet(&mut changes, &self.work, &request);
        self.take(changes, met, request.target, &"a funding request is complete");
    }

    /// The bound address of a vault's owner, to which wrong deposits are returned. `None` while an advert of theirs
    /// waits for its deposit and would return coins to another address, because an advert fixes its addresses when it
    /// is published.
    fn bound(&self, deposit: &Deposit) -> Option<Address> {
        let bound = self.work.people.get(&deposit.vault)?.bound;
        let mut adverts = self.work.funding_requests.iter().filter_map(|request| match request.target {
            FundingTarget::Advert(advert) if request.vault_asset.vault == deposit.vault => {
                self.work.adverts.get(&advert)
            }
            _ => None,
        });
        bound.filter(|bound| adverts.all(|advert| advert.terms.bound == *bound))
    }

    /// Whether a frozen advert or order misses coins of a vault asset. A deposit may be a part of them.
    fn misses(&self, vault_asset: VaultAsset) -> bool {
        let mut adverts = self.work.adverts.values().filter(|advert| advert.frozen.is_some());
        let mut orders = self.work.orders.values();
        adverts.any(|advert| advert.terms.escrow().is_some_and(|(_, asked, _)| asked == vault_asset))
            || orders.any(|order| {
                let missing = |leg| order.overlay.as_ref().is_some_and(|overlay| !overlay.missing(leg).is_zero());
                [Side::Base, Side::Quote]
                    .into_iter()
                    .any(|leg| order.terms.vault_asset(leg) == vault_asset && missing(leg))
            })
    }

    /// Uses temporary balance to restore what a reorganization took from adverts and orders.
    fn unfreeze(&mut self, vault_asset: VaultAsset) {
        let frozen_adverts: Vec<_> =
            self.work.adverts.values().filter(|advert| advert.frozen.is_some()).map(|advert| advert.id).collect();
        for advert in frozen_adverts {
            let available = self.free(vault_asset);
            let asks = self
                .work
                .adverts
                .get(&advert)
                .and_then(|a| a.terms.escrow())
                .is_some_and(|(_, asked, _)| asked == vault_asset);
            if asks {
                self.advert_event(advert, &adverts::Event::DepositReturned { available });
            }
        }
        let frozen_orders: Vec<_> =
            self.work.orders.values().filter(|order| order.overlay.is_some()).map(|order| order.id).collect();
        for order in frozen_orders {
            let available = self.free(vault_asset);
            let sides = [Side::Base, Side::Quote];
            let Some(leg) = self
                .work
                .orders
                .get(&order)
                .and_then(|o| sides.into_iter().find(|leg| o.terms.vault_asset(*leg) == vault_asset))
            else {
                continue;
            };
            self.order_event(order, &orders::Event::DepositReturned { leg, available });
        }
    }

    /// Reports an event to the advert or order of a payout.
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

    /// Applies an event to an order. If the rules refuse it, the order does not change; the ledger keeps the chain's
    /// fact.
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
            // An impossible balance is refused by the ledger.
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

    /// The temporary balance that does not count towards an open funding request.
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
