//! What must always hold, and what must hold in the end.

use std::collections::BTreeSet;

use super::Simulation;
use crate::adverts;
use crate::funding::FundingTarget;
use crate::ids::PayoutId;
use crate::money::Amount;
use crate::orders::Order;
use crate::trade::Leg;

impl Simulation {
    /// Asserts that the ledger agrees with adverts, orders, funding requests and payouts.
    pub(in crate::simulation) fn check(&self) {
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

    /// Asserts that every advert and order has ended although users stopped acting. Exempts payouts from vaults whose
    /// coins a reorganization removed.
    pub(in crate::simulation) fn check_that_nothing_is_stuck(&self) {
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
    pub(in crate::simulation) fn sights(&self) -> BTreeSet<String> {
        let mut sights: BTreeSet<_> =
            self.orders.values().map(|order| format!("order {}", order.state.into_str())).collect();
        sights.extend(self.adverts.values().map(|advert| format!("advert {}", advert.state.into_str())));
        sights.extend(self.orders.values().filter(|order| order.frozen.is_some()).map(|_| "order frozen".to_owned()));
        let is_voided = |order: &&Order| order.progress.voided.is_some();
        sights.extend(self.orders.values().filter(is_voided).map(|_| "order with a voided payout".to_owned()));
        let appeals = self.orders.values().filter_map(|order| order.appeal.as_ref());
        sights.extend(appeals.map(|appeal| format!("appeal {}", appeal.status.into_str())));
        sights.extend(self.adverts.values().filter(|a| a.frozen.is_some()).map(|_| "advert frozen".to_owned()));
        sights.extend(self.parts.then(|| "request in parts".to_owned()));
        sights.extend(self.book.has_loss().then(|| "debt".to_owned()));
        sights
    }
}
