//! What one command would change: kept apart until it is decided, so that a refusal leaves no trace in its set.

use std::collections::BTreeMap;

use domain::adverts::{self, Advert};
use domain::claims::{Claim, Holder};
use domain::clock::Moment;
use domain::credit;
use domain::effect::{Effect, Notice, OrderChange, PayoutIntent, Purpose, Subject};
use domain::ids::{AdvertId, OrderId, PayoutId, UserId};
use domain::ledger::Posting;
use domain::orders::{self, Order};
use domain::refusal::Refusal;
use serde_json::json;
use store::events::News;
use store::payouts::{NewLeg, NewPayout};
use store::people::CreditChange;

use super::world::World;

/// What one command would change.
#[derive(Debug, Default)]
pub(crate) struct Draft {
    pub(crate) adverts: BTreeMap<AdvertId, Advert>,
    pub(crate) orders: BTreeMap<OrderId, Order>,
    pub(crate) postings: Vec<Posting>,
    pub(crate) payouts: Vec<NewPayout>,
    pub(crate) claims_opened: Vec<Claim>,
    pub(crate) claims_counted: Vec<Claim>,
    pub(crate) claims_closed: Vec<(Holder, bool)>,
    pub(crate) credit: Vec<CreditChange>,
    pub(crate) news: Vec<News>,
    pub(crate) switches: Vec<(UserId, bool)>,
}

impl Draft {
    /// The advert as this command left it so far.
    pub(crate) fn advert(&self, world: &World, id: AdvertId) -> Result<Advert, Refusal> {
        self.adverts.get(&id).or_else(|| world.adverts.get(&id)).cloned().ok_or(Refusal::AdvertMissing)
    }

    /// The order as this command left it so far.
    pub(crate) fn order(&self, world: &World, id: OrderId) -> Result<Order, Refusal> {
        self.orders.get(&id).or_else(|| world.orders.get(&id)).cloned().ok_or(Refusal::OrderMissing)
    }

    /// Takes a changed order and what goes with it.
    pub(crate) fn order_changed(&mut self, world: &World, order: Order, effects: Vec<Effect>) -> Result<(), Refusal> {
        self.orders.insert(order.id, order);
        self.apply(world, effects)
    }

    /// Takes a changed advert and what goes with it.
    pub(crate) fn advert_changed(
        &mut self,
        world: &World,
        advert: Advert,
        effects: Vec<Effect>,
    ) -> Result<(), Refusal> {
        self.adverts.insert(advert.id, advert);
        self.apply(world, effects)
    }

    /// Applies an event to an advert. Says whether it changed anything.
    pub(crate) fn advert_event(
        &mut self,
        world: &World,
        id: AdvertId,
        event: &adverts::Event,
    ) -> Result<bool, Refusal> {
        let advert = self.advert(world, id)?;
        match adverts::react(&advert, event, &world.advert_facts(&advert))? {
            adverts::Outcome::Done(done) => self.advert_changed(world, done.advert, done.effects).map(|()| true),
            adverts::Outcome::AlreadyDone => Ok(false),
        }
    }

    /// Applies an event to an order. Says whether it changed anything.
    pub(crate) fn order_event(&mut self, world: &World, id: OrderId, event: &orders::Event) -> Result<bool, Refusal> {
        let order = self.order(world, id)?;
        match orders::react(&order, event, &world.order_facts(&order))? {
            orders::Outcome::Done(done) => self.order_changed(world, done.order, done.effects).map(|()| true),
            orders::Outcome::AlreadyDone => Ok(false),
        }
    }

    fn apply(&mut self, world: &World, effects: Vec<Effect>) -> Result<(), Refusal> {
        for effect in effects {
            match effect {
                Effect::Post(posting) => self.postings.push(posting),
                Effect::Payout(intent) => self.payouts.push(payout(world, intent)?),
                // The worker pays by reference, and a payout that comes back has an older one than whatever was decided
                // since: it is first already.
                Effect::Hurry(PayoutId(_)) => {}
                Effect::OpenClaim(claim) => self.claims_opened.push(claim),
                Effect::MeetClaim(holder) => self.claims_closed.push((holder, true)),
                Effect::EndClaim(holder) => self.claims_closed.push((holder, false)),
                Effect::Advert { advert, change } => self.advert_follows(world, advert, change)?,
                Effect::ChargeCredit { user, order, cause } => self.charge(world, user, order, cause)?,
                Effect::Notify { user, subject, notice } => self.news.push(news(user, subject, notice)),
                Effect::Call { user, order } => {
                    self.news.push(News { user, kind: "OTC_VOICE", body: json!({ "orderId": order }) });
                }
            }
        }
        Ok(())
    }

    fn advert_follows(&mut self, world: &World, advert: AdvertId, change: OrderChange) -> Result<(), Refusal> {
        self.advert_event(world, advert, &adverts::Event::OrderChanged(change)).map(|_| ())
    }

    fn charge(&mut self, world: &World, user: UserId, order: OrderId, cause: credit::Cause) -> Result<(), Refusal> {
        let mut standing = world.standing(user)?;
        for earlier in self.credit.iter().filter(|change| change.user == user) {
            standing.credit = earlier.credit;
            standing.cancelled_today = standing.cancelled_today.saturating_add(1);
        }
        let change = credit::charge(standing, cause);
        self.credit.push(CreditChange {
            user,
            change: change.points,
            credit: change.credit,
            cause: change.cause.name(),
            order: Some(order),
        });
        Ok(())
    }
}

fn payout(world: &World, intent: PayoutIntent) -> Result<NewPayout, Refusal> {
    let (purpose, subject) = match intent.purpose {
        Purpose::Release(order) => (store::payouts::Purpose::Release, order.0),
        Purpose::Refund(order) => (store::payouts::Purpose::Refund, order.0),
        Purpose::AdvertReturn(advert) => (store::payouts::Purpose::AdvertReturn, advert.0),
        Purpose::WrongDeposit(advert) => (store::payouts::Purpose::WrongDeposit, advert.0),
    };
    let legs = intent.legs.into_iter().map(|leg| {
        Ok(NewLeg {
            vault_asset: leg.vault_asset,
            custody_index: world.person(leg.vault_asset.vault)?.custody_index,
            recipient: leg.recipient,
            amount: leg.amount,
            source: leg.source,
        })
    });
    Ok(NewPayout { id: intent.id, purpose, subject, legs: legs.collect::<Result<_, Refusal>>()? })
}

/// The websocket's message about an order or an advert.
pub(crate) fn news(user: UserId, subject: Subject, notice: Notice) -> News {
    let kind = if notice == Notice::NewOrder { "NEW_ORDER" } else { "ORDER_STATUS_CHANGE" };
    let body = match subject {
        Subject::Order(order) => json!({ "orderId": order, "notice": notice }),
        Subject::Advert(advert) => json!({ "advertId": advert, "notice": notice }),
    };
    News { user, kind, body }
}

/// What says over the websocket that the person was set offline.
const SET_OFFLINE: &str = "37";

/// The websocket's message to somebody whose switch went off.
pub(crate) fn set_offline(user: UserId) -> News {
    News { user, kind: "ORDER_STATUS_CHANGE", body: json!(SET_OFFLINE) }
}

/// When the system must look at an order next.
pub(crate) fn order_due(order: &Order) -> Option<Moment> {
    order.due_at()
}
