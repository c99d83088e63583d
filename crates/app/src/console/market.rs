//! Administrators change the settings of pairs and set reference prices.

use std::collections::BTreeMap;

use domain::assets::{Pair, PairId};
use domain::clock::Timestamp;
use domain::console::OfficerRefusal;
use domain::money::Price;
use domain::refusal::Refusal;
use serde_json::json;
use store::Tx;
use store::console::audit::{Entry, Subject};
use store::console::decisions::{self, PairAct};

use super::{By, Console, Decision, version_of};
use crate::market::pair_by_id;
use crate::{Context, Result};

/// A pair as administrators see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairSettings {
    pub pair: Pair,
    /// Changes with the settings.
    pub version: String,
    /// The price from which the price band is computed.
    pub reference: Option<Price>,
    /// The officer who last set a reference price, and when.
    pub set_by: Option<(String, Timestamp)>,
    /// Changes with the reference price.
    pub reference_version: String,
}

/// New values of settings, by name as in [`Pair::settings`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairChange {
    pub settings: BTreeMap<String, String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReferenceChange {
    /// The quote paid per whole unit of the base.
    pub price: String,
}

fn version(pair: &Pair) -> String {
    version_of(&pair.settings().map(|(name, value)| format!("{name} {value}")))
}

async fn described(tx: &mut Tx, pair: Pair, references: &[(PairId, Price)]) -> Result<PairSettings> {
    let reference = references.iter().find(|(id, _)| *id == pair.id).map(|(_, price)| *price);
    let last = decisions::last_reference_act(tx, pair.id).await?;
    let reference_version =
        version_of(&[format!("{reference:?}"), last.as_ref().map(|(id, _, _)| id.to_string()).unwrap_or_default()]);
    let set_by = last.map(|(_, officer, at)| (officer, at));
    Ok(PairSettings { version: version(&pair), pair, reference, set_by, reference_version })
}

/// An officer's decision about the settings of a pair ([`Pair::settings`]).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairDecision {
    /// The pair as the officer saw it.
    pub before: Pair,
    /// The pair with the new settings.
    pub after: Pair,
    pub officer: By,
    /// 1 to 500 characters.
    pub reason: String,
}

/// The result of [`set_pair`]. Nothing was changed unless it is `Done`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PairSet {
    /// The settings were changed and apply at once.
    Done,
    /// The pair already has these settings.
    Already,
    /// The pair has changed since the officer saw it.
    Outdated,
    /// These settings would make trading impossible, for this reason.
    Invalid(&'static str),
}

impl Console {
    async fn pair(&self, tx: &mut Tx, id: PairId) -> Result<PairSettings> {
        let pair = pair_by_id(&self.context, tx, id).await.map_err(|_| Refusal::NotFound)?;
        let references = store::market::references(tx).await?;
        described(tx, pair, &references).await
    }

    pub async fn pairs(&self, by: &By) -> Result<Vec<PairSettings>> {
        let (mut tx, _) = self.view(by, "view_pairs", Subject::Platform, json!({})).await?;
        let references = store::market::references(&mut tx).await?;
        let mut pairs = Vec::new();
        for pair in store::catalog::pairs(&mut tx).await? {
            pairs.push(described(&mut tx, pair, &references).await?);
        }
        tx.commit().await?;
        Ok(pairs)
    }

    /// Changes settings of a pair. New adverts and orders use them at once; existing ones keep their terms.
    pub async fn change_pair(&self, id: PairId, change: &PairChange, decision: &Decision) -> Result<PairSettings> {
        let Some((mut tx, now)) = self.begin(&decision.by).await? else {
            let (mut tx, _) = self.context.begin().await?;
            return self.pair(&mut tx, id).await;
        };
        store::catalog::lock_pair(&mut tx, id).await?;
        let before = self.pair(&mut tx, id).await?;
        decision.check_version(&before.version)?;
        let mut after = before.pair.clone();
        for (setting, value) in &change.settings {
            after
                .set(setting, value.trim())
                .map_err(|reason| Refusal::InvalidField { field: setting.clone(), reason })?;
        }
        let (officer, reason) = (decision.by.clone(), decision.reason.clone());
        let set = PairDecision { before: before.pair, after, officer, reason };
        match set_pair(&self.context, &mut tx, &set, now).await? {
            PairSet::Done => {}
            PairSet::Already => {
                return Err(Refusal::Invalid { field: "settings", reason: "nothing to change" }.into());
            }
            PairSet::Outdated => return Err(Refusal::Stale.into()),
            PairSet::Invalid(problem) => return Err(Refusal::from(OfficerRefusal::PairProblem { problem }).into()),
        }
        let references = store::market::references(&mut tx).await?;
        let changed = described(&mut tx, set.after, &references).await?;
        tx.commit().await?;
        self.context.has_committed();
        Ok(changed)
    }

