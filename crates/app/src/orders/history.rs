//! The ended orders of a user, by what the user looks for: as pages, and as a file.

use std::collections::{BTreeMap, BTreeSet};

use domain::clock::Timestamp;
use domain::ids::{IdRange, UserId};
use domain::money::Amount;
use domain::orders::Order;
use domain::refusal::Refusal;
use domain::trade::Payment;
use domain::users::User;
use store::Tx;
use store::order_history;

use super::csv;
use super::view::{OrderView, views};
use crate::memory::assets::Assets;
use crate::memory::reference_data::ReferenceData;
use crate::{Context, Error, Result};

/// The maximum number of orders in a file.
pub const MAX_EXPORTED: i64 = 10_000;
/// The number of orders that are read at once.
const ORDERS_AT_ONCE: usize = 500;
/// The length of an ID. Nicknames are shorter.
const LONGEST_SEARCH: usize = 36;

/// What a user looks for among the ended orders.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Wanted {
    /// The other party's nickname, regardless of case, or the beginning of an order's ID.
    pub search: Option<String>,
    /// The orders placed at this time or later.
    pub from: Option<Timestamp>,
    /// The orders placed before this time.
    pub to: Option<Timestamp>,
    /// The orders that trade this asset, by its code: as the base or as the quote.
    pub asset: Option<String>,
}

/// A file with orders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Export {
    /// The name under which the file is saved.
    pub name: String,
    /// The table, with a row per order, newest first.
    pub text: String,
    /// Whether older orders are wanted as well, for which the file has no room.
    pub more: bool,
}

/// Returns a page of a user's ended orders, newest first, and their total number.
pub async fn history(
    context: &Context,
    user: UserId,
    wanted: &Wanted,
    offset: i64,
    limit: i64,
) -> Result<(Vec<OrderView>, i64)> {
    let (mut tx, now) = context.begin().await?;
    let data = context.reference_data(&mut tx).await?.data;
    let wanted = resolved(&mut tx, &data, wanted).await?;
    let total = order_history::count(&mut tx, user, &wanted).await?;
    let ids = order_history::page_of(&mut tx, user, &wanted, offset, limit).await?;
    if ids.is_empty() {
        return Ok((Vec::new(), total));
    }
    Ok((views(context, &mut tx, now, user, &ids).await?.0, total))
}

/// Returns a file with a user's ended orders.
pub async fn export(context: &Context, user: UserId, wanted: &Wanted) -> Result<Export> {
    let (mut tx, now) = context.begin_snapshot().await?;
    let data = context.reference_data(&mut tx).await?.data;
    let wanted = resolved(&mut tx, &data, wanted).await?;
    let mut ids = order_history::page_of(&mut tx, user, &wanted, 0, MAX_EXPORTED.saturating_add(1)).await?;
    let room = usize::try_from(MAX_EXPORTED).map_err(Error::internal)?;
    let more = ids.len() > room;
    ids.truncate(room);
    let mut text = csv::BYTE_ORDER_MARK.to_owned();
    csv::push_row(&mut text, COLUMNS);
    for ids in ids.chunks(ORDERS_AT_ONCE) {
        let orders = store::orders::read(&mut tx, ids).await?;
        let others: BTreeSet<_> = orders.iter().filter_map(|order| other(order, user)).collect();
        let others = store::users::read(&mut tx, &others.into_iter().collect::<Vec<_>>()).await?;
        let others: BTreeMap<_, _> = others.into_iter().map(|other| (other.id, other)).collect();
        let assets = Assets::load(&mut tx, &data, orders.iter().map(|order| order.terms.base.asset)).await?;
        let orders: BTreeMap<_, _> = orders.into_iter().map(|order| (order.id, order)).collect();
        for order in ids.iter().filter_map(|id| orders.get(id)) {
            csv::push_row(&mut text, row(order, user, &others, &assets)?.each_ref().map(String::as_str));
        }
    }
    let part = if more { format!("-newest-{MAX_EXPORTED}") } else { String::new() };
    Ok(Export { name: format!("mec2c-orders-{}{part}.csv", now.format("%Y-%m-%d")), text, more })
}

