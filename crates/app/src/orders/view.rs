//! Orders as one of their two parties sees them: their data, the available actions, and the money involved.

use std::collections::{BTreeMap, BTreeSet};

use domain::clock::Timestamp;
use domain::files::{Access, StoredFile};
use domain::funding::FundingTarget;
use domain::ids::{AppealId, OrderId, PaymentMethodId, UserId};
use domain::orders::{self, Actions, EvidenceRequest, Order};
use domain::payment_methods::PaymentMethod;
use domain::refusal::Refusal;
use domain::reputation::Record;
use domain::trade::{Party, Payment};
use domain::users::User;
use store::Tx;
use store::payments::Repeated;
use store::talk::News;

use crate::appeals::requests_to;
use crate::engine::unit_of_work::{Keys, UnitOfWork};
use crate::files::{LinkedFile, Linker, Viewer, links_change_at};
use crate::memory::assets::TradedAssets;
use crate::memory::feed::Change;
use crate::payment_methods::{masked, pictures};
use crate::reputation::{records_at, records_change_at};
use crate::wallet::view::{FundingView, MoneyViews, PayoutView, SeenPayment};
use crate::{Context, Error, Lasting, Result};

/// An order as one of its two parties sees it.
#[derive(Debug, Clone)]
pub struct OrderView {
    pub order: Order,
    /// The user's role in the order.
    pub party: Party,
    pub counterparty: User,
    /// The counterparty's record of the last 30 days.
    pub record: Record,
    pub assets: TradedAssets,
    /// The available actions and their costs.
    pub actions: Actions,
    pub request: Option<FundingView>,
    /// The payout that releases or refunds the escrow, once it is decided.
    pub payout: Option<PayoutView>,
    /// The seller's payment method, to which the buyer pays. Shown from acceptance until the order ends. Account
    /// numbers are masked for the seller, but not for the buyer.
    pub method: Option<PaymentMethod>,
    /// The transfer that may be the payment of this manual order. Present only if the buyer pays in coins on the escrow
    /// chain.
    pub payment_seen: Option<SeenPayment>,
    /// Which parts of the buyer's report were reported for another order, too. Shown only to a seller who has not confirmed
    /// the payment.
    pub repeated: Repeated,
    /// The receipts that the buyer has attached, in the buyer's order. Whether they were used before is shown only to the
    /// seller.
    pub receipts: Vec<LinkedFile>,
    /// The evidence of the latest appeal. Whether a picture was used before is shown only to the other party.
    pub evidence: Vec<LinkedFile>,
    /// The requests for evidence to the user about the open appeal that no officer has closed, oldest first.
    pub requests: Vec<EvidenceRequest>,
    /// The pictures of `method` by the names of their fields. Shown only to the buyer.
    pub pictures: BTreeMap<String, LinkedFile>,
    /// Whether unconfirmed deposits cover the amount that the order waits for. If so, the deadline is met and only
    /// confirmations are missing.
    pub covered: bool,
    /// Whether a party has missed the deadline.
    pub overdue: bool,
    /// The time at which the order is canceled if the overdue action is still missing.
    pub lapses_at: Option<Timestamp>,
    /// Whether payouts of the base are stopped, and it is an NFT.
    pub paused: bool,
    /// What the user has not read of the order.
    pub news: News,
    /// The time to which the view refers, by the product's clock.
    pub now: Timestamp,
}

/// Returns an order to one of its parties. To anyone else, reports that it does not exist.
pub async fn one(context: &Context, user: UserId, id: OrderId) -> Result<OrderView> {
    let (mut tx, now) = context.begin().await?;
    Ok(views(context, &mut tx, now, user, &[id]).await?.0.pop().ok_or(Refusal::OrderMissing)?)
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
    let (views, total, _) = page_at(context, &mut tx, now, user, finished, (offset, limit)).await?;
    Ok((views, total))
}

/// Returns a page of a user's open orders like [`page`], and how long it stays the same; `None` if it changes constantly.
pub async fn open_page(
    context: &Context,
    user: UserId,
    offset: i64,
    limit: i64,
) -> Result<(Vec<OrderView>, i64, Option<Lasting>)> {
    let (mut tx, now) = context.begin().await?;
    let (views, total, work) = page_at(context, &mut tx, now, user, Some(false), (offset, limit)).await?;
    let lasting = match work {
        None => Some(Lasting { on: vec![Change::User(user)], until: None, deadlines: false }),
        Some(work) if work.has_pending_outages() => None,
        Some(work) => Some(lasting(&mut tx, &work, user, &views).await?),
    };
    Ok((views, total, lasting))
}

