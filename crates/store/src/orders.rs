//! Reads and writes orders.

use domain::assets::{AssetId, PairId};
use domain::chain::Address;
use domain::clock::Timestamp;
use domain::ids::{AdvertId, OrderId, PaymentMethodId, UserId};
use domain::ledger::VaultAsset;
use domain::money::Price;
use domain::orders::{Order, Terms};
use domain::reputation::MAX_LAPSES;
use domain::trade::{Method, Payment};
use domain::users::ReceivingAddress;
use serde_json::Value;
use uuid::Uuid;

use crate::columns::{column, count, uuids};
use crate::numeric::Units;
use crate::persisted::{decode, encode};
use crate::trade::{coin, due, postpone, prepayment, steps, window_seconds, windows};
use crate::{Error, Result, Tx};

struct Row {
    id: Uuid,
    version: i64,
    advert_id: Uuid,
    pair_id: i64,
    base_asset: i64,
    base_decimals: i16,
    base_return_gas: Units,
    quote_asset: i64,
    quote_decimals: i16,
    quote_return_gas: Units,
    prepaid_asset: Option<i64>,
    prepaid_decimals: Option<i16>,
    prepaid_fee: Option<Units>,
    prepaid_gas: Option<Units>,
    side: String,
    advertiser: Uuid,
    taker: Uuid,
    quantity: Units,
    price: Units,
    total: Units,
    fee: Units,
    payment: String,
    method_id: Option<Uuid>,
    method_kind: Option<String>,
    pay_to: Option<String>,
    pay_chain_type: Option<String>,
    payer_name: Option<String>,
    buyer_bound: Vec<u8>,
    seller_bound: Vec<u8>,
    acceptance_seconds: i32,
    advert_deposit_seconds: i32,
    order_deposit_seconds: i32,
    payment_seconds: i32,
    confirmation_seconds: i32,
    grace_seconds: i32,
    created_at: Timestamp,
    state_data: Value,
    frozen: Option<Value>,
    appeal: Option<Value>,
    progress: Value,
}

impl Row {
    fn payment(&self) -> Option<Payment> {
        let method = || Some(Method { id: PaymentMethodId(self.method_id?), kind: self.method_kind.clone()? });
        Some(match self.payment.as_str() {
            "METHOD" => Payment::Method(method()?),
            "TRANSFER" => Payment::Transfer(ReceivingAddress {
                address: self.pay_to.clone()?,
                chain_type: self.pay_chain_type.clone()?,
            }),
            "AUTOMATIC" => {
                Payment::Automatic { to: self.pay_to.as_ref()?.parse().ok()?, chain_type: self.pay_chain_type.clone()? }
            }
            _ => return None,
        })
    }
}

impl TryFrom<Row> for Order {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self> {
        let wrong = |why| Error::row("orders", row.id, why);
        Ok(Self {
            id: OrderId(row.id),
            version: row.version,
            terms: Terms {
                advert: AdvertId(row.advert_id),
                pair: PairId(row.pair_id),
                base: coin(row.base_asset, row.base_decimals, row.base_return_gas).ok_or_else(|| wrong("base"))?,
                quote: coin(row.quote_asset, row.quote_decimals, row.quote_return_gas).ok_or_else(|| wrong("quote"))?,
                prepayment: prepayment(row.prepaid_asset, row.prepaid_decimals, row.prepaid_fee.zip(row.prepaid_gas)),
                side: row.side.parse().map_err(|_| wrong("side"))?,
                advertiser: UserId(row.advertiser),
                taker: UserId(row.taker),
                quantity: row.quantity.into(),
                price: Price::new(row.price.0.units()).map_err(|_| wrong("price"))?,
                total: row.total.into(),
                fee: row.fee.into(),
                payment: row.payment().ok_or_else(|| wrong("payment"))?,
                payer: row.payer_name,
                buyer_bound: Address::from_slice(&row.buyer_bound).ok_or_else(|| wrong("buyer's address"))?,
                seller_bound: Address::from_slice(&row.seller_bound).ok_or_else(|| wrong("seller's address"))?,
                windows: windows!(row),
                created_at: row.created_at,
            },
            state: decode("orders", row.id, row.state_data)?,
            frozen: row.frozen.map(|frozen| decode("orders", row.id, frozen)).transpose()?,
            appeal: row.appeal.map(|appeal| decode("orders", row.id, appeal)).transpose()?,
            progress: decode("orders", row.id, row.progress)?,
        })
    }
}

