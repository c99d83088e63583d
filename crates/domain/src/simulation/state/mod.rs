//! The state of the simulation, and how each step changes it.

mod assertions;
mod deposits;
mod payouts;
mod users;

use std::collections::BTreeMap;

use chrono::Duration;
use uuid::Uuid;

use super::Op;
use super::book::Book;
use crate::adverts::{self, Advert};
use crate::applied::Applied;
use crate::clock::Timestamp;
use crate::effect::{Effect, PayoutIntent};
use crate::funding::{FundingRequest, FundingTarget};
use crate::ids::{AdvertId, AppealId, DepositId, OrderId, PayoutId, UserId};
use crate::ledger::{self, VaultAsset};
use crate::money::Amount;
use crate::orders::tests::{Kind, MANUAL_BUY, start, verdict};
use crate::orders::{self, Event, Order, PaymentEvidence};
use crate::refusal::Refusal;
use crate::reputation::{self, ReputationStanding};
use crate::trade::{Leg, Party};

/// The network fee of a return, in base units.
const GAS: i128 = 5;

struct Paying {
    intent: PayoutIntent,
    confirmed: bool,
    voided: bool,
    rounds: u32,
}

struct Deposit {
    id: DepositId,
    vault_asset: VaultAsset,
    amount: Amount,
    live: bool,
}

pub(super) struct Simulation {
    now: Timestamp,
    online: bool,
    adverts: BTreeMap<AdvertId, Advert>,
    orders: BTreeMap<OrderId, Order>,
    book: Book,
    funding_requests: Vec<FundingRequest>,
    payouts: BTreeMap<PayoutId, Paying>,
    deposits: Vec<Deposit>,
    standings: BTreeMap<UserId, ReputationStanding>,
    parts: bool,
    last_id: u128,
}

fn pick<K: Copy + Ord, V>(map: &BTreeMap<K, V>, number: usize) -> Option<K> {
    map.keys().nth(number.checked_rem(map.len())?).copied()
}

impl Simulation {
    pub(super) fn new(kind: Kind) -> Self {
        let mut simulation = Self {
            now: start(),
            online: true,
            adverts: BTreeMap::new(),
            orders: BTreeMap::new(),
            book: Book::default(),
            funding_requests: Vec::new(),
            payouts: BTreeMap::new(),
            deposits: Vec::new(),
            standings: BTreeMap::new(),
            parts: false,
            last_id: 1_000,
        };
        simulation.post(kind);
        if kind != MANUAL_BUY {
            simulation.arrive(simulation.funding_requests[0].vault_asset, simulation.funding_requests[0].required);
        }
        simulation
    }

    fn fresh(&mut self) -> Uuid {
        self.last_id += 1;
        Uuid::from_u128(self.last_id)
    }

    pub(super) fn step(&mut self, op: Op) {
        match op {
            Op::Post { kind } => self.post(Kind::ALL[kind]),
            Op::Arrive { user, asset, share } => self.arrive_share(user, asset, share),
            Op::Offer { request } => self.offer(request),
            Op::Place { advert, taker, quantity } => self.place(advert, taker, quantity),
            Op::OrderCommand { order, party, act, covered } => self.act(order, party, act, covered),
            Op::AdvertAct { advert, act, covered } => self.advert_act(advert, act, covered),
            Op::Switch { online } => {
                self.online = online;
                self.every_advert(adverts::Event::Switched { online }, false);
            }
            Op::Wait { minutes, covered } => {
                self.now += Duration::minutes(minutes);
                self.clock(covered);
            }
            Op::Confirm { payout } => self.confirm(payout),
            Op::Revoke { payout } => self.revoke(payout),
            Op::Void { payout } => self.void(payout),
            Op::Reorganise { deposit } => self.reorganise(deposit),
            Op::Decide { order, decision } => {
                if let Some(id) = pick(&self.orders, order) {
                    self.decide(id, &Self::decisions()[decision]);
                }
            }
            Op::Outage { minutes } => {
                let from = self.now;
                self.now += Duration::minutes(minutes);
                let until = self.now;
                self.every_advert(adverts::Event::Outage { from, until }, false);
                for id in self.orders.keys().copied().collect::<Vec<_>>() {
                    self.event(id, &Event::Outage { from, until }, false).unwrap();
                }
            }
        }
    }

    /// Lets time pass and confirms payouts. Only an officer still acts.
    pub(super) fn settle_down(&mut self) {
        for _ in 0..6 {
            self.now += Duration::days(8);
            self.clock(false);
            for order in self.orders.keys().copied().collect::<Vec<_>>() {
                self.decide(order, &verdict(Party::Seller));
            }
            for payout in 0..self.payouts.len() {
                self.confirm(payout);
            }
        }
    }

