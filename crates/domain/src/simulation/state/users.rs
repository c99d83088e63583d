//! Commands of users, and decisions of officers.

use super::{GAS, Simulation, pick};
use crate::adverts;
use crate::applied::Applied;
use crate::chain::Address;
use crate::ids::{AdvertId, OrderId};
use crate::money::Price;
use crate::orders::tests::{BASE, Kind, QUOTE, amount, every_command, user, verdict};
use crate::orders::{self, AppealDecision, OrderCaller, OrderCommand};
use crate::reputation::ReputationStanding;
use crate::trade::{Coin, Leg, Party, Payment, Side};
use crate::users::ReceivingAddress;

const ADVERTISER: u128 = 1;

fn price() -> Price {
    Price::parse("0.3333").unwrap()
}

impl Simulation {
    pub(super) fn post(&mut self, kind: Kind) {
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

    pub(super) fn place(&mut self, advert: usize, taker: usize, quantity: i128) {
        let Some(advert) = pick(&self.adverts, advert) else { return };
        let offer = self.adverts[&advert].terms.clone();
        let (taker, quantity) = (user(2 + u128::try_from(taker).unwrap()), amount(quantity));
        let payment = if offer.automatic {
            Payment::Automatic { to: Address([7; 20]), chain_type: String::new() }
        } else {
            Payment::Transfer(ReceivingAddress { address: String::new(), chain_type: String::new() })
        };
        let terms = orders::Terms {
            prepayment: None,
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

    pub(super) fn act(&mut self, order: usize, party: Party, act: usize, covered: bool) {
        let Some(id) = pick(&self.orders, order) else { return };
        let acts = every_command();
        let facts = self.facts(id, covered);
        let order = &self.orders[&id];
        let by = OrderCaller {
            user: order.terms.user(party),
            seen: order.version,
            proofs: orders::Proofs::ALL,
            held_until: None,
        };
        let standing =
            self.standings.get(&by.user).copied().unwrap_or(ReputationStanding { reputation: 100, cancelled_today: 0 });
        let offered = orders::available_actions(order, (by.user, None), &facts, standing);
        if let Ok(Applied::Done(done)) = orders::decide(order, &by, &acts[act], &facts) {
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

    pub(super) fn advert_act(&mut self, advert: usize, act: usize, covered: bool) {
        use adverts::AdvertCommand::{Cancel, Delete, Switch};
        let Some(id) = pick(&self.adverts, advert) else { return };
        let acts = [Cancel, Delete, Switch { online: true }, Switch { online: false }];
        let facts = self.advert_inputs(covered);
        let advert = &self.adverts[&id];
        let by = adverts::AdvertCaller { user: advert.terms.owner, seen: advert.version };
        if let Ok(Applied::Done(done)) = adverts::decide(advert, &by, &acts[act], &facts) {
            self.adverts.insert(id, done.advert);
            self.apply(done.effects);
        }
    }

    pub(super) fn offer(&mut self, request: usize) {
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

    pub(super) fn decide(&mut self, id: OrderId, decision: &AppealDecision) {
        let facts = self.facts(id, false);
        if let Ok(done) = orders::decide_appeal(&self.orders[&id], decision, &facts) {
            self.orders.insert(id, done.order);
            self.apply(done.effects);
        }
    }

    pub(super) fn decisions() -> [AppealDecision; 4] {
        let reject = AppealDecision::Reject { note: "No proof.".to_owned(), malicious: true };
        [verdict(Party::Buyer), verdict(Party::Seller), reject, AppealDecision::Reopen]
    }
}
