//! Compares the price of a new advert with the market.

use std::collections::BTreeMap;

use domain::assets::{Pair, PairId};
use domain::ids::UserId;
use domain::market::{Band, Comparison, Source, compare, cross_rate};
use domain::money::Price;
use domain::trade::Side;

use super::end;
use super::hall::{Hall, PriceRank};
use crate::{Context, Result};

/// How a price compares with the market.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PriceCheck {
    /// `None` if there is nothing to compare the price with.
    pub comparison: Option<Comparison>,
    /// The prices that an advert may have; `None` without a reference price.
    pub band: Option<Band>,
    /// Among the adverts of the same side.
    pub rank: PriceRank,
}

/// Compares a price with the reference price, or without one with the pair's last trade, or without one with the other adverts,
/// or without any with the cross rate.
pub async fn check_price(
    context: &Context,
    hall: &Hall,
    user: UserId,
    pair: &Pair,
    side: Side,
    price: Price,
) -> Result<PriceCheck> {
    let rank = hall.price_rank((pair.id, side), price, user)?;
    let (mut tx, now) = context.begin().await?;
    let data = context.reference_data(&mut tx).await?.data;
    let reference = data.reference_prices.get(&pair.id).copied();
    let mut sources = vec![(Source::Reference, reference)];
    if reference.is_none() {
        let last: BTreeMap<PairId, Price> = store::trades::last_prices(&mut tx, end(now)).await?.into_iter().collect();
        let other_side = match side {
            Side::Sell => Side::Buy,
            Side::Buy => Side::Sell,
        };
        let offered = match rank.middle {
            Some(middle) => Some(middle),
            None => hall.price_rank((pair.id, other_side), price, user)?.middle,
        };
        let trades: Vec<_> = data.pairs.values().filter_map(|pair| Some((pair, *last.get(&pair.id)?))).collect();
        sources.push((Source::LastTrade, last.get(&pair.id).copied()));
        sources.push((Source::Adverts, offered));
        sources.push((Source::CrossRate, cross_rate(pair, &trades)));
    }
    Ok(PriceCheck { comparison: compare(pair, price, &sources), band: pair.band(reference), rank })
}
