//! Collects the changes of one command separately until the command is decided, so that a refused command changes
//! nothing.

use std::collections::BTreeMap;

use domain::adverts::{self, Advert};
use domain::applied::Applied;
use domain::effect::{Effect, Notice, OrderChange, PayoutIntent, Purpose, Subject};
use domain::files::Attachment;
use domain::ids::{AdvertId, AppealId, FileId, OrderId, UserId};
use domain::ledger::Posting;
use domain::notifications::{self, Category};
use domain::order_log::{self, Draft, TransitionDetails};
use domain::orders::{self, Appeal, Order};
use domain::refusal::Refusal;
use domain::reputation::{self, Acceptance, MissedAcceptances};
use domain::trade::Party;
use domain::users::OfflineCause;
use serde_json::json;
use store::emails::HoldEmail;
use store::outbox::OutboxEvent;
use store::payments::Report;
use store::payouts::{NewLeg, NewPayout};
use store::users::{ReputationChange, Switch};

use super::funding_requests::FundingChange;
use super::unit_of_work::UnitOfWork;

#[derive(Debug, Default)]
pub(crate) struct CommandChanges {
    /// The user who sent the command; `None` for the platform.
    pub(crate) actor: Option<UserId>,
    /// The most reputation points that the actor accepts to lose; `None` accepts any cost.
    pub(crate) accepted_cost: Option<i32>,
    pub(crate) adverts: BTreeMap<AdvertId, Advert>,
    pub(crate) orders: BTreeMap<OrderId, Order>,
    pub(crate) postings: Vec<Posting>,
    pub(crate) payouts: Vec<NewPayout>,
    /// In the order in which they were made.
    pub(crate) funding: Vec<FundingChange>,
    pub(crate) appeals: Vec<(OrderId, Appeal)>,
    pub(crate) reputation: Vec<ReputationChange>,
    pub(crate) events: Vec<OutboxEvent>,
    pub(crate) hold_emails: Vec<HoldEmail>,
    /// Entries to append to the logs of orders, in the order in which they were made.
    pub(crate) log: Vec<(OrderId, Draft)>,
    pub(crate) switches: Vec<Switch>,
    pub(crate) missed_acceptances: Vec<(UserId, MissedAcceptances)>,
    /// Files, and what they are attached to.
    pub(crate) attached: Vec<(Vec<FileId>, Attachment)>,
    /// What buyers reported of their payments.
    pub(crate) reports: Vec<Report>,
    /// What the log records about the next transition of an order, besides the order itself.
    pub(crate) details: TransitionDetails,
}

impl CommandChanges {
    /// Returns the advert including the command's changes so far.
    pub(crate) fn advert(&self, work: &UnitOfWork, id: AdvertId) -> Result<Advert, Refusal> {
        self.adverts.get(&id).or_else(|| work.adverts.get(&id)).cloned().ok_or(Refusal::AdvertMissing)
    }

    /// Returns the order including the command's changes so far.
    pub(crate) fn order(&self, work: &UnitOfWork, id: OrderId) -> Result<Order, Refusal> {
        self.current_order(work, id).cloned()
    }

    fn current_order<'a>(&'a self, work: &'a UnitOfWork, id: OrderId) -> Result<&'a Order, Refusal> {
        self.orders.get(&id).or_else(|| work.orders.get(&id)).ok_or(Refusal::OrderMissing)
    }

    /// Records a changed order with its effects, also in the order's log.
    pub(crate) fn order_changed(
        &mut self,
        work: &UnitOfWork,
        order: Order,
        effects: Vec<Effect>,
    ) -> Result<(), Refusal> {
        let author = self.actor.and_then(|user| order.terms.party(user));
        let mut details = std::mem::take(&mut self.details);
        let before = self.orders.get(&order.id).or_else(|| work.orders.get(&order.id));
        let told = |order: &Order| order.progress.accepted_at.is_some();
        if told(&order) && !before.is_some_and(told) {
            details.pay_to = work.pay_to(&order);
        }
        self.hold_emails.extend(hold_email(work, before, &order)?);
        let drafts = order_log::of_transition(before, &order, author, &effects, details);
        self.log.extend(drafts.into_iter().map(|draft| (order.id, draft)));
        self.orders.insert(order.id, order);
        self.apply(work, effects)
    }

    /// Records a changed advert with its effects.
    pub(crate) fn advert_changed(
        &mut self,
        work: &UnitOfWork,
        advert: Advert,
        effects: Vec<Effect>,
    ) -> Result<(), Refusal> {
        self.adverts.insert(advert.id, advert);
        self.apply(work, effects)
    }

