//! The state of the simulation, and how each step changes it.

use std::collections::{BTreeMap, BTreeSet};

use chrono::Duration;
use uuid::Uuid;

use super::Op;
use super::book::Book;
use crate::adverts::{self, Advert};
use crate::assets::AssetId;
use crate::chain::Address;
use crate::clock::Timestamp;
use crate::effect::{Effect, PayoutIntent, Purpose};
use crate::funding::{self, DepositAllocation, FundingRequest, FundingTarget, IncomingDeposit};
use crate::ids::{AdvertId, AppealId, DepositId, OrderId, PayoutId, UserId};
use crate::ledger::{self, AccountKind, VaultAsset};
use crate::money::{Amount, Price};
use crate::orders::tests::{BASE, Kind, MANUAL_BUY, QUOTE, amount, appeal, mark_paid, pictures, start, user, verdict};
use crate::orders::{self, AppealDecision, Event, Order, OrderCaller, OrderCommand, State};
use crate::people::ReceivingAddress;
use crate::refusal::Refusal;
use crate::reputation::{self, ReputationStanding};
use crate::trade::{Coin, Leg, Party, Payment, Side};

const OTHER: AssetId = AssetId(3);
const ADVERTISER: u128 = 1;
/// The network fee of a return, in base units.
const GAS: i128 = 5;
const DUST: i128 = 20;

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