macro_rules! select {
    ($tx:expr, $rest:literal $(, $argument:expr)*) => {
        sqlx::query_as!(
            Row,
            r#"select id, version, advert_id, pair_id, base_asset, base_decimals, base_return_gas, quote_asset, quote_decimals,
                    quote_return_gas, prepaid_asset, prepaid_decimals, prepaid_fee as "prepaid_fee: Units",
                    prepaid_gas as "prepaid_gas: Units", side, advertiser, taker, quantity, price, total, fee, payment, method_id, method_kind, pay_to,
                    pay_chain_type, payer_name, buyer_bound, seller_bound, acceptance_seconds, advert_deposit_seconds, order_deposit_seconds,
                    payment_seconds, confirmation_seconds, grace_seconds, created_at, state_data, frozen, appeal, progress
             from orders "# + $rest
            $(, $argument)*
        )
        .fetch_all($tx.connection())
        .await?
        .into_iter()
        .map(Order::try_from)
        .collect()
    };
}

/// The advert and the parties of an order, which never change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parties {
    pub order: OrderId,
    pub advert: AdvertId,
    pub advertiser: UserId,
    pub taker: UserId,
}

pub async fn parties(tx: &mut Tx, ids: &[OrderId]) -> Result<Vec<Parties>> {
    let rows = sqlx::query!("select id, advert_id, advertiser, taker from orders where id = any($1)", &uuids(ids))
        .fetch_all(tx.connection())
        .await?;
    Ok(rows
        .into_iter()
        .map(|row| Parties {
            order: OrderId(row.id),
            advert: AdvertId(row.advert_id),
            advertiser: UserId(row.advertiser),
            taker: UserId(row.taker),
        })
        .collect())
}

/// Returns the advertisers of those of the orders whose window for acceptance has passed.
pub async fn late_advertisers(tx: &mut Tx, ids: &[OrderId], now: Timestamp) -> Result<Vec<UserId>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let users = sqlx::query_scalar!(
        "select distinct advertiser from orders where id = any($1) and state = 'AWAITING_ACCEPTANCE' and due_at <= $2",
        &uuids(ids),
        now
    )
    .fetch_all(tx.connection())
    .await?;
    Ok(users.into_iter().map(UserId).collect())
}

/// Locks and returns orders in the order of their IDs.
pub async fn lock(tx: &mut Tx, ids: &[OrderId]) -> Result<Vec<Order>> {
    select!(tx, "where id = any($1) order by id for no key update", &uuids(ids))
}

pub async fn read(tx: &mut Tx, ids: &[OrderId]) -> Result<Vec<Order>> {
    select!(tx, "where id = any($1) order by id", &uuids(ids))
}

/// Returns the number of open orders of each user on either side. Omits users without open orders.
pub async fn count_open(tx: &mut Tx, users: &[UserId]) -> Result<Vec<(UserId, u32)>> {
    let rows = sqlx::query!(
        r#"select u as "user!", count(*) as "many!" from unnest($1::uuid[]) u
           cross join lateral (select from orders where taker = u and is_open
                               union all select from orders where advertiser = u and is_open) o
           group by u"#,
        &uuids(users)
    )
    .fetch_all(tx.connection())
    .await?;
    rows.into_iter().map(|row| count("orders", row.user, row.many)).collect()
}

/// The orders of a user that matter for another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Standing {
    /// The number of open orders on either side.
    pub open: u32,
    /// The number of orders that lapsed because the user was late; counted up to [`domain::reputation::MAX_LAPSES`].
    pub lapses: u32,
}

/// Returns the standing of each user. Counts lapses since a time.
pub async fn standings(tx: &mut Tx, users: &[UserId], since: Timestamp) -> Result<Vec<(UserId, Standing)>> {
    let rows = sqlx::query!(
        r#"select u as "user!",
                  (select count(*) from orders where taker = u and is_open)
                      + (select count(*) from orders where advertiser = u and is_open) as "open!",
                  (select count(*) from (select from reputation_changes
                                         where user_id = u and at > $2 and cause in ('PAYMENT_OVERDUE', 'DEPOSIT_OVERDUE')
                                         limit $3) l) as "lapses!"
           from unnest($1::uuid[]) u"#,
        &uuids(users),
        since,
        i64::from(MAX_LAPSES)
    )
    .fetch_all(tx.connection())
    .await?;
    rows.into_iter()
        .map(|row| {
            let (user, open) = count("orders", row.user, row.open)?;
            let (_, lapses) = count("reputation_changes", row.user, row.lapses)?;
            Ok((user, Standing { open, lapses }))
        })
        .collect()
}

