//! Adverts and orders as one person sees them: what they are, what the person may do, and where the money is.

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

/// What waits for coins, for the screen that asks for them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FundingView {
    /// The funding request.
    pub request: FundingRequest,
    /// The owner's temporary balance of the coin that does not count already: what can be given to it.
    pub balance: Amount,
    /// Where to send them.
    pub vault: Address,
    /// What is on its way: seen in a block, not final yet.
    pub seen: Amount,
    /// Each transfer on its way: transaction, amount, confirmations.
    pub transfers: Vec<(Option<TxHash>, Amount, u64)>,
    /// How many confirmations are needed.
    pub confirmations_needed: u64,
}

/// A transfer to the seller that looks like the payment of a manual order. It releases nothing by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeenPayment {
    /// On which chain.
    pub chain: ChainId,
    /// In which transaction.
    pub tx: TxHash,
    /// The log's index in its block.
    pub position: i64,
    /// From where.
    pub sender: Address,
    /// How much, in base units of the quote.
    pub amount: Amount,
    /// How deep it lies.
    pub confirmations: u64,
    /// How many confirmations are needed.
    pub confirmations_needed: u64,
}

/// Something that left, or will leave, on the chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PayoutView {
    /// The payout.
    pub id: PayoutId,
    /// To whom, what and how much, with the transaction once one was seen and its confirmations.
    pub legs: Vec<PayoutLegView>,
    /// How many confirmations are needed.
    pub confirmations_needed: u64,
}

/// One transfer of a payout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PayoutLegView {
    /// Of what.
    pub asset: AssetId,
    /// How much.
    pub amount: Amount,
    /// To whom.
    pub recipient: Address,
    /// The transaction that paid it, once one was seen in a block.
    pub tx: Option<TxHash>,
    /// How deep that lies.
    pub confirmations: u64,
    /// Whether it is final.
    pub paid: bool,
}

/// An order as one of its two people sees it.
#[derive(Debug, Clone)]
pub struct OrderView {
    /// The order.
    pub order: Order,
    /// Which side the person is on.
    pub party: Party,
    /// The other person.
    pub counterparty: Person,
    /// What the other person's last 30 days say.
    pub record: Record,
    /// What is traded, and for what.
    pub assets: (Asset, Asset),
    /// What the person may do now, and what it would cost.
    pub actions: Actions,
    /// What waits for coins, if something does.
    pub request: Option<FundingView>,
    /// The release or refund, once decided.
    pub payout: Option<PayoutView>,
    /// Where the buyer pays: the seller's payment method, once the order was accepted and while it runs. Whole for the
    /// buyer; the seller's own account numbers are masked.
    pub method: Option<PaymentMethod>,
    /// The account holders of the buyer's own methods of the same kind and currency, each name once. Only for the seller,
    /// who compares them with the payer's name, and only as long as `method` is there. An order does not record which
    /// of the methods the buyer pays from.
    pub payers: Vec<String>,
    /// What the chain shows of a manual payment in coins, if they are paid on the escrow chain.
    pub payment_seen: Option<SeenPayment>,
    /// Whether what is seen in blocks covers what the order waits for. It has met the deadline, and only its
    /// confirmation is waited for.
    pub covered: bool,
    /// Whether somebody is late.
    pub overdue: bool,
    /// When the system cancels the order if nothing comes of what somebody is late with.
    pub lapses_at: Option<Timestamp>,
    /// Whether the automatic advert's order, or a manual one.
    pub automatic: bool,
    /// The product's time.
    pub now: Timestamp,
}

/// An advert as its owner sees it.
#[derive(Debug, Clone)]
pub struct AdvertView {
    /// The advert.
    pub advert: Advert,
    /// What is traded, and for what.
    pub assets: (Asset, Asset),
    /// What the owner may do now.
    pub actions: Vec<adverts::Action>,
    /// What waits for coins, if something does.
    pub request: Option<FundingView>,
    /// The return, once decided.
    pub payout: Option<PayoutView>,
    /// The payment methods that it offers, account numbers masked.
    pub methods: Vec<PaymentMethod>,
    /// Which totals an order may have now; nothing if what remains is too little for any.
    pub limits: Option<Limits>,
    /// The product's time.
    pub now: Timestamp,
}

/// One order. A stranger is told that there is none.
pub async fn order(context: &Context, user: UserId, id: OrderId) -> Result<OrderView> {
    let (mut tx, now) = context.begin().await?;
    let keys = Keys { orders: [id].into(), people: [user].into(), ..Keys::default() };
    let work = UnitOfWork::read(context, &mut tx, now, keys).await?;
    let around = Around::load(&mut tx, &work, user).await?;
    order_view(&mut tx, &work, &around, user, id).await
}

/// A page of a person's orders, the newest first, and how many there are.
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

/// One's own advert. For anybody else there is none.
pub async fn advert(context: &Context, user: UserId, id: AdvertId) -> Result<AdvertView> {
    let (mut tx, now) = context.begin().await?;
    let keys = Keys { adverts: [id].into(), people: [user].into(), ..Keys::default() };
    let work = UnitOfWork::read(context, &mut tx, now, keys).await?;
    let around = Around::load(&mut tx, &work, user).await?;
    advert_view(&mut tx, &work, &around, user, id).await
}

/// A page of a person's own adverts, the newest first, and how many there are.
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

/// Whether a person's switch is on.
pub async fn is_online(context: &Context, user: UserId) -> Result<bool> {
    let (mut tx, _) = context.begin().await?;
    let person = store::people::read(&mut tx, &[user]).await?.pop().ok_or(Refusal::SessionInvalid)?;
    Ok(person.online)
}

/// All pairs.
pub async fn pairs(context: &Context) -> Result<Vec<Pair>> {
    let (mut tx, _) = context.begin().await?;
    Ok(store::catalog::pairs(&mut tx).await?)
}

/// With how many decimals amounts of an advert's base and quote are typed.
pub async fn decimals_of(context: &Context, advert: AdvertId) -> Result<(u8, u8)> {
    let (mut tx, _) = context.begin().await?;
    let advert = store::adverts::read(&mut tx, &[advert]).await?.pop().ok_or(Refusal::AdvertMissing)?;
    Ok((advert.terms.base.decimals, advert.terms.quote.decimals))
}

/// Marks an order as read by one of its two people.
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
        // What one pays to is for the buyer's eyes, and only while the two deal with one another.
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

/// In whose names a buyer can pay to a method: the account holders of the buyer's own methods like it.
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

/// What views need beside the rows that they show.
struct Around {
    chain: Confirmations,
    forms: Vec<MethodForm>,
    records: BTreeMap<UserId, Record>,
}

impl Around {
    /// For the orders and adverts of a world, as one of its people sees them.
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

    /// A method without the numbers that one pays to. Of a type that is no longer known, nothing is shown.
    fn masked(&self, method: PaymentMethod) -> PaymentMethod {
        let form = self.forms.iter().find(|form| form.kind == method.kind);
        let fields = form.map(|form| form.masked(&method.fields)).unwrap_or_default();
        PaymentMethod { fields, ..method }
    }
}

/// How far the chain has got.
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