    /// Applies an event to an advert. Returns whether anything changed.
    pub(crate) fn advert_event(
        &mut self,
        work: &UnitOfWork,
        id: AdvertId,
        event: &adverts::Event,
    ) -> Result<bool, Refusal> {
        let advert = self.advert(work, id)?;
        match adverts::react(&advert, event, &work.advert_inputs(&advert))? {
            Applied::Done(done) => self.advert_changed(work, done.advert, done.effects).map(|()| true),
            Applied::AlreadyDone => Ok(false),
        }
    }

    /// Applies an event to an order. Returns whether anything changed.
    pub(crate) fn order_event(
        &mut self,
        work: &UnitOfWork,
        id: OrderId,
        event: &orders::Event,
    ) -> Result<bool, Refusal> {
        let order = self.order(work, id)?;
        match orders::react(&order, event, &work.order_inputs(&order))? {
            Applied::Done(done) => self.order_changed(work, done.order, done.effects).map(|()| true),
            Applied::AlreadyDone => Ok(false),
        }
    }

    fn apply(&mut self, work: &UnitOfWork, effects: Vec<Effect>) -> Result<(), Refusal> {
        for effect in effects {
            match effect {
                Effect::Post(posting) => self.postings.push(posting),
                Effect::Payout(intent) => self.payouts.push(payout(work, intent)?),
                Effect::OpenFundingRequest(request) => self.funding.push(FundingChange::Open(request)),
                Effect::FulfillFundingRequest(target) => self.funding.push(FundingChange::Fulfill(target)),
                Effect::CloseFundingRequest(target) => self.funding.push(FundingChange::Close(target)),
                Effect::Advert { advert, change } => self.advert_follows(work, advert, change)?,
                Effect::ChargeReputation { user, order, appeal, cause } => {
                    self.charge(work, user, (order, appeal), cause)?;
                }
                Effect::Acceptance { advertiser, acceptance } => self.count_acceptance(work, advertiser, acceptance)?,
                Effect::Appeal { order, appeal } => self.appeals.push((order, *appeal)),
                Effect::Notify { user, subject, notice } => {
                    let event = self.notification(work, user, subject, notice)?;
                    self.events.push(event);
                }
                Effect::Call { user, order } => {
                    self.events.push(call(user, order));
                }
            }
        }
        Ok(())
    }

    /// Returns the event that tells a user of a notice.
    fn notification(
        &self,
        work: &UnitOfWork,
        user: UserId,
        subject: Subject,
        notice: Notice,
    ) -> Result<OutboxEvent, Refusal> {
        let event = match subject {
            Subject::Order(id) => {
                let order = self.current_order(work, id)?;
                let author = self.actor.and_then(|actor| order.terms.party(actor));
                order_notification(user, order, notice, author)
            }
            Subject::Advert(id) => advert_notification(user, id, notice),
        };
        let category = if self.actor == Some(user) { notifications::category_of_own(notice) } else { event.category };
        Ok(OutboxEvent { category, ..event })
    }

    fn advert_follows(&mut self, work: &UnitOfWork, advert: AdvertId, change: OrderChange) -> Result<(), Refusal> {
        self.advert_event(work, advert, &adverts::Event::OrderChanged(change)).map(|_| ())
    }

    /// Counts whether an advertiser answers takers, and takes one offline who does not. What happens to the orders of an
    /// advertiser who is offline does not count, because they were placed before.
    fn count_acceptance(&mut self, work: &UnitOfWork, user: UserId, acceptance: Acceptance) -> Result<(), Refusal> {
        let row = work.user(user)?;
        if matches!(acceptance, Acceptance::Missed { .. }) && !row.online {
            return Ok(());
        }
        let (missed, complete) = row.missed_acceptances.with(acceptance, work.now);
        if missed != row.missed_acceptances {
            self.missed_acceptances.push((user, missed));
        }
        if complete {
            self.set_online(work, user, false, Some(OfflineCause::MissedAcceptances))?;
        }
        Ok(())
    }

    /// Sets a user online or offline, and all their adverts with them. Open orders continue. A user who goes offline gets
    /// an outbox event, because the change, or a logout, may come from another browser window.
    pub(crate) fn set_online(
        &mut self,
        work: &UnitOfWork,
        user: UserId,
        online: bool,
        cause: Option<OfflineCause>,
    ) -> Result<(), Refusal> {
        let was_online = work.user(user)?.online;
        self.switches.push(Switch { user, online, cause });
        if was_online && !online {
            let category = cause.map(|_| Category::Account);
            let body = json!(offline_status(cause));
            self.events.push(OutboxEvent { user, kind: "ORDER_STATUS_CHANGE", body, category });
        }
        for advert in work.adverts.values().filter(|advert| advert.terms.owner == user) {
            self.advert_event(work, advert.id, &adverts::Event::Switched { online })?;
        }
        Ok(())
    }

