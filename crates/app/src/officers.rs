//! The decisions of officers on users, coins and pairs, in the console and with `mec2c officer`. Each decision is recorded
//! permanently, in the same transaction.

use domain::assets::{Asset, AssetId, Pair};
use domain::clock::Timestamp;
use domain::money::Price;
use serde_json::json;
use store::Tx;
use store::blocks::VaultTransfer;
use store::console::audit::{Entry, Subject};
use store::console::decisions::About;
use store::payouts::Failing;
use store::stops::{self, Stop};
use store::vault_stops::{self, VaultStop};

pub use store::console::audit::By;
pub use store::console::decisions::PairAct;

use crate::market::{pair_by_id, pair_named};
use crate::{Context, Error, Result};

/// An officer's decision whether a user is a certified trader. Only certified traders can publish fiat adverts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certification {
    /// The user's email address.
    pub email: String,
    pub certified: bool,
    pub officer: By,
    /// 1 to 500 characters.
    pub reason: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Certified {
    Done,
    /// The user already had this status. Nothing was written.
    Already,
    /// No account has this email address.
    Unknown,
}

/// Sets or removes a user's certification.
pub async fn certify(context: &Context, certification: &Certification) -> Result<Certified> {
    let (mut tx, now) = context.begin().await?;
    let email = certification.email.trim().to_lowercase();
    let Some(user) = store::identity::accounts::by_email(&mut tx, &email).await? else {
        return Ok(Certified::Unknown);
    };
    store::people::lock(&mut tx, &[user]).await?;
    if !store::console::decisions::set_certified(&mut tx, user, certification.certified).await? {
        return Ok(Certified::Already);
    }
    let act = if certification.certified { "certify" } else { "decertify" };
    let Certification { officer, reason, .. } = certification;
    store::console::decisions::record(&mut tx, officer.clone(), act, About::Person(user), reason, now).await?;
    tx.commit().await?;
    Ok(Certified::Done)
}

/// A coin whose payouts are stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stopped {
    pub asset: Asset,
    pub stop: Stop,
}

/// Returns all coins whose payouts are stopped.
pub async fn stopped(context: &Context) -> Result<Vec<Stopped>> {
    let (mut tx, _) = context.begin().await?;
    stopped_in(&mut tx).await
}

pub(crate) async fn stopped_in(tx: &mut Tx) -> Result<Vec<Stopped>> {
    let stops = stops::all(tx).await?;
    if stops.is_empty() {
        return Ok(Vec::new());
    }
    let assets = store::catalog::assets(tx).await?;
    stops.into_iter().map(|stop| Ok(Stopped { asset: find(&assets, stop.asset)?, stop })).collect()
}

fn find(assets: &[Asset], id: AssetId) -> Result<Asset> {
    let asset = assets.iter().find(|asset| asset.id == id).cloned();
    asset.ok_or_else(|| Error::Internal(format!("no asset {}", id.0)))
}

/// An asset of a vault whose payouts are stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoppedVault {
    pub asset: Asset,
    pub stop: VaultStop,
}

/// Returns the assets of single vaults whose payouts are stopped.
pub async fn stopped_vaults(context: &Context) -> Result<Vec<StoppedVault>> {
    let (mut tx, _) = context.begin().await?;
    stopped_vaults_in(&mut tx).await
}

pub(crate) async fn stopped_vaults_in(tx: &mut Tx) -> Result<Vec<StoppedVault>> {
    let stops = vault_stops::all(tx).await?;
    if stops.is_empty() {
        return Ok(Vec::new());
    }
    let assets = store::catalog::assets(tx).await?;
    stops.into_iter().map(|stop| Ok(StoppedVault { asset: find(&assets, stop.vault_asset.asset)?, stop })).collect()
}

/// A leg that keeps failing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailingPayout {
    pub asset: Asset,
    pub failing: Failing,
}

impl std::fmt::Display for FailingPayout {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Failing { leg, failures, since, to_be_voided, .. } = &self.failing;
        let amount = leg.amount.format(self.asset.decimals);
        write!(
            f,
            "reference {} ({} of {amount} {} to {}) ",
            leg.reference.0,
            leg.purpose.name(),
            self.asset.code,
            leg.recipient
        )?;
        if *to_be_voided {
            return write!(f, "waits to be voided");
        }
        write!(f, "failed {failures} times")?;
        since.map_or(Ok(()), |since| write!(f, " since {}", since.to_rfc3339()))
    }
}

/// The number of failures after which a leg is reported.
const REPORTED_AFTER: u32 = 3;

/// Returns the legs that keep failing or that can only be voided, oldest first.
pub async fn failing(context: &Context) -> Result<Vec<FailingPayout>> {
    let (mut tx, _) = context.begin().await?;
    failing_in(&mut tx).await
}

