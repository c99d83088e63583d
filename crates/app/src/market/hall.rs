//! The hall: ranks the adverts that take orders from a visitor.

use std::collections::BTreeMap;

use domain::adverts::{Advert, Limits};
use domain::assets::{Asset, Pair, PairId};
use domain::checks;
use domain::clock::Timestamp;
use domain::ids::{AdvertId, UserId};
use domain::market::{self, Listing, Sort, Want};
use domain::money::{Amount, Price};
use domain::people::Person;
use domain::refusal::{Refusal, Shown};
use domain::reputation::Record;
use domain::trade::Side;
use store::Tx;
use store::hall::Candidate;

use super::pair_by_id;
use crate::orders::Size;
use crate::reputation::records_at;
use crate::{Context, Error, Result};

pub use store::hall::Filter;

/// An advert as a visitor sees it.
#[derive(Debug, Clone)]
pub struct Face {
    pub advert: Advert,
    pub owner: Person,
    /// The owner's record of the last 30 days.
    pub record: Record,
    /// Base and quote.
    pub assets: (Asset, Asset),
    /// The range of totals that an order may have now.
    pub limits: Limits,
    /// Whether the visitor owns the advert.
    pub mine: bool,
}

/// A visitor's search for adverts that can take a trade.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    pub pair: PairId,
    /// The side of the adverts: `SELL` if the visitor buys.
    pub side: Side,
    pub size: Size,
    /// The kind of payment method; `None` for any.
    pub kind: Option<String>,
}

/// An advert that can take the whole trade.
#[derive(Debug, Clone)]
pub struct Matched {
    pub face: Face,
    /// In base units of the base.
    pub quantity: Amount,
    /// In base units of the quote.
    pub total: Amount,
    /// The fee that is taken from the quantity.
    pub fee: Amount,
}

/// The amounts of an order that a visitor might place.
#[derive(Debug, Clone)]
pub struct Preview {
    pub price: Price,
    /// In base units of the base.
    pub quantity: Amount,
    /// In base units of the quote.
    pub total: Amount,
    /// The fee that is taken from the quantity.
    pub fee: Amount,
    /// The quantity minus the fee, which the buyer receives.
    pub receives: Amount,
}

/// The maximum number of adverts that a match returns.
const MATCHES: usize = 20;

/// Returns a page of the hall, and the total number of adverts.
pub async fn page(
    context: &Context,
    filter: &Filter,
    fast: bool,
    sort: Sort,
    offset: usize,
    limit: usize,
) -> Result<(Vec<Face>, usize)> {
    let (mut tx, now) = context.begin().await?;
    let pair = pair_by_id(context, &mut tx, filter.pair).await?;
    let mut candidates = orderable(&pair, store::hall::candidates(&mut tx, filter).await?);
    if let Some(total) = filter.total {
        candidates
            .retain(|found| Limits { min: found.listing.min_total, max: found.listing.max_total }.contains(total));
    }
    let records = records_of(&mut tx, &candidates, now).await?;
    if fast {
        candidates.retain(|found| records.get(&found.owner).is_some_and(Record::fast));
    }
    let mut listings = with_records(candidates, &records);
    market::sort(&mut listings, sort);
    let ids: Vec<_> = listings.iter().skip(offset).take(limit).map(|listing| listing.advert).collect();
    Ok((faces(&mut tx, &ids, &records, &pair, filter.viewer).await?, listings.len()))
}

/// Returns an advert of the hall. Refused if the advert takes no orders now, for example because its owner is offline.
pub async fn one(context: &Context, viewer: Option<UserId>, id: AdvertId) -> Result<Face> {
    let (mut tx, now) = context.begin().await?;
    let (advert, pair) = available(context, &mut tx, viewer, id).await?;
    let records = records_at(&mut tx, &[advert.terms.owner], now).await?.into_iter().collect();
    let left = Shown { amount: advert.remaining, decimals: pair.base.decimals };
    let mut faces = faces(&mut tx, &[id], &records, &pair, viewer).await?;
    Ok(faces.pop().ok_or(Refusal::QuantityShort { left })?)
}

/// Computes what an order of this size would cost now. Refused if the advert takes no orders, or no orders of this
/// size.
pub async fn preview(context: &Context, viewer: Option<UserId>, id: AdvertId, size: Size) -> Result<Preview> {
    let (mut tx, _) = context.begin().await?;
    let (advert, pair) = available(context, &mut tx, viewer, id).await?;
    let price = advert.terms.price;
    let quantity = size.quantity(price, pair.base.decimals, pair.quote.decimals)?;
    let (total, fee) = checks::order_amounts(&pair, &advert, quantity)?;
    let receives = quantity.saturating_sub(fee);
    Ok(Preview { price, quantity, total, fee, receives })
}

/// Returns an advert that takes orders from the visitor, and its pair.
async fn available(context: &Context, tx: &mut Tx, viewer: Option<UserId>, id: AdvertId) -> Result<(Advert, Pair)> {
    let advert = store::adverts::read(tx, &[id]).await?.pop().ok_or(Refusal::AdvertMissing)?;
    let owner_id = advert.terms.owner;
    let owner = store::people::read(tx, &[owner_id]).await?.pop().ok_or(Refusal::AdvertMissing)?;
    if let Some(viewer) = viewer
        && !store::people::blocked(tx, &[(viewer, owner_id)]).await?.is_empty()
    {
        return Err(Refusal::AdvertMissing.into());
    }
    checks::available(&advert, &owner)?;
    let pair = pair_by_id(context, tx, advert.terms.pair).await?;
    Ok((advert, pair))
}