fn price() -> Price {
    Price::parse("0.3333").unwrap()
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
            Op::Arrive { person, asset, share } => self.arrive_share(person, asset, share),
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

    // --- commands of users

    fn post(&mut self, kind: Kind) {
        let coin = |asset| Coin { asset, decimals: 0, return_gas: amount(GAS) };
        let (base, quote) = (coin(BASE), coin(QUOTE));
        let terms = adverts::Terms {
            owner: user(ADVERTISER),
            base,
            quote,
            price: price(),
            quantity: amount(1_000),
            total: price().total(amount(1_000), 0, 0).unwrap(),
            min_total: amount(1),
            max_total: amount(1_000),
            methods: vec![],
            receiving: None,
            created_at: self.now,
            ..adverts::tests::terms(kind)
        };
        if terms.escrow().is_some_and(|(_, vault_asset, _)| {
            self.funding_requests.iter().any(|request| request.vault_asset == vault_asset)
        }) {
            return;
        }
        let posted = adverts::post(AdvertId(self.fresh()), terms, self.online).unwrap();
        self.adverts.insert(posted.advert.id, posted.advert);
        self.apply(posted.effects);
    }

    fn place(&mut self, advert: usize, taker: usize, quantity: i128) {
        let Some(advert) = pick(&self.adverts, advert) else { return };
        let offer = self.adverts[&advert].terms.clone();
        let (taker, quantity) = (user(2 + u128::try_from(taker).unwrap()), amount(quantity));
        let payment = if offer.automatic {
            Payment::Automatic { to: Address([7; 20]), chain_type: String::new() }
        } else {
            Payment::Transfer(ReceivingAddress { address: String::new(), chain_type: String::new() })
        };
        let terms = orders::Terms {
            advert,
            pair: offer.pair,
            base: offer.base,
            quote: offer.quote,
            side: offer.side,
            advertiser: offer.owner,
            taker,
            quantity,
            price: offer.price,
            total: price().total(quantity, 0, 0).unwrap(),
            fee: quantity.mul_div_floor(1, 100).unwrap().max(amount(2)),
            payment,
            payer: None,
            buyer_bound: Address([1; 20]),
            seller_bound: Address([2; 20]),
            windows: offer.windows,
            created_at: self.now,
        };
        let leg = match (offer.side, offer.automatic) {
            (Side::Sell, true) => Some(Leg::Quote),
            (Side::Buy, _) => Some(Leg::Base),
            (Side::Sell, false) => None,
        };
        if leg.is_some_and(|leg| {
            self.funding_requests.iter().any(|request| request.vault_asset == terms.vault_asset(leg))
        }) {
            return;
        }
        let (quantity, escrow) = terms.taken();
        let Ok(opened) = orders::open(OrderId(self.fresh()), terms) else { return };
        if self.advert_event(advert, adverts::Event::OrderPlaced { quantity, escrow }, false).is_ok() {
            self.orders.insert(opened.order.id, opened.order);
            self.apply(opened.effects);
        }
    }

    fn act(&mut self, order: usize, party: Party, act: usize, covered: bool) {
        let Some(id) = pick(&self.orders, order) else { return };
        let acts = [
            OrderCommand::Accept,
            OrderCommand::Reject,
            OrderCommand::Cancel,
            OrderCommand::AskCancel,
            OrderCommand::AgreeCancel,
            mark_paid(),
            OrderCommand::Confirm,
            OrderCommand::Recover,
            appeal(),
            OrderCommand::AddEvidence(pictures(900..901)),
            OrderCommand::WithdrawAppeal,
        ];
        let facts = self.facts(id, covered);
        let order = &self.orders[&id];
        let by = OrderCaller { user: order.terms.user(party), seen: order.version, password_verified: true };
        let standing =
            self.standings.get(&by.user).copied().unwrap_or(ReputationStanding { reputation: 100, cancelled_today: 0 });
        let offered = orders::available_actions(order, by.user, &facts, standing);
        if let Ok(orders::OrderDecision::Done(done)) = orders::decide(order, &by, &acts[act], &facts) {
            let cost = (acts[act] == OrderCommand::Cancel)
                .then(|| offered.get(orders::Action::Cancel).unwrap().reputation_cost);
            self.orders.insert(id, done.order);
            self.apply(done.effects);
            if let Some(cost) = cost {
                let after = self.standings.get(&by.user).map_or(100, |standing| standing.reputation);
                assert_eq!(standing.reputation - after, cost, "the displayed cost is charged");
            }
        }
    }

    fn advert_act(&mut self, advert: usize, act: usize, covered: bool) {
        use adverts::AdvertCommand::{Cancel, Delete, Switch};
        let Some(id) = pick(&self.adverts, advert) else { return };
        let acts = [Cancel, Delete, Switch { online: true }, Switch { online: false }];
        let facts = self.advert_inputs(covered);
        let advert = &self.adverts[&id];
        let by = adverts::AdvertCaller { user: advert.terms.owner, seen: advert.version };
        if let Ok(adverts::AdvertDecision::Done(done)) = adverts::decide(advert, &by, &acts[act], &facts) {
            self.adverts.insert(id, done.advert);
            self.apply(done.effects);
        }
    }

    fn offer(&mut self, request: usize) {
        let Some(index) = request.checked_rem(self.funding_requests.len()) else { return };
        let request = self.funding_requests[index];
        let free = self.free(request.vault_asset);
        if free.is_zero() {
            return;
        }
        let offered = request.offer(free, free, 0).unwrap();
        self.funding_requests[index] = offered;
        if offered.complete() {
            self.complete(offered.target);
        }
    }

    // --- events of the clock and the chain

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

    fn arrive_share(&mut self, person: usize, asset: usize, share: usize) {
        let vault_asset =
            VaultAsset { vault: user(1 + u128::try_from(person).unwrap()), asset: [BASE, QUOTE, OTHER][asset] };
        let missing = self
            .funding_requests
            .iter()
            .find(|request| request.vault_asset == vault_asset)
            .map_or(40, |request| request.shortfall().units());
        let units = [missing, missing, missing / 2, missing + 30, 7][share];
        if units > 0 {
            self.arrive(vault_asset, amount(units));
        }
    }

    fn arrive(&mut self, vault_asset: VaultAsset, arrived: Amount) {
        let id = DepositId(self.fresh());
        self.deposits.push(Deposit { id, vault_asset, amount: arrived, live: true });
        self.book.post(&ledger::deposit_confirmed(id, vault_asset, arrived));
        let repaid = self.book.balance(vault_asset.reorganisation_loss()).min(arrived);
        if !repaid.is_zero() {
            self.book.post(&ledger::debt_repaid(&format!("deposit/{id}"), vault_asset, repaid));
        }
        let arrived = arrived.saturating_sub(repaid);
        if arrived.is_zero() {
            return;
        }
        // Deposits of odd amounts come from strangers.
        let own = arrived.units() % 2 == 0;
        let arrival =
            IncomingDeposit { vault_asset, amount: arrived, dust: amount(DUST), own, missed: self.misses(vault_asset) };
        match funding::allocate(&arrival, &self.funding_requests, false).unwrap() {
            DepositAllocation::Completes { request, excess } => {
                assert_eq!(request.funded, request.required.add(excess).unwrap());
                self.put(request);
                self.complete(request.target);
            }
            DepositAllocation::Counts { request } => {
                self.parts = true;
                self.put(request);
            }
            DepositAllocation::Wrong { advert } => {
                let event =
                    adverts::Event::WrongDeposit { asset: vault_asset.asset, amount: arrived, gas: amount(GAS) };
                self.advert_event(advert, event, false).unwrap();
            }
            DepositAllocation::Temporary => {}
        }
        self.unfreeze(vault_asset);
    }

    /// Returns whether a frozen advert or order lacks coins of a vault asset.
    fn misses(&self, vault_asset: VaultAsset) -> bool {
        let advert = |advert: &Advert| {
            advert.frozen.is_some() && advert.terms.escrow().is_some_and(|(_, of, _)| of == vault_asset)
        };
        let order = |order: &Order| {
            let missing = |leg| order.overlay.as_ref().is_some_and(|overlay| !overlay.missing(leg).is_zero());
            [Leg::Base, Leg::Quote].into_iter().any(|leg| order.terms.vault_asset(leg) == vault_asset && missing(leg))
        };
        self.adverts.values().any(advert) || self.orders.values().any(order)
    }

    fn put(&mut self, request: FundingRequest) {
        let place = self.funding_requests.iter_mut().find(|open| open.vault_asset == request.vault_asset).unwrap();
        *place = request;
    }

    fn complete(&mut self, target: FundingTarget) {
        match target {
            FundingTarget::Advert(id) => self.advert_event(id, adverts::Event::DepositFunded, false).unwrap(),
            FundingTarget::Order(id) => {
                let event = match self.orders[&id].funded_leg() {
                    Some(Leg::Base) => Event::DepositFunded,
                    _ => Event::PaymentFunded,
                };
                self.event(id, &event, false).unwrap();
            }
        }
    }

    /// Returns the temporary balance that is not part of a funding request.
    fn free(&self, vault_asset: VaultAsset) -> Amount {
        let counted = self
            .funding_requests
            .iter()
            .find(|request| request.vault_asset == vault_asset)
            .map_or(Amount::ZERO, |request| request.funded);
        self.book.balance(vault_asset.temporary()).saturating_sub(counted)
    }

    fn unfreeze(&mut self, vault_asset: VaultAsset) {
        for id in self.orders.keys().copied().collect::<Vec<_>>() {
            for leg in [Leg::Base, Leg::Quote] {
                let order = &self.orders[&id];
                if order.overlay.is_some() && order.terms.vault_asset(leg) == vault_asset {
                    let available = self.free(vault_asset);
                    let done = self.event(id, &Event::DepositReturned { leg, available }, false);
                    assert!(matches!(done, Ok(()) | Err(Refusal::DepositShort { .. })), "{done:?}");
                }
            }
        }
        for id in self.adverts.keys().copied().collect::<Vec<_>>() {
            let escrow = self.adverts[&id].terms.escrow();
            if self.adverts[&id].frozen.is_some() && escrow.is_some_and(|(_, escrowed, _)| escrowed == vault_asset) {
                let available = self.free(vault_asset);
                let done = self.advert_event(id, adverts::Event::DepositReturned { available }, false);
                assert!(matches!(done, Ok(()) | Err(Refusal::DepositShort { .. })), "{done:?}");
            }
        }
    }

    fn confirm(&mut self, payout: usize) {
        let Some(id) = pick(&self.payouts, payout) else { return };
        let paying = &self.payouts[&id];
        let there = paying.intent.legs.iter().all(|leg| self.book.balance(leg.vault_asset.custody()) >= leg.amount);
        if paying.confirmed || paying.voided || !there {
            return;
        }
        let (legs, purpose, round) = (paying.intent.legs.clone(), paying.intent.purpose, paying.rounds + 1);
        for (number, leg) in (0..).zip(&legs) {
            self.book.post(&ledger::payout_confirmed(id, number, round, leg.vault_asset, leg.amount));
        }
        let paying = self.payouts.get_mut(&id).unwrap();
        (paying.confirmed, paying.rounds) = (true, round);
        match purpose {
            Purpose::Release(order) | Purpose::Refund(order) => {
                if matches!(self.orders[&order].state, State::ReleaseRevoked { .. }) {
                    self.event(order, &Event::PayoutResent { payout: id }, false).unwrap();
                }
                self.event(order, &Event::PayoutConfirmed { payout: id }, false).unwrap();
            }
            Purpose::AdvertReturn(advert) => {
                self.advert_event(advert, adverts::Event::ReturnConfirmed { payout: id }, false).unwrap();
            }
            Purpose::WrongDeposit(_) => {}
        }
    }

    fn revoke(&mut self, payout: usize) {
        let Some(id) = pick(&self.payouts, payout) else { return };
        let paying = self.payouts.get_mut(&id).unwrap();
        if paying.voided {
            return;
        }
        let (legs, purpose, round) = (paying.intent.legs.clone(), paying.intent.purpose, paying.rounds);
        if std::mem::take(&mut paying.confirmed) {
            for (number, leg) in (0..).zip(&legs) {
                self.book.post(&ledger::payout_revoked(id, number, round, leg.vault_asset, leg.amount));
            }
        }
        match purpose {
            Purpose::Release(order) | Purpose::Refund(order) => {
                self.event(order, &Event::PayoutRevoked { payout: id }, false).unwrap();
            }
            Purpose::AdvertReturn(advert) => {
                self.advert_event(advert, adverts::Event::ReturnRevoked { payout: id }, false).unwrap();
            }
            Purpose::WrongDeposit(_) => {}
        }
    }

    /// Voids a payout. If it is voided already and nothing depends on the void yet, removes the void.
    fn void(&mut self, payout: usize) {
        let Some(id) = pick(&self.payouts, payout) else { return };
        let paying = &self.payouts[&id];
        let (legs, purpose, round) = (paying.intent.legs.clone(), paying.intent.purpose, paying.rounds);
        if paying.voided {
            let (Purpose::Release(order) | Purpose::Refund(order)) = purpose else { return };
            if self.orders[&order].state.payout() != Some(id) {
                return;
            }
            for (number, leg) in (0..).zip(&legs) {
                let drawn = self.book.balance(leg.source).min(leg.amount);
                let from = (leg.source, drawn);
                self.book.post(&ledger::payout_void_revoked(id, number, round, leg.vault_asset, leg.amount, from));
            }
            self.payouts.get_mut(&id).unwrap().voided = false;
            self.event(order, &Event::VoidRevoked { payout: id }, false).unwrap();
            return;
        }
        if paying.confirmed {
            return;
        }
        let round = round + 1;
        for (number, leg) in (0..).zip(&legs) {
            self.book.post(&ledger::payout_voided(id, number, round, leg.vault_asset, leg.amount, leg.source));
            let repaid = self.book.balance(leg.vault_asset.reorganisation_loss()).min(leg.amount);
            if leg.source == leg.vault_asset.temporary() && !repaid.is_zero() {
                self.book.post(&ledger::debt_repaid(&format!("payout/{id}/{round}"), leg.vault_asset, repaid));
            }
        }
        let paying = self.payouts.get_mut(&id).unwrap();
        (paying.voided, paying.rounds) = (true, round);
        match purpose {
            Purpose::Release(order) | Purpose::Refund(order) => {
                let terms = &self.orders[&order].terms;
                let came = |leg: Leg| {
                    let back = legs.iter().find(|paid| paid.vault_asset == terms.vault_asset(leg));
                    back.map_or(Amount::ZERO, |back| back.amount)
                };
                let event = Event::PayoutVoided { payout: id, base: came(Leg::Base), quote: came(Leg::Quote) };
                self.event(order, &event, false).unwrap();
            }
            Purpose::AdvertReturn(advert) => {
                let event = adverts::Event::ReturnVoided { payout: id, amount: legs[0].amount };
                self.advert_event(advert, event, false).unwrap();
            }
            Purpose::WrongDeposit(_) => {}
        }
    }

    fn decide(&mut self, id: OrderId, decision: &AppealDecision) {
        let facts = self.facts(id, false);
        if let Ok(done) = orders::decide_appeal(&self.orders[&id], decision, &facts) {
            self.orders.insert(id, done.order);
            self.apply(done.effects);
        }
    }

    fn decisions() -> [AppealDecision; 4] {
        let reject = AppealDecision::Reject { note: "No proof.".to_owned(), malicious: true };
        [verdict(Party::Buyer), verdict(Party::Seller), reject, AppealDecision::Reopen]
    }

    /// Removes a deposit by a reorganization, unless its coins were paid out: the payout must be removed first.
    fn reorganise(&mut self, deposit: usize) {
        let Some(index) = deposit.checked_rem(self.deposits.len()) else { return };
        let (id, vault_asset, gone) =
            (self.deposits[index].id, self.deposits[index].vault_asset, self.deposits[index].amount);
        if !self.deposits[index].live || self.book.balance(vault_asset.custody()) < gone {
            return;
        }
        self.deposits[index].live = false;
        let drawn = ledger::draw(gone, &self.book.holdings(vault_asset));
        self.book.post(&ledger::deposit_revoked(id, vault_asset, gone, &drawn).unwrap());
        for (account, drawn) in drawn {
            match account.kind {
                AccountKind::OrderEscrow => {
                    let order = OrderId(account.owner);
                    let leg = if vault_asset.asset == BASE { Leg::Base } else { Leg::Quote };
                    self.event(order, &Event::DepositRevoked { leg, drawn }, false).unwrap();
                }
                AccountKind::AdvertEscrow => {
                    let advert = AdvertId(account.owner);
                    self.advert_event(advert, adverts::Event::DepositRevoked { drawn }, false).unwrap();
                }
                _ => {}
            }
        }
        let left = self.book.balance(vault_asset.temporary());
        for request in self.funding_requests.iter_mut().filter(|request| request.vault_asset == vault_asset) {
            *request = request.limited_to(left);
        }
    }

    // --- effects

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
            payment_seen: false,
            seller_has_funding_request,
        }
    }

    fn advert_inputs(&mut self, covered: bool) -> adverts::AdvertInputs {
        adverts::AdvertInputs { now: self.now, payout: PayoutId(self.fresh()), covered, owner_online: self.online }
    }

    fn event(&mut self, id: OrderId, event: &Event, covered: bool) -> Result<(), Refusal> {
        let facts = self.facts(id, covered);
        if let orders::OrderDecision::Done(done) = orders::react(&self.orders[&id], event, &facts)? {
            self.orders.insert(id, done.order);
            self.apply(done.effects);
        }
        Ok(())
    }

    fn advert_event(&mut self, id: AdvertId, event: adverts::Event, covered: bool) -> Result<(), Refusal> {
        let facts = self.advert_inputs(covered);
        if let adverts::AdvertDecision::Done(done) = adverts::react(&self.adverts[&id], &event, &facts)? {
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
                Effect::Notify { .. } | Effect::Call { .. } => {}
            }
        }
    }

    // --- assertions

    /// Asserts that the ledger agrees with adverts, orders, funding requests and payouts.
    pub(super) fn check(&self) {
        self.book.check();
        for order in self.orders.values() {
            assert_eq!(order.misfit(), None, "{order:?}");
            for leg in [Leg::Base, Leg::Quote] {
                let escrow = self.book.balance(order.terms.vault_asset(leg).order(order.id));
                assert_eq!(escrow, order.held(leg), "{leg:?} of {order:?}");
                assert!(!order.state.ended() || escrow.is_zero(), "an ended order has escrow");
            }
            let waits = self.funding_requests.iter().find(|request| request.target == FundingTarget::Order(order.id));
            assert_eq!(
                waits.map(|request| request.vault_asset),
                order.funded_leg().map(|leg| order.terms.vault_asset(leg))
            );
        }
        for advert in self.adverts.values() {
            assert_eq!(advert.misfit(), None, "{advert:?}");
            let of = |order: &&Order| order.terms.advert == advert.id;
            let running = self.orders.values().filter(of).filter(|order| order.progress.ended_at.is_none()).count();
            assert_eq!(usize::try_from(advert.running), Ok(running), "{advert:?}");
            let taken = |o: &Order| o.terms.quantity.units() - o.progress.given_back.units();
            let taken: i128 = self.orders.values().filter(of).map(taken).sum();
            assert_eq!(advert.remaining.units() + taken, advert.terms.quantity.units(), "{advert:?}");
            let waits = self.funding_requests.iter().any(|request| request.target == FundingTarget::Advert(advert.id));
            assert_eq!(waits, matches!(advert.state, adverts::State::Creating { .. }));
            if let Some((_, vault_asset, _)) = advert.terms.escrow() {
                assert_eq!(self.book.balance(vault_asset.advert(advert.id)), advert.escrow, "{advert:?}");
            }
        }
        for request in &self.funding_requests {
            assert!(
                request.funded <= self.book.balance(request.vault_asset.temporary()),
                "{request:?} exceeds the temporary balance"
            );
            assert!(!request.complete(), "{request:?} is open but complete");
        }
        let vault_assets: BTreeSet<_> = self.funding_requests.iter().map(|request| request.vault_asset).collect();
        assert_eq!(vault_assets.len(), self.funding_requests.len(), "at most one request per user and asset");
        for paying in self.payouts.values() {
            for leg in &paying.intent.legs {
                let flying = self.book.balance(leg.vault_asset.in_flight(paying.intent.id));
                let owed = if paying.confirmed || paying.voided { Amount::ZERO } else { leg.amount };
                assert_eq!(flying, owed, "{:?}", paying.intent);
            }
        }
        assert!(self.standings.values().all(|standing| (0..=100).contains(&standing.reputation)));
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

    /// Asserts that every advert and order has ended although users stopped acting. Exempts payouts from vaults whose
    /// coins a reorganization removed.
    pub(super) fn check_that_nothing_is_stuck(&self) {
        for order in self.orders.values() {
            let short = order.state.payout().is_some_and(|payout| self.underfunded(payout));
            assert!(order.state.ended() || short, "stuck: {order:?}");
        }
        for advert in self.adverts.values() {
            if let adverts::State::Revoking { payout } = advert.state {
                let short = payout.is_some_and(|payout| self.underfunded(payout));
                assert!(advert.running > 0 || short, "stuck: {advert:?}");
            }
        }
    }

    fn underfunded(&self, payout: PayoutId) -> bool {
        let paying = &self.payouts[&payout];
        paying.intent.legs.iter().any(|leg| self.book.balance(leg.vault_asset.custody()) < leg.amount)
    }

    /// Returns the names of the situations that currently occur.
    pub(super) fn sights(&self) -> BTreeSet<String> {
        let mut sights: BTreeSet<_> =
            self.orders.values().map(|order| format!("order {}", order.state.name())).collect();
        sights.extend(self.adverts.values().map(|advert| format!("advert {}", advert.state.name())));
        sights.extend(self.orders.values().filter(|order| order.overlay.is_some()).map(|_| "order frozen".to_owned()));
        let case = |order: &&Order| order.progress.case.is_some();
        sights.extend(self.orders.values().filter(case).map(|_| "order with a case".to_owned()));
        let appeals = self.orders.values().filter_map(|order| order.appeal.as_ref());
        sights.extend(appeals.map(|appeal| format!("appeal {}", appeal.status.name())));
        sights.extend(self.adverts.values().filter(|a| a.frozen.is_some()).map(|_| "advert frozen".to_owned()));
        sights.extend(self.parts.then(|| "request in parts".to_owned()));
        sights.extend(self.book.has_loss().then(|| "debt".to_owned()));
        sights
    }
}
