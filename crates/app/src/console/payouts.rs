//! Administrators see payout stops, failing legs and uncredited transfers, resume stopped payouts and void failing ones.

use async_trait::async_trait;
use domain::assets::AssetId;
use domain::chain::{Address, Reference, TxHash};
use domain::console::OfficerRefusal;
use domain::ids::OrderId;
use domain::refusal::Refusal;
use serde_json::json;
use store::Tx;
use store::console::audit::{self, Entry, Subject};
use store::payouts::{self, PayoutLeg, Purpose};
use store::stops;

use super::reports::{failing_in, stopped, stopped_in, stopped_vaults_in, uncredited_in};
use super::{
    By, Console, Decision, FailingPayout, Stopped, StoppedVault, UncreditedTransfer, UnlistedNft, record, version_of,
};
use crate::{Context, Result};

/// A payout stop of an asset. It is resumed only if it is still the stop that the officer saw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AssetStop {
    pub stopped: Stopped,
    pub version: String,
}

/// A call of the Escrow that spends a reference without paying it. Only the Escrow's administrator can send it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VoidCall {
    pub reference: Reference,
    pub escrow: Address,
    /// The encoded call.
    pub data: Vec<u8>,
}

/// A leg that keeps failing. It is voided only if it is still the leg that the officer saw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailingLeg {
    pub payout: FailingPayout,
    /// If only the Escrow's administrator can void the leg, the calls that void all owed legs of the payout. Else empty: the worker
    /// can void the leg.
    pub void_calls: Vec<VoidCall>,
    pub version: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PayoutOverview {
    pub stops: Vec<AssetStop>,
    pub vaults: Vec<StoppedVault>,
    pub failing: Vec<FailingLeg>,
    pub uncredited: Vec<UncreditedTransfer>,
}

fn versioned(stopped: Stopped) -> AssetStop {
    let stop = &stopped.stop;
    let version = version_of(&[
        stop.asset.0.to_string(),
        stop.since.to_rfc3339(),
        stop.because.clone(),
        format!("{:?}", stop.again),
    ]);
    AssetStop { stopped, version }
}

fn version_of_leg(leg: &PayoutLeg) -> String {
    version_of(&[leg.reference.0.to_string(), leg.recipient.to_string(), leg.or_void.to_string()])
}

/// Returns what the audit log names as the subject of a payout: the order, or else the owner of the vault that pays.
fn subject_of(leg: &PayoutLeg) -> Subject {
    match leg.purpose {
        Purpose::Release | Purpose::Refund => Subject::Order(OrderId(leg.subject)),
        Purpose::AdvertReturn | Purpose::WrongDeposit | Purpose::Withdrawal | Purpose::Treasury => {
            Subject::User(leg.vault_asset.vault)
        }
    }
}

/// What the console needs to know about the chain. Implemented by the program, because only the worker's code calls the
/// chain.
#[async_trait]
pub trait PayoutChain: Send + Sync {
    /// Describes every difference between ledger and chain about an asset.
    async fn differences(&self, asset: AssetId) -> Result<Vec<String>>;

    /// Returns the call that voids a reference.
    fn void_call(&self, reference: Reference) -> Result<VoidCall>;

    /// Returns the NFTs of collections that are not configured that a final transaction has sent to vaults, and that are still there.
    async fn unlisted_nfts(&self, tx: TxHash) -> Result<Vec<UnlistedNft>>;
}

impl Console {
    pub async fn payouts(&self, by: &By) -> Result<PayoutOverview> {
        let (mut tx, _) = self.view(by, "view_payouts", Subject::Platform, json!({})).await?;
        let found = self.payout_overview(&mut tx).await?;
        tx.commit().await?;
        Ok(found)
    }