/// Returns what the database looks for. Refuses fields that mean nothing.
async fn resolved(tx: &mut Tx, data: &ReferenceData, wanted: &Wanted) -> Result<order_history::Wanted> {
    let refused = |field, reason| Err(Refusal::Invalid { field, reason }.into());
    if wanted.from.zip(wanted.to).is_some_and(|(from, to)| from > to) {
        return refused("to", "before `from`");
    }
    let since = wanted.from.map_or(IdRange::ALL, IdRange::since);
    let mut ids = since.and(wanted.to.map_or(IdRange::ALL, IdRange::before));
    let mut counterparty = None;
    if let Some(search) = wanted.search.as_deref().map(str::trim) {
        if !(1..=LONGEST_SEARCH).contains(&search.chars().count()) || search.contains('\0') {
            return refused("search", "from 1 to 36 characters");
        }
        counterparty = store::nicknames::owner(tx, search).await?;
        if counterparty.is_none() {
            ids = ids.and(IdRange::beginning_with(search));
        }
    }
    let pairs = match wanted.asset.as_deref() {
        None => None,
        Some(code) => {
            let Some(asset) = data.assets.values().find(|asset| asset.code == code) else {
                return refused("asset", "no such asset");
            };
            let trading = data.pairs.values().filter(|pair| [pair.base.id, pair.quote.id].contains(&asset.id));
            Some(trading.map(|pair| pair.id).collect())
        }
    };
    Ok(order_history::Wanted { ids, counterparty, pairs })
}

/// In English for every user, like the names in the cells: spreadsheets and tax programs read the file, and rely on them.
const COLUMNS: [&str; 18] = [
    "Order ID",
    "Placed at",
    "Ended at",
    "Status",
    "Role",
    "Coin",
    "Quantity",
    "Currency",
    "Price",
    "Total",
    "Fee",
    "Fee coin",
    "Counterparty",
    "Payment method",
    "Payment reference",
    "Transaction hash",
    "NFT",
    "Ad ID",
];

/// Returns the cells of an order, by [`COLUMNS`].
fn row(
    order: &Order,
    user: UserId,
    others: &BTreeMap<UserId, User>,
    assets: &Assets,
) -> Result<[String; COLUMNS.len()]> {
    let terms = &order.terms;
    let traded = assets.traded(terms.base, terms.quote, terms.prepayment)?;
    let (base, quote) = (&traded.base, &traded.quote);
    let (fee, fee_asset) = match &traded.prepayment {
        Some((coin, prepayment)) => (prepayment.fee, coin),
        None => (terms.fee, base),
    };
    let party = terms.party(user).ok_or(Refusal::OrderMissing)?;
    let counterparty = others.get(&terms.user(party.other())).and_then(|other| other.nickname.clone());
    let paid = order.progress.paid.as_ref();
    let method = match &terms.payment {
        Payment::Method(method) => method.kind.clone(),
        Payment::Transfer(to) => to.chain_type.clone(),
        Payment::Automatic { chain_type, .. } => chain_type.clone(),
    };
    let shown = |amount: Amount, decimals| amount.format(decimals);
    Ok([
        order.id.to_string(),
        time(terms.created_at),
        order.progress.ended_at.map(time).unwrap_or_default(),
        order.state.into_str().to_owned(),
        party.into_str().to_owned(),
        base.code.clone(),
        shown(terms.quantity, base.decimals),
        quote.code.clone(),
        terms.price.to_string(),
        shown(terms.total, quote.decimals),
        shown(fee, fee_asset.decimals),
        fee_asset.code.clone(),
        counterparty.unwrap_or_default(),
        method,
        paid.and_then(|paid| paid.reference.clone()).unwrap_or_default(),
        paid.and_then(|paid| paid.hash.clone()).unwrap_or_default(),
        traded.nft.map(|nft| nft.token_id.to_string()).unwrap_or_default(),
        terms.advert.to_string(),
    ])
}

fn other(order: &Order, user: UserId) -> Option<UserId> {
    Some(order.terms.user(order.terms.party(user)?.other()))
}

fn time(at: Timestamp) -> String {
    at.to_rfc3339_opts(chrono::SecondsFormat::Secs, true)
}
