//! Reads and writes adverts.

use domain::adverts::{Advert, Group, Options, TakerRequirements, Terms};
use domain::assets::PairId;
use domain::chain::Address;
use domain::clock::Timestamp;
use domain::ids::{AdvertId, PaymentMethodId, UserId};
use domain::money::{Amount, Price};
use domain::trade::Method;
use serde_json::Value;
use uuid::Uuid;

use crate::columns::{column, count, uuids};
use crate::numeric::Units;
use crate::persisted::{decode, encode};
use crate::trade::{coin, due, postpone, prepayment, receiving, steps, window_seconds, windows};
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
    prepaid_asset: Option<i64>,
    prepaid_decimals: Option<i16>,
    prepaid_fee: Option<Units>,
    prepaid_gas: Option<Units>,
    price: Units,
    quantity: Units,
    total: Units,
    min_total: Units,
    max_total: Units,
    receiving_address: Option<String>,
    receiving_chain_type: Option<String>,
    bound_address: Vec<u8>,
    remark: Option<String>,
    taker_completed_orders: Option<i32>,
    taker_advanced_verification: bool,
    taker_region: Option<String>,
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
    prepaid: Units,
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
                side: row.side.parse().map_err(|_| wrong("side"))?,
                automatic: row.automatic,
                pair: PairId(row.pair_id),
                base: coin(row.base_asset, row.base_decimals, row.base_return_gas).ok_or_else(|| wrong("base"))?,
                quote: coin(row.quote_asset, row.quote_decimals, row.quote_return_gas).ok_or_else(|| wrong("quote"))?,
                prepayment: prepayment(row.prepaid_asset, row.prepaid_decimals, row.prepaid_fee.zip(row.prepaid_gas)),
                price: Price::new(row.price.0.units()).map_err(|_| wrong("price"))?,
                quantity: row.quantity.into(),
                total: row.total.into(),
                min_total: row.min_total.into(),
                max_total: row.max_total.into(),
                methods: methods.map(|(id, kind)| Method { id: PaymentMethodId(*id), kind }).collect(),
                receiving: receiving(row.receiving_address, row.receiving_chain_type),
                bound: Address::from_slice(&row.bound_address).ok_or_else(|| wrong("bound address"))?,
                options: Options {
                    remark: row.remark,
                    taker: TakerRequirements {
                        completed_orders: row.taker_completed_orders.map(count).transpose()?,
                        advanced_verification: row.taker_advanced_verification,
                        region: row.taker_region,
                    },
                },
                windows: windows!(row),
                created_at: row.created_at,
            },
            state: decode("adverts", row.id, row.state_data)?,
            remaining: row.remaining.into(),
            escrow: row.escrow.into(),
            prepaid: row.prepaid.into(),
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
                      a.quote_asset, a.quote_decimals, a.quote_return_gas, a.prepaid_asset, a.prepaid_decimals,
                      a.prepaid_fee as "prepaid_fee: Units", a.prepaid_gas as "prepaid_gas: Units", a.price, a.quantity, a.total, a.min_total, a.max_total,
                      a.receiving_address, a.receiving_chain_type, a.bound_address, a.remark, a.taker_completed_orders,
                      a.taker_advanced_verification, a.taker_region, a.acceptance_seconds,
                      a.advert_deposit_seconds, a.order_deposit_seconds, a.payment_seconds, a.confirmation_seconds, a.grace_seconds,
                      a.created_at, a.state_data, a.remaining, a.escrow, a.prepaid, a.running, a.frozen, a.funding_rounds, a.confirmed_at,
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

/// Returns those of the adverts that take orders while their owners are online and may trade. An NFT whose payouts are stopped is
/// not for sale.
pub async fn orderable(tx: &mut Tx, ids: &[AdvertId]) -> Result<Vec<Advert>> {
    select!(
        tx,
        "where a.state = 'ONLINE' and a.frozen is null and a.remaining > 0 and a.id = any($1)
           and (a.prepaid_asset is null or not exists (select from stopped_assets s where s.id = a.base_asset))",
        &uuids(ids)
    )
}

/// Returns a page of all adverts that take orders while their owners are online and may trade, by ID.
pub async fn orderable_after(tx: &mut Tx, after: Option<AdvertId>, most: i64) -> Result<Vec<Advert>> {
    select!(
        tx,
        "where a.state = 'ONLINE' and a.frozen is null and a.remaining > 0 and a.id > $1
           and (a.prepaid_asset is null or not exists (select from stopped_assets s where s.id = a.base_asset))
         order by a.id limit $2",
        after.map_or(Uuid::nil(), |id| id.0),
        most
    )
}

