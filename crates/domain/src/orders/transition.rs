//! Builds the next version of an order and collects the effects.

use super::{Appeal, AppealStatus, Order, State, Transition};
use crate::applied::Applied;
use crate::clock::Timestamp;
use crate::effect::{Effect, Notice, OrderChange, PrepaymentChange, Subject};
use crate::funding::FundingTarget;
use crate::ledger::{self, Posting};
use crate::money::Amount;
use crate::reputation::Acceptance;
use crate::trade::{Leg, Party};

pub(super) struct TransitionBuilder {
    pub(super) order: Order,
    /// What the next change of the state reports to the advert.
    pub(super) prepayment: PrepaymentChange,
    effects: Vec<Effect>,
}

impl TransitionBuilder {
    /// Starts the order's next version.
    pub(super) fn of(order: &Order) -> Self {
        let mut order = order.clone();
        order.version = order.version.saturating_add(1);
        Self { order, prepayment: PrepaymentChange::Unchanged, effects: Vec::new() }
    }

    /// Starts the first version of an order that is being placed.
    pub(super) fn first(order: Order) -> Self {
        Self { order, prepayment: PrepaymentChange::Unchanged, effects: Vec::new() }
    }

    pub(super) fn effect(&mut self, effect: Effect) {
        self.effects.push(effect);
    }

    pub(super) fn post(&mut self, posting: Posting) {
        if !posting.entries.is_empty() {
            self.effects.push(Effect::Post(posting));
        }
    }

    pub(super) fn notify(&mut self, party: Party, notice: Notice) {
        let user = self.order.terms.user(party);
        self.effects.push(Effect::Notify { user, subject: Subject::Order(self.order.id), notice });
    }

    pub(super) fn notify_both(&mut self, notice: Notice) {
        self.notify(Party::Buyer, notice);
        self.notify(Party::Seller, notice);
    }

    /// Counts whether the advertiser answers takers.
    pub(super) fn acceptance(&mut self, acceptance: Acceptance) {
        let advertiser = self.order.terms.advertiser;
        self.effects.push(Effect::Acceptance { advertiser, acceptance });
    }

    pub(super) fn call(&mut self, party: Party) {
        let user = self.order.terms.user(party);
        self.effects.push(Effect::Call { user, order: self.order.id });
    }

    /// Moves temporary balance from a leg's vault into the order's escrow.
    pub(super) fn request(&mut self, leg: Leg, amount: Amount) {
        self.order.progress.funding_rounds = self.order.progress.funding_rounds.saturating_add(1);
        let (round, vault_asset) = (self.order.progress.funding_rounds, self.order.terms.vault_asset(leg));
        self.post(ledger::fund_order(self.order.id, round, vault_asset, amount));
    }

    /// Changes the status of the latest appeal.
    pub(super) fn set_appeal_status(&mut self, status: AppealStatus) {
        self.change_appeal(|appeal| appeal.status = status);
    }

    pub(super) fn change_appeal(&mut self, change: impl FnOnce(&mut Appeal)) {
        if let Some(appeal) = &mut self.order.appeal {
            change(appeal);
            self.appeal_changed();
        }
    }

    pub(super) fn appeal_changed(&mut self) {
        if let Some(appeal) = self.order.appeal.clone() {
            self.effects.push(Effect::Appeal { order: self.order.id, appeal: Box::new(appeal) });
        }
    }

    pub(super) fn fulfill_funding_request(&mut self) {
        self.effects.push(Effect::FulfillFundingRequest(FundingTarget::Order(self.order.id)));
    }

    /// Changes the state. Reports to the advert the quantity and escrow given back to it, what became of its prepayment, and
    /// the first end of the order.
    pub(super) fn enter(&mut self, state: State, now: Timestamp, quantity: Amount, escrow: Amount) {
        let ended = state.ended() && self.order.progress.ended_at.is_none();
        if ended {
            self.order.progress.ended_at = Some(now);
        }
        self.order.state = state;
        if self.order.state.ended() && self.order.open_appeal().is_some() {
            self.set_appeal_status(AppealStatus::Withdrawn { at: now, by: None });
        }
        if !quantity.is_zero() {
            self.order.progress.given_back = quantity;
        }
        let prepayment = std::mem::take(&mut self.prepayment);
        if ended || !quantity.is_zero() || !escrow.is_zero() || prepayment != PrepaymentChange::Unchanged {
            let change = OrderChange { quantity, escrow, ended, prepayment };
            self.effects.push(Effect::Advert { advert: self.order.terms.advert, change });
        }
    }

    /// Changes to a state that gives nothing back to the advert.
    pub(super) fn proceed(&mut self, state: State, now: Timestamp) {
        self.enter(state, now, Amount::ZERO, Amount::ZERO);
    }

    pub(super) fn into_transition(self) -> Transition {
        Transition { order: self.order, effects: self.effects }
    }

    pub(super) fn done(self) -> Applied<Transition> {
        Applied::Done(Box::new(self.into_transition()))
    }
}