pub(crate) async fn failing_in(tx: &mut Tx) -> Result<Vec<FailingPayout>> {
    let failing = store::payouts::failing(tx, REPORTED_AFTER).await?;
    if failing.is_empty() {
        return Ok(Vec::new());
    }
    let assets = store::catalog::assets(tx).await?;
    let failing = failing.into_iter().map(|failing| {
        let asset = find(&assets, failing.leg.vault_asset.asset)?;
        Ok(FailingPayout { asset, failing })
    });
    failing.collect()
}

/// A final transfer that is not credited, because the vault does not hold the amount that the token logged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UncreditedTransfer {
    pub asset: Asset,
    /// The transfer as the token logged it; its recipient is the vault.
    pub transfer: VaultTransfer,
}

/// Returns all uncredited transfers, oldest first.
pub async fn uncredited(context: &Context) -> Result<Vec<UncreditedTransfer>> {
    let (mut tx, _) = context.begin().await?;
    uncredited_in(&mut tx).await
}

pub(crate) async fn uncredited_in(tx: &mut Tx) -> Result<Vec<UncreditedTransfer>> {
    let transfers = store::uncredited::all(tx).await?;
    if transfers.is_empty() {
        return Ok(Vec::new());
    }
    let assets = store::catalog::assets(tx).await?;
    let uncredited = transfers.into_iter().map(|transfer| {
        let asset = find(&assets, transfer.asset)?;
        Ok(UncreditedTransfer { asset, transfer })
    });
    uncredited.collect()
}

/// An officer's decision to resume the payouts of a coin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resumption {
    /// The code of the coin.
    pub asset: String,
    pub officer: By,
    /// 1 to 500 characters.
    pub reason: String,
}

/// Resumes the payouts of a coin, unless they were stopped for another reason after `stopped` was read. Returns whether
/// they were resumed. The caller must first check that the ledger agrees with the chain.
pub async fn resume(context: &Context, stopped: &Stopped, resumption: &Resumption) -> Result<bool> {
    let (mut tx, now) = context.begin().await?;
    if !stops::resume(&mut tx, &stopped.stop).await? {
        return Ok(false);
    }
    let about = About::Asset(stopped.asset.id);
    store::console::decisions::record(&mut tx, resumption.officer.clone(), "resume", about, &resumption.reason, now)
        .await?;
    tx.commit().await?;
    Ok(true)
}

/// An officer's decision about the reference price of a pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReferencePrice {
    /// The code of the base.
    pub base: String,
    /// The code of the quote.
    pub quote: String,
    /// The quote paid per whole unit of the base.
    pub price: Price,
    pub officer: By,
    /// 1 to 500 characters.
    pub reason: String,
}

/// Sets the reference price of a pair. The price is valid until the trades of a day determine a new reference price.
pub async fn set_reference(context: &Context, decision: &ReferencePrice) -> Result<()> {
    let (mut tx, now) = context.begin().await?;
    let pair = pair_named(context, &mut tx, &decision.base, &decision.quote).await?;
    set_reference_in(&mut tx, &pair, decision.price, &decision.officer, &decision.reason, now).await?;
    Ok(tx.commit().await?)
}

pub(crate) async fn set_reference_in(
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

/// Changes the settings of a pair and records each change. Every transaction reads the settings from the database, so all
/// processes use them at once for new adverts and orders. Existing adverts and orders keep their terms.
pub async fn set_pair(context: &Context, decision: &PairDecision) -> Result<PairSet> {
    let (mut tx, now) = context.begin().await?;
    let set = set_pair_in(context, &mut tx, decision, now).await?;
    tx.commit().await?;
    Ok(set)
}

pub(crate) async fn set_pair_in(
    context: &Context,
    tx: &mut Tx,
    decision: &PairDecision,
    now: Timestamp,
) -> Result<PairSet> {
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
        store::console::decisions::record_pair_act(tx, before.id, officer, (setting, old, new), reason, now).await?;
    }
    Ok(PairSet::Done)
}

/// Returns a pair by the codes of its two assets, and every change of its settings, oldest first.
pub async fn pair(context: &Context, base: &str, quote: &str) -> Result<Option<(Pair, Vec<PairAct>)>> {
    let (mut tx, _) = context.begin().await?;
    let pairs = store::catalog::pairs(&mut tx).await?;
    let named = pairs.into_iter().find(|pair| pair.base.code == base && pair.quote.code == quote);
    let Some(pair) = named else { return Ok(None) };
    let acts = store::console::decisions::pair_acts(&mut tx, pair.id).await?;
    Ok(Some((pair, acts)))
}