    /// Resumes the payouts of an asset if the ledger and the chain agree on it.
    pub async fn resume_payouts(&self, id: AssetId, decision: &Decision) -> Result<PayoutOverview> {
        if self.begin(&decision.by).await?.is_some() {
            let Decision { by, reason, version } = decision;
            resume(&self.context, self.payout_chain.as_ref(), id, Some(version), by, reason).await?;
            self.context.has_committed();
        }
        let (mut tx, _) = self.context.begin().await?;
        self.payout_overview(&mut tx).await
    }

    /// Lets the Escrow void a failing leg if its payment is refused once more, at the next attempt. The coins then return
    /// to the account that paid them, and an order goes to an appeal. A payment that succeeds after all is final.
    ///
    /// Only for single legs: the worker's key cannot void a leg of a pair, because the other leg could still be paid.
    pub async fn void_payout(&self, reference: Reference, decision: &Decision) -> Result<PayoutOverview> {
        if let Some((mut tx, now)) = self.begin(&decision.by).await? {
            payouts::lock_legs(&mut tx, &[reference]).await?;
            let mut failing = failing_in(&mut tx).await?.into_iter().map(|found| found.failing);
            let failing = failing.find(|failing| failing.leg.reference == reference).ok_or(Refusal::NotFound)?;
            decision.check_version(&version_of_leg(&failing.leg))?;
            if failing.needs_administrator() || failing.leg.or_void {
                let reason = "the worker cannot void it";
                return Err(Refusal::Invalid { field: "id", reason }.into());
            }
            payouts::void_if_refused(&mut tx, reference, now).await?;
            let details = json!({"reference": reference.0.to_string(), "purpose": failing.leg.purpose.name()});
            record(&mut tx, decision, "void_payout", subject_of(&failing.leg), details, now).await?;
            tx.commit().await?;
            self.context.has_committed();
        }
        let (mut tx, _) = self.context.begin().await?;
        self.payout_overview(&mut tx).await
    }

    async fn payout_overview(&self, tx: &mut Tx) -> Result<PayoutOverview> {
        let failing = failing_in(tx).await?.into_iter().map(|payout| {
            let failing = &payout.failing;
            let voided: &[Reference] = if failing.needs_administrator() { &failing.owed } else { &[] };
            let void_calls = voided.iter().map(|owed| self.payout_chain.void_call(*owed)).collect::<Result<_>>()?;
            let version = version_of_leg(&failing.leg);
            Ok(FailingLeg { payout, void_calls, version })
        });
        Ok(PayoutOverview {
            stops: stopped_in(tx).await?.into_iter().map(versioned).collect(),
            vaults: stopped_vaults_in(tx).await?,
            failing: failing.collect::<Result<_>>()?,
            uncredited: uncredited_in(tx).await?,
        })
    }
}

/// Resumes the payouts of an asset, whatever stopped them, if the ledger and the chain agree on it. Refuses another stop than the
/// one with this version, if any, and one that began during the comparison.
pub async fn resume(
    context: &Context,
    chain: &dyn PayoutChain,
    id: AssetId,
    version: Option<&str>,
    by: &By,
    reason: &str,
) -> Result<()> {
    let stop = stopped(context).await?.into_iter().find(|stopped| stopped.asset.id == id).map(versioned);
    let AssetStop { stopped, version: current } = stop.ok_or(Refusal::NotFound)?;
    if version.is_some_and(|version| version != current) {
        return Err(Refusal::Stale.into());
    }
    let differences = chain.differences(id).await?;
    if !differences.is_empty() {
        let differences = differences.join("; ");
        return Err(Refusal::from(OfficerRefusal::Disagreement { differences }).into());
    }
    let (mut tx, now) = context.begin().await?;
    if !stops::resume(&mut tx, &stopped.stop).await? {
        return Err(Refusal::Stale.into());
    }
    let entry = Entry { action: "resume", subject: Subject::Asset(id), details: json!({}), reason: Some(reason) };
    audit::record(&mut tx, by, entry, now).await?;
    Ok(tx.commit().await?)
}
