//! Administrators see payout stops, failing payouts and uncredited transfers, resume stopped payouts and void failing ones.

use app::console::{AssetStop, FailingLeg, PayoutOverview, VoidCall};
use app::console::{FailingPayout, StoppedVault, UncreditedTransfer};
use axum::extract::State;
use chrono::{DateTime, Utc};
use domain::assets::AssetId;
use domain::chain::Reference;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::dto::DecisionBody;
use super::officer::Officer;
use crate::envelope::{Answer, Done, Envelope};
use crate::extract::{Command, CommandKey, PathId};
use crate::state::ApiState;

/// A payout stop of an asset.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ConsolePayoutStop)]
#[serde(rename_all = "camelCase")]
pub(super) struct StopItem {
    /// The ID of the asset.
    asset_id: i64,
    asset: String,
    since: DateTime<Utc>,
    /// The cause, in English.
    because: String,
    /// The time of the newest cause that was reported while payouts were already stopped.
    again_at: Option<DateTime<Utc>>,
    /// The newest cause that was reported while payouts were already stopped.
    again_because: Option<String>,
    /// Changes with the causes. The decision to resume must send it.
    version: String,
}

/// A vault whose payouts of an asset are stopped. The stop ends by itself.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ConsoleVaultStop)]
#[serde(rename_all = "camelCase")]
pub(super) struct VaultStopItem {
    /// The user who owns the vault.
    user_id: Uuid,
    address: String,
    asset: String,
    /// `refused`: the ledger is behind the chain. `debt`: the owner owes for a reorganization.
    cause: String,
    since: DateTime<Utc>,
    /// The cause, in English.
    because: String,
}

/// A call of the Escrow that spends a reference without paying it. Only the Escrow's administrator can send it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ConsoleVoidCall)]
#[serde(rename_all = "camelCase")]
pub(super) struct VoidCallItem {
    reference: String,
    /// The address of the Escrow.
    to: String,
    /// The encoded call, in hexadecimal with the prefix `0x`.
    data: String,
}

/// A payout leg that failed three times or more, or that can only be voided.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ConsoleFailingLeg)]
#[serde(rename_all = "camelCase")]
pub(super) struct FailingItem {
    /// The number of the leg at the Escrow contract.
    reference: String,
    /// Such as `release` or `withdrawal`.
    purpose: String,
    asset: String,
    amount: String,
    recipient: String,
    /// The number of failures.
    failures: u32,
    since: Option<DateTime<Utc>>,
    /// Whether the leg can only be voided on the chain: its partner leg was voided alone, or its coins were given to something else
    /// before a reorganization removed its void.
    to_be_voided: bool,
    /// Whether the Escrow voids the leg if its payment is refused again.
    voided_if_refused: bool,
    /// For a leg of a pair, the calls that void the legs of the payout. Empty for a single leg, which an officer can void.
    void_calls: Vec<VoidCallItem>,
    /// Changes with the leg. The decision to void must send it.
    version: String,
}

/// A token transfer that is not credited, because the vault does not hold the amount.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ConsoleUncreditedTransfer)]
#[serde(rename_all = "camelCase")]
pub(super) struct UncreditedItem {
    asset: String,
    amount: String,
    /// The address of the vault.
    vault: String,
    user_id: Uuid,
    block: u64,
    transaction: Option<String>,
}

/// Everything that keeps payouts from being paid.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ConsolePayouts)]
#[serde(rename_all = "camelCase")]
pub(super) struct PayoutsItem {
    stops: Vec<StopItem>,
    vaults: Vec<VaultStopItem>,
    failing: Vec<FailingItem>,
    uncredited: Vec<UncreditedItem>,
}

impl From<AssetStop> for StopItem {
    fn from(AssetStop { stopped, version }: AssetStop) -> Self {
        let (again_at, again_because) = stopped.stop.again.unzip();
        Self {
            asset_id: stopped.asset.id.0,
            asset: stopped.asset.code,
            since: stopped.stop.since,
            because: stopped.stop.because,
            again_at,
            again_because,
            version,
        }
    }
}