    fn clock(&mut self, covered: bool) {
        for id in self.orders.keys().copied().collect::<Vec<_>>() {
            while let Some(event) = self.orders[&id].due(self.now) {
                let before = self.orders[&id].version;
                let done = self.event(id, &event, covered);
                assert!(done.is_ok() || covered, "{event:?} {done:?}");
                if self.orders[&id].version == before {
                    break;
                }
            }
        }
        for id in self.adverts.keys().copied().collect::<Vec<_>>() {
            if self.adverts[&id].due_at().is_some_and(|due| due <= self.now) {
                let done = self.advert_event(id, adverts::Event::WindowPassed, covered);
                assert!(done.is_ok() || covered, "{done:?}");
            }
        }
    }

    fn facts(&mut self, order: OrderId, covered: bool) -> orders::OrderInputs {
        let seller = self.orders[&order].terms.vault_asset(Leg::Base);
        let seller_has_funding_request = self.funding_requests.iter().any(|request| request.vault_asset == seller);
        // Unconfirmed transfers matter only while a funding request is open.
        let covered =
            covered && self.funding_requests.iter().any(|request| request.target == FundingTarget::Order(order));
        orders::OrderInputs {
            now: self.now,
            payout: PayoutId(self.fresh()),
            appeal: AppealId(self.fresh()),
            covered,
            payment: PaymentEvidence::Nothing,
            seller_has_funding_request,
            paused: false,
        }
    }

    fn advert_inputs(&mut self, covered: bool) -> adverts::AdvertInputs {
        // Those who are offline may not withdraw either, so that both kinds of returns occur.
        let (owner_online, owner_may_withdraw) = (self.online, self.online);
        adverts::AdvertInputs {
            now: self.now,
            payout: PayoutId(self.fresh()),
            covered,
            owner_online,
            owner_may_withdraw,
        }
    }

    fn event(&mut self, id: OrderId, event: &Event, covered: bool) -> Result<(), Refusal> {
        let facts = self.facts(id, covered);
        if let Applied::Done(done) = orders::react(&self.orders[&id], event, &facts)? {
            self.orders.insert(id, done.order);
            self.apply(done.effects);
        }
        Ok(())
    }

    fn advert_event(&mut self, id: AdvertId, event: adverts::Event, covered: bool) -> Result<(), Refusal> {
        let facts = self.advert_inputs(covered);
        if let Applied::Done(done) = adverts::react(&self.adverts[&id], &event, &facts)? {
            self.adverts.insert(id, done.advert);
            self.apply(done.effects);
        }
        Ok(())
    }

    fn every_advert(&mut self, event: adverts::Event, covered: bool) {
        for id in self.adverts.keys().copied().collect::<Vec<_>>() {
            self.advert_event(id, event, covered).unwrap();
        }
    }

    fn apply(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Post(posting) => {
                    self.book.post(&posting);
                    for (vault_asset, amount) in ledger::remainders(&posting) {
                        let repaid = self.book.balance(vault_asset.reorganisation_loss()).min(amount);
                        if !repaid.is_zero() {
                            self.book.post(&ledger::debt_repaid(&posting.key, vault_asset, repaid));
                        }
                    }
                }
                Effect::Payout(intent) => {
                    assert!(!intent.legs.is_empty() && intent.legs.iter().all(|leg| !leg.amount.is_zero()));
                    let paying = Paying { intent, confirmed: false, voided: false, rounds: 0 };
                    assert!(self.payouts.insert(paying.intent.id, paying).is_none(), "duplicate payout id");
                }
                Effect::OpenFundingRequest(request) => {
                    assert!(
                        self.funding_requests.iter().all(|open| open.vault_asset != request.vault_asset),
                        "a second request for {:?}",
                        request.vault_asset
                    );
                    self.funding_requests.push(request);
                }
                Effect::FulfillFundingRequest(target) => {
                    let met = self.funding_requests.iter().find(|request| request.target == target).unwrap();
                    assert!(met.complete());
                    self.funding_requests.retain(|request| request.target != target);
                }
                Effect::CloseFundingRequest(target) => {
                    assert!(self.funding_requests.iter().any(|request| request.target == target));
                    self.funding_requests.retain(|request| request.target != target);
                }
                Effect::Advert { advert, change } => {
                    self.advert_event(advert, adverts::Event::OrderChanged(change), false).unwrap();
                }
                Effect::ChargeReputation { user, cause, appeal, .. } => {
                    let standing = self
                        .standings
                        .entry(user)
                        .or_insert(ReputationStanding { reputation: reputation::FULL, cancelled_today: 0 });
                    standing.reputation = reputation::charge(*standing, cause).reputation;
                    if appeal.is_none() {
                        standing.cancelled_today += 1;
                    }
                }
                Effect::Appeal { order, appeal } => {
                    assert_eq!(self.orders[&order].appeal.as_ref(), Some(appeal.as_ref()));
                }
                Effect::Acceptance { .. } | Effect::Notify { .. } | Effect::Call { .. } => {}
            }
        }
    }
}
