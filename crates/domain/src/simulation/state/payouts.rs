//! Payouts that the chain confirms, removes or voids.

use super::{Simulation, pick};
use crate::adverts;
use crate::effect::Purpose;
use crate::ids::PayoutId;
use crate::ledger;
use crate::money::Amount;
use crate::orders::{Event, State};
use crate::trade::Leg;

impl Simulation {
    /// Returns whether the order or advert of a payout still depends on it, or ended by it. Another payout may have taken its
    /// place before a reorganization removed its void.
    fn is_current(&self, purpose: Purpose, id: PayoutId) -> bool {
        let current = match purpose {
            Purpose::Release(order) | Purpose::Refund(order) => self.orders[&order].state.payout(),
            Purpose::AdvertReturn(advert) => self.adverts[&advert].state.payout(),
            Purpose::WrongDeposit(_) => Some(id),
        };
        current == Some(id)
    }

    pub(super) fn confirm(&mut self, payout: usize) {
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
        if !self.is_current(purpose, id) {
            return;
        }
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

    pub(super) fn revoke(&mut self, payout: usize) {
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
        if !self.is_current(purpose, id) {
            return;
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

    /// Voids a payout. If it is voided already, removes the void.
    pub(super) fn void(&mut self, payout: usize) {
        let Some(id) = pick(&self.payouts, payout) else { return };
        let paying = &self.payouts[&id];
        let (legs, purpose, round) = (paying.intent.legs.clone(), paying.intent.purpose, paying.rounds);
        let current = self.is_current(purpose, id);
        if paying.voided {
            for (number, leg) in (0..).zip(&legs) {
                let accounts = ledger::void_drawn_from(leg.source, leg.vault_asset, !current).into_iter();
                let holdings: Vec<_> = accounts.map(|account| (account, self.book.balance(account))).collect();
                self.book.post(&ledger::payout_void_revoked(id, number, round, leg.vault_asset, leg.amount, &holdings));
                self.limit_requests(leg.vault_asset);
            }
            self.payouts.get_mut(&id).unwrap().voided = false;
            if let Purpose::Release(order) | Purpose::Refund(order) = purpose
                && current
            {
                self.event(order, &Event::VoidRevoked { payout: id }, false).unwrap();
            }
            return;
        }
        if paying.confirmed {
            return;
        }
        let round = round + 1;
        for (number, leg) in (0..).zip(&legs) {
            let temporary = leg.vault_asset.temporary();
            let account = if current { leg.source } else { temporary };
            self.book.post(&ledger::payout_voided(id, number, round, leg.vault_asset, leg.amount, account));
            let repaid = self.book.balance(leg.vault_asset.reorganisation_loss()).min(leg.amount);
            if account == temporary && !repaid.is_zero() {
                self.book.post(&ledger::debt_repaid(&format!("payout/{id}/{number}/{round}"), leg.vault_asset, repaid));
            }
        }
        let paying = self.payouts.get_mut(&id).unwrap();
        (paying.voided, paying.rounds) = (true, round);
        if !current {
            return;
        }
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
}
