//! Single adverts of the hall, read from the database.

use domain::adverts::{Advert, Limits, TakerRequirement};
use domain::assets::{Asset, Pair};
use domain::chain::Address;
use domain::checks::{self, TradeRequirement};
use domain::clock::Timestamp;
use domain::ids::{AdvertId, UserId};
use domain::ledger::VaultAsset;
use domain::market::Offer;
use domain::money::{Amount, Price};
use domain::refusal::{Refusal, Shown};
use domain::reputation::{LAPSES_OVER, Record, must_prefund};
use domain::trade::{Party, Side};
use domain::users::{Profile, User};
use store::Tx;
use store::orders::Standing;

use crate::market::requirements::{self, Intent, TakerFacts};
use crate::market::{outside_band, pair_by_id};
use crate::orders::Size;
use crate::reputation::records_at;
use crate::wallet::balance::unpromised;
use crate::{Context, Result};

/// An advert as a visitor sees it.
#[derive(Debug, Clone)]
pub struct Face {
    pub offer: Offer,
    pub owner: Profile,
    /// The owner's record of the last 30 days.
    pub record: Record,
    pub pair: Pair,
    /// The range of totals that an order may have now; `None` if the remaining quantity is too small for any order, which only
    /// the owner sees.
    pub limits: Option<Limits>,
    /// Whether the visitor owns the advert.
    pub mine: bool,
    /// What the visitor lacks to order from the advert; empty for its owner and without a session.
    pub missing: Vec<(TradeRequirement, Refusal)>,
    /// What the advertiser requires of takers and the visitor does not meet; empty for its owner and without a session.
    pub unmet: Vec<TakerRequirement>,
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
    /// Whether the price is outside the pair's price band, which binds new adverts only.
    pub outside_band: bool,
    /// Set if the visitor can place the order only with coins that are in custody already.
    pub prefunding: Option<Prefunding>,
}

/// The coins that a taker must have in temporary balance to place an automatic order.
#[derive(Debug, Clone)]
pub struct Prefunding {
    pub asset: Asset,
    pub needed: Amount,
    pub available: Amount,
    /// The taker's custody address, to which missing coins can be sent.
    pub vault: Address,
}

/// Returns an advert of the hall. Refused if the advert takes no orders now, for example because its owner is offline.
pub async fn one(context: &Context, viewer: Option<UserId>, id: AdvertId) -> Result<Face> {
    let (mut tx, now) = context.begin().await?;
    let advert = read(&mut tx, id).await?;
    orderable(context, &mut tx, now, viewer, &advert).await
}

/// Returns an advert that has been read. Refused as by [`one`].
pub(crate) async fn orderable(
    context: &Context,
    tx: &mut Tx,
    now: Timestamp,
    viewer: Option<UserId>,
    advert: &Advert,
) -> Result<Face> {
    let (owner, pair) = available(context, tx, now, viewer, advert).await?;
    let left = Shown { amount: advert.remaining, decimals: pair.base.decimals };
    Limits::now(&pair, advert).ok_or(Refusal::QuantityShort { left })?;
    let mine = viewer == Some(owner.id);
    let mut face = neutral(tx, now, mine, advert, &owner, pair).await?;
    if let Some(viewer) = viewer.filter(|_| !mine) {
        let as_ = match advert.terms.side {
            Side::Sell => Party::Buyer,
            Side::Buy => Party::Seller,
        };
        let intent = Intent { pair: Some(&face.pair), as_, automatic: advert.terms.automatic, posts: false };
        face.missing = requirements::missing(context, tx, now, viewer, intent).await?;
        let taker = &advert.terms.options.taker;
        if !taker.is_empty() {
            let facts = TakerFacts::read(tx, now, viewer).await?;
            face.unmet = facts.unmet(taker);
        }
    }
    Ok(face)
}

/// Returns an advert to its owner, even if it takes no orders.
pub(crate) async fn of_owner(context: &Context, tx: &mut Tx, now: Timestamp, advert: &Advert) -> Result<Face> {
    let owner = store::users::read(tx, &[advert.terms.owner]).await?.pop().ok_or(Refusal::AdvertMissing)?;
    let pair = pair_by_id(context, tx, advert.terms.pair).await?;
    neutral(tx, now, true, advert, &owner, pair).await
}

