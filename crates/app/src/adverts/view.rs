//! Adverts as their owner sees them: their data, the available actions, and the money involved.

use std::collections::BTreeMap;

use domain::adverts::{self, Advert, Group, Limits, State};
use domain::clock::Timestamp;
use domain::funding::FundingTarget;
use domain::ids::{AdvertId, PaymentMethodId, UserId};
use domain::orders::Movement;
use domain::payment_methods::PaymentMethod;
use domain::refusal::Refusal;
use store::Tx;
use store::adverts::Totals;
use store::takedowns::{self, Takedown};

use crate::engine::unit_of_work::{Keys, UnitOfWork};
use crate::market::hall::{Face, face};
use crate::market::outside_band;
use crate::memory::assets::TradedAssets;
use crate::payment_methods::masked;
use crate::wallet::view::{FundingView, MoneyViews, PayoutView};
use crate::{Context, Result};

/// An advert as its owner sees it.
#[derive(Debug, Clone)]
pub struct AdvertView {
    pub advert: Advert,
    pub assets: TradedAssets,
    pub actions: Vec<adverts::Action>,
    /// The coins that a revocation returns if all open orders complete; none if the owner cannot revoke the advert now.
    pub revocation: Vec<Movement>,
    pub request: Option<FundingView>,
    /// The payout that returns the remaining escrow, once it is decided.
    pub payout: Option<PayoutView>,
    /// The payment methods of the advert, with masked account numbers.
    pub methods: Vec<PaymentMethod>,
    /// The range of totals that an order may have now; `None` if the remaining quantity is too small for any order.
    pub limits: Option<Limits>,
    /// Why an officer took the advert down; `None` if none did.
    pub taken_down: Option<Takedown>,
    /// Whether the price is outside the pair's price band, which binds new adverts only.
    pub outside_band: bool,
    /// What the completed orders add up to.
    pub totals: Totals,
    /// The time to which the view refers, by the product's clock.
    pub now: Timestamp,
}

/// An advert as a user sees it.
#[derive(Debug, Clone)]
pub struct ViewedAdvert {
    /// What any other user would see.
    pub face: Face,
    /// What the owner sees; `None` for others.
    pub own: Option<AdvertView>,
}

/// Returns an advert to a user. Its owner always sees it. Others see it while it takes orders, as in the hall: to them, an advert
/// that awaits its escrow, is being revoked, or has ended does not exist.
pub async fn viewed(context: &Context, viewer: UserId, id: AdvertId) -> Result<ViewedAdvert> {
    let (mut tx, now) = context.begin().await?;
    let advert = store::adverts::read(&mut tx, &[id]).await?.pop().ok_or(Refusal::AdvertMissing)?;
    if advert.terms.owner != viewer {
        return Ok(ViewedAdvert {
            face: face::orderable(context, &mut tx, now, Some(viewer), &advert).await?,
            own: None,
        });
    }
    let own = views(context, &mut tx, now, viewer, &[id]).await?.pop().ok_or(Refusal::AdvertMissing)?;
    let face = face::of_owner(context, &mut tx, now, &own.advert).await?;
    Ok(ViewedAdvert { face, own: Some(own) })
}

/// Returns an advert to its owner. To anyone else, reports that it does not exist.
pub async fn one(context: &Context, user: UserId, id: AdvertId) -> Result<AdvertView> {
    let (mut tx, now) = context.begin().await?;
    Ok(views(context, &mut tx, now, user, &[id]).await?.pop().ok_or(Refusal::AdvertMissing)?)
}

/// Returns a page of a user's adverts, of one group or of all, newest first, and their total number.
pub async fn page(
    context: &Context,
    user: UserId,
    group: Option<Group>,
    offset: i64,
    limit: i64,
) -> Result<(Vec<AdvertView>, i64)> {
    let (mut tx, now) = context.begin().await?;
    let (adverts, total) = match group {
        Some(group) => store::adverts::page_of_group(&mut tx, user, group, offset, limit).await?,
        None => store::adverts::page_of(&mut tx, user, offset, limit).await?,
    };
    let ids: Vec<_> = adverts.iter().map(|advert| advert.id).collect();
    Ok((views(context, &mut tx, now, user, &ids).await?, total))
}

