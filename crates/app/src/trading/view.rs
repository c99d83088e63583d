//! Adverts and orders as one user sees them: their data, the available actions, and the money involved.

use std::collections::BTreeMap;

use domain::adverts::{self, Advert, Limits};
use domain::assets::{Asset, AssetId, Pair};
use domain::chain::{Address, ChainId, TxHash};
use domain::clock::Timestamp;
use domain::funding::{FundingRequest, FundingTarget};
use domain::ids::{AdvertId, OrderId, PayoutId, UserId};
use domain::money::Amount;
use domain::orders::{self, Actions, Order};
use domain::payment_methods::{MethodForm, PaymentMethod};
use domain::people::Person;
use domain::refusal::Refusal;
use domain::reputation::Record;
use domain::trade::{Party, Payment};
use store::Tx;

use super::unit_of_work::{Keys, UnitOfWork};
use crate::reputation::records_at;
use crate::{Context, Error, Result};

/// A funding request with what its screen shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FundingView {
    pub request: FundingRequest,
    /// The owner's temporary balance of the coin that does not count towards the request already: what can be given to
    /// it.
    pub balance: Amount,
    /// The custody address to send the coins to.
    pub vault: Address,
    /// Unconfirmed deposits.
    pub seen: Amount,
    /// Each unconfirmed deposit: transaction, amount, confirmations.
    pub transfers: Vec<(Option<TxHash>, Amount, u64)>,
    pub confirmations_needed: u64,
}

/// A transfer to the seller that looks like the payment of a manual order. It does not trigger a release.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeenPayment {
    pub chain: ChainId,
    pub tx: TxHash,
    /// The log's index in its block.
    pub position: i64,
    pub sender: Address,
    /// In base units of the quote.
    pub amount: Amount,
    pub confirmations: u64,
    pub confirmations_needed: u64,
}

/// A payout that was or will be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PayoutView {
    pub id: PayoutId,
    pub legs: Vec<PayoutLegView>,
    pub confirmations_needed: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PayoutLegView {
    pub asset: AssetId,
    pub amount: Amount,
    pub recipient: Address,
    /// The transaction that paid it, once one was seen in a block.
    pub tx: Option<TxHash>,
    pub confirmations: u64,
    /// Whether the transaction is final.
    pub paid: bool,
}

/// An order as one of its two parties sees it.
#[derive(Debug, Clone)]
pub struct OrderView {
    pub order: Order,
    /// The user's own side.
    pub party: Party,
    pub counterparty: Person,
    /// The counterparty's record of the last 30 days.
    pub record: Record,
    /// Base and quote.
    pub assets: (Asset, Asset),
    /// The available actions and their costs.
    pub actions: Actions,
    pub request: Option<FundingView>,
    /// The release or refund, once decided.
    pub payout: Option<PayoutView>,
    /// Where the buyer pays: the seller's payment method, from acceptance until the order ends. The buyer sees it
    /// completely; for the seller, the account numbers are masked.
    pub method: Option<PaymentMethod>,
    /// The distinct account holders of the buyer's methods of the same kind and currency. Only the seller sees them, to
    /// compare them with the payer's name, and only while `method` is present. An order does not record which method
    /// the buyer pays with.
    pub payers: Vec<String>,
    /// The transfer that looks like the payment of a manual order, if it is paid in coins on the escrow chain.
    pub payment_seen: Option<SeenPayment>,
    /// Whether the unconfirmed deposits cover what the order waits for. If so, the deadline is met and only
    /// confirmations are missing.
    pub covered: bool,
    /// Whether a party has missed the deadline.
    pub overdue: bool,
    /// When the order is canceled if the overdue action is not taken.
    pub lapses_at: Option<Timestamp>,
    pub automatic: bool,
    /// The product's time.
    pub now: Timestamp,
}

/// An advert as its owner sees it.
#[derive(Debug, Clone)]
pub struct AdvertView {
    pub advert: Advert,
    /// Base and quote.
    pub assets: (Asset, Asset),
    pub actions: Vec<adverts::Action>,
    pub request: Option<FundingView>,
    /// The return, once decided.
    pub payout: Option<PayoutView>,
    /// The payment methods of the advert, with masked account numbers.
    pub methods: Vec<PaymentMethod>,
    /// The totals that an order may have now; `None` if the remaining quantity is too small for any order.
    pub limits: Option<Limits>,
    /// The product's time.
    pub now: Timestamp,
}