    /// Sets the reference price of a pair. It applies until the trades of a day determine a new one.
    pub async fn change_reference(
        &self,
        id: PairId,
        change: &ReferenceChange,
        decision: &Decision,
    ) -> Result<PairSettings> {
        let Some((mut tx, now)) = self.begin(&decision.by).await? else {
            let (mut tx, _) = self.context.begin().await?;
            return self.pair(&mut tx, id).await;
        };
        store::catalog::lock_pair(&mut tx, id).await?;
        let before = self.pair(&mut tx, id).await?;
        decision.check_version(&before.reference_version)?;
        let price = Price::parse(change.price.trim()).ok().filter(|price| before.pair.accepts_price(*price));
        let price = price.ok_or(Refusal::Invalid { field: "price", reason: "not a price of the pair" })?;
        set_reference(&mut tx, &before.pair, price, &decision.by, &decision.reason, now).await?;
        let references = store::market::references(&mut tx).await?;
        let changed = described(&mut tx, before.pair, &references).await?;
        tx.commit().await?;
        self.context.has_committed();
        Ok(changed)
    }
}

/// Sets the reference price of a pair. The price is valid until the trades of a day determine a new reference price.
pub async fn set_reference(
    tx: &mut Tx,
    pair: &Pair,
    price: Price,
    by: &By,
    reason: &str,
    now: Timestamp,
) -> Result<()> {
    store::market::set_reference(tx, pair.id, price, by, reason, now).await?;
    let details = json!({ "after": price.to_string() });
    let entry = Entry { action: "set_reference", subject: Subject::Pair(pair.id), details, reason: Some(reason) };
    Ok(store::console::audit::record(tx, by, entry, now).await?)
}

/// Changes the settings of a pair and records each change. Every transaction reads the settings from the database, so all
/// processes use them at once for new adverts and orders. Existing adverts and orders keep their terms.
pub async fn set_pair(context: &Context, tx: &mut Tx, decision: &PairDecision, now: Timestamp) -> Result<PairSet> {
    let PairDecision { before, after, officer, reason } = decision;
    if let Some(problem) = after.problem() {
        return Ok(PairSet::Invalid(problem));
    }
    store::catalog::lock_pair(tx, before.id).await?;
    if pair_by_id(context, tx, before.id).await? != *before {
        return Ok(PairSet::Outdated);
    }
    let settings = before.settings().into_iter().zip(after.settings());
    let changes: Vec<_> = settings.filter(|(before, after)| before != after).collect();
    if changes.is_empty() {
        return Ok(PairSet::Already);
    }
    store::catalog::set_pair(tx, after).await?;
    for ((setting, old), (_, new)) in &changes {
        decisions::record_pair_act(tx, before.id, officer, (setting, old, new), reason, now).await?;
    }
    Ok(PairSet::Done)
}

/// Returns a pair by the codes of its two assets, and every change of its settings, oldest first.
pub async fn pair_history(context: &Context, base: &str, quote: &str) -> Result<Option<(Pair, Vec<PairAct>)>> {
    let (mut tx, _) = context.begin().await?;
    let pairs = store::catalog::pairs(&mut tx).await?;
    let named = pairs.into_iter().find(|pair| pair.base.code == base && pair.quote.code == quote);
    let Some(pair) = named else { return Ok(None) };
    let acts = decisions::pair_acts(&mut tx, pair.id).await?;
    Ok(Some((pair, acts)))
}
