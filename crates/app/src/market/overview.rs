//! Summarizes the whole market for visitors without an account.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use domain::assets::{Pair, PairId};
use domain::money::Price;
use domain::trade::Side;

use super::end;
use super::hall::{Face, Hall};
use crate::{Context, Error, Result};

#[derive(Debug, Clone)]
pub struct Overview {
    /// The number of completed orders of all pairs.
    pub trades: i64,
    /// The pairs that have trades or adverts, in descending order of trades.
    pub pairs: Vec<PairView>,
}

#[derive(Debug, Clone)]
pub struct PairView {
    pub pair: Pair,
    /// The number of completed orders.
    pub trades: i64,
    /// The price of the last completed order.
    pub latest: Option<Price>,
    /// The number of adverts that sell the base.
    pub adverts: usize,
    /// The best advert that sells the base.
    pub best: Option<Face>,
}

pub async fn overview(context: &Context, hall: &Hall) -> Result<Overview> {
    let (mut tx, now) = context.begin().await?;
    let pairs = store::catalog::pairs(&mut tx).await?;
    let trades: BTreeMap<PairId, i64> = store::trades::counts(&mut tx).await?.into_iter().collect();
    let latest: BTreeMap<_, _> = store::trades::last_prices(&mut tx, end(now)).await?.into_iter().collect();
    tx.rollback().await?;
    let mut views = Vec::new();
    for pair in pairs {
        let (best, adverts) = hall.best(pair.id, Side::Sell)?;
        let best = match best {
            Some(advert) => match super::hall::one(context, None, advert).await {
                // The advert has just been taken offline.
                Err(Error::Refused(_)) => None,
                found => Some(found?),
            },
            None => None,
        };
        let view = PairView {
            trades: trades.get(&pair.id).copied().unwrap_or(0),
            latest: latest.get(&pair.id).copied(),
            best,
            adverts,
            pair,
        };
        if view.latest.is_some() || view.adverts > 0 {
            views.push(view);
        }
    }
    views.sort_by_key(|view| (Reverse(view.trades), Reverse(view.adverts)));
    Ok(Overview { trades: views.iter().map(|view| view.trades).fold(0, i64::saturating_add), pairs: views })
}