/// Returns a page of a user's orders with what was read for it, unless the page is empty.
async fn page_at(
    context: &Context,
    tx: &mut Tx,
    now: Timestamp,
    user: UserId,
    finished: Option<bool>,
    (offset, limit): (i64, i64),
) -> Result<(Vec<OrderView>, i64, Option<UnitOfWork>)> {
    let (orders, total) = store::orders::page_of(tx, user, finished, offset, limit).await?;
    if orders.is_empty() {
        return Ok((Vec::new(), total, None));
    }
    let ids: Vec<_> = orders.iter().map(|order| order.id).collect();
    let (views, work) = views(context, tx, now, user, &ids).await?;
    Ok((views, total, Some(work)))
}

/// Returns how long the views of a user's orders stay the same.
async fn lasting(tx: &mut Tx, work: &UnitOfWork, user: UserId, views: &[OrderView]) -> Result<Lasting> {
    let mut on = BTreeSet::from([Change::User(user), Change::Reference]);
    let mut others = vec![user];
    for view in views {
        let other = view.counterparty.id;
        others.push(other);
        on.insert(Change::Profile(other));
        if view.assets.nft.is_some() {
            on.insert(Change::Platform);
        }
        // The other party's deposits and funding requests matter until the order is funded.
        if view.request.is_some() || matches!(view.order.state, orders::State::AwaitingAcceptance { .. }) {
            on.insert(Change::User(other));
        }
        if view.confirmations().any(|confirmations| work.confirmations.grows(confirmations)) {
            on.insert(Change::Head);
        }
    }
    let deadlines = views.iter().filter_map(|view| view.order.changes_at(work.now));
    let linked =
        views.iter().any(|view| !(view.receipts.is_empty() && view.evidence.is_empty() && view.pictures.is_empty()));
    let links = linked.then(|| links_change_at(work.now)).flatten();
    let closing = work.reference_data.next_closing(work.now);
    let hold = work.user(user)?.hold(work.now);
    let until = deadlines
        .chain(closing)
        .chain(links)
        .chain(hold)
        .chain([records_change_at(tx, &others, work.now).await?])
        .min();
    Ok(Lasting { on: on.into_iter().collect(), until, deadlines: true })
}

impl OrderView {
    /// Returns the confirmations of everything that the view shows of the chain.
    fn confirmations(&self) -> impl Iterator<Item = u64> {
        let transfers = self.request.iter().flat_map(|request| request.transfers.iter().map(|(.., depth)| *depth));
        let legs = self.payout.iter().flat_map(|payout| &payout.legs).filter(|leg| leg.tx.is_some());
        let payment = self.payment_seen.map(|payment| payment.confirmations);
        transfers.chain(legs.map(|leg| leg.confirmations)).chain(payment)
    }
}

/// Marks an order as seen by one of its parties.
pub async fn mark_read(context: &Context, user: UserId, order: OrderId) -> Result<()> {
    self::order(context, user, order).await?;
    let (mut tx, _) = context.begin().await?;
    store::users::lock(&mut tx, &[user]).await?;
    store::talk::mark_seen(&mut tx, order, user).await?;
    Ok(tx.commit().await?)
}

pub(super) async fn views(
    context: &Context,
    tx: &mut Tx,
    now: Timestamp,
    user: UserId,
    ids: &[OrderId],
) -> Result<(Vec<OrderView>, UnitOfWork)> {
    let keys = Keys { orders: ids.iter().copied().collect(), users: [user].into(), ..Keys::default() };
    let work = UnitOfWork::read(context, tx, now, keys).await?;
    let wanted: Vec<_> = ids.iter().map(|id| (user, *id)).collect();
    let views = OrderViews::load(tx, &work, &wanted).await?;
    let views = ids.iter().map(|id| views.of(&work, user, *id)).collect::<Result<_>>()?;
    Ok((views, work))
}

/// What the views of orders show in addition to a unit of work.
pub(crate) struct OrderViews {
    money: MoneyViews,
    records: BTreeMap<UserId, Record>,
    methods: BTreeMap<PaymentMethodId, PaymentMethod>,
    repeated: BTreeMap<OrderId, Repeated>,
    /// Receipts and pictures of payment methods.
    files: Vec<StoredFile>,
    linker: Linker,
    requests: BTreeMap<(AppealId, Party), Vec<EvidenceRequest>>,
    news: BTreeMap<(UserId, OrderId), News>,
}

