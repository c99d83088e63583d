//! Administrators see what the platform does.

use app::console::{Completed, Dashboard, Decisions, Escrow, EscrowOf, Payouts, UndecidedAppeals, Volume};
use app::console::{FailingPayout, Stopped, StoppedVault};
use axum::extract::State;
use chrono::{DateTime, Utc};
use domain::orders;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::officer::Officer;
use crate::envelope::{Answer, Done, Envelope};
use crate::state::ApiState;

/// The completed orders of a period.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = DashboardCompleted)]
pub(super) struct CompletedItem {
    orders: i64,
    /// In base units of the asset.
    quantity: String,
}

/// The completed orders with the same base.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = DashboardVolume)]
pub(super) struct VolumeItem {
    /// The code of the base.
    asset: String,
    decimals: u8,
    /// Of the last 24 hours.
    day: CompletedItem,
    /// Of the last 7 days.
    week: CompletedItem,
}

/// The open orders in a state.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = DashboardOrders)]
pub(super) struct OpenOrdersItem {
    state: orders::StateName,
    /// Counted up to 10,000.
    orders: i64,
}

/// The appeals without a verdict.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = DashboardAppeals)]
#[serde(rename_all = "camelCase")]
pub(super) struct AppealsItem {
    /// Counted up to 1,000, as is `overdue`.
    waiting: i64,
    overdue: i64,
    /// When the oldest one should be decided; null if none waits.
    oldest_due_at: Option<DateTime<Utc>>,
}

/// How long decisions took, in seconds from the filing of the appeal to its verdict or rejection.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = DashboardDecisions)]
pub(super) struct DecisionsItem {
    decided: i64,
    /// Null without decisions, as is `ninetieth`.
    median: Option<i64>,
    /// The 90th percentile.
    ninetieth: Option<i64>,
}

/// The custody of an asset in all vaults. The amounts are in base units, and cover the vaults whose balance is known.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = DashboardEscrowAsset)]
#[serde(rename_all = "camelCase")]
pub(super) struct EscrowAssetItem {
    asset: String,
    decimals: u8,
    on_chain: String,
    in_ledger: String,
    /// `onChain` without `inLedger`: negative if coins are missing.
    difference: String,
    /// The number of vaults that the amounts cover.
    vaults: u32,
    /// The number of those that hold less than the ledger says.
    short: u32,
    /// The number of vaults that the amounts do not cover because the token did not report their balance.
    unknown: u32,
    /// The number of vaults that the amounts do not cover because the ledger is known to be behind the chain.
    left_out: u32,
}

/// What the latest comparison of the ledger with the chain found.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = DashboardEscrow)]
#[serde(rename_all = "camelCase")]
pub(super) struct EscrowItem {
    began_at: DateTime<Utc>,
    ended_at: DateTime<Utc>,
    /// From when on the result is stale, because the next comparison should have ended.
    stale_at: DateTime<Utc>,
    /// The lowest and the highest block at which vaults were compared.
    first_block: u64,
    last_block: u64,
    assets: Vec<EscrowAssetItem>,
}

/// An asset whose payouts are stopped.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = DashboardStop)]
pub(super) struct StoppedAssetItem {
    asset: String,
    since: DateTime<Utc>,
    /// The newest cause, in English.
    because: String,
}

/// A payout that failed three times or more, or whose partner was voided.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = DashboardFailing)]
pub(super) struct FailingPayoutItem {
    /// The number of the leg at the Escrow contract.
    reference: String,
    /// Such as `release` or `withdrawal`.
    purpose: String,
    asset: String,
    decimals: u8,
    /// In base units.
    amount: String,
    /// The number of failures.
    failures: u32,
    since: Option<DateTime<Utc>>,
}

/// A vault whose payouts of an asset are stopped.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = DashboardVault)]
#[serde(rename_all = "camelCase")]
pub(super) struct StoppedVaultItem {
    /// The user who owns the vault.
    user_id: Uuid,
    asset: String,
    /// `refused`: the ledger is behind the chain. `debt`: the owner owes for a reorganization.
    cause: String,
    since: DateTime<Utc>,
    /// The cause, in English.
    because: String,
}

/// The payouts that are stopped or keep failing, oldest first.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = DashboardPayouts)]
#[serde(rename_all = "camelCase")]
pub(super) struct PayoutsItem {
    stops: Vec<StoppedAssetItem>,
    /// At most 20.
    failing: Vec<FailingPayoutItem>,
    /// How many there are.
    failing_total: usize,
    /// At most 20.
    vaults: Vec<StoppedVaultItem>,
    /// How many there are.
    vaults_total: usize,
}