/// Returns an order. For anyone but its parties, it does not exist.
pub async fn order(context: &Context, user: UserId, id: OrderId) -> Result<OrderView> {
    let (mut tx, now) = context.begin().await?;
    let keys = Keys { orders: [id].into(), people: [user].into(), ..Keys::default() };
    let work = UnitOfWork::read(context, &mut tx, now, keys).await?;
    let around = Around::load(&mut tx, &work, user).await?;
    order_view(&mut tx, &work, &around, user, id).await
}

/// A page of a user's orders, newest first, and their total number.
pub async fn orders_of(
    context: &Context,
    user: UserId,
    finished: Option<bool>,
    offset: i64,
    limit: i64,
) -> Result<(Vec<OrderView>, i64)> {
    let (mut tx, now) = context.begin().await?;
    let (orders, total) = store::orders::page_of(&mut tx, user, finished, offset, limit).await?;
    let keys = Keys { orders: orders.iter().map(|order| order.id).collect(), people: [user].into(), ..Keys::default() };
    let work = UnitOfWork::read(context, &mut tx, now, keys).await?;
    let around = Around::load(&mut tx, &work, user).await?;
    let mut views = Vec::with_capacity(orders.len());
    for order in &orders {
        views.push(order_view(&mut tx, &work, &around, user, order.id).await?);
    }
    Ok((views, total))
}

/// Returns an advert of the user. For anyone else, it does not exist.
pub async fn advert(context: &Context, user: UserId, id: AdvertId) -> Result<AdvertView> {
    let (mut tx, now) = context.begin().await?;
    let keys = Keys { adverts: [id].into(), people: [user].into(), ..Keys::default() };
    let work = UnitOfWork::read(context, &mut tx, now, keys).await?;
    let around = Around::load(&mut tx, &work, user).await?;
    advert_view(&mut tx, &work, &around, user, id).await
}

/// A page of a user's adverts, newest first, and their total number.
pub async fn adverts_of(context: &Context, user: UserId, offset: i64, limit: i64) -> Result<(Vec<AdvertView>, i64)> {
    let (mut tx, now) = context.begin().await?;
    let (adverts, total) = store::adverts::page_of(&mut tx, user, offset, limit).await?;
    let keys =
        Keys { adverts: adverts.iter().map(|advert| advert.id).collect(), people: [user].into(), ..Keys::default() };
    let work = UnitOfWork::read(context, &mut tx, now, keys).await?;
    let around = Around::load(&mut tx, &work, user).await?;
    let mut views = Vec::with_capacity(adverts.len());
    for advert in &adverts {
        views.push(advert_view(&mut tx, &work, &around, user, advert.id).await?);
    }
    Ok((views, total))
}

pub async fn is_online(context: &Context, user: UserId) -> Result<bool> {
    let (mut tx, _) = context.begin().await?;
    let person = store::people::read(&mut tx, &[user]).await?.pop().ok_or(Refusal::SessionInvalid)?;
    Ok(person.online)
}

pub async fn pairs(context: &Context) -> Result<Vec<Pair>> {
    let (mut tx, _) = context.begin().await?;
    Ok(store::catalog::pairs(&mut tx).await?)
}

/// The number of decimals of amounts of the advert's base and quote.
pub async fn decimals_of(context: &Context, advert: AdvertId) -> Result<(u8, u8)> {
    let (mut tx, _) = context.begin().await?;
    let advert = store::adverts::read(&mut tx, &[advert]).await?.pop().ok_or(Refusal::AdvertMissing)?;
    Ok((advert.terms.base.decimals, advert.terms.quote.decimals))
}

/// Marks an order as read by one of its parties.
pub async fn mark_read(context: &Context, user: UserId, order: OrderId) -> Result<()> {
    let (mut tx, _) = context.begin().await?;
    let found = store::orders::read(&mut tx, &[order]).await?.pop().ok_or(Refusal::OrderMissing)?;
    found.terms.party(user).ok_or(Refusal::OrderMissing)?;
    store::orders::mark_read(&mut tx, order, user).await?;
    Ok(tx.commit().await?)
}

