//! Uncredited transfers: final token transfers that are not credited because the vault does not hold the logged amount,
//! or because its holdings are unknown.

use domain::assets::AssetId;
use domain::chain::{Address, BlockNumber, ChainId};
use domain::ledger::VaultAsset;
use uuid::Uuid;

use crate::blocks::{TransferRow, VaultTransfer};
use crate::columns::{signed, unzip, vault_address};
use crate::{Result, Tx};

pub async fn mark_uncredited(tx: &mut Tx, transfers: &[Uuid]) -> Result<()> {
    sqlx::query!("update transfers set uncredited = true where id = any($1)", transfers)
        .execute(tx.connection())
        .await?;
    Ok(())
}

/// Marks transfers as credited. Returns those that were uncredited until now.
pub async fn mark_credited(tx: &mut Tx, transfers: &[Uuid]) -> Result<Vec<Uuid>> {
    let credited = sqlx::query_scalar!(
        "update transfers set uncredited = false where id = any($1) and uncredited returning id",
        transfers
    )
    .fetch_all(tx.connection())
    .await?;
    Ok(credited)
}

/// Returns the vaults with uncredited transfers in blocks below `below`: each vault and asset once, in a stable order.
pub async fn vaults(tx: &mut Tx, chain: ChainId, below: BlockNumber) -> Result<Vec<(Address, AssetId)>> {
    let rows = sqlx::query!(
        "select distinct t.vault, t.asset_id, u.vault_address from transfers t join users u on u.id = t.vault
         where t.chain_id = $1 and t.uncredited and t.block_number < $2 order by t.vault, t.asset_id",
        signed(chain.0)?,
        signed(below)?
    )
    .fetch_all(tx.connection())
    .await?;
    rows.into_iter().map(|row| Ok((vault_address(&row.vault_address, row.vault)?, AssetId(row.asset_id)))).collect()
}

/// Returns the uncredited transfers into these vaults, oldest first.
pub async fn of(tx: &mut Tx, chain: ChainId, vault_assets: &[VaultAsset]) -> Result<Vec<VaultTransfer>> {
    let (vaults, assets) = unzip(vault_assets);
    let rows = sqlx::query_as!(
        TransferRow,
        "select id, block_number, block_hash, tx_hash, position, asset_id, sender, recipient, vault, incoming, amount
         from transfers
         where chain_id = $1 and uncredited and (vault, asset_id) in (select * from unnest($2::uuid[], $3::bigint[]))
         order by block_number, position, id",
        signed(chain.0)?,
        &vaults,
        &assets
    )
    .fetch_all(tx.connection())
    .await?;
    rows.into_iter().map(VaultTransfer::try_from).collect()
}

/// Returns all uncredited transfers, oldest first.
pub async fn all(tx: &mut Tx) -> Result<Vec<VaultTransfer>> {
    let rows = sqlx::query_as!(
        TransferRow,
        "select id, block_number, block_hash, tx_hash, position, asset_id, sender, recipient, vault, incoming, amount
         from transfers where uncredited order by chain_id, block_number, position, id"
    )
    .fetch_all(tx.connection())
    .await?;
    rows.into_iter().map(VaultTransfer::try_from).collect()
}