/// The figures of the platform.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ConsoleDashboard)]
#[serde(rename_all = "camelCase")]
pub(super) struct DashboardItem {
    /// The time of all figures but the escrow.
    at: DateTime<Utc>,
    /// Of the assets that were sold in the last 7 days.
    volumes: Vec<VolumeItem>,
    /// All open states.
    open_orders: Vec<OpenOrdersItem>,
    appeals: AppealsItem,
    /// The decisions of the last 7 days.
    decisions_week: DecisionsItem,
    /// The decisions of the last 30 days.
    decisions_month: DecisionsItem,
    /// Null before the first comparison has ended.
    escrow: Option<EscrowItem>,
    payouts: PayoutsItem,
}

impl From<Completed> for CompletedItem {
    fn from(completed: Completed) -> Self {
        Self { orders: completed.orders, quantity: completed.quantity.to_string() }
    }
}

impl From<Volume> for VolumeItem {
    fn from(volume: Volume) -> Self {
        let (asset, decimals) = (volume.base.code, volume.base.decimals);
        Self { asset, decimals, day: volume.day.into(), week: volume.week.into() }
    }
}

impl From<UndecidedAppeals> for AppealsItem {
    fn from(appeals: UndecidedAppeals) -> Self {
        let UndecidedAppeals { waiting, overdue, oldest_due_at } = appeals;
        Self { waiting, overdue, oldest_due_at }
    }
}

impl From<Decisions> for DecisionsItem {
    fn from(Decisions { decided, median, ninetieth }: Decisions) -> Self {
        Self { decided, median, ninetieth }
    }
}

impl From<EscrowOf> for EscrowAssetItem {
    fn from(escrow: EscrowOf) -> Self {
        let difference = escrow.difference().to_string();
        let EscrowOf { asset, found } = escrow;
        Self {
            asset: asset.code,
            decimals: asset.decimals,
            on_chain: found.on_chain.to_string(),
            in_ledger: found.in_ledger.to_string(),
            difference,
            vaults: found.vaults,
            short: found.short,
            unknown: found.unknown,
            left_out: found.left_out,
        }
    }
}

impl From<Escrow> for EscrowItem {
    fn from(escrow: Escrow) -> Self {
        Self {
            began_at: escrow.began_at,
            ended_at: escrow.ended_at,
            stale_at: escrow.stale_at,
            first_block: escrow.first_block,
            last_block: escrow.last_block,
            assets: escrow.assets.into_iter().map(Into::into).collect(),
        }
    }
}

impl From<Stopped> for StoppedAssetItem {
    fn from(Stopped { asset, stop }: Stopped) -> Self {
        let because = stop.again.map_or(stop.because, |(_, because)| because);
        Self { asset: asset.code, since: stop.since, because }
    }
}

impl From<FailingPayout> for FailingPayoutItem {
    fn from(FailingPayout { asset, failing }: FailingPayout) -> Self {
        Self {
            reference: failing.leg.reference.0.to_string(),
            purpose: failing.leg.purpose.name().to_owned(),
            asset: asset.code,
            decimals: asset.decimals,
            amount: failing.leg.amount.to_string(),
            failures: failing.failures,
            since: failing.since,
        }
    }
}

impl From<StoppedVault> for StoppedVaultItem {
    fn from(StoppedVault { asset, stop }: StoppedVault) -> Self {
        Self {
            user_id: stop.vault_asset.vault.0,
            asset: asset.code,
            cause: stop.cause.name().to_owned(),
            since: stop.since,
            because: stop.because,
        }
    }
}

impl From<Payouts> for PayoutsItem {
    fn from(payouts: Payouts) -> Self {
        Self {
            stops: payouts.stops.into_iter().map(Into::into).collect(),
            failing: payouts.failing.into_iter().map(Into::into).collect(),
            failing_total: payouts.failing_total,
            vaults: payouts.vaults.into_iter().map(Into::into).collect(),
            vaults_total: payouts.vaults_total,
        }
    }
}

impl From<Dashboard> for DashboardItem {
    fn from(dashboard: Dashboard) -> Self {
        let open = |(state, orders)| OpenOrdersItem { state, orders };
        Self {
            at: dashboard.at,
            volumes: dashboard.volumes.into_iter().map(Into::into).collect(),
            open_orders: dashboard.open_orders.into_iter().map(open).collect(),
            appeals: dashboard.appeals.into(),
            decisions_week: dashboard.week.into(),
            decisions_month: dashboard.month.into(),
            escrow: dashboard.escrow.map(Into::into),
            payouts: dashboard.payouts.into(),
        }
    }
}

/// Returns the figures of the platform.
#[utoipa::path(get, path = "/console/dashboard", tag = "console",
    responses((status = 200, body = Envelope<DashboardItem>)), security(("officer" = [])))]
pub(super) async fn get(State(state): State<ApiState>, Officer(acting): Officer) -> Answer<DashboardItem> {
    Ok(Done(state.console.dashboard(&acting).await?.into()))
}