/// Returns a page of a user's orders on either side, newest first, and their total number. `finished` selects ended
/// orders or open ones.
pub async fn page_of(
    tx: &mut Tx,
    user: UserId,
    finished: Option<bool>,
    offset: i64,
    limit: i64,
) -> Result<(Vec<Order>, i64)> {
    let (with_open, with_ended) = (finished != Some(true), finished != Some(false));
    let total = sqlx::query_scalar!(
        r#"select case when $2 then (select count(*) from orders where taker = $1 and is_open)
                                    + (select count(*) from orders where advertiser = $1 and is_open) else 0 end
                  + case when $3 then (select coalesce(sum(ended), 0) from user_days where user_id = $1) else 0 end as "many!""#,
        user.0,
        with_open,
        with_ended
    )
    .fetch_one(tx.connection())
    .await?;
    let ids = if with_ended {
        page_of_ended(tx, user, with_open, offset, limit).await?
    } else {
        page_of_open(tx, user, offset, limit).await?
    };
    let mut orders = read(tx, &ids).await?;
    orders.sort_by_key(|order| std::cmp::Reverse(order.id));
    Ok((orders, total))
}

async fn page_of_open(tx: &mut Tx, user: UserId, offset: i64, limit: i64) -> Result<Vec<OrderId>> {
    let ids = sqlx::query_scalar!(
        r#"select id as "id!" from (select id from orders where taker = $1 and is_open
                                    union all select id from orders where advertiser = $1 and is_open) o
           order by id desc offset $2 limit $3"#,
        user.0,
        offset,
        limit
    )
    .fetch_all(tx.connection())
    .await?;
    Ok(ids.into_iter().map(OrderId).collect())
}

/// Returns a page of a user's ended orders, or of all orders. Reads each side up to the end of the page.
async fn page_of_ended(tx: &mut Tx, user: UserId, with_open: bool, offset: i64, limit: i64) -> Result<Vec<OrderId>> {
    let ids = sqlx::query_scalar!(
        r#"select id as "id!" from (
               (select id from orders where taker = $1 and ($2 or not is_open) order by id desc limit $5)
               union all
               (select id from orders where advertiser = $1 and ($2 or not is_open) order by id desc limit $5)) o
           order by id desc offset $3 limit $4"#,
        user.0,
        with_open,
        offset,
        limit,
        offset.saturating_add(limit)
    )
    .fetch_all(tx.connection())
    .await?;
    Ok(ids.into_iter().map(OrderId).collect())
}

/// Returns a page of the orders whose next deadline has passed, longest overdue first, each with that deadline.
pub async fn due(
    tx: &mut Tx,
    now: Timestamp,
    after: Option<(Timestamp, OrderId)>,
    most: i64,
) -> Result<Vec<(Timestamp, OrderId)>> {
    due!(tx, "orders", OrderId, now, after, most)
}

/// Returns a page of the open orders by ID. Only they can have a deadline, or an appeal whose verdict has a delay.
pub async fn with_deadlines(tx: &mut Tx, after: Option<OrderId>, most: i64) -> Result<Vec<OrderId>> {
    let ids = sqlx::query_scalar!(
        "select id from orders where is_open and id > $1 order by id limit $2",
        after.map_or(Uuid::nil(), |id| id.0),
        most
    )
    .fetch_all(tx.connection())
    .await?;
    Ok(ids.into_iter().map(OrderId).collect())
}

/// Postpones the next look at orders that are still due although all due orders were processed: they wait for
/// something else. A change of an order schedules its next look anew.
pub async fn postpone(tx: &mut Tx, due: Timestamp, until: Timestamp) -> Result<()> {
    postpone!(tx, "orders", due, until)
}

/// Returns the orders placed by these users that wait for acceptance and will then open a funding request, each with
/// the vault asset that the taker must deposit.
pub async fn will_request_funding(tx: &mut Tx, users: &[UserId]) -> Result<Vec<(OrderId, VaultAsset)>> {
    let rows = sqlx::query!(
        "select id, taker, base_asset from orders
         where taker = any($1) and state = 'AWAITING_ACCEPTANCE' and side = 'BUY' and payment <> 'AUTOMATIC'",
        &uuids(users)
    )
    .fetch_all(tx.connection())
    .await?;
    let vault_asset = |vault, asset| VaultAsset { vault: UserId(vault), asset: AssetId(asset) };
    Ok(rows.into_iter().map(|row| (OrderId(row.id), vault_asset(row.taker, row.base_asset))).collect())
}

