//! Reads and writes adverts.

use domain::adverts::{Advert, Terms};
use domain::assets::PairId;
use domain::chain::Address;
use domain::clock::Timestamp;
use domain::ids::{AdvertId, PaymentMethodId, UserId};
use domain::money::Price;
use domain::trade::Method;
use serde_json::Value;
use uuid::Uuid;

use crate::columns::{count, uuids};
use crate::numeric::Units;
use crate::persisted::{decode, encode};
use crate::trade::{coin, due, receiving, side, steps, window_seconds, windows};
use crate::{Error, Result, Tx};

struct Row {
    id: Uuid,
    version: i64,
    owner: Uuid,
    side: String,
    automatic: bool,
    pair_id: i64,
    base_asset: i64,
    base_decimals: i16,
    base_return_gas: Units,
    quote_asset: i64,
    quote_decimals: i16,
    quote_return_gas: Units,
    price: Units,
    quantity: Units,
    total: Units,
    min_total: Units,
    max_total: Units,
    receiving_address: Option<String>,
    receiving_chain_type: Option<String>,
    bound_address: Vec<u8>,
    remark: Option<String>,
    acceptance_seconds: i32,
    advert_deposit_seconds: i32,
    order_deposit_seconds: i32,
    payment_seconds: i32,
    confirmation_seconds: i32,
    grace_seconds: i32,
    created_at: Timestamp,
    state_data: Value,
    remaining: Units,
    escrow: Units,
    running: i32,
    frozen: Option<Value>,
    funding_rounds: i32,
    confirmed_at: Option<Timestamp>,
    method_ids: Vec<Uuid>,
    method_kinds: Vec<String>,
}

impl TryFrom<Row> for Advert {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self> {
        let wrong = |why| Error::row("adverts", row.id, why);
        let count = |count: i32| u32::try_from(count).map_err(|_| wrong("a count below zero"));
        let methods = row.method_ids.iter().zip(row.method_kinds);
        Ok(Self {
            id: AdvertId(row.id),
            version: row.version,
            terms: Terms {
                owner: UserId(row.owner),
                side: side(&row.side).ok_or_else(|| wrong("side"))?,
                automatic: row.automatic,
                pair: PairId(row.pair_id),
                base: coin(row.base_asset, row.base_decimals, row.base_return_gas).ok_or_else(|| wrong("base"))?,
                quote: coin(row.quote_asset, row.quote_decimals, row.quote_return_gas).ok_or_else(|| wrong("quote"))?,
                price: Price::new(row.price.0.units()).map_err(|_| wrong("price"))?,
                quantity: row.quantity.into(),
                total: row.total.into(),
                min_total: row.min_total.into(),
                max_total: row.max_total.into(),
                methods: methods.map(|(id, kind)| Method { id: PaymentMethodId(*id), kind }).collect(),
                receiving: receiving(row.receiving_address, row.receiving_chain_type),
                bound: Address::from_slice(&row.bound_address).ok_or_else(|| wrong("bound address"))?,
                remark: row.remark,
                windows: windows!(row),
                created_at: row.created_at,
            },
            state: decode("adverts", row.id, row.state_data)?,
            remaining: row.remaining.into(),
            escrow: row.escrow.into(),
            running: count(row.running)?,
            frozen: row.frozen.map(|frozen| decode("adverts", row.id, frozen)).transpose()?,
            funding_rounds: count(row.funding_rounds)?,
            confirmed_at: row.confirmed_at,
        })
    }
}

macro_rules! select {
    ($tx:expr, $rest:literal $(, $argument:expr)*) => {
        sqlx::query_as!(
            Row,
            r#"select a.id, a.version, a.owner, a.side, a.automatic, a.pair_id, a.base_asset, a.base_decimals, a.base_return_gas,
                      a.quote_asset, a.quote_decimals, a.quote_return_gas, a.price, a.quantity, a.total, a.min_total, a.max_total,
                      a.receiving_address, a.receiving_chain_type, a.bound_address, a.remark, a.acceptance_seconds,
                      a.advert_deposit_seconds, a.order_deposit_seconds, a.payment_seconds, a.confirmation_seconds, a.grace_seconds,
                      a.created_at, a.state_data, a.remaining, a.escrow, a.running, a.frozen, a.funding_rounds, a.confirmed_at,
                      array(select m.method_id from advert_methods m where m.advert_id = a.id order by m.method_id) as "method_ids!",
                      array(select m.kind from advert_methods m where m.advert_id = a.id order by m.method_id) as "method_kinds!"
               from adverts a "# + $rest
            $(, $argument)*
        )
        .fetch_all($tx.connection())
        .await?
        .into_iter()
        .map(Advert::try_from)
        .collect()
    };
}

