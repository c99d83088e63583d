//! Adverts as their owner sees them: their data, the available actions, and the money involved.

use domain::adverts::{self, Advert, Limits};
use domain::assets::Asset;
use domain::clock::Timestamp;
use domain::funding::FundingTarget;
use domain::ids::{AdvertId, UserId};
use domain::payment_methods::PaymentMethod;
use domain::refusal::Refusal;
use store::Tx;

use crate::payment_methods::masked;
use crate::trading::unit_of_work::{Keys, UnitOfWork};
use crate::wallet::view::{Confirmations, FundingView, PayoutView, funding_view, payout_view};
use crate::{Context, Result};

/// An advert as its owner sees it.
#[derive(Debug, Clone)]
pub struct AdvertView {
    pub advert: Advert,
    /// Base and quote.
    pub assets: (Asset, Asset),
    pub actions: Vec<adverts::Action>,
    pub request: Option<FundingView>,
    /// The payout that returns the remaining escrow, once it is decided.
    pub payout: Option<PayoutView>,
    /// The payment methods of the advert, with masked account numbers.
    pub methods: Vec<PaymentMethod>,
    /// The range of totals that an order may have now; `None` if the remaining quantity is too small for any order.
    pub limits: Option<Limits>,
    /// The time to which the view refers, by the product's clock.
    pub now: Timestamp,
}

/// Returns an advert to its owner. To anyone else, reports that it does not exist.
pub async fn one(context: &Context, user: UserId, id: AdvertId) -> Result<AdvertView> {
    let (mut tx, now) = context.begin().await?;
    Ok(views(context, &mut tx, now, user, &[id]).await?.pop().ok_or(Refusal::AdvertMissing)?)
}

/// Returns a page of a user's adverts, newest first, and their total number.
pub async fn page(context: &Context, user: UserId, offset: i64, limit: i64) -> Result<(Vec<AdvertView>, i64)> {
    let (mut tx, now) = context.begin().await?;
    let (adverts, total) = store::adverts::page_of(&mut tx, user, offset, limit).await?;
    let ids: Vec<_> = adverts.iter().map(|advert| advert.id).collect();
    Ok((views(context, &mut tx, now, user, &ids).await?, total))
}

/// Returns the number of decimals of the advert's base and of its quote.
pub async fn decimals_of(context: &Context, advert: AdvertId) -> Result<(u8, u8)> {
    let (mut tx, _) = context.begin().await?;
    let advert = store::adverts::read(&mut tx, &[advert]).await?.pop().ok_or(Refusal::AdvertMissing)?;
    Ok((advert.terms.base.decimals, advert.terms.quote.decimals))
}

async fn views(
    context: &Context,
    tx: &mut Tx,
    now: Timestamp,
    user: UserId,
    ids: &[AdvertId],
) -> Result<Vec<AdvertView>> {
    let keys = Keys { adverts: ids.iter().copied().collect(), people: [user].into(), ..Keys::default() };
    let work = UnitOfWork::read(context, tx, now, keys).await?;
    let chain = Confirmations::load(tx).await?;
    let forms = store::payment_methods::forms(tx).await?;
    let mut views = Vec::with_capacity(ids.len());
    for id in ids {
        let advert = work.adverts.get(id).filter(|advert| advert.terms.owner == user).cloned();
        let advert = advert.ok_or(Refusal::AdvertMissing)?;
        let methods: Vec<_> = advert.terms.methods.iter().map(|method| method.id).collect();
        let methods = store::payment_methods::by_ids(tx, &methods).await?;
        views.push(AdvertView {
            assets: (work.asset(advert.terms.base.asset)?, work.asset(advert.terms.quote.asset)?),
            actions: adverts::available_actions(&advert, user, &work.advert_inputs(&advert)),
            request: funding_view(tx, &work, &chain, FundingTarget::Advert(*id)).await?,
            methods: methods.into_iter().map(|method| masked(&forms, method)).collect(),
            limits: work.pairs.get(&advert.terms.pair).and_then(|pair| Limits::now(pair, &advert)),
            now,
            payout: payout_view(tx, &chain, advert.state.payout()).await?,
            advert,
        });
    }
    Ok(views)
}
