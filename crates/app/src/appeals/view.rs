//! Appeals as the parties of their orders see them.

use std::collections::{BTreeMap, BTreeSet};

use domain::files::Access;
use domain::ids::{AppealId, OrderId, UserId};
use domain::orders::{Appeal, EvidenceRequest, Order};
use domain::refusal::Refusal;
use domain::trade::Party;
use domain::users::User;
use store::Tx;
use store::appeals::StoredAppeal;

use crate::engine::unit_of_work::{Keys, UnitOfWork};
use crate::files::{LinkedFile, Viewer};
use crate::memory::assets::TradedAssets;
use crate::{Context, Result};

/// An appeal as one party of its order sees it.
#[derive(Debug, Clone)]
pub struct AppealView {
    pub appeal: Appeal,
    pub order: Order,
    /// The user's role in the order.
    pub party: Party,
    pub counterparty: User,
    pub assets: TradedAssets,
    /// The evidence. Empty in pages of appeals.
    pub evidence: Vec<LinkedFile>,
    /// The requests for evidence to the user that no officer has closed, oldest first. Empty in pages of appeals, and once the
    /// appeal has ended.
    pub requests: Vec<EvidenceRequest>,
}

/// Returns a page of the appeals about a user's orders, newest first, and their total number.
pub async fn page(context: &Context, user: UserId, offset: i64, limit: i64) -> Result<(Vec<AppealView>, i64)> {
    let (mut tx, now) = context.begin().await?;
    let (appeals, total) = store::appeals::page_of(&mut tx, user, offset, limit).await?;
    let orders = appeals.iter().map(|appeal| appeal.order).collect();
    let work = UnitOfWork::read(context, &mut tx, now, Keys { orders, ..Keys::default() }).await?;
    let views = appeals.into_iter().map(|appeal| view(&work, user, appeal)).collect::<Result<_>>()?;
    Ok((views, total))
}

/// Returns an appeal to a party of its order. To anyone else, reports that it does not exist.
pub async fn one(context: &Context, user: UserId, id: AppealId) -> Result<AppealView> {
    let (mut tx, now) = context.begin().await?;
    let appeal = store::appeals::find(&mut tx, id).await?.ok_or(Refusal::AppealMissing)?;
    let keys = Keys { orders: [appeal.order].into(), ..Keys::default() };
    let work = UnitOfWork::read(context, &mut tx, now, keys).await?;
    let mut view = view(&work, user, appeal)?;
    let ids: Vec<_> = view.appeal.evidence.iter().map(|evidence| evidence.file).collect();
    let access = Access::Order(view.order.id);
    let links = crate::files::links(context, &mut tx, now, Viewer::User(user), access, &ids).await?;
    view.evidence = links.into_values().collect();
    let mut requests = requests_to(&mut tx, &[(&view.appeal, view.party)]).await?;
    view.requests = requests.remove(&(id, view.party)).unwrap_or_default();
    Ok(view)
}

/// Returns the order that an appeal concerns, to one of its parties, if it is the order's latest appeal.
pub async fn order_of(context: &Context, user: UserId, id: AppealId) -> Result<OrderId> {
    let mut tx = context.store.alone().await?;
    let appeal = store::appeals::find(&mut tx, id).await?.ok_or(Refusal::AppealMissing)?;
    let order = store::orders::read(&mut tx, &[appeal.order]).await?.pop().ok_or(Refusal::AppealMissing)?;
    order.terms.party(user).ok_or(Refusal::AppealMissing)?;
    if order.appeal.is_some_and(|latest| latest.id == id) { Ok(order.id) } else { Err(Refusal::AppealProcessed.into()) }
}

/// The number of requests for evidence that a party sees of an appeal, the newest ones.
const MAX_REQUESTS: i64 = 20;

/// Returns the requests for evidence that parties of open appeals see: those to themselves that no officer has closed, oldest
/// first.
pub(crate) async fn requests_to(
    tx: &mut Tx,
    parties: &[(&Appeal, Party)],
) -> store::Result<BTreeMap<(AppealId, Party), Vec<EvidenceRequest>>> {
    let open = parties.iter().filter(|(appeal, _)| appeal.status.ended_at().is_none());
    let open: BTreeSet<_> = open.map(|(appeal, party)| (appeal.id, *party)).collect();
    let appeals: BTreeSet<_> = open.iter().map(|(appeal, _)| *appeal).collect();
    let appeals: Vec<_> = appeals.into_iter().collect();
    let mut shown: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for (appeal, request) in store::console::evidence_requests::of(tx, &appeals, MAX_REQUESTS).await? {
        let key = (appeal, request.party);
        if open.contains(&key) && request.closed_at.is_none() {
            shown.entry(key).or_default().push(request);
        }
    }
    Ok(shown)
}

fn view(work: &UnitOfWork, user: UserId, StoredAppeal { order, appeal }: StoredAppeal) -> Result<AppealView> {
    let order = work.orders.get(&order).cloned().ok_or(Refusal::AppealMissing)?;
    let party = order.terms.party(user).ok_or(Refusal::AppealMissing)?;
    Ok(AppealView {
        counterparty: work.user(order.terms.user(party.other()))?.clone(),
        assets: work.assets.traded(order.terms.base, order.terms.quote, order.terms.prepayment)?,
        evidence: Vec::new(),
        requests: Vec::new(),
        appeal,
        order,
        party,
    })
}