impl OrderViews {
    /// Loads the data for the views of these orders by these users.
    pub(crate) async fn load(tx: &mut Tx, work: &UnitOfWork, wanted: &[(UserId, OrderId)]) -> store::Result<Self> {
        let readers: Vec<_> = wanted
            .iter()
            .filter_map(|(user, id)| Some((*user, *id, work.orders.get(id)?.terms.party(*user)?)))
            .collect();
        let news = store::talk::news(tx, &readers).await?;
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
        let payouts: Vec<_> = wanted.iter().filter_map(|(order, _)| order.state.payout()).collect();
        let targets: Vec<_> = wanted.iter().map(|(order, _)| FundingTarget::Order(order.id)).collect();
        let methods = store::payment_methods::by_ids(tx, &methods).await?;
        let marks = wanted.iter().filter_map(|(order, _)| order.progress.paid.as_ref());
        let mut files: Vec<_> = marks.flat_map(|paid| paid.receipts.iter().copied()).collect();
        let appeals = wanted.iter().filter_map(|(order, _)| order.appeal.as_ref());
        files.extend(appeals.flat_map(|appeal| &appeal.evidence).map(|evidence| evidence.file));
        let appealed = wanted.iter().filter_map(|(order, party)| Some((order.appeal.as_ref()?, *party)));
        let requests = requests_to(tx, &appealed.collect::<Vec<_>>()).await?;
        let sellers = wanted.iter().filter(|(_, party)| *party == Party::Seller).map(|(order, _)| *order);
        // It matters until the seller confirms.
        let decides = |order: &&Order| matches!(order.state, orders::State::AwaitingConfirmation { .. });
        let reports = sellers.filter(decides).filter(|order| order.progress.reports_payment());
        let reports: Vec<_> = reports.map(|order| order.id).collect();
        let repeated = store::payments::repeated(tx, &reports).await?;
        let forms = &work.reference_data.forms;
        files.extend(methods.iter().flat_map(|method| pictures(forms, method)).map(|(_, file)| file));
        let files = store::files::by_ids(tx, &files).await?;
        Ok(Self {
            linker: Linker::load(&work.context, tx, work.now, !files.is_empty()).await?,
            files,
            requests,
            money: MoneyViews::load(tx, work, &targets, &payouts).await?,
            records: records_at(tx, &others, work.now).await?.into_iter().collect(),
            methods: methods.into_iter().map(|method| (method.id, method)).collect(),
            repeated: repeated.into_iter().collect(),
            news: news.into_iter().map(|(user, order, news)| ((user, order), news)).collect(),
        })
    }

    /// Returns an order as one of its parties sees it. To anyone else, reports that it does not exist.
    pub(crate) fn of(&self, work: &UnitOfWork, user: UserId, id: OrderId) -> Result<OrderView> {
        let order = work.extended_by_outages(work.orders.get(&id).cloned().ok_or(Refusal::OrderMissing)?);
        let party = order.terms.party(user).ok_or(Refusal::OrderMissing)?;
        let other = order.terms.user(party.other());
        let facts = work.order_inputs(&order);
        let method = shown_method(&order).and_then(|id| self.methods.get(&id).cloned());
        let viewer = Viewer::User(user);
        let mut links = self.linker.links(viewer, Access::Order(id), &self.files);
        let marked = order.progress.paid.iter().flat_map(|paid| &paid.receipts);
        let receipts = marked.filter_map(|file| links.remove(file)).collect();
        let evidence = order.appeal.iter().flat_map(|appeal| &appeal.evidence);
        let evidence = evidence.filter_map(|one| links.remove(&one.file)).collect();
        let pictures = match &method {
            Some(method) if party == Party::Buyer => {
                let mut links = self.linker.links(viewer, Access::PaymentMethod(method.id), &self.files);
                let fields = pictures(&work.reference_data.forms, method).into_iter();
                fields.filter_map(|(name, file)| Some((name, links.remove(&file)?))).collect()
            }
            _ => BTreeMap::new(),
        };
        let masks = |method| if party == Party::Buyer { method } else { masked(&work.reference_data.forms, method) };
        let record = self.records.get(&other).copied();
        let asked = order.appeal.as_ref().and_then(|appeal| self.requests.get(&(appeal.id, party)));
        let held_until = work.user(user)?.hold(work.now);
        Ok(OrderView {
            assets: work.assets.traded(order.terms.base, order.terms.quote, order.terms.prepayment)?,
            counterparty: work.user(other)?.clone(),
            record: record.ok_or_else(|| Error::Internal(format!("nothing is known of {other}")))?,
            actions: orders::available_actions(&order, (user, held_until), &facts, work.standing(user)?),
            request: self.money.funding(work, FundingTarget::Order(id))?,
            payment_seen: work
                .payment(&order)
                .map(|(payment, reported)| SeenPayment::of(work.confirmations, payment, reported)),
            repeated: self.repeated.get(&id).copied().filter(|_| party == Party::Seller).unwrap_or_default(),
            paused: facts.paused,
            covered: facts.covered,
            overdue: order.overdue(&facts),
            lapses_at: order.lapses_at(&facts),
            news: self.news.get(&(user, id)).copied().unwrap_or_default(),
            now: work.now,
            party,
            payout: self.money.payout(order.state.payout()),
            method: method.map(masks),
            receipts,
            evidence,
            requests: asked.cloned().unwrap_or_default(),
            pictures,
            order,
        })
    }
}

/// Returns the payment method whose account details an order shows: only while the order is accepted and open.
fn shown_method(order: &Order) -> Option<PaymentMethodId> {
    match &order.terms.payment {
        Payment::Method(method) if order.progress.accepted_at.is_some() && !order.state.ended() => Some(method.id),
        _ => None,
    }
}