/// Returns the adverts that can take the whole trade, best first.
pub async fn matching(context: &Context, viewer: Option<UserId>, wanted: &Match) -> Result<Vec<Matched>> {
    let (mut tx, now) = context.begin().await?;
    let pair = pair_by_id(context, &mut tx, wanted.pair).await?;
    let filter = Filter {
        pair: wanted.pair,
        side: wanted.side,
        viewer,
        total: None,
        kind: wanted.kind.clone(),
        region: None,
        certified: false,
    };
    let candidates = orderable(&pair, store::hall::candidates(&mut tx, &filter).await?);
    let records = records_of(&mut tx, &candidates, now).await?;
    let listings = with_records(candidates, &records);
    let total = |quantity: Amount, price: Price| pair.total(quantity, price).ok();
    let want = |quantity| Want { side: wanted.side, quantity, kind: wanted.kind.clone() };
    let mut found = match wanted.size {
        Size::Quantity(quantity) => market::matching(&listings, &want(quantity), total),
        // The quantity that a total buys depends on each advert's price.
        Size::Total(_) => {
            let fits = |listing: &&Listing| {
                size_at(&pair, wanted.size, listing.price).is_some_and(|quantity| {
                    !market::matching(std::slice::from_ref(*listing), &want(quantity), total).is_empty()
                })
            };
            let mut fitting: Vec<_> = listings.iter().filter(fits).cloned().collect();
            market::sort(&mut fitting, Sort::Best);
            fitting
        }
    };
    found.truncate(MATCHES);
    let ids: Vec<_> = found.iter().map(|listing| listing.advert).collect();
    let wrong = || Error::Internal("a match that cannot be priced".to_owned());
    faces(&mut tx, &ids, &records, &pair, viewer)
        .await?
        .into_iter()
        .map(|face| {
            let price = face.advert.terms.price;
            let quantity = size_at(&pair, wanted.size, price).ok_or_else(wrong)?;
            let (total, fee) = (pair.total(quantity, price), pair.fee(quantity));
            Ok(Matched { total: total.map_err(|_| wrong())?, fee: fee.map_err(|_| wrong())?, quantity, face })
        })
        .collect()
}

/// Converts a size to a quantity of the base at a price.
fn size_at(pair: &Pair, size: Size, price: Price) -> Option<Amount> {
    size.quantity(price, pair.base.decimals, pair.quote.decimals).ok()
}

/// Keeps the adverts that accept orders, and sets their current limits of an order.
fn orderable(pair: &Pair, candidates: Vec<Candidate>) -> Vec<Candidate> {
    candidates
        .into_iter()
        .filter_map(|Candidate { owner, listing }| {
            let terms = Limits { min: listing.min_total, max: listing.max_total }.within(pair);
            let Limits { min, max } = terms.of_remaining(pair, listing.price, listing.remaining)?;
            Some(Candidate { owner, listing: Listing { min_total: min, max_total: max, ..listing } })
        })
        .collect()
}

async fn records_of(tx: &mut Tx, candidates: &[Candidate], now: Timestamp) -> Result<BTreeMap<UserId, Record>> {
    let mut owners: Vec<_> = candidates.iter().map(|found| found.owner).collect();
    owners.sort_unstable();
    owners.dedup();
    Ok(records_at(tx, &owners, now).await?.into_iter().collect())
}

fn with_records(candidates: Vec<Candidate>, records: &BTreeMap<UserId, Record>) -> Vec<Listing> {
    candidates
        .into_iter()
        .map(|found| {
            let record = records.get(&found.owner);
            Listing {
                completion_ppm: record.and_then(Record::completion_ppm),
                average_confirmation: record.and_then(Record::average_confirmation),
                ..found.listing
            }
        })
        .collect()
}

/// Loads the adverts in the order of `ids`. Omits adverts whose remaining quantity is too small for any order.
async fn faces(
    tx: &mut Tx,
    ids: &[AdvertId],
    records: &BTreeMap<UserId, Record>,
    pair: &Pair,
    viewer: Option<UserId>,
) -> Result<Vec<Face>> {
    let mut adverts: BTreeMap<_, _> =
        store::adverts::read(tx, ids).await?.into_iter().map(|advert| (advert.id, advert)).collect();
    let owners: Vec<_> = adverts.values().map(|advert| advert.terms.owner).collect();
    let owners: BTreeMap<_, _> =
        store::people::read(tx, &owners).await?.into_iter().map(|person| (person.id, person)).collect();
    let face = |id: &AdvertId| {
        let advert = adverts.remove(id)?;
        let owner = owners.get(&advert.terms.owner)?.clone();
        let record = *records.get(&owner.id)?;
        let mine = viewer == Some(owner.id);
        let limits = Limits::now(pair, &advert)?;
        Some(Face { advert, owner, record, assets: (pair.base.clone(), pair.quote.clone()), limits, mine })
    };
    Ok(ids.iter().filter_map(face).collect())
}