/// Returns the owner of an advert, and the decimals of its base and quote. These never change.
pub async fn fixed(tx: &mut Tx, id: AdvertId) -> Result<Option<(UserId, (u8, u8))>> {
    let row = sqlx::query!("select owner, base_decimals, quote_decimals from adverts where id = $1", id.0)
        .fetch_optional(tx.connection())
        .await?;
    let decimals = |decimals| u8::try_from(decimals).map_err(|_| Error::row("adverts", id, "decimals"));
    row.map(|row| Ok((UserId(row.owner), (decimals(row.base_decimals)?, decimals(row.quote_decimals)?)))).transpose()
}

pub async fn owners(tx: &mut Tx, ids: &[AdvertId]) -> Result<Vec<(AdvertId, UserId)>> {
    let rows = sqlx::query!("select id, owner from adverts where id = any($1)", &uuids(ids))
        .fetch_all(tx.connection())
        .await?;
    Ok(rows.into_iter().map(|row| (AdvertId(row.id), UserId(row.owner))).collect())
}

/// Returns the IDs of the users' open adverts.
pub async fn open_of(tx: &mut Tx, owners: &[UserId]) -> Result<Vec<AdvertId>> {
    let ids =
        sqlx::query_scalar!("select id from adverts where owner = any($1) and is_open order by id", &uuids(owners))
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

/// Returns a page of a user's adverts in a group, newest first, and their total number.
pub async fn page_of_group(
    tx: &mut Tx,
    owner: UserId,
    group: Group,
    offset: i64,
    limit: i64,
) -> Result<(Vec<Advert>, i64)> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "many!" from adverts where owner = $1 and advert_group(state) = $2"#,
        owner.0,
        group.into_str()
    )
    .fetch_one(tx.connection())
    .await?;
    let records: Result<Vec<Advert>> = select!(
        tx,
        "where a.owner = $1 and advert_group(a.state) = $2 order by a.id desc offset $3 limit $4",
        owner.0,
        group.into_str(),
        offset,
        limit
    );
    Ok((records?, total))
}

/// Returns the number of a user's adverts in each group. Omits empty groups.
pub async fn count_groups(tx: &mut Tx, owner: UserId) -> Result<Vec<(Group, u32)>> {
    let rows = sqlx::query!(
        r#"select advert_group(state) as "name!", count(*) as "many!" from adverts
           where owner = $1 and state <> 'DELETED' group by 1"#,
        owner.0
    )
    .fetch_all(tx.connection())
    .await?;
    rows.into_iter()
        .map(|row| {
            let group = row.name.parse().map_err(|_| Error::row("adverts", owner, "group"))?;
            Ok((group, u32::try_from(row.many).map_err(|_| Error::row("adverts", owner, "count"))?))
        })
        .collect()
}

/// What the completed orders of an advert add up to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Totals {
    pub completed: u32,
    /// In base units of the base.
    pub quantity: Amount,
    /// In base units of the quote.
    pub total: Amount,
}

impl Default for Totals {
    fn default() -> Self {
        Self { completed: 0, quantity: Amount::ZERO, total: Amount::ZERO }
    }
}

