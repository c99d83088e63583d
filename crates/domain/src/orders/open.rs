//! Places orders and opens their funding requests.

use super::transition::TransitionBuilder;
use super::{Order, Progress, State, Terms, Transition};
use crate::effect::{Effect, Notice};
use crate::funding::{FundingRequest, FundingTarget};
use crate::ids::OrderId;
use crate::ledger;
use crate::money::Amount;
use crate::refusal::{Refusal, Shown};
use crate::trade::{Leg, Side};

/// Places an order whose terms [`crate::checks::order`] has checked.
///
/// First apply [`crate::adverts::Event::OrderPlaced`] with [`Terms::taken`] to the advert; if the advert refuses, do
/// not place the order. A manual order awaits acceptance. An automatic order is accepted immediately and opens the
/// taker's funding request.
pub fn open(id: OrderId, terms: Terms) -> Result<Transition, Refusal> {
    if terms.advertiser == terms.taker {
        return Err(Refusal::OwnAdvert);
    }
    if terms.total.is_zero() {
        return Err(Refusal::Invalid { field: "quantity", reason: "costs nothing" });
    }
    if terms.receives().is_zero() {
        let floor = Shown { amount: terms.fee, decimals: terms.base.decimals };
        return Err(Refusal::FeeBelowGas { floor });
    }
    let now = terms.created_at;
    let state = match (terms.automatic(), terms.side) {
        (false, _) => State::awaiting_acceptance(&terms),
        (true, Side::Sell) => State::awaiting_payment(&terms, now),
        (true, Side::Buy) => State::awaiting_deposit(&terms, now),
    };
    let progress = Progress { accepted_at: terms.automatic().then_some(now), ..Progress::default() };
    let mut draft =
        TransitionBuilder::first(Order { id, version: 1, terms, state, frozen: None, appeal: None, progress });
    if let Some(leg) = draft.order.terms.advert_leg() {
        let terms = &draft.order.terms;
        draft.post(ledger::order_opened(terms.advert, id, terms.vault_asset(leg), terms.amount(leg)));
    }
    if let Some(request) = draft.order.request(now) {
        draft.effect(Effect::OpenFundingRequest(request));
    }
    draft.notify(draft.order.terms.advertiser_party(), Notice::NewOrder);
    Ok(draft.into_transition())
}

impl Terms {
    /// Returns the quantity of the base and the amount of escrow that the order takes from its advert.
    pub fn taken(&self) -> (Amount, Amount) {
        (self.quantity, self.advert_leg().map_or(Amount::ZERO, |leg| self.amount(leg)))
    }
}

impl Order {
    /// Returns the leg whose deposit the current state awaits.
    pub fn funded_leg(&self) -> Option<Leg> {
        match self.state {
            State::AwaitingDeposit { .. } if self.progress.deposited_at.is_none() => Some(Leg::Base),
            State::AwaitingPayment { .. } if self.terms.automatic() && self.progress.payment_funded_at.is_none() => {
                Some(Leg::Quote)
            }
            _ => None,
        }
    }

    /// Creates the funding request that the current state needs.
    pub(super) fn request(&self, opened_at: crate::clock::Timestamp) -> Option<FundingRequest> {
        self.funded_leg().map(|leg| FundingRequest {
            target: FundingTarget::Order(self.id),
            vault_asset: self.terms.vault_asset(leg),
            required: self.terms.amount(leg),
            funded: Amount::ZERO,
            opened_at,
        })
    }
}