/// Returns what does not depend on the visitor.
async fn neutral(tx: &mut Tx, now: Timestamp, mine: bool, advert: &Advert, owner: &User, pair: Pair) -> Result<Face> {
    let (_, record) = records_at(tx, &[owner.id], now).await?.pop().ok_or(Refusal::AdvertMissing)?;
    let nft = if pair.of_nfts() { store::nfts::by_ids(tx, &[advert.terms.base.asset]).await?.pop() } else { None };
    Ok(Face {
        offer: Offer { nft, ..Offer::from(advert) },
        owner: Profile::from(owner),
        record,
        limits: Limits::now(&pair, advert),
        pair,
        mine,
        missing: Vec::new(),
        unmet: Vec::new(),
    })
}

/// Computes what an order of this size would cost now. Refused if the advert takes no orders, or no orders of this
/// size.
pub async fn preview(context: &Context, viewer: Option<UserId>, id: AdvertId, size: Size) -> Result<Preview> {
    let (mut tx, now) = context.begin().await?;
    let advert = read(&mut tx, id).await?;
    let (_, pair) = available(context, &mut tx, now, viewer, &advert).await?;
    let price = advert.terms.price;
    let quantity = size.quantity(price, pair.base.decimals, pair.quote.decimals)?;
    let (total, fee) = checks::order_amounts(&pair, &advert, quantity)?;
    let receives = quantity.saturating_sub(fee);
    let (asset, needed) = match advert.terms.side {
        Side::Sell => (&pair.quote, total),
        Side::Buy => (&pair.base, quantity),
    };
    let prefunding = match viewer.filter(|_| advert.terms.automatic) {
        Some(viewer) => prefunding(&mut tx, now, viewer, asset, needed).await?,
        None => None,
    };
    let outside_band = outside_band(&context.reference_data(&mut tx).await?.data, &pair, price);
    Ok(Preview { price, quantity, total, fee, receives, outside_band, prefunding })
}

/// Returns what the visitor needs in temporary balance; `None` if the visitor can deposit after ordering.
async fn prefunding(
    tx: &mut Tx,
    now: Timestamp,
    viewer: UserId,
    asset: &Asset,
    needed: Amount,
) -> Result<Option<Prefunding>> {
    let user = store::users::read(tx, &[viewer]).await?.pop().ok_or(Refusal::NotFound)?;
    let since = now.checked_sub_signed(LAPSES_OVER).unwrap_or(now);
    let standing =
        store::orders::standings(tx, &[viewer], since).await?.pop().unwrap_or((viewer, Standing::default())).1;
    if !must_prefund(user.reputation, standing.lapses) {
        return Ok(None);
    }
    let available = unpromised(tx, VaultAsset { vault: viewer, asset: asset.id }).await?;
    Ok(Some(Prefunding { asset: asset.clone(), needed, available, vault: user.vault }))
}

async fn read(tx: &mut Tx, id: AdvertId) -> Result<Advert> {
    Ok(store::adverts::read(tx, &[id]).await?.pop().ok_or(Refusal::AdvertMissing)?)
}

/// Returns the owner and the pair of an advert. Refused unless it takes orders from the visitor.
async fn available(
    context: &Context,
    tx: &mut Tx,
    now: Timestamp,
    viewer: Option<UserId>,
    advert: &Advert,
) -> Result<(User, Pair)> {
    let owner_id = advert.terms.owner;
    let owner = store::users::read(tx, &[owner_id]).await?.pop().ok_or(Refusal::AdvertMissing)?;
    if let Some(viewer) = viewer
        && !store::users::blocked(tx, &[(viewer, owner_id)]).await?.is_empty()
    {
        return Err(Refusal::AdvertMissing.into());
    }
    checks::available(advert, &owner, now)?;
    if advert.terms.prepayment.is_some() && !store::stops::among(tx, &[advert.terms.base.asset]).await?.is_empty() {
        return Err(Refusal::AdvertState.into());
    }
    let pair = pair_by_id(context, tx, advert.terms.pair).await?;
    Ok((owner, pair))
}