/// Inserts orders, each with the time at which its next deadline is due.
pub async fn insert(tx: &mut Tx, orders: &[(&Order, Option<Timestamp>)]) -> Result<()> {
    if orders.is_empty() {
        return Ok(());
    }
    let terms: Vec<_> = orders.iter().map(|(order, _)| &order.terms).collect();
    let prices = terms.iter().map(|terms| steps(terms.price)).collect::<Result<Vec<_>>>()?;
    let windows = terms.iter().map(|terms| window_seconds(&terms.windows)).collect::<Result<Vec<_>>>()?;
    let payments: Vec<_> = terms.iter().map(|terms| PaymentColumns::of(&terms.payment)).collect();
    let states = orders.iter().map(|(o, _)| encode("orders", o.id, &o.state)).collect::<Result<Vec<_>>>()?;
    let frozen = orders.iter().map(|(order, _)| frozen(order)).collect::<Result<Vec<_>>>()?;
    let progress = orders.iter().map(|(o, _)| encode("orders", o.id, &o.progress)).collect::<Result<Vec<_>>>()?;
    sqlx::query!(
        "insert into orders (id, version, advert_id, pair_id, base_asset, base_decimals, base_return_gas, quote_asset, quote_decimals,
                             quote_return_gas, side, advertiser, taker, quantity, price, total, fee, payment, method_id, method_kind,
                             pay_to, pay_chain_type, buyer_bound, seller_bound, acceptance_seconds, advert_deposit_seconds,
                             order_deposit_seconds, payment_seconds, confirmation_seconds, grace_seconds, created_at, state_data, frozen,
                             progress, ended_at, settled_at, due_at, payer_name, prepaid_asset, prepaid_decimals, prepaid_fee,
                             prepaid_gas)
         select * from unnest($1::uuid[], $2::bigint[], $3::uuid[], $4::bigint[], $5::bigint[], $6::smallint[], $7::numeric[],
                              $8::bigint[], $9::smallint[], $10::numeric[], $11::text[], $12::uuid[], $13::uuid[], $14::numeric[],
                              $15::numeric[], $16::numeric[], $17::numeric[], $18::text[], $19::uuid[], $20::text[], $21::text[],
                              $22::text[], $23::bytea[], $24::bytea[], $25::int[], $26::int[], $27::int[], $28::int[], $29::int[],
                              $30::int[], $31::timestamptz[], $32::jsonb[], $33::jsonb[], $34::jsonb[], $35::timestamptz[],
                              $36::timestamptz[], $37::timestamptz[], $38::text[], $39::bigint[], $40::smallint[], $41::numeric[], $42::numeric[])",
        &column(orders, |(order, _)| order.id.0),
        &column(orders, |(order, _)| order.version),
        &column(&terms, |terms| terms.advert.0),
        &column(&terms, |terms| terms.pair.0),
        &column(&terms, |terms| terms.base.asset.0),
        &column(&terms, |terms| i16::from(terms.base.decimals)),
        &column(&terms, |terms| Units(terms.base.return_gas)) as _,
        &column(&terms, |terms| terms.quote.asset.0),
        &column(&terms, |terms| i16::from(terms.quote.decimals)),
        &column(&terms, |terms| Units(terms.quote.return_gas)) as _,
        &column(&terms, |terms| terms.side.into_str().to_owned()),
        &column(&terms, |terms| terms.advertiser.0),
        &column(&terms, |terms| terms.taker.0),
        &column(&terms, |terms| Units(terms.quantity)) as _,
        &prices as _,
        &column(&terms, |terms| Units(terms.total)) as _,
        &column(&terms, |terms| Units(terms.fee)) as _,
        &column(&payments, |payment| payment.name.to_owned()),
        &column(&payments, |payment| payment.method.map(|method| method.id.0)) as _,
        &column(&payments, |payment| payment.method.map(|method| method.kind.clone())) as _,
        &column(&payments, |payment| payment.to.clone()) as _,
        &column(&payments, |payment| payment.chain_type.clone()) as _,
        &column(&terms, |terms| terms.buyer_bound.as_slice().to_vec()),
        &column(&terms, |terms| terms.seller_bound.as_slice().to_vec()),
        &column(&windows, |[acceptance, ..]| *acceptance),
        &column(&windows, |[_, advert_deposit, ..]| *advert_deposit),
        &column(&windows, |[_, _, order_deposit, ..]| *order_deposit),
        &column(&windows, |[.., payment, _, _]| *payment),
        &column(&windows, |[.., confirmation, _]| *confirmation),
        &column(&windows, |[.., grace]| *grace),
        &column(&terms, |terms| terms.created_at),
        &states,
        &frozen as _,
        &progress,
        &column(orders, |(order, _)| order.progress.ended_at) as _,
        &column(orders, |(order, _)| order.progress.settled_at) as _,
        &column(orders, |(_, due_at)| *due_at) as _,
        &column(&terms, |terms| terms.payer.clone()) as _,
        &column(&terms, |terms| terms.prepayment.map(|prepayment| prepayment.asset.0)) as _,
        &column(&terms, |terms| terms.prepayment.map(|prepayment| i16::from(prepayment.decimals))) as _,
        &column(&terms, |terms| terms.prepayment.map(|prepayment| Units(prepayment.fee))) as _,
        &column(&terms, |terms| terms.prepayment.map(|prepayment| Units(prepayment.gas))) as _
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// The columns that say how an order is paid.
struct PaymentColumns<'a> {
    name: &'static str,
    method: Option<&'a Method>,
    to: Option<String>,
    chain_type: Option<String>,
}