async fn order_view(tx: &mut Tx, work: &UnitOfWork, around: &Around, user: UserId, id: OrderId) -> Result<OrderView> {
    let order = work.orders.get(&id).cloned().ok_or(Refusal::OrderMissing)?;
    let party = order.terms.party(user).ok_or(Refusal::OrderMissing)?;
    let other = order.terms.user(party.other());
    let facts = work.order_inputs(&order);
    let actions = orders::available_actions(&order, user, &facts, work.standing(user)?);
    let method = match &order.terms.payment {
        // Account details are shown only while the buyer and the seller deal with each other.
        Payment::Method(method) if order.progress.accepted_at.is_some() && !order.state.ended() => {
            let kept = store::payment_methods::by_ids(tx, &[method.id]).await?.pop();
            kept.map(|kept| if party == Party::Buyer { kept } else { around.masked(kept) })
        }
        _ => None,
    };
    let payers = match &method {
        Some(method) if party == Party::Seller => payers(tx, order.terms.buyer(), method).await?,
        _ => Vec::new(),
    };
    let payout = match order.state.payout() {
        Some(payout) => Some(payout_view(tx, &around.chain, payout).await?),
        None => None,
    };
    Ok(OrderView {
        assets: assets(work, order.terms.base.asset, order.terms.quote.asset)?,
        counterparty: work.person(other)?.clone(),
        record: around.record(other)?,
        request: funding_view(tx, work, &around.chain, FundingTarget::Order(id)).await?,
        payment_seen: work.payment(id).map(|payment| around.chain.shows(payment)),
        covered: facts.covered,
        overdue: order.overdue(&facts),
        lapses_at: order.lapses_at(&facts),
        automatic: order.terms.automatic(),
        now: work.now,
        party,
        actions,
        payout,
        method,
        payers,
        order,
    })
}

/// The names in which a buyer can pay to a method: the account holders of the buyer's own methods of that kind.
async fn payers(tx: &mut Tx, buyer: UserId, to: &PaymentMethod) -> Result<Vec<String>> {
    let own = store::payment_methods::of_user(tx, buyer).await?;
    let mut names: Vec<String> = Vec::new();
    for method in own.iter().filter(|method| method.kind == to.kind && method.currency == to.currency) {
        if let Some(name) = method.holder()
            && !names.iter().any(|known| known == name)
        {
            names.push(name.to_owned());
        }
    }
    Ok(names)
}

async fn advert_view(
    tx: &mut Tx,
    work: &UnitOfWork,
    around: &Around,
    user: UserId,
    id: AdvertId,
) -> Result<AdvertView> {
    let advert =
        work.adverts.get(&id).filter(|advert| advert.terms.owner == user).cloned().ok_or(Refusal::AdvertMissing)?;
    let methods: Vec<_> = advert.terms.methods.iter().map(|method| method.id).collect();
    let payout = match advert.state.payout() {
        Some(payout) => Some(payout_view(tx, &around.chain, payout).await?),
        None => None,
    };
    Ok(AdvertView {
        assets: assets(work, advert.terms.base.asset, advert.terms.quote.asset)?,
        actions: adverts::available_actions(&advert, user, &work.advert_inputs(&advert)),
        request: funding_view(tx, work, &around.chain, FundingTarget::Advert(id)).await?,
        methods: store::payment_methods::by_ids(tx, &methods)
            .await?
            .into_iter()
            .map(|kept| around.masked(kept))
            .collect(),
        limits: work.pairs.get(&advert.terms.pair).and_then(|pair| Limits::now(pair, &advert)),
        now: work.now,
        payout,
        advert,
    })
}

fn assets(work: &UnitOfWork, base: AssetId, quote: AssetId) -> Result<(Asset, Asset)> {
    let asset =
        |id: AssetId| work.assets.get(&id).cloned().ok_or_else(|| Error::Internal(format!("no asset {}", id.0)));
    Ok((asset(base)?, asset(quote)?))
}