impl From<StoppedVault> for VaultStopItem {
    fn from(StoppedVault { asset, stop }: StoppedVault) -> Self {
        Self {
            user_id: stop.vault_asset.vault.0,
            address: stop.address.to_string(),
            asset: asset.code,
            cause: stop.cause.name().to_owned(),
            since: stop.since,
            because: stop.because,
        }
    }
}

impl From<VoidCall> for VoidCallItem {
    fn from(call: VoidCall) -> Self {
        let data = format!("0x{}", hex::encode(call.data));
        Self { reference: call.reference.0.to_string(), to: call.escrow.to_string(), data }
    }
}

impl From<FailingLeg> for FailingItem {
    fn from(FailingLeg { payout, void_calls, version }: FailingLeg) -> Self {
        let FailingPayout { asset, failing } = payout;
        Self {
            voided_if_refused: failing.leg.or_void,
            void_calls: void_calls.into_iter().map(Into::into).collect(),
            version,
            reference: failing.leg.reference.0.to_string(),
            purpose: failing.leg.purpose.name().to_owned(),
            amount: failing.leg.amount.format(asset.decimals),
            asset: asset.code,
            recipient: failing.leg.recipient.to_string(),
            failures: failing.failures,
            since: failing.since,
            to_be_voided: failing.to_be_voided,
        }
    }
}

impl From<UncreditedTransfer> for UncreditedItem {
    fn from(UncreditedTransfer { asset, transfer }: UncreditedTransfer) -> Self {
        Self {
            amount: transfer.amount.format(asset.decimals),
            asset: asset.code,
            vault: transfer.recipient.to_string(),
            user_id: transfer.vault.0,
            block: transfer.block,
            transaction: transfer.tx.map(|tx| tx.to_string()),
        }
    }
}

impl From<PayoutOverview> for PayoutsItem {
    fn from(overview: PayoutOverview) -> Self {
        Self {
            stops: overview.stops.into_iter().map(Into::into).collect(),
            vaults: overview.vaults.into_iter().map(Into::into).collect(),
            failing: overview.failing.into_iter().map(Into::into).collect(),
            uncredited: overview.uncredited.into_iter().map(Into::into).collect(),
        }
    }
}

/// Returns everything that keeps payouts from being paid.
#[utoipa::path(get, path = "/console/payouts", tag = "console",
    responses((status = 200, body = Envelope<PayoutsItem>)), security(("officer" = [])))]
pub(super) async fn get(State(state): State<ApiState>, Officer(acting): Officer) -> Answer<PayoutsItem> {
    Ok(Done(state.console.payouts(&acting.viewing()).await?.into()))
}

/// Resumes the payouts of an asset. Compares the ledger with the chain first; refused with 6006 if they disagree.
#[utoipa::path(post, path = "/console/payouts/{id}/resume", tag = "console", request_body = DecisionBody,
    params(("id" = i64, Path, description = "The ID of the asset"), CommandKey),
    responses((status = 200, body = Envelope<PayoutsItem>)), security(("officer" = [])))]
pub(super) async fn resume(
    State(state): State<ApiState>,
    Officer(acting): Officer,
    PathId(id): PathId<i64>,
    Command { key, body }: Command<DecisionBody>,
) -> Answer<PayoutsItem> {
    let decision = body.decision(&acting, &key)?;
    Ok(Done(state.console.resume_payouts(AssetId(id), &decision).await?.into()))
}

/// Lets the Escrow void a failing leg if its payment is refused once more. The coins then return to where they came from,
/// and an order goes to an appeal. Refused for the legs of a pair, which only the Escrow's administrator can void.
#[utoipa::path(post, path = "/console/payouts/legs/{id}/void", tag = "console", request_body = DecisionBody,
    params(("id" = u64, Path, description = "The reference of the leg"), CommandKey),
    responses((status = 200, body = Envelope<PayoutsItem>)), security(("officer" = [])))]
pub(super) async fn void(
    State(state): State<ApiState>,
    Officer(acting): Officer,
    PathId(id): PathId<u64>,
    Command { key, body }: Command<DecisionBody>,
) -> Answer<PayoutsItem> {
    let decision = body.decision(&acting, &key)?;
    Ok(Done(state.console.void_payout(Reference(id), &decision).await?.into()))
}
