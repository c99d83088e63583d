//! Orders as one of their two parties sees them: their data, the available actions, and the money involved.

use std::collections::{BTreeMap, BTreeSet};

use domain::assets::Asset;
use domain::clock::Timestamp;
use domain::funding::FundingTarget;
use domain::ids::{OrderId, PaymentMethodId, UserId};
use domain::orders::{self, Actions, Order};
use domain::payment_methods::PaymentMethod;
use domain::people::Person;
use domain::refusal::Refusal;
use domain::reputation::Record;
use domain::trade::{Party, Payment};
use store::Tx;

use crate::payment_methods::masked;
use crate::reputation::records_at;
use crate::trading::unit_of_work::{Keys, UnitOfWork};
use crate::wallet::view::{FundingView, MoneyViews, PayoutView, SeenPayment};
use crate::{Context, Error, Result};

/// An order as one of its two parties sees it.
#[derive(Debug, Clone)]
pub struct OrderView {
    pub order: Order,
    /// The user's role in the order.
    pub party: Party,
    pub counterparty: Person,
    /// The counterparty's record of the last 30 days.
    pub record: Record,
    /// Base and quote.
    pub assets: (Asset, Asset),
    /// The available actions and their costs.
    pub actions: Actions,
    pub request: Option<FundingView>,
    /// The payout that releases or refunds the escrow, once it is decided.
    pub payout: Option<PayoutView>,
    /// The seller's payment method, to which the buyer pays. Shown from acceptance until the order ends. Account
    /// numbers are masked for the seller, but not for the buyer.
    pub method: Option<PaymentMethod>,
    /// Distinct account-holder names of the buyer's payment methods of the same kind and currency, since an order does
    /// not record with which method the buyer pays. Shown only to the seller, to compare them with the payer's name,
    /// and only while `method` is shown.
    pub payers: Vec<String>,
    /// The transfer that looks like the payment of this manual order. Present only if the buyer pays in coins on the
    /// escrow chain.
    pub payment_seen: Option<SeenPayment>,
    /// Whether unconfirmed deposits cover the amount that the order waits for. If so, the deadline is met and only
    /// confirmations are missing.
    pub covered: bool,
    /// Whether a party has missed the deadline.
    pub overdue: bool,
    /// The time at which the order is canceled if the overdue action is still missing.
    pub lapses_at: Option<Timestamp>,
    pub automatic: bool,
    /// The time to which the view refers, by the product's clock.
    pub now: Timestamp,
}

/// Returns an order to one of its parties. To anyone else, reports that it does not exist.
pub async fn one(context: &Context, user: UserId, id: OrderId) -> Result<OrderView> {
    let (mut tx, now) = context.begin().await?;
    Ok(views(context, &mut tx, now, user, &[id]).await?.pop().ok_or(Refusal::OrderMissing)?)
}

/// Returns an order to one of its parties, without what its view adds.
pub async fn order(context: &Context, user: UserId, id: OrderId) -> Result<Order> {
    let mut tx = context.store.alone().await?;
    let order = store::orders::read(&mut tx, &[id]).await?.pop().ok_or(Refusal::OrderMissing)?;
    order.terms.party(user).ok_or(Refusal::OrderMissing)?;
    Ok(order)
}

/// Returns a page of a user's orders, newest first, and their total number.
pub async fn page(
    context: &Context,
    user: UserId,
    finished: Option<bool>,
    offset: i64,
    limit: i64,
) -> Result<(Vec<OrderView>, i64)> {
    let (mut tx, now) = context.begin().await?;
    let (orders, total) = store::orders::page_of(&mut tx, user, finished, offset, limit).await?;
    let ids: Vec<_> = orders.iter().map(|order| order.id).collect();
    Ok((views(context, &mut tx, now, user, &ids).await?, total))
}

/// Marks an order as read by one of its parties.
pub async fn mark_read(context: &Context, user: UserId, order: OrderId) -> Result<()> {
    self::order(context, user, order).await?;
    let (mut tx, _) = context.begin().await?;
    store::orders::mark_read(&mut tx, order, user).await?;
    Ok(tx.commit().await?)
}

async fn views(
    context: &Context,
    tx: &mut Tx,
    now: Timestamp,
    user: UserId,
    ids: &[OrderId],
) -> Result<Vec<OrderView>> {
    let keys = Keys { orders: ids.iter().copied().collect(), people: [user].into(), ..Keys::default() };
    let work = UnitOfWork::read(context, tx, now, keys).await?;
    let wanted: Vec<_> = ids.iter().map(|id| (user, *id)).collect();
    let views = OrderViews::load(tx, &work, &wanted).await?;
    ids.iter().map(|id| views.of(&work, user, *id)).collect()
}