/// The data that views need in addition to the rows they show.
struct Around {
    chain: Confirmations,
    forms: Vec<MethodForm>,
    records: BTreeMap<UserId, Record>,
}

impl Around {
    /// Loads the data for the loaded orders and adverts, as `user` sees them.
    async fn load(tx: &mut Tx, work: &UnitOfWork, user: UserId) -> Result<Self> {
        let mut others: Vec<_> =
            work.orders.values().flat_map(|order| [order.terms.advertiser, order.terms.taker]).collect();
        others.retain(|other| *other != user);
        others.sort_unstable();
        others.dedup();
        Ok(Self {
            chain: Confirmations::load(tx).await?,
            forms: store::payment_methods::forms(tx).await?,
            records: records_at(tx, &others, work.now).await?.into_iter().collect(),
        })
    }

    fn record(&self, user: UserId) -> Result<Record> {
        let record = self.records.get(&user).copied();
        record.ok_or_else(|| Error::Internal(format!("nothing is known of {user}")))
    }

    /// The method with masked account details. If its type no longer exists, no fields are shown.
    fn masked(&self, method: PaymentMethod) -> PaymentMethod {
        let form = self.forms.iter().find(|form| form.kind == method.kind);
        let fields = form.map(|form| form.masked(&method.fields)).unwrap_or_default();
        PaymentMethod { fields, ..method }
    }
}

/// The progress of the chain.
struct Confirmations {
    head: Option<u64>,
    needed: u64,
}

impl Confirmations {
    async fn load(tx: &mut Tx) -> Result<Self> {
        let chain = store::catalog::escrow_chain(tx).await?;
        Ok(Self {
            head: chain.as_ref().and_then(|chain| chain.head),
            needed: chain.map_or(0, |chain| chain.confirmations),
        })
    }

    fn shows(&self, payment: &store::payments::Payment) -> SeenPayment {
        SeenPayment {
            chain: payment.chain,
            tx: payment.tx,
            position: payment.position,
            sender: payment.sender,
            amount: payment.amount,
            confirmations: self.of(payment.block),
            confirmations_needed: self.needed,
        }
    }

    fn of(&self, block: u64) -> u64 {
        self.head.map_or(0, |head| domain::chain::confirmations(block, head)).min(self.needed)
    }
}

async fn funding_view(
    tx: &mut Tx,
    work: &UnitOfWork,
    chain: &Confirmations,
    target: FundingTarget,
) -> Result<Option<FundingView>> {
    let Some(request) = work.request(target).copied() else { return Ok(None) };
    let temporary = store::ledger::balance(tx, request.vault_asset.temporary()).await?;
    let transfers = store::blocks::unconfirmed_of(tx, request.vault_asset.vault, request.vault_asset.asset).await?;
    Ok(Some(FundingView {
        vault: work.person(request.vault_asset.vault)?.vault,
        seen: work.seen(request.vault_asset),
        transfers: transfers.into_iter().map(|(hash, block, amount)| (hash, amount, chain.of(block))).collect(),
        confirmations_needed: chain.needed,
        balance: temporary.saturating_sub(request.funded),
        request,
    }))
}

async fn payout_view(tx: &mut Tx, chain: &Confirmations, id: PayoutId) -> Result<PayoutView> {
    let legs = store::payouts::legs_of(tx, &[id]).await?;
    let references: Vec<_> = legs.iter().map(|leg| leg.reference).collect();
    let paid: BTreeMap<_, _> =
        store::blocks::payments_of(tx, &references).await?.into_iter().map(|p| (p.reference, p)).collect();
    let legs = legs.into_iter().map(|leg| {
        let payment = paid.get(&leg.reference);
        PayoutLegView {
            asset: leg.vault_asset.asset,
            amount: leg.amount,
            recipient: leg.recipient,
            tx: payment.map(|payment| payment.tx),
            confirmations: payment.map_or(0, |payment| chain.of(payment.block)),
            paid: leg.state == store::payouts::LegState::Paid,
        }
    });
    Ok(PayoutView { id, legs: legs.collect(), confirmations_needed: chain.needed })
}
