//! What is wrong with payouts and deposits: stops, failing payouts, uncredited transfers. Read by the console, by metrics and by
//! `mec2c officer`.

use domain::assets::{Asset, AssetId};
use store::Tx;
use store::blocks::VaultTransfer;
use store::payouts::Failing;
use store::stops::{self, Stop};
use store::vault_stops::{self, VaultStop};

use crate::{Context, Error, Result};

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
    let assets = assets_of(tx, stops.iter().map(|stop| stop.asset)).await?;
    stops.into_iter().map(|stop| Ok(Stopped { asset: find(&assets, stop.asset)?, stop })).collect()
}

/// Returns all coins and albums, and those of the assets that are NFTs.
async fn assets_of(tx: &mut Tx, ids: impl Iterator<Item = AssetId>) -> Result<Vec<Asset>> {
    let mut assets = store::catalog::assets(tx).await?;
    assets.extend(store::nfts::assets(tx, &ids.collect::<Vec<_>>()).await?);
    Ok(assets)
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
    let assets = assets_of(tx, stops.iter().map(|stop| stop.vault_asset.asset)).await?;
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
    let assets = assets_of(tx, failing.iter().map(|failing| failing.leg.vault_asset.asset)).await?;
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
    let assets = assets_of(tx, transfers.iter().map(|transfer| transfer.asset)).await?;
    let uncredited = transfers.into_iter().map(|transfer| {
        let asset = find(&assets, transfer.asset)?;
        Ok(UncreditedTransfer { asset, transfer })
    });
    uncredited.collect()
}