    fn charge(
        &mut self,
        work: &UnitOfWork,
        user: UserId,
        (order, appeal): (OrderId, Option<AppealId>),
        cause: reputation::Cause,
    ) -> Result<(), Refusal> {
        let mut standing = work.standing(user)?;
        for earlier in self.reputation.iter().filter(|change| change.user == user) {
            standing.reputation = earlier.reputation;
            standing.cancelled_today = standing.cancelled_today.saturating_add(earlier.cancellations());
        }
        let change = reputation::charge(standing, cause);
        let points = change.points.saturating_neg();
        if self.actor == Some(user) && self.accepted_cost.is_some_and(|accepted| points > accepted) {
            return Err(Refusal::CancellationCostRaised { points });
        }
        self.reputation.push(ReputationChange {
            user,
            change: change.points,
            reputation: change.reputation,
            cause: change.cause.into_str(),
            order: Some(order),
            appeal,
        });
        Ok(())
    }
}

/// What the outbox event says that tells users that they are offline: by their own command or because of a hold, or because
/// they missed acceptances.
fn offline_status(cause: Option<OfflineCause>) -> &'static str {
    match cause {
        None => "37",
        Some(OfflineCause::MissedAcceptances) => "38",
    }
}

/// Returns the email to the advertiser of an automatic order whose coins are released while the advertiser's account is on hold.
/// Nobody confirms such a release, so without the email, an owner whose mailbox or session was stolen would not notice it.
fn hold_email(work: &UnitOfWork, before: Option<&Order>, order: &Order) -> Result<Option<HoldEmail>, Refusal> {
    let released = |order: &Order| order.progress.received_at.is_some();
    if !order.terms.automatic() || !released(order) || before.is_some_and(released) {
        return Ok(None);
    }
    let user = order.terms.advertiser;
    Ok(work.user(user)?.hold(work.now).map(|_| HoldEmail { order: order.id, user }))
}

fn payout(work: &UnitOfWork, intent: PayoutIntent) -> Result<NewPayout, Refusal> {
    let (purpose, subject) = match intent.purpose {
        Purpose::Release(order) => (store::payouts::Purpose::Release, order.0),
        Purpose::Refund(order) => (store::payouts::Purpose::Refund, order.0),
        Purpose::AdvertReturn(advert) => (store::payouts::Purpose::AdvertReturn, advert.0),
        Purpose::WrongDeposit(advert) => (store::payouts::Purpose::WrongDeposit, advert.0),
    };
    let legs = intent.legs.into_iter().map(|leg| {
        Ok(NewLeg {
            vault_asset: leg.vault_asset,
            custody_index: work.user(leg.vault_asset.vault)?.custody_index,
            recipient: leg.recipient,
            amount: leg.amount,
            source: leg.source,
        })
    });
    Ok(NewPayout { id: intent.id, purpose, subject, legs: legs.collect::<Result<_, Refusal>>()? })
}

/// Returns the event that alerts a user with a sound, because they must act on an order before a deadline.
pub(crate) fn call(user: UserId, order: OrderId) -> OutboxEvent {
    OutboxEvent { user, kind: "OTC_VOICE", body: json!({ "orderId": order }), category: None }
}

/// Returns the event that notifies a party of an order. `author` is the party that caused it; `None` for the platform.
pub(crate) fn order_notification(user: UserId, order: &Order, notice: Notice, author: Option<Party>) -> OutboxEvent {
    let kind = if notice == Notice::NewOrder { "NEW_ORDER" } else { "ORDER_STATUS_CHANGE" };
    let body = match author {
        Some(author) => json!({ "orderId": order.id, "notice": notice, "author": author }),
        None => json!({ "orderId": order.id, "notice": notice }),
    };
    let category = order.terms.party(user).map(|reader| notifications::category_of_order(notice, order, reader));
    OutboxEvent { user, kind, body, category }
}

/// Returns the event that notifies the owner of an advert.
pub(crate) fn advert_notification(user: UserId, advert: AdvertId, notice: Notice) -> OutboxEvent {
    let body = json!({ "advertId": advert, "notice": notice });
    OutboxEvent { user, kind: "ORDER_STATUS_CHANGE", body, category: Some(Category::Advert) }
}
