//! Administrators see payout stops, failing legs and uncredited transfers, and resume stopped payouts.

use async_trait::async_trait;
use domain::assets::AssetId;
use domain::officers::OfficerRefusal;
use domain::refusal::Refusal;
use serde_json::json;
use store::Tx;
use store::audit::Subject;

use super::{Console, Decision, version_of};
use crate::Result;
use crate::officers::{
    By, FailingPayout, Resumption, Stopped, StoppedVault, UncreditedTransfer, failing_in, resume, stopped_in,
    stopped_vaults_in, uncredited_in,
};

/// A payout stop of an asset. It is resumed only if it is still the stop that the officer saw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AssetStop {
    pub stopped: Stopped,
    pub version: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PayoutOverview {
    pub stops: Vec<AssetStop>,
    pub vaults: Vec<StoppedVault>,
    pub failing: Vec<FailingPayout>,
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

async fn overview(tx: &mut Tx) -> Result<PayoutOverview> {
    Ok(PayoutOverview {
        stops: stopped_in(tx).await?.into_iter().map(versioned).collect(),
        vaults: stopped_vaults_in(tx).await?,
        failing: failing_in(tx).await?,
        uncredited: uncredited_in(tx).await?,
    })
}

/// Compares the ledger with the chain before payouts resume. Implemented by the program, because only the worker's code
/// calls the chain.
#[async_trait]
pub trait PayoutCheck: Send + Sync {
    /// Describes every difference between ledger and chain about an asset.
    async fn differences(&self, asset: AssetId) -> Result<Vec<String>>;
}

impl Console {
    pub async fn payouts(&self, by: &By) -> Result<PayoutOverview> {
        let (mut tx, _) = self.view(by, "view_payouts", Subject::Platform, json!({})).await?;
        let found = overview(&mut tx).await?;
        tx.commit().await?;
        Ok(found)
    }

    /// Resumes the payouts of an asset if the ledger and the chain agree on it.
    pub async fn resume_payouts(&self, id: AssetId, decision: &Decision) -> Result<PayoutOverview> {
        if self.begin(&decision.by).await?.is_some() {
            let (mut tx, _) = self.context.begin().await?;
            let stops = stopped_in(&mut tx).await?;
            drop(tx);
            let stop = stops.into_iter().find(|stopped| stopped.asset.id == id).map(versioned);
            let AssetStop { stopped, version } = stop.ok_or(Refusal::NotFound)?;
            decision.check_version(&version)?;
            let differences = self.payout_check.differences(id).await?;
            if !differences.is_empty() {
                let differences = differences.join("; ");
                return Err(Refusal::from(OfficerRefusal::Disagreement { differences }).into());
            }
            let (officer, reason) = (decision.by.clone(), decision.reason.clone());
            let resumption = Resumption { asset: stopped.asset.code.clone(), officer, reason };
            if !resume(&self.context, &stopped, &resumption).await? {
                return Err(Refusal::Stale.into());
            }
            self.context.has_committed();
        }
        let (mut tx, _) = self.context.begin().await?;
        overview(&mut tx).await
    }
}