/// Returns the number of a user's adverts in each group. Omits empty groups.
pub async fn groups(context: &Context, user: UserId) -> Result<BTreeMap<Group, u32>> {
    let (mut tx, _) = context.begin().await?;
    Ok(store::adverts::count_groups(&mut tx, user).await?.into_iter().collect())
}

/// Returns a user's open adverts, newest first.
pub async fn open(context: &Context, user: UserId) -> Result<Vec<AdvertView>> {
    let (mut tx, now) = context.begin().await?;
    let mut ids = store::adverts::open_of(&mut tx, &[user]).await?;
    ids.reverse();
    views(context, &mut tx, now, user, &ids).await
}

async fn views(
    context: &Context,
    tx: &mut Tx,
    now: Timestamp,
    user: UserId,
    ids: &[AdvertId],
) -> Result<Vec<AdvertView>> {
    let keys = Keys { adverts: ids.iter().copied().collect(), users: [user].into(), ..Keys::default() };
    let work = UnitOfWork::read(context, tx, now, keys).await?;
    let views = AdvertViews::load(tx, &work, ids).await?;
    ids.iter().map(|id| views.of(&work, user, *id)).collect()
}

/// What the views of adverts show in addition to a unit of work.
pub(crate) struct AdvertViews {
    money: MoneyViews,
    methods: BTreeMap<PaymentMethodId, PaymentMethod>,
    taken_down: BTreeMap<AdvertId, Takedown>,
    totals: BTreeMap<AdvertId, Totals>,
}

impl AdvertViews {
    pub(crate) async fn load(tx: &mut Tx, work: &UnitOfWork, ids: &[AdvertId]) -> store::Result<Self> {
        let adverts: Vec<_> = ids.iter().filter_map(|id| work.adverts.get(id)).collect();
        let methods: Vec<_> =
            adverts.iter().flat_map(|advert| advert.terms.methods.iter().map(|method| method.id)).collect();
        let methods = store::payment_methods::by_ids(tx, &methods).await?;
        let payouts: Vec<_> = adverts.iter().filter_map(|advert| advert.state.payout()).collect();
        // Only an advert that takes no more orders can have been taken down.
        let closed =
            |advert: &&&Advert| !matches!(advert.state, State::Creating { .. } | State::Online | State::Offline);
        let closed: Vec<_> = adverts.iter().filter(closed).map(|advert| advert.id).collect();
        let targets: Vec<_> = ids.iter().map(|id| FundingTarget::Advert(*id)).collect();
        Ok(Self {
            money: MoneyViews::load(tx, work, &targets, &payouts).await?,
            methods: methods.into_iter().map(|method| (method.id, method)).collect(),
            taken_down: takedowns::of(tx, &closed).await?.into_iter().collect(),
            totals: store::adverts::totals(tx, ids).await?.into_iter().collect(),
        })
    }

    /// Returns an advert as its owner sees it. To anyone else, reports that it does not exist.
    pub(crate) fn of(&self, work: &UnitOfWork, user: UserId, id: AdvertId) -> Result<AdvertView> {
        let advert = work.adverts.get(&id).filter(|advert| advert.terms.owner == user).cloned();
        let advert = advert.ok_or(Refusal::AdvertMissing)?;
        let data = &work.reference_data;
        let pair = data.pairs.get(&advert.terms.pair);
        let methods = advert.terms.methods.iter().filter_map(|method| self.methods.get(&method.id).cloned());
        let inputs = work.advert_inputs(&advert);
        Ok(AdvertView {
            assets: work.assets.traded(advert.terms.base, advert.terms.quote, advert.terms.prepayment)?,
            actions: adverts::available_actions(&advert, user, &inputs),
            revocation: adverts::revocation(&advert, &inputs),
            request: self.money.funding(work, FundingTarget::Advert(id))?,
            methods: methods.map(|method| masked(&data.forms, method)).collect(),
            limits: pair.and_then(|pair| Limits::now(pair, &advert)),
            taken_down: self.taken_down.get(&id).cloned(),
            totals: self.totals.get(&id).copied().unwrap_or_default(),
            outside_band: pair.is_some_and(|pair| outside_band(data, pair, advert.terms.price)),
            now: work.now,
            payout: self.money.payout(advert.state.payout()),
            advert,
        })
    }
}
