//! Payout stops of single vaults. Payouts out of all other vaults continue.

use domain::assets::AssetId;
use domain::chain::Address;
use domain::clock::Timestamp;
use domain::ids::UserId;
use domain::ledger::VaultAsset;

use crate::columns::vault_address;
use crate::{Error, Result, Tx};

/// Why payouts out of a vault are stopped. Each cause is lifted separately.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cause {
    /// The ledger refused a change that the chain reports about the vault, so the ledger is behind the chain. Lifted as
    /// soon as the ledger has accepted the change.
    Refused,
    /// The vault's owner has a debt from a reorganization, so the vault holds less than its payouts require.
    Debt,
}

impl Cause {
    const ALL: [Self; 2] = [Self::Refused, Self::Debt];

    /// Returns the name in the database.
    pub fn name(self) -> &'static str {
        match self {
            Self::Refused => "refused",
            Self::Debt => "debt",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VaultStop {
    pub vault_asset: VaultAsset,
    pub address: Address,
    pub cause: Cause,
    /// The newest reason, described in words.
    pub because: String,
    pub since: Timestamp,
}

/// Returns all stopped vaults, ordered by asset and vault.
pub async fn all(tx: &mut Tx) -> Result<Vec<VaultStop>> {
    let rows = sqlx::query!(
        "select s.vault, s.asset_id, s.cause, s.because, s.at, u.vault_address
         from vault_stops s join users u on u.id = s.vault order by s.asset_id, u.custody_index, s.cause"
    )
    .fetch_all(tx.connection())
    .await?;
    rows.into_iter()
        .map(|row| {
            let cause = Cause::ALL.into_iter().find(|cause| cause.name() == row.cause);
            Ok(VaultStop {
                vault_asset: VaultAsset { vault: UserId(row.vault), asset: AssetId(row.asset_id) },
                address: vault_address(&row.vault_address, row.vault)?,
                cause: cause.ok_or_else(|| Error::row("vault_stops", row.vault, "cause"))?,
                because: row.because,
                since: row.at,
            })
        })
        .collect()
}

/// Returns the vault assets that are stopped for a cause.
pub async fn of(tx: &mut Tx, cause: Cause) -> Result<Vec<VaultAsset>> {
    let rows =
        sqlx::query!("select vault, asset_id from vault_stops where cause = $1 order by vault, asset_id", cause.name())
            .fetch_all(tx.connection())
            .await?;
    Ok(rows.into_iter().map(|row| VaultAsset { vault: UserId(row.vault), asset: AssetId(row.asset_id) }).collect())
}

/// Returns whether payouts of an asset out of a vault are stopped for any cause.
pub async fn is_stopped(tx: &mut Tx, vault_asset: VaultAsset) -> Result<bool> {
    let stopped = sqlx::query_scalar!(
        r#"select exists(select from vault_stops where vault = $1 and asset_id = $2) as "stopped!""#,
        vault_asset.vault.0,
        vault_asset.asset.0
    )
    .fetch_one(tx.connection())
    .await?;
    Ok(stopped)
}

/// Stops payouts of an asset out of a vault. If they are already stopped for this cause, updates only the reason.
pub async fn stop(tx: &mut Tx, vault_asset: VaultAsset, cause: Cause, because: &str, at: Timestamp) -> Result<()> {
    sqlx::query!(
        "insert into vault_stops (vault, asset_id, cause, because, at) values ($1, $2, $3, $4, $5)
         on conflict (vault, asset_id, cause) do update set because = excluded.because",
        vault_asset.vault.0,
        vault_asset.asset.0,
        cause.name(),
        because,
        at
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Lifts the stop of a vault asset for one cause. Returns whether there was such a stop.
pub async fn lift(tx: &mut Tx, vault_asset: VaultAsset, cause: Cause) -> Result<bool> {
    let gone = sqlx::query!(
        "delete from vault_stops where vault = $1 and asset_id = $2 and cause = $3",
        vault_asset.vault.0,
        vault_asset.asset.0,
        cause.name()
    )
    .execute(tx.connection())
    .await?;
    Ok(gone.rows_affected() > 0)
}
