//! Single adverts of the hall, read from the database.

use domain::adverts::{Advert, Limits};
use domain::assets::Pair;
use domain::checks;
use domain::clock::Timestamp;
use domain::ids::{AdvertId, UserId};
use domain::market::Offer;
use domain::money::{Amount, Price};
use domain::people::{Person, Profile};
use domain::refusal::{Refusal, Shown};
use domain::reputation::Record;
use store::Tx;

use crate::market::pair_by_id;
use crate::orders::Size;
use crate::reputation::records_at;
use crate::{Context, Result};

/// An advert as a visitor sees it.
#[derive(Debug, Clone)]
pub struct Face {
    pub offer: Offer,
    pub owner: Profile,
    /// The owner's record of the last 30 days.
    pub record: Record,
    pub pair: Pair,
    /// The range of totals that an order may have now.
    pub limits: Limits,
    /// Whether the visitor owns the advert.
    pub mine: bool,
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

/// Returns an advert of the hall. Refused if the advert takes no orders now, for example because its owner is offline.
pub async fn one(context: &Context, viewer: Option<UserId>, id: AdvertId) -> Result<Face> {
    let (mut tx, now) = context.begin().await?;
    let (advert, owner, pair) = available(context, &mut tx, now, viewer, id).await?;
    let (_, record) = records_at(&mut tx, &[owner.id], now).await?.pop().ok_or(Refusal::AdvertMissing)?;
    let left = Shown { amount: advert.remaining, decimals: pair.base.decimals };
    let limits = Limits::now(&pair, &advert).ok_or(Refusal::QuantityShort { left })?;
    let mine = viewer == Some(owner.id);
    Ok(Face { offer: Offer::from(&advert), owner: Profile::from(&owner), record, pair, limits, mine })
}

/// Computes what an order of this size would cost now. Refused if the advert takes no orders, or no orders of this
/// size.
pub async fn preview(context: &Context, viewer: Option<UserId>, id: AdvertId, size: Size) -> Result<Preview> {
    let (mut tx, now) = context.begin().await?;
    let (advert, _, pair) = available(context, &mut tx, now, viewer, id).await?;
    let price = advert.terms.price;
    let quantity = size.quantity(price, pair.base.decimals, pair.quote.decimals)?;
    let (total, fee) = checks::order_amounts(&pair, &advert, quantity)?;
    let receives = quantity.saturating_sub(fee);
    Ok(Preview { price, quantity, total, fee, receives })
}

/// Returns an advert that takes orders from the visitor, its owner and its pair.
async fn available(
    context: &Context,
    tx: &mut Tx,
    now: Timestamp,
    viewer: Option<UserId>,
    id: AdvertId,
) -> Result<(Advert, Person, Pair)> {
    let advert = store::adverts::read(tx, &[id]).await?.pop().ok_or(Refusal::AdvertMissing)?;
    let owner_id = advert.terms.owner;
    let owner = store::people::read(tx, &[owner_id]).await?.pop().ok_or(Refusal::AdvertMissing)?;
    if let Some(viewer) = viewer
        && !store::people::blocked(tx, &[(viewer, owner_id)]).await?.is_empty()
    {
        return Err(Refusal::AdvertMissing.into());
    }
    checks::available(&advert, &owner, now)?;
    let pair = pair_by_id(context, tx, advert.terms.pair).await?;
    Ok((advert, owner, pair))
}
