//! Transfers into and out of vaults.

use domain::assets::AssetId;
use domain::chain::{Address, BlockHash, BlockNumber, ChainId, TxHash};
use domain::clock::Timestamp;
use domain::ids::UserId;
use domain::ledger::VaultAsset;
use domain::money::Amount;
use uuid::Uuid;

use crate::columns::{signed, unzip, vault_address};
use crate::numeric::{Units, units};
use crate::{Error, Result, Tx};

/// A transfer into or out of a vault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VaultTransfer {
    /// Sortable by the time at which the transfer was first seen.
    pub id: Uuid,
    pub block: BlockNumber,
    pub block_hash: BlockHash,
    /// `None` for a surplus in the vault that no transaction explains.
    pub tx: Option<TxHash>,
    /// The log's index in the block; −1 − the transaction's index for the native coin.
    pub position: Option<i64>,
    pub asset: AssetId,
    /// `None` if unknown.
    pub sender: Option<Address>,
    pub recipient: Address,
    /// The owner of the vault.
    pub vault: UserId,
    /// Whether the transfer goes into the vault.
    pub incoming: bool,
    pub amount: Amount,
}

impl VaultTransfer {
    /// Returns a key that sorts transfers in the order of the chain.
    pub fn place(&self) -> (BlockNumber, Option<i64>, Uuid) {
        (self.block, self.position, self.id)
    }
}

