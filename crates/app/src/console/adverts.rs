//! Administrators find adverts and take bad ones down.

use std::collections::BTreeMap;

use domain::adverts::{Advert, State, take_down};
use domain::ids::{AdvertId, UserId};
use domain::refusal::Refusal;
use domain::users::User;
use serde_json::json;
use store::Tx;
use store::console::audit::Subject;
use store::console::search;
use store::takedowns::{self, Takedown};
use uuid::Uuid;

use super::By;
use super::{Console, Decision, checked_query, record};
use crate::engine::changes::CommandChanges;
use crate::engine::unit_of_work::{Keys, UnitOfWork};
use crate::memory::assets::{Assets, TradedAssets};
use crate::{Error, Result};

/// The number of adverts and of owners that a search shows.
const MAX_RESULTS: i64 = 50;

/// An advert as the hall shows it, with its owner.
#[derive(Debug, Clone)]
pub struct AdvertLine {
    pub advert: Advert,
    pub owner: User,
    pub assets: TradedAssets,
    pub taken_down: Option<Takedown>,
    /// Whether an officer can take it down now.
    pub removable: bool,
    /// Changes with the advert.
    pub version: String,
}

impl Console {
    /// Returns the advert with this ID, or the open adverts of the user with this ID or with this text in the nickname.
    pub async fn find_adverts(&self, by: &By, query: &str) -> Result<Vec<AdvertLine>> {
        let query = checked_query(query)?;
        let details = json!({ "query": query });
        let (mut tx, _) = self.view(by, "search_adverts", Subject::Platform, details).await?;
        let mut ids = if let Ok(id) = query.parse::<Uuid>() {
            let mut ids = vec![AdvertId(id)];
            ids.extend(store::adverts::open_of(&mut tx, &[UserId(id)]).await?);
            ids
        } else if query.chars().count() >= search::SHORTEST_PART {
            let owners = search::users_by_part(&mut tx, query, MAX_RESULTS).await?;
            store::adverts::open_of(&mut tx, &owners).await?
        } else {
            Vec::new()
        };
        ids.truncate(usize::try_from(MAX_RESULTS).unwrap_or_default());
        let found = self.advert_lines(&mut tx, &ids).await?;
        tx.commit().await?;
        Ok(found)
    }

    /// Takes an advert down: it takes no more orders, open orders continue, and the remaining escrow returns to the owner, who
    /// sees the reason.
    pub async fn take_down_advert(&self, id: AdvertId, decision: &Decision) -> Result<AdvertLine> {
        let Some((mut tx, now)) = self.begin(&decision.by).await? else {
            let (mut tx, _) = self.context.begin().await?;
            return self.advert_line(&mut tx, id).await;
        };
        let keys = Keys { adverts: [id].into(), ..Keys::default() };
        let mut work = UnitOfWork::load(&self.context, &mut tx, now, keys).await?;
        let advert = work.adverts.get(&id).cloned().ok_or(Refusal::AdvertMissing)?;
        decision.check_version(&advert.version.to_string())?;
        let done = take_down(&advert, &work.advert_inputs(&advert))?;
        let mut changes = CommandChanges::default();
        changes.advert_changed(&work, done.advert, done.effects)?;
        work.accept(changes);
        work.write(&mut tx).await?;
        takedowns::insert(&mut tx, id, &Takedown { reason: decision.reason.clone(), at: now }).await?;
        let details = json!({ "owner": advert.terms.owner, "open_orders": advert.running });
        record(&mut tx, decision, "take_down_advert", Subject::Advert(id), details, now).await?;
        let line = self.advert_line(&mut tx, id).await?;
        tx.commit().await?;
        self.context.changed(&work.changes());
        Ok(line)
    }

    async fn advert_line(&self, tx: &mut Tx, id: AdvertId) -> Result<AdvertLine> {
        Ok(self.advert_lines(tx, &[id]).await?.pop().ok_or(Refusal::AdvertMissing)?)
    }

    async fn advert_lines(&self, tx: &mut Tx, ids: &[AdvertId]) -> Result<Vec<AdvertLine>> {
        let adverts = store::adverts::read(tx, ids).await?;
        let ids: Vec<_> = adverts.iter().map(|advert| advert.id).collect();
        let owners: Vec<_> = adverts.iter().map(|advert| advert.terms.owner).collect();
        let users = store::users::read(tx, &owners).await?;
        let users: BTreeMap<_, _> = users.into_iter().map(|user| (user.id, user)).collect();
        let mut taken: BTreeMap<_, _> = takedowns::of(tx, &ids).await?.into_iter().collect();
        let reference = self.context.reference_data(tx).await?.data;
        let assets = Assets::load(tx, &reference, adverts.iter().map(|advert| advert.terms.base.asset)).await?;
        let line = |advert: Advert| {
            let missing = |what: &str| Error::Internal(format!("the advert {} has no {what}", advert.id));
            Ok(AdvertLine {
                owner: users.get(&advert.terms.owner).cloned().ok_or_else(|| missing("owner"))?,
                assets: assets.traded(advert.terms.base, advert.terms.quote, advert.terms.prepayment)?,
                taken_down: taken.remove(&advert.id),
                removable: matches!(advert.state, State::Online | State::Offline),
                version: advert.version.to_string(),
                advert,
            })
        };
        adverts.into_iter().map(line).collect()
    }
}