/// What the views of orders show in addition to a unit of work.
pub(crate) struct OrderViews {
    money: MoneyViews,
    records: BTreeMap<UserId, Record>,
    methods: BTreeMap<PaymentMethodId, PaymentMethod>,
    /// The payment methods of buyers.
    buyers: Vec<PaymentMethod>,
}

impl OrderViews {
    /// Loads the data for the views of these orders by these users.
    pub(crate) async fn load(tx: &mut Tx, work: &UnitOfWork, wanted: &[(UserId, OrderId)]) -> store::Result<Self> {
        let wanted: Vec<_> = wanted
            .iter()
            .filter_map(|(user, id)| {
                let order = work.orders.get(id)?;
                Some((order, order.terms.party(*user)?))
            })
            .collect();
        let others: BTreeSet<_> = wanted.iter().map(|(order, party)| order.terms.user(party.other())).collect();
        let others: Vec<_> = others.into_iter().collect();
        let methods: Vec<_> = wanted.iter().filter_map(|(order, _)| shown_method(order)).collect();
        let to_seller = wanted.iter().filter(|(order, party)| *party == Party::Seller && shown_method(order).is_some());
        let buyers: Vec<_> = to_seller.map(|(order, _)| order.terms.buyer()).collect();
        let payouts: Vec<_> = wanted.iter().filter_map(|(order, _)| order.state.payout()).collect();
        let targets: Vec<_> = wanted.iter().map(|(order, _)| FundingTarget::Order(order.id)).collect();
        let methods = store::payment_methods::by_ids(tx, &methods).await?;
        Ok(Self {
            money: MoneyViews::load(tx, work, &targets, &payouts).await?,
            records: records_at(tx, &others, work.now).await?.into_iter().collect(),
            methods: methods.into_iter().map(|method| (method.id, method)).collect(),
            buyers: store::payment_methods::of_users(tx, &buyers).await?,
        })
    }

    /// Returns an order as one of its parties sees it. To anyone else, reports that it does not exist.
    pub(crate) fn of(&self, work: &UnitOfWork, user: UserId, id: OrderId) -> Result<OrderView> {
        let order = work.without_standstills(work.orders.get(&id).cloned().ok_or(Refusal::OrderMissing)?);
        let party = order.terms.party(user).ok_or(Refusal::OrderMissing)?;
        let other = order.terms.user(party.other());
        let facts = work.order_inputs(&order);
        let method = shown_method(&order).and_then(|id| self.methods.get(&id).cloned());
        let payers = match &method {
            Some(method) if party == Party::Seller => self.payers(order.terms.buyer(), method),
            _ => Vec::new(),
        };
        let masks = |method| if party == Party::Buyer { method } else { masked(&work.reference_data.forms, method) };
        let record = self.records.get(&other).copied();
        Ok(OrderView {
            assets: (work.asset(order.terms.base.asset)?, work.asset(order.terms.quote.asset)?),
            counterparty: work.person(other)?.clone(),
            record: record.ok_or_else(|| Error::Internal(format!("nothing is known of {other}")))?,
            actions: orders::available_actions(&order, user, &facts, work.standing(user)?),
            request: self.money.funding(work, FundingTarget::Order(id))?,
            payment_seen: work.payment(id).map(|payment| work.confirmations.shows(payment)),
            covered: facts.covered,
            overdue: order.overdue(&facts),
            lapses_at: order.lapses_at(&facts),
            automatic: order.terms.automatic(),
            now: work.now,
            party,
            payout: self.money.payout(order.state.payout()),
            method: method.map(masks),
            payers,
            order,
        })
    }

    /// Returns the names under which a buyer may pay to a method: the account holders of the buyer's own methods of the
    /// same kind and currency.
    fn payers(&self, buyer: UserId, to: &PaymentMethod) -> Vec<String> {
        let own = self.buyers.iter().filter(|method| method.user == buyer);
        let mut names: Vec<String> = Vec::new();
        for method in own.filter(|method| method.kind == to.kind && method.currency == to.currency) {
            if let Some(name) = method.holder()
                && !names.iter().any(|known| known == name)
            {
                names.push(name.to_owned());
            }
        }
        names
    }
}

/// Returns the payment method whose account details an order shows: only while the order is accepted and open.
fn shown_method(order: &Order) -> Option<PaymentMethodId> {
    match &order.terms.payment {
        Payment::Method(method) if order.progress.accepted_at.is_some() && !order.state.ended() => Some(method.id),
        _ => None,
    }
}
