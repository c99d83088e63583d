//! Market data: prices of completed orders, and the terms of trading.

mod comparison;
pub mod hall;
pub mod overview;
mod references;
pub(crate) mod requirements;
mod statistics;

use std::collections::BTreeMap;

use chrono::Duration;
use domain::assets::{Asset, Pair, PairId};
use domain::chain::ChainId;
use domain::clock::{Timestamp, after};
use domain::market::Band;
use domain::money::Price;
use domain::payment_methods::MethodForm;
use domain::refusal::Refusal;
use store::Tx;

use crate::memory::reference_data::ReferenceData;
use crate::{Context, Result};

pub use comparison::{PriceCheck, check_price};
pub use references::ReferencePrices;
pub use requirements::missing_to_post;
pub use statistics::{NftAverage, Range, Statistics, Thread, nft_average, statistics, thread};
pub use store::trades::Bucket;

/// The current terms of trading a pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Terms {
    pub pair: Pair,
    /// The class ID of the album whose NFTs are sold; `None` for coins.
    pub album: Option<String>,
    /// The bounds of a price; `None` without a reference price.
    pub band: Option<Band>,
    /// The price of the last completed order.
    pub latest: Option<Price>,
    /// The kinds of payment methods for a fiat quote; empty otherwise.
    pub method_kinds: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Catalog {
    /// All coins, albums and fiat currencies.
    pub coins: Vec<Asset>,
    pub pairs: Vec<Terms>,
    /// The escrow chain; `None` before it is configured.
    pub chain: Option<EscrowChain>,
}

/// The chain on which users deposit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EscrowChain {
    pub id: ChainId,
    /// The display name.
    pub name: String,
    /// The number of confirmations after which a deposit is credited.
    pub confirmations: u64,
}

/// Returns a pair by the codes of its assets.
pub async fn pair(context: &Context, base: &str, quote: &str) -> Result<Pair> {
    let (mut tx, _) = context.begin().await?;
    pair_named(context, &mut tx, base, quote).await
}

/// Returns a pair of an album by the codes of its assets.
pub async fn pair_of_album(context: &Context, album: &str, quote: &str) -> Result<Pair> {
    let (mut tx, _) = context.begin().await?;
    let data = context.reference_data(&mut tx).await?.data;
    if !data.assets.values().any(|asset| asset.is_album() && asset.code == album) {
        return Err(Refusal::AlbumMissing.into());
    }
    find_pair(&data, album, quote)
}

pub(crate) async fn pair_named(context: &Context, tx: &mut Tx, base: &str, quote: &str) -> Result<Pair> {
    find_pair(&context.reference_data(tx).await?.data, base, quote)
}

fn find_pair(data: &ReferenceData, base: &str, quote: &str) -> Result<Pair> {
    let named = data.pairs.values().find(|pair| pair.base.code == base && pair.quote.code == quote);
    Ok(named.cloned().ok_or(Refusal::PairUnsupported)?)
}

pub(crate) async fn pair_by_id(context: &Context, tx: &mut Tx, id: PairId) -> Result<Pair> {
    let data = context.reference_data(tx).await?.data;
    Ok(data.pairs.get(&id).cloned().ok_or(Refusal::PairUnsupported)?)
}

/// The period of the statistics and of the reference price.
const DAY: Duration = Duration::hours(24);

/// Returns the exclusive end of a period. It is after `now`, so that an order that was just completed is included.
fn end(now: Timestamp) -> Timestamp {
    after(now, Duration::microseconds(1))
}

/// Returns the start of the period that ends now.
fn day_before(now: Timestamp) -> Timestamp {
    end(now.checked_sub_signed(DAY).unwrap_or(now))
}

/// Returns all assets, and the pairs with their terms.
pub async fn catalog(context: &Context) -> Result<Catalog> {
    let (mut tx, now) = context.begin().await?;
    let data = context.reference_data(&mut tx).await?.data;
    let coins = data.assets.values().cloned().collect();
    let latest: BTreeMap<_, _> = store::trades::last_prices(&mut tx, end(now)).await?.into_iter().collect();
    let pairs = data
        .pairs
        .values()
        .map(|pair| Terms {
            album: data.albums.get(&pair.base.id).map(|album| album.class_id.clone()),
            band: pair.band(data.reference_prices.get(&pair.id).copied()),
            latest: latest.get(&pair.id).copied(),
            method_kinds: method_kinds(pair, &data.forms),
            pair: pair.clone(),
        })
        .collect();
    let chain = data.chain.as_ref().map(|chain| EscrowChain {
        id: chain.id,
        name: chain.name.clone(),
        confirmations: chain.confirmations,
    });
    Ok(Catalog { coins, pairs, chain })
}

fn method_kinds(pair: &Pair, forms: &[MethodForm]) -> Vec<String> {
    if !pair.is_fiat() {
        return Vec::new();
    }
    forms.iter().filter(|form| form.currencies.contains(&pair.quote.code)).map(|form| form.kind.clone()).collect()
}

/// Returns whether a price is outside the pair's price band. The band binds new adverts; on existing ones, both sides are warned.
pub(crate) fn outside_band(data: &ReferenceData, pair: &Pair, price: Price) -> bool {
    let reference = data.reference_prices.get(&pair.id).copied();
    pair.band(reference).is_some_and(|band| band.check(price).is_err())
}
