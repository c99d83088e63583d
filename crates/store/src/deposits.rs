//! Deposits: one row per credited transfer, which remains even if a reorganization removes the transfer.

use domain::assets::AssetId;
use domain::chain::{Address, BlockHash, BlockNumber, ChainId, TxHash};
use domain::clock::Timestamp;
use domain::ids::{DepositId, UserId};
use domain::ledger::VaultAsset;
use domain::money::Amount;

use crate::columns::{signed, unzip, uuids};
use crate::numeric::{Units, units};
use crate::{Error, Result, Tx};

/// A credited transfer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deposit {
    pub id: DepositId,
    pub block: BlockNumber,
    pub block_hash: BlockHash,
    /// `None` for a surplus in the vault that no transaction explains.
    pub tx: Option<TxHash>,
    /// The log's position in the block, as for the transfer.
    pub position: Option<i64>,
    /// `None` if unknown.
    pub sender: Option<Address>,
    /// The owner of the vault.
    pub vault: UserId,
    pub asset: AssetId,
    pub amount: Amount,
}

pub async fn insert(tx: &mut Tx, chain: ChainId, deposits: &[Deposit], at: Timestamp) -> Result<()> {
    let ids: Vec<_> = deposits.iter().map(|d| d.id.0).collect();
    let blocks = deposits.iter().map(|d| signed(d.block)).collect::<Result<Vec<_>>>()?;
    let hashes: Vec<_> = deposits.iter().map(|d| d.block_hash.0.to_vec()).collect();
    let txs: Vec<Option<Vec<u8>>> = deposits.iter().map(|d| d.tx.map(|hash| hash.0.to_vec())).collect();
    let positions: Vec<Option<i64>> = deposits.iter().map(|d| d.position).collect();
    let senders: Vec<Option<Vec<u8>>> = deposits.iter().map(|d| d.sender.map(|a| a.0.to_vec())).collect();
    let vaults: Vec<_> = deposits.iter().map(|d| d.vault.0).collect();
    let assets: Vec<_> = deposits.iter().map(|d| d.asset.0).collect();
    sqlx::query!(
        "insert into deposits (id, chain_id, block_number, block_hash, tx_hash, position, sender, vault, asset_id, amount, confirmed_at)
         select id, $1, block_number, block_hash, tx_hash, position, sender, vault, asset_id, amount, $11
         from unnest($2::uuid[], $3::bigint[], $4::bytea[], $5::bytea[], $6::bigint[], $7::bytea[], $8::uuid[], $9::bigint[], $10::numeric[])
              as d (id, block_number, block_hash, tx_hash, position, sender, vault, asset_id, amount)",
        signed(chain.0)?,
        &ids,
        &blocks,
        &hashes,
        &txs as _,
        &positions as _,
        &senders as _,
        &vaults,
        &assets,
        &units(deposits.iter().map(|d| d.amount)) as _,
        at
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

struct Row {
    id: uuid::Uuid,
    block_number: i64,
    block_hash: Vec<u8>,
    tx_hash: Option<Vec<u8>>,
    position: Option<i64>,
    sender: Option<Vec<u8>>,
    vault: uuid::Uuid,
    asset_id: i64,
    amount: Units,
}

impl TryFrom<Row> for Deposit {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self> {
        let wrong = |why| Error::row("deposits", row.id, why);
        Ok(Self {
            id: DepositId(row.id),
            block: u64::try_from(row.block_number).map_err(|_| wrong("height"))?,
            block_hash: BlockHash::from_slice(&row.block_hash).ok_or_else(|| wrong("block hash"))?,
            tx: row.tx_hash.map(|hash| TxHash::from_slice(&hash).ok_or_else(|| wrong("hash"))).transpose()?,
            position: row.position,
            sender: row.sender.map(|a| Address::from_slice(&a).ok_or_else(|| wrong("sender"))).transpose()?,
            vault: UserId(row.vault),
            asset: AssetId(row.asset_id),
            amount: row.amount.into(),
        })
    }
}

/// Revokes the deposits in blocks at or above a height, and returns them, newest first.
pub async fn revoke_from(tx: &mut Tx, chain: ChainId, from: BlockNumber, at: Timestamp) -> Result<Vec<Deposit>> {
    let rows = sqlx::query_as!(
        Row,
        "update deposits set revoked_at = greatest($3, confirmed_at), orphaned = false
         where chain_id = $1 and revoked_at is null and block_number >= $2
         returning id, block_number, block_hash, tx_hash, position, sender, vault, asset_id, amount",
        signed(chain.0)?,
        signed(from)?,
        at
    )
    .fetch_all(tx.connection())
    .await?;
    newest_first(rows)
}

/// Revokes the deposits that [`orphan`] has recorded, and returns them, newest first.
pub async fn revoke_orphaned(tx: &mut Tx, chain: ChainId, at: Timestamp) -> Result<Vec<Deposit>> {
    let rows = sqlx::query_as!(
        Row,
        "update deposits set revoked_at = greatest($2, confirmed_at), orphaned = false where chain_id = $1 and orphaned
         returning id, block_number, block_hash, tx_hash, position, sender, vault, asset_id, amount",
        signed(chain.0)?,
        at
    )
    .fetch_all(tx.connection())
    .await?;
    newest_first(rows)
}

/// Records deposits that a reorganization removed but that are still credited, because the ledger refused the reversal.
pub async fn orphan(tx: &mut Tx, deposits: &[DepositId]) -> Result<()> {
    sqlx::query!("update deposits set revoked_at = null, orphaned = true where id = any($1)", &uuids(deposits))
        .execute(tx.connection())
        .await?;
    Ok(())
}

/// Revokes the newest deposit of each vault asset, and returns them.
pub async fn revoke_newest(tx: &mut Tx, vault_assets: &[VaultAsset], at: Timestamp) -> Result<Vec<Deposit>> {
    let (vaults, assets) = unzip(vault_assets);
    let rows = sqlx::query_as!(
        Row,
        "update deposits set revoked_at = greatest($3, confirmed_at)
         where id in (select newest.id from unnest($1::uuid[], $2::bigint[]) as v (vault, asset_id) cross join lateral (
                          select id from deposits d where d.vault = v.vault and d.asset_id = v.asset_id and d.revoked_at is null
                          order by d.block_number desc, d.position desc nulls last limit 1) newest)
         returning id, block_number, block_hash, tx_hash, position, sender, vault, asset_id, amount",
        &vaults,
        &assets,
        at
    )
    .fetch_all(tx.connection())
    .await?;
    newest_first(rows)
}

fn newest_first(rows: Vec<Row>) -> Result<Vec<Deposit>> {
    let mut deposits = rows.into_iter().map(Deposit::try_from).collect::<Result<Vec<_>>>()?;
    deposits.sort_by_key(|d| std::cmp::Reverse((d.block, d.position, d.id)));
    Ok(deposits)
}

/// A deposit as the chain shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreditedDeposit {
    pub deposit: Deposit,
    pub confirmed_at: Timestamp,
    /// When a reorganization removed the transfer, or the NFT left the vault without a payout.
    pub revoked_at: Option<Timestamp>,
}

/// Returns the deposits into a vault that were credited in a span of time and first seen at most a day earlier, oldest
/// first.
pub async fn credited(
    tx: &mut Tx,
    vault_asset: VaultAsset,
    from: Timestamp,
    until: Timestamp,
    most: i64,
) -> Result<Vec<CreditedDeposit>> {
    let rows = sqlx::query!(
        r#"select id, block_number, block_hash, tx_hash, position, sender, vault, asset_id, amount as "amount: Units",
                  confirmed_at, revoked_at
           from deposits
           where vault = $1 and seen_at >= $3::timestamptz - interval '1 day' and asset_id = $2
             and confirmed_at >= $3 and confirmed_at <= $4
           order by seen_at, id limit $5"#,
        vault_asset.vault.0,
        vault_asset.asset.0,
        from,
        until,
        most
    )
    .fetch_all(tx.connection())
    .await?;
    rows.into_iter()
        .map(|row| {
            let (confirmed_at, revoked_at) = (row.confirmed_at, row.revoked_at);
            let deposit = Row {
                id: row.id,
                block_number: row.block_number,
                block_hash: row.block_hash,
                tx_hash: row.tx_hash,
                position: row.position,
                sender: row.sender,
                vault: row.vault,
                asset_id: row.asset_id,
                amount: row.amount,
            };
            Ok(CreditedDeposit { deposit: deposit.try_into()?, confirmed_at, revoked_at })
        })
        .collect()
}