impl<'a> PaymentColumns<'a> {
    fn of(payment: &'a Payment) -> Self {
        let (name, method, to) = match payment {
            Payment::Method(method) => ("METHOD", Some(method), None),
            Payment::Transfer(receiving) => {
                ("TRANSFER", None, Some((receiving.address.clone(), receiving.chain_type.clone())))
            }
            Payment::Automatic { to, chain_type } => ("AUTOMATIC", None, Some((to.to_string(), chain_type.clone()))),
        };
        let (to, chain_type) = to.unzip();
        Self { name, method, to, chain_type }
    }
}

fn frozen(order: &Order) -> Result<Option<Value>> {
    order.frozen.as_ref().map(|frozen| encode("orders", order.id, frozen)).transpose()
}

fn appeal(order: &Order) -> Result<Option<Value>> {
    order.appeal.as_ref().map(|appeal| encode("orders", order.id, appeal)).transpose()
}

/// Updates orders.
///
/// The tuples contain the order, the version that was read, and when its next deadline is due. The new version must be
/// higher. Returns whether all rows still had the version that was read.
pub async fn update(tx: &mut Tx, orders: &[(&Order, i64, Option<Timestamp>)]) -> Result<bool> {
    if orders.is_empty() {
        return Ok(true);
    }
    let states = orders.iter().map(|(o, ..)| encode("orders", o.id, &o.state)).collect::<Result<Vec<_>>>()?;
    let frozen = orders.iter().map(|(order, ..)| frozen(order)).collect::<Result<Vec<_>>>()?;
    let appeals = orders.iter().map(|(order, ..)| appeal(order)).collect::<Result<Vec<_>>>()?;
    let progress = orders.iter().map(|(o, ..)| encode("orders", o.id, &o.progress)).collect::<Result<Vec<_>>>()?;
    let done = sqlx::query!(
        "update orders o set version = n.version, state_data = n.state_data, frozen = n.frozen, appeal = n.appeal, progress = n.progress,
                             ended_at = n.ended_at, settled_at = n.settled_at, due_at = n.due_at
         from unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::jsonb[], $5::jsonb[], $6::jsonb[], $7::jsonb[], $8::timestamptz[],
                     $9::timestamptz[], $10::timestamptz[])
              as n (id, before, version, state_data, frozen, appeal, progress, ended_at, settled_at, due_at)
         where o.id = n.id and o.version = n.before",
        &column(orders, |(order, ..)| order.id.0),
        &column(orders, |(_, before, _)| *before),
        &column(orders, |(order, ..)| order.version),
        &states,
        &frozen as _,
        &appeals as _,
        &progress,
        &column(orders, |(order, ..)| order.progress.ended_at) as _,
        &column(orders, |(order, ..)| order.progress.settled_at) as _,
        &column(orders, |(_, _, due_at)| *due_at) as _
    )
    .execute(tx.connection())
    .await?;
    Ok(usize::try_from(done.rows_affected()).is_ok_and(|many| many == orders.len()))
}