/// Inserts transfers of stored blocks. Does not change existing transfers.
pub async fn insert_transfers(
    tx: &mut Tx,
    chain: ChainId,
    transfers: &[VaultTransfer],
    seen_at: Timestamp,
) -> Result<()> {
    let ids: Vec<_> = transfers.iter().map(|t| t.id).collect();
    let blocks = transfers.iter().map(|t| signed(t.block)).collect::<Result<Vec<_>>>()?;
    let hashes: Vec<_> = transfers.iter().map(|t| t.block_hash.0.to_vec()).collect();
    let txs: Vec<Option<Vec<u8>>> = transfers.iter().map(|t| t.tx.map(|hash| hash.0.to_vec())).collect();
    let positions: Vec<Option<i64>> = transfers.iter().map(|t| t.position).collect();
    let assets: Vec<_> = transfers.iter().map(|t| t.asset.0).collect();
    let senders: Vec<Option<Vec<u8>>> = transfers.iter().map(|t| t.sender.map(|a| a.0.to_vec())).collect();
    let recipients: Vec<_> = transfers.iter().map(|t| t.recipient.0.to_vec()).collect();
    let vaults: Vec<_> = transfers.iter().map(|t| t.vault.0).collect();
    let incoming: Vec<_> = transfers.iter().map(|t| t.incoming).collect();
    sqlx::query!(
        "insert into transfers (id, chain_id, block_number, block_hash, tx_hash, position, asset_id, sender, recipient,
                                vault, incoming, amount, seen_at)
         select id, $1, block_number, block_hash, tx_hash, position, asset_id, sender, recipient, vault, incoming, amount, $13
         from unnest($2::uuid[], $3::bigint[], $4::bytea[], $5::bytea[], $6::bigint[], $7::bigint[], $8::bytea[], $9::bytea[],
                     $10::uuid[], $11::boolean[], $12::numeric[])
              as t (id, block_number, block_hash, tx_hash, position, asset_id, sender, recipient, vault, incoming, amount)
         on conflict do nothing",
        signed(chain.0)?,
        &ids,
        &blocks,
        &hashes,
        &txs as _,
        &positions as _,
        &assets,
        &senders as _,
        &recipients,
        &vaults,
        &incoming,
        &units(transfers.iter().map(|t| t.amount)) as _,
        seen_at
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

pub(crate) struct TransferRow {
    pub(crate) id: Uuid,
    pub(crate) block_number: i64,
    pub(crate) block_hash: Vec<u8>,
    pub(crate) tx_hash: Option<Vec<u8>>,
    pub(crate) position: Option<i64>,
    pub(crate) asset_id: i64,
    pub(crate) sender: Option<Vec<u8>>,
    pub(crate) recipient: Vec<u8>,
    pub(crate) vault: Uuid,
    pub(crate) incoming: bool,
    pub(crate) amount: Units,
}

impl TryFrom<TransferRow> for VaultTransfer {
    type Error = Error;

    fn try_from(row: TransferRow) -> Result<Self> {
        let wrong = |why| Error::row("transfers", row.id, why);
        let address = |bytes: Vec<u8>| Address::from_slice(&bytes).ok_or_else(|| wrong("address"));
        Ok(Self {
            id: row.id,
            block: u64::try_from(row.block_number).map_err(|_| wrong("height"))?,
            block_hash: BlockHash::from_slice(&row.block_hash).ok_or_else(|| wrong("block hash"))?,
            tx: row.tx_hash.map(|hash| TxHash::from_slice(&hash).ok_or_else(|| wrong("hash"))).transpose()?,
            position: row.position,
            asset: AssetId(row.asset_id),
            sender: row.sender.map(address).transpose()?,
            recipient: address(row.recipient)?,
            vault: UserId(row.vault),
            incoming: row.incoming,
            amount: row.amount.into(),
        })
    }
}

/// Marks the transfers up to a height as final. Returns those that were not final before, oldest first.
pub async fn finalize_transfers(
    tx: &mut Tx,
    chain: ChainId,
    up_to: BlockNumber,
    at: Timestamp,
) -> Result<Vec<VaultTransfer>> {
    let rows = sqlx::query_as!(
        TransferRow,
        "update transfers set confirmed_at = $3 where chain_id = $1 and block_number <= $2 and confirmed_at is null
         returning id, block_number, block_hash, tx_hash, position, asset_id, sender, recipient, vault, incoming, amount",
        signed(chain.0)?,
        signed(up_to)?,
        at
    )
    .fetch_all(tx.connection())
    .await?;
    let mut transfers = rows.into_iter().map(VaultTransfer::try_from).collect::<Result<Vec<_>>>()?;
    transfers.sort_by_key(VaultTransfer::place);
    Ok(transfers)
}

/// Marks transfers as not final, so that the next block range retries them.
pub async fn unfinalize_transfers(tx: &mut Tx, transfers: &[Uuid]) -> Result<()> {
    sqlx::query!("update transfers set confirmed_at = null, uncredited = false where id = any($1)", transfers)
        .execute(tx.connection())
        .await?;
    Ok(())
}

/// Returns the vaults with incoming transfers that are not final yet, in blocks below `below` and up to `up_to`: each
/// vault and asset once.
pub async fn finalizing_into(
    tx: &mut Tx,
    chain: ChainId,
    below: BlockNumber,
    up_to: BlockNumber,
) -> Result<Vec<(Address, AssetId)>> {
    let rows = sqlx::query!(
        "select distinct u.vault_address, t.asset_id from transfers t join users u on u.id = t.vault
         where t.chain_id = $1 and t.block_number < $2 and t.block_number <= $3 and t.confirmed_at is null and t.incoming",
        signed(chain.0)?,
        signed(below)?,
        signed(up_to)?
    )
    .fetch_all(tx.connection())
    .await?;
    rows.into_iter().map(|row| Ok((vault_address(&row.vault_address, "?")?, AssetId(row.asset_id)))).collect()
}

/// Returns the total of the unconfirmed transfers into each vault. The total is capped at the maximum amount, because a
/// token can log any value.
pub async fn unconfirmed_incoming(tx: &mut Tx, vault_assets: &[VaultAsset]) -> Result<Vec<(VaultAsset, Amount)>> {
    if vault_assets.is_empty() {
        return Ok(Vec::new());
    }
    let (vaults, assets) = unzip(vault_assets);
    let rows = sqlx::query!(
        r#"select vault, asset_id, least(sum(amount), 10::numeric ^ 38 - 1)::numeric(38, 0) as "amount!" from transfers
           where confirmed_at is null and incoming and (vault, asset_id) in (select * from unnest($1::uuid[], $2::bigint[]))
           group by vault, asset_id"#,
        &vaults,
        &assets
    )
    .fetch_all(tx.connection())
    .await?;
    let vault_asset = |vault, asset| VaultAsset { vault: UserId(vault), asset: AssetId(asset) };
    Ok(rows.into_iter().map(|row| (vault_asset(row.vault, row.asset_id), row.amount.into())).collect())
}

/// A transfer into a vault in a block that is not final yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnconfirmedTransfer {
    pub vault_asset: VaultAsset,
    pub tx: Option<TxHash>,
    pub block: BlockNumber,
    pub amount: Amount,
}

/// Returns the unconfirmed transfers into vaults, oldest first.
pub async fn unconfirmed_of(tx: &mut Tx, vault_assets: &[VaultAsset]) -> Result<Vec<UnconfirmedTransfer>> {
    if vault_assets.is_empty() {
        return Ok(Vec::new());
    }
    let (vaults, assets) = unzip(vault_assets);
    let rows = sqlx::query!(
        "select id, vault, asset_id, tx_hash, block_number, amount from transfers
         where (vault, asset_id) in (select * from unnest($1::uuid[], $2::bigint[])) and incoming and confirmed_at is null
         order by block_number, position",
        &vaults,
        &assets
    )
    .fetch_all(tx.connection())
    .await?;
    rows.into_iter()
        .map(|row| {
            let wrong = |why| Error::row("transfers", row.id, why);
            Ok(UnconfirmedTransfer {
                vault_asset: VaultAsset { vault: UserId(row.vault), asset: AssetId(row.asset_id) },
                tx: row.tx_hash.map(|hash| TxHash::from_slice(&hash).ok_or_else(|| wrong("hash"))).transpose()?,
                block: u64::try_from(row.block_number).map_err(|_| wrong("height"))?,
                amount: row.amount.into(),
            })
        })
        .collect()
}