/// Locks and returns adverts in the order of their IDs.
pub async fn lock(tx: &mut Tx, ids: &[AdvertId]) -> Result<Vec<Advert>> {
    select!(tx, "where a.id = any($1) order by a.id for no key update", &uuids(ids))
}

pub async fn read(tx: &mut Tx, ids: &[AdvertId]) -> Result<Vec<Advert>> {
    select!(tx, "where a.id = any($1) order by a.id", &uuids(ids))
}

pub async fn owners(tx: &mut Tx, ids: &[AdvertId]) -> Result<Vec<(AdvertId, UserId)>> {
    let rows = sqlx::query!("select id, owner from adverts where id = any($1)", &uuids(ids))
        .fetch_all(tx.connection())
        .await?;
    Ok(rows.into_iter().map(|row| (AdvertId(row.id), UserId(row.owner))).collect())
}

/// Returns the IDs of a user's open adverts.
pub async fn open_of(tx: &mut Tx, owner: UserId) -> Result<Vec<AdvertId>> {
    let ids = sqlx::query_scalar!("select id from adverts where owner = $1 and is_open order by id", owner.0)
        .fetch_all(tx.connection())
        .await?;
    Ok(ids.into_iter().map(AdvertId).collect())
}

/// Returns the number of open adverts of each user. Omits users without open adverts.
pub async fn count_open(tx: &mut Tx, owners: &[UserId]) -> Result<Vec<(UserId, u32)>> {
    let rows = sqlx::query!(
        r#"select owner, count(*) as "many!" from adverts
           where owner = any($1) and is_open group by owner"#,
        &uuids(owners)
    )
    .fetch_all(tx.connection())
    .await?;
    rows.into_iter().map(|row| count("adverts", row.owner, row.many)).collect()
}

/// Returns a page of a user's adverts without the deleted ones, newest first, and their total number.
pub async fn page_of(tx: &mut Tx, owner: UserId, offset: i64, limit: i64) -> Result<(Vec<Advert>, i64)> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "many!" from adverts where owner = $1 and state <> 'DELETED'"#,
        owner.0
    )
    .fetch_one(tx.connection())
    .await?;
    let records: Result<Vec<Advert>> = select!(
        tx,
        "where a.owner = $1 and a.state <> 'DELETED' order by a.id desc offset $2 limit $3",
        owner.0,
        offset,
        limit
    );
    Ok((records?, total))
}

/// Returns a page of the adverts whose deadline has passed, longest overdue first, each with its deadline.
pub async fn due(
    tx: &mut Tx,
    now: Timestamp,
    after: Option<(Timestamp, AdvertId)>,
    most: i64,
) -> Result<Vec<(Timestamp, AdvertId)>> {
    due!(tx, "adverts", AdvertId, now, after, most)
}

/// Returns a page of the adverts that have a deadline, passed or not, by ID.
pub async fn with_deadlines(tx: &mut Tx, after: Option<AdvertId>, most: i64) -> Result<Vec<AdvertId>> {
    let ids = sqlx::query_scalar!(
        "select id from adverts where state = 'CREATING' and ($1::uuid is null or id > $1) order by id limit $2",
        after.map(|id| id.0),
        most
    )
    .fetch_all(tx.connection())
    .await?;
    Ok(ids.into_iter().map(AdvertId).collect())
}