/// Returns the totals of adverts. Omits adverts without completed orders.
pub async fn totals(tx: &mut Tx, ids: &[AdvertId]) -> Result<Vec<(AdvertId, Totals)>> {
    let rows = sqlx::query!(
        r#"select advert_id, completed, quantity as "quantity: Units", total as "total: Units" from advert_totals
           where advert_id = any($1)"#,
        &uuids(ids)
    )
    .fetch_all(tx.connection())
    .await?;
    rows.into_iter()
        .map(|row| {
            let completed =
                u32::try_from(row.completed).map_err(|_| Error::row("advert_totals", row.advert_id, "count"))?;
            let totals = Totals { completed, quantity: row.quantity.into(), total: row.total.into() };
            Ok((AdvertId(row.advert_id), totals))
        })
        .collect()
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

/// Postpones the next look at adverts that are still due although all due adverts were processed. See
/// [`crate::orders::postpone`].
pub async fn postpone(tx: &mut Tx, due: Timestamp, until: Timestamp) -> Result<()> {
    postpone!(tx, "adverts", due, until)
}

/// Returns a page of the adverts that have a deadline, passed or not, by ID.
pub async fn with_deadlines(tx: &mut Tx, after: Option<AdvertId>, most: i64) -> Result<Vec<AdvertId>> {
    let ids = sqlx::query_scalar!(
        "select id from adverts where state = 'CREATING' and id > $1 order by id limit $2",
        after.map_or(Uuid::nil(), |id| id.0),
        most
    )
    .fetch_all(tx.connection())
    .await?;
    Ok(ids.into_iter().map(AdvertId).collect())
}

/// Inserts adverts, each with the time at which its next deadline is due.
pub async fn insert(tx: &mut Tx, adverts: &[(&Advert, Option<Timestamp>)]) -> Result<()> {
    if adverts.is_empty() {
        return Ok(());
    }
    let terms: Vec<_> = adverts.iter().map(|(advert, _)| &advert.terms).collect();
    let prices = terms.iter().map(|terms| steps(terms.price)).collect::<Result<Vec<_>>>()?;
    let windows = terms.iter().map(|terms| window_seconds(&terms.windows)).collect::<Result<Vec<_>>>()?;
    let states = adverts.iter().map(|(a, _)| encode("adverts", a.id, &a.state)).collect::<Result<Vec<_>>>()?;
    let frozen = adverts.iter().map(|(advert, _)| frozen(advert)).collect::<Result<Vec<_>>>()?;
    let taker_completed_orders =
        adverts.iter().map(|(advert, _)| taker_completed_orders(advert)).collect::<Result<Vec<_>>>()?;
    let running = adverts.iter().map(|(advert, _)| running(advert)).collect::<Result<Vec<_>>>()?;
    let funding_rounds = adverts.iter().map(|(advert, _)| funding_rounds(advert)).collect::<Result<Vec<_>>>()?;
    sqlx::query!(
        "insert into adverts (id, version, owner, side, automatic, pair_id, base_asset, base_decimals, base_return_gas, quote_asset,
                              quote_decimals, quote_return_gas, price, quantity, total, min_total, max_total, receiving_address,
                              receiving_chain_type, bound_address, remark, acceptance_seconds, advert_deposit_seconds,
                              order_deposit_seconds, payment_seconds, confirmation_seconds, grace_seconds, created_at, state_data,
                              remaining, escrow, running, frozen, funding_rounds, confirmed_at, due_at, prepaid_asset, prepaid_decimals, prepaid_fee,
                              prepaid_gas, prepaid, taker_completed_orders, taker_advanced_verification, taker_region)
         select * from unnest($1::uuid[], $2::bigint[], $3::uuid[], $4::text[], $5::boolean[], $6::bigint[], $7::bigint[],
                              $8::smallint[], $9::numeric[], $10::bigint[], $11::smallint[], $12::numeric[], $13::numeric[],
                              $14::numeric[], $15::numeric[], $16::numeric[], $17::numeric[], $18::text[], $19::text[],
                              $20::bytea[], $21::text[], $22::int[], $23::int[], $24::int[], $25::int[], $26::int[], $27::int[],
                              $28::timestamptz[], $29::jsonb[], $30::numeric[], $31::numeric[], $32::int[], $33::jsonb[],
                              $34::int[], $35::timestamptz[], $36::timestamptz[], $37::bigint[], $38::smallint[], $39::numeric[],
                              $40::numeric[], $41::numeric[], $42::int[], $43::boolean[], $44::text[])",
        &column(adverts, |(advert, _)| advert.id.0),
        &column(adverts, |(advert, _)| advert.version),
        &column(&terms, |terms| terms.owner.0),
        &column(&terms, |terms| terms.side.into_str().to_owned()),
        &column(&terms, |terms| terms.automatic),
        &column(&terms, |terms| terms.pair.0),
        &column(&terms, |terms| terms.base.asset.0),
        &column(&terms, |terms| i16::from(terms.base.decimals)),
        &column(&terms, |terms| Units(terms.base.return_gas)) as _,
        &column(&terms, |terms| terms.quote.asset.0),
        &column(&terms, |terms| i16::from(terms.quote.decimals)),
        &column(&terms, |terms| Units(terms.quote.return_gas)) as _,
        &prices as _,
        &column(&terms, |terms| Units(terms.quantity)) as _,
        &column(&terms, |terms| Units(terms.total)) as _,
        &column(&terms, |terms| Units(terms.min_total)) as _,
        &column(&terms, |terms| Units(terms.max_total)) as _,
        &column(&terms, |terms| terms.receiving.as_ref().map(|receiving| receiving.address.clone())) as _,
        &column(&terms, |terms| terms.receiving.as_ref().map(|receiving| receiving.chain_type.clone())) as _,
        &column(&terms, |terms| terms.bound.as_slice().to_vec()),
        &column(&terms, |terms| terms.options.remark.clone()) as _,
        &column(&windows, |[acceptance, ..]| *acceptance),
        &column(&windows, |[_, advert_deposit, ..]| *advert_deposit),
        &column(&windows, |[_, _, order_deposit, ..]| *order_deposit),
        &column(&windows, |[.., payment, _, _]| *payment),
        &column(&windows, |[.., confirmation, _]| *confirmation),
        &column(&windows, |[.., grace]| *grace),
        &column(&terms, |terms| terms.created_at),
        &states,
        &column(adverts, |(advert, _)| Units(advert.remaining)) as _,
        &column(adverts, |(advert, _)| Units(advert.escrow)) as _,
        &running,
        &frozen as _,
        &funding_rounds,
        &column(adverts, |(advert, _)| advert.confirmed_at) as _,
        &column(adverts, |(_, due_at)| *due_at) as _,
        &column(&terms, |terms| terms.prepayment.map(|prepayment| prepayment.asset.0)) as _,
        &column(&terms, |terms| terms.prepayment.map(|prepayment| i16::from(prepayment.decimals))) as _,
        &column(&terms, |terms| terms.prepayment.map(|prepayment| Units(prepayment.fee))) as _,
        &column(&terms, |terms| terms.prepayment.map(|prepayment| Units(prepayment.gas))) as _,
        &column(adverts, |(advert, _)| Units(advert.prepaid)) as _,
        &taker_completed_orders as _,
        &column(&terms, |terms| terms.options.taker.advanced_verification),
        &column(&terms, |terms| terms.options.taker.region.clone()) as _
    )
    .execute(tx.connection())
    .await?;
    let methods: Vec<_> = adverts
        .iter()
        .flat_map(|(advert, _)| advert.terms.methods.iter().map(|method| (advert.id.0, method)))
        .collect();
    if !methods.is_empty() {
        sqlx::query!(
            "insert into advert_methods (advert_id, method_id, kind) select * from unnest($1::uuid[], $2::uuid[], $3::text[])",
            &column(&methods, |(advert, _)| *advert),
            &column(&methods, |(_, method)| method.id.0),
            &column(&methods, |(_, method)| method.kind.clone())
        )
        .execute(tx.connection())
        .await?;
    }
    Ok(())
}