pub async fn insert(tx: &mut Tx, advert: &Advert, due_at: Option<Timestamp>) -> Result<()> {
    let terms = &advert.terms;
    let [acceptance, advert_deposit, order_deposit, payment, confirmation, grace] = window_seconds(&terms.windows)?;
    sqlx::query!(
        "insert into adverts (id, version, owner, side, automatic, pair_id, base_asset, base_decimals, base_return_gas, quote_asset,
                              quote_decimals, quote_return_gas, price, quantity, total, min_total, max_total, receiving_address,
                              receiving_chain_type, bound_address, remark, acceptance_seconds, advert_deposit_seconds,
                              order_deposit_seconds, payment_seconds, confirmation_seconds, grace_seconds, created_at, state_data,
                              remaining, escrow, running, frozen, funding_rounds, confirmed_at, due_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25,
                 $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36)",
        advert.id.0,
        advert.version,
        terms.owner.0,
        terms.side.name(),
        terms.automatic,
        terms.pair.0,
        terms.base.asset.0,
        i16::from(terms.base.decimals),
        Units(terms.base.return_gas) as _,
        terms.quote.asset.0,
        i16::from(terms.quote.decimals),
        Units(terms.quote.return_gas) as _,
        steps(terms.price)? as _,
        Units(terms.quantity) as _,
        Units(terms.total) as _,
        Units(terms.min_total) as _,
        Units(terms.max_total) as _,
        terms.receiving.as_ref().map(|receiving| &receiving.address),
        terms.receiving.as_ref().map(|receiving| &receiving.chain_type),
        terms.bound.as_slice(),
        terms.remark,
        acceptance,
        advert_deposit,
        order_deposit,
        payment,
        confirmation,
        grace,
        terms.created_at,
        encode("adverts", advert.id, &advert.state)?,
        Units(advert.remaining) as _,
        Units(advert.escrow) as _,
        running(advert)?,
        advert.frozen.as_ref().map(|frozen| encode("adverts", advert.id, frozen)).transpose()?,
        funding_rounds(advert)?,
        advert.confirmed_at,
        due_at
    )
    .execute(tx.connection())
    .await?;
    let methods: Vec<_> = terms.methods.iter().map(|method| method.id.0).collect();
    let kinds: Vec<_> = terms.methods.iter().map(|method| method.kind.clone()).collect();
    sqlx::query!(
        "insert into advert_methods (advert_id, method_id, kind) select $1, * from unnest($2::uuid[], $3::text[])",
        advert.id.0,
        &methods,
        &kinds
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Updates adverts.
///
/// The tuples contain the advert, the version that was read, and when its next deadline is due. The new version must be
/// higher. Returns whether all rows still had the version that was read.
pub async fn update(tx: &mut Tx, adverts: &[(&Advert, i64, Option<Timestamp>)]) -> Result<bool> {
    let ids: Vec<_> = adverts.iter().map(|(advert, ..)| advert.id.0).collect();
    let before: Vec<_> = adverts.iter().map(|(_, before, _)| *before).collect();
    let versions: Vec<_> = adverts.iter().map(|(advert, ..)| advert.version).collect();
    let states = adverts.iter().map(|(a, ..)| encode("adverts", a.id, &a.state)).collect::<Result<Vec<_>>>()?;
    let frozen = adverts
        .iter()
        .map(|(a, ..)| a.frozen.as_ref().map(|frozen| encode("adverts", a.id, frozen)).transpose())
        .collect::<Result<Vec<_>>>()?;
    let remaining: Vec<_> = adverts.iter().map(|(advert, ..)| Units(advert.remaining)).collect();
    let escrow: Vec<_> = adverts.iter().map(|(advert, ..)| Units(advert.escrow)).collect();
    let running = adverts.iter().map(|(advert, ..)| running(advert)).collect::<Result<Vec<_>>>()?;
    let funding_rounds = adverts.iter().map(|(advert, ..)| funding_rounds(advert)).collect::<Result<Vec<_>>>()?;
    let confirmed: Vec<_> = adverts.iter().map(|(advert, ..)| advert.confirmed_at).collect();
    let due: Vec<_> = adverts.iter().map(|(_, _, due_at)| *due_at).collect();
    let done = sqlx::query!(
        "update adverts a set version = n.version, state_data = n.state_data, frozen = n.frozen, remaining = n.remaining, escrow = n.escrow,
                              running = n.running, funding_rounds = n.funding_rounds, confirmed_at = n.confirmed_at, due_at = n.due_at
         from unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::jsonb[], $5::jsonb[], $6::numeric[], $7::numeric[], $8::int[],
                     $9::int[], $10::timestamptz[], $11::timestamptz[])
              as n (id, before, version, state_data, frozen, remaining, escrow, running, funding_rounds, confirmed_at, due_at)
         where a.id = n.id and a.version = n.before",
        &ids,
        &before,
        &versions,
        &states,
        &frozen as _,
        &remaining as _,
        &escrow as _,
        &running,
        &funding_rounds,
        &confirmed as _,
        &due as _
    )
    .execute(tx.connection())
    .await?;
    Ok(usize::try_from(done.rows_affected()).is_ok_and(|many| many == adverts.len()))
}

fn running(advert: &Advert) -> Result<i32> {
    i32::try_from(advert.running).map_err(|_| Error::row("adverts", advert.id, "running"))
}

fn funding_rounds(advert: &Advert) -> Result<i32> {
    i32::try_from(advert.funding_rounds).map_err(|_| Error::row("adverts", advert.id, "funding_rounds"))
}