/// Updates adverts.
///
/// The tuples contain the advert, the version that was read, and when its next deadline is due. The new version must be
/// higher. Returns whether all rows still had the version that was read.
pub async fn update(tx: &mut Tx, adverts: &[(&Advert, i64, Option<Timestamp>)]) -> Result<bool> {
    if adverts.is_empty() {
        return Ok(true);
    }
    let states = adverts.iter().map(|(a, ..)| encode("adverts", a.id, &a.state)).collect::<Result<Vec<_>>>()?;
    let frozen = adverts.iter().map(|(advert, ..)| frozen(advert)).collect::<Result<Vec<_>>>()?;
    let running = adverts.iter().map(|(advert, ..)| running(advert)).collect::<Result<Vec<_>>>()?;
    let funding_rounds = adverts.iter().map(|(advert, ..)| funding_rounds(advert)).collect::<Result<Vec<_>>>()?;
    let done = sqlx::query!(
        "update adverts a set version = n.version, state_data = n.state_data, frozen = n.frozen, remaining = n.remaining, escrow = n.escrow,
                              running = n.running, funding_rounds = n.funding_rounds, confirmed_at = n.confirmed_at, due_at = n.due_at,
                              prepaid = n.prepaid
         from unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::jsonb[], $5::jsonb[], $6::numeric[], $7::numeric[], $8::int[],
                     $9::int[], $10::timestamptz[], $11::timestamptz[], $12::numeric[])
              as n (id, before, version, state_data, frozen, remaining, escrow, running, funding_rounds, confirmed_at, due_at, prepaid)
         where a.id = n.id and a.version = n.before",
        &column(adverts, |(advert, ..)| advert.id.0),
        &column(adverts, |(_, before, _)| *before),
        &column(adverts, |(advert, ..)| advert.version),
        &states,
        &frozen as _,
        &column(adverts, |(advert, ..)| Units(advert.remaining)) as _,
        &column(adverts, |(advert, ..)| Units(advert.escrow)) as _,
        &running,
        &funding_rounds,
        &column(adverts, |(advert, ..)| advert.confirmed_at) as _,
        &column(adverts, |(_, _, due_at)| *due_at) as _,
        &column(adverts, |(advert, ..)| Units(advert.prepaid)) as _
    )
    .execute(tx.connection())
    .await?;
    Ok(usize::try_from(done.rows_affected()).is_ok_and(|many| many == adverts.len()))
}

fn frozen(advert: &Advert) -> Result<Option<Value>> {
    advert.frozen.as_ref().map(|frozen| encode("adverts", advert.id, frozen)).transpose()
}

fn taker_completed_orders(advert: &Advert) -> Result<Option<i32>> {
    let least = advert.terms.options.taker.completed_orders;
    least
        .map(|least| i32::try_from(least).map_err(|_| Error::row("adverts", advert.id, "completed orders")))
        .transpose()
}

fn running(advert: &Advert) -> Result<i32> {
    i32::try_from(advert.running).map_err(|_| Error::row("adverts", advert.id, "running"))
}

fn funding_rounds(advert: &Advert) -> Result<i32> {
    i32::try_from(advert.funding_rounds).map_err(|_| Error::row("adverts", advert.id, "funding_rounds"))
}
