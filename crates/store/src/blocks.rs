//! What the chain reports: blocks, transfers that touch vaults, and settlements. Ranges are replaced as a whole.

use domain::assets::AssetId;
use domain::chain::{Address, BlockHash, BlockNumber, BlockRef, ChainId, Reference, TxHash};
use domain::clock::Timestamp;
use domain::ids::UserId;
use domain::money::Amount;
use uuid::Uuid;

use crate::catalog::signed;
use crate::numeric::{Units, units};
use crate::{Error, Result, Tx};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Block {
    pub place: BlockRef,
    /// The block's time.
    pub at: Timestamp,
}

/// A transfer into or out of a vault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transfer {
    /// Ordered by the time at which the transfer was seen.
    pub id: Uuid,
    pub block: BlockNumber,
    pub block_hash: BlockHash,
    /// `None` for a surplus that no transaction explains.
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

impl Transfer {
    /// A key that sorts transfers in the order of the chain.
    pub fn place(&self) -> (BlockNumber, Option<i64>, Uuid) {
        (self.block, self.position, self.id)
    }
}

/// The Escrow's report about a reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SettlementOutcome {
    /// The leg was paid.
    Paid,
    /// The payment failed for a reason other than the recipient. The reference is unspent.
    Failed,
    /// The payment itself was refused: the vault was short, or the token or the recipient did not accept it. The
    /// reference is unspent.
    Rejected,
    /// The reference was spent without paying.
    Voided,
}

impl SettlementOutcome {
    fn name(self) -> &'static str {
        match self {
            Self::Paid => "paid",
            Self::Failed => "failed",
            Self::Rejected => "rejected",
            Self::Voided => "voided",
        }
    }

    fn of_name(name: &str) -> Option<Self> {
        [Self::Paid, Self::Failed, Self::Rejected, Self::Voided].into_iter().find(|outcome| outcome.name() == name)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settlement {
    pub block: BlockNumber,
    pub block_hash: BlockHash,
    pub tx: TxHash,
    pub reference: Reference,
    pub outcome: SettlementOutcome,
}

/// The newest block that was read, the newest final block, and the number of confirmations. Locks the row: one reader
/// at a time.
pub async fn lock_progress(tx: &mut Tx, chain: ChainId) -> Result<(Option<BlockNumber>, Option<BlockNumber>)> {
    let row = sqlx::query!(
        "select head_number, confirmed_number from chains where chain_id = $1 for no key update",
        signed(chain.0)?
    )
    .fetch_one(tx.connection())
    .await?;
    let height = |number: i64| u64::try_from(number).map_err(|_| Error::row("chains", chain.0, "negative height"));
    Ok((row.head_number.map(height).transpose()?, row.confirmed_number.map(height).transpose()?))
}

/// Stores the newest block that was read and the newest final block.
pub async fn set_progress(
    tx: &mut Tx,
    chain: ChainId,
    head: Option<BlockNumber>,
    confirmed: Option<BlockNumber>,
) -> Result<()> {
    sqlx::query!(
        "update chains set head_number = $2, confirmed_number = $3 where chain_id = $1",
        signed(chain.0)?,
        head.map(signed).transpose()?,
        confirmed.map(signed).transpose()?
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// The newest stored blocks, newest first.
pub async fn recent(tx: &mut Tx, chain: ChainId, most: i64) -> Result<Vec<BlockRef>> {
    let rows = sqlx::query!(
        "select number, hash, parent from blocks where chain_id = $1 order by number desc limit $2",
        signed(chain.0)?,
        most
    )
    .fetch_all(tx.connection())
    .await?;
    rows.into_iter()
        .map(|row| {
            let wrong = |why| Error::row("blocks", row.number, why);
            Ok(BlockRef {
                number: u64::try_from(row.number).map_err(|_| wrong("height"))?,
                hash: BlockHash::from_slice(&row.hash).ok_or_else(|| wrong("hash"))?,
                parent: BlockHash::from_slice(&row.parent).ok_or_else(|| wrong("parent"))?,
            })
        })
        .collect()
}

/// Deletes all blocks from a height on, with their transfers and settlements.
pub async fn forget_from(tx: &mut Tx, chain: ChainId, from: BlockNumber) -> Result<()> {
    sqlx::query!("delete from blocks where chain_id = $1 and number >= $2", signed(chain.0)?, signed(from)?)
        .execute(tx.connection())
        .await?;
    Ok(())
}

pub async fn insert(tx: &mut Tx, chain: ChainId, blocks: &[Block]) -> Result<()> {
    let numbers = blocks.iter().map(|block| signed(block.place.number)).collect::<Result<Vec<_>>>()?;
    let hashes: Vec<_> = blocks.iter().map(|block| block.place.hash.0.to_vec()).collect();
    let parents: Vec<_> = blocks.iter().map(|block| block.place.parent.0.to_vec()).collect();
    let times: Vec<_> = blocks.iter().map(|block| block.at).collect();
    sqlx::query!(
        "insert into blocks (chain_id, number, hash, parent, at)
         select $1, * from unnest($2::bigint[], $3::bytea[], $4::bytea[], $5::timestamptz[])",
        signed(chain.0)?,
        &numbers,
        &hashes,
        &parents,
        &times
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Inserts transfers of stored blocks; existing ones are not changed.
pub async fn insert_transfers(tx: &mut Tx, chain: ChainId, transfers: &[Transfer], seen_at: Timestamp) -> Result<()> {
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

impl TryFrom<TransferRow> for Transfer {
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

/// Marks the transfers up to a height as final, and returns those that were not, oldest first.
pub async fn finalize_transfers(
    tx: &mut Tx,
    chain: ChainId,
    up_to: BlockNumber,
    at: Timestamp,
) -> Result<Vec<Transfer>> {
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
    let mut transfers = rows.into_iter().map(Transfer::try_from).collect::<Result<Vec<_>>>()?;
    transfers.sort_by_key(Transfer::place);
    Ok(transfers)
}

/// The vaults with incoming transfers that are not final in stored blocks below `below` and up to `up_to`, each vault
/// and coin once.
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
    rows.into_iter()
        .map(|row| {
            let wrong = || Error::row("users", row.asset_id, "vault address");
            Ok((Address::from_slice(&row.vault_address).ok_or_else(wrong)?, AssetId(row.asset_id)))
        })
        .collect()
}

/// The total of the unconfirmed transfers into each vault, capped at the largest amount, because a token can log any
/// value.
pub async fn unconfirmed_incoming(
    tx: &mut Tx,
    vault_assets: &[(UserId, AssetId)],
) -> Result<Vec<((UserId, AssetId), Amount)>> {
    let vaults: Vec<_> = vault_assets.iter().map(|(vault, _)| vault.0).collect();
    let assets: Vec<_> = vault_assets.iter().map(|(_, asset)| asset.0).collect();
    let rows = sqlx::query!(
        r#"select vault, asset_id, least(sum(amount), 10::numeric ^ 38 - 1)::numeric(38, 0) as "amount!" from transfers
           where confirmed_at is null and incoming and (vault, asset_id) in (select * from unnest($1::uuid[], $2::bigint[]))
           group by vault, asset_id"#,
        &vaults,
        &assets
    )
    .fetch_all(tx.connection())
    .await?;
    Ok(rows.into_iter().map(|row| ((UserId(row.vault), AssetId(row.asset_id)), row.amount.into())).collect())
}

/// The unconfirmed transfers into a vault: transaction, block, amount.
pub async fn unconfirmed_of(
    tx: &mut Tx,
    vault: UserId,
    asset: AssetId,
) -> Result<Vec<(Option<TxHash>, BlockNumber, Amount)>> {
    let rows = sqlx::query!(
        "select id, tx_hash, block_number, amount from transfers
         where vault = $1 and asset_id = $2 and incoming and confirmed_at is null order by block_number, position",
        vault.0,
        asset.0
    )
    .fetch_all(tx.connection())
    .await?;
    rows.into_iter()
        .map(|row| {
            let wrong = |why| Error::row("transfers", row.id, why);
            Ok((
                row.tx_hash.map(|hash| TxHash::from_slice(&hash).ok_or_else(|| wrong("hash"))).transpose()?,
                u64::try_from(row.block_number).map_err(|_| wrong("height"))?,
                row.amount.into(),
            ))
        })
        .collect()
}

/// Where the Escrow paid some references, final or not.
pub async fn payments_of(tx: &mut Tx, references: &[Reference]) -> Result<Vec<Settlement>> {
    let references = references.iter().map(|reference| signed(reference.0)).collect::<Result<Vec<_>>>()?;
    let rows = sqlx::query!(
        "select block_number, block_hash, tx_hash, reference, outcome from settlements
         where reference = any($1) and outcome = 'paid' order by reference",
        &references
    )
    .fetch_all(tx.connection())
    .await?;
    rows.into_iter()
        .map(|row| settlement(row.block_number, &row.block_hash, &row.tx_hash, row.reference, &row.outcome))
        .collect()
}

/// Inserts settlements of stored blocks. A reference above the database's maximum is stored as the maximum: neither was
/// ever owed.
pub async fn insert_settlements(tx: &mut Tx, chain: ChainId, settlements: &[Settlement]) -> Result<()> {
    let blocks = settlements.iter().map(|s| signed(s.block)).collect::<Result<Vec<_>>>()?;
    let hashes: Vec<_> = settlements.iter().map(|s| s.block_hash.0.to_vec()).collect();
    let txs: Vec<_> = settlements.iter().map(|s| s.tx.0.to_vec()).collect();
    let references: Vec<_> = settlements.iter().map(|s| i64::try_from(s.reference.0).unwrap_or(i64::MAX)).collect();
    let outcomes: Vec<_> = settlements.iter().map(|s| s.outcome.name().to_owned()).collect();
    sqlx::query!(
        "insert into settlements (chain_id, block_number, block_hash, tx_hash, reference, outcome)
         select $1, * from unnest($2::bigint[], $3::bytea[], $4::bytea[], $5::bigint[], $6::text[])
         on conflict do nothing",
        signed(chain.0)?,
        &blocks,
        &hashes,
        &txs,
        &references,
        &outcomes
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Marks the settlements up to a height as final, and returns those that were not, oldest first.
pub async fn finalize_settlements(
    tx: &mut Tx,
    chain: ChainId,
    up_to: BlockNumber,
    at: Timestamp,
) -> Result<Vec<Settlement>> {
    let rows = sqlx::query!(
        "update settlements set confirmed_at = $3 where chain_id = $1 and block_number <= $2 and confirmed_at is null
         returning block_number, block_hash, tx_hash, reference, outcome",
        signed(chain.0)?,
        signed(up_to)?,
        at
    )
    .fetch_all(tx.connection())
    .await?;
    let mut settlements = rows
        .into_iter()
        .map(|row| settlement(row.block_number, &row.block_hash, &row.tx_hash, row.reference, &row.outcome))
        .collect::<Result<Vec<_>>>()?;
    settlements.sort_by_key(|s| (s.block, s.reference));
    Ok(settlements)
}

/// Marks transfers as not final, so that the next range retries them.
pub async fn unfinalize_transfers(tx: &mut Tx, transfers: &[Uuid]) -> Result<()> {
    sqlx::query!("update transfers set confirmed_at = null, uncredited = false where id = any($1)", transfers)
        .execute(tx.connection())
        .await?;
    Ok(())
}

/// Marks settlements as not final, so that the next range retries them.
pub async fn unfinalize_settlements(tx: &mut Tx, chain: ChainId, settlements: &[Settlement]) -> Result<()> {
    let hashes: Vec<_> = settlements.iter().map(|s| s.block_hash.0.to_vec()).collect();
    let txs: Vec<_> = settlements.iter().map(|s| s.tx.0.to_vec()).collect();
    let references = settlements.iter().map(|s| signed(s.reference.0)).collect::<Result<Vec<_>>>()?;
    sqlx::query!(
        "update settlements set confirmed_at = null
         where chain_id = $1 and (block_hash, tx_hash, reference) in (select * from unnest($2::bytea[], $3::bytea[], $4::bigint[]))",
        signed(chain.0)?,
        &hashes,
        &txs,
        &references
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// The settlements from a height on, final and not final, which a reorganization removes.
pub async fn settlements_from(
    tx: &mut Tx,
    chain: ChainId,
    from: BlockNumber,
) -> Result<(Vec<Settlement>, Vec<Settlement>)> {
    let rows = sqlx::query!(
        "select block_number, block_hash, tx_hash, reference, outcome, confirmed_at from settlements
         where chain_id = $1 and block_number >= $2 order by block_number, reference",
        signed(chain.0)?,
        signed(from)?
    )
    .fetch_all(tx.connection())
    .await?;
    let (mut counted, mut seen) = (Vec::new(), Vec::new());
    for row in rows {
        let one = settlement(row.block_number, &row.block_hash, &row.tx_hash, row.reference, &row.outcome)?;
        if row.confirmed_at.is_some() { counted.push(one) } else { seen.push(one) }
    }
    Ok((counted, seen))
}

/// The stored block at a height.
pub async fn at(tx: &mut Tx, chain: ChainId, number: BlockNumber) -> Result<Option<BlockRef>> {
    let row = sqlx::query!(
        "select hash, parent from blocks where chain_id = $1 and number = $2",
        signed(chain.0)?,
        signed(number)?
    )
    .fetch_optional(tx.connection())
    .await?;
    row.map(|row| {
        let wrong = |why| Error::row("blocks", number, why);
        Ok(BlockRef {
            number,
            hash: BlockHash::from_slice(&row.hash).ok_or_else(|| wrong("hash"))?,
            parent: BlockHash::from_slice(&row.parent).ok_or_else(|| wrong("parent"))?,
        })
    })
    .transpose()
}

fn settlement(block: i64, block_hash: &[u8], tx: &[u8], reference: i64, outcome: &str) -> Result<Settlement> {
    let wrong = |why| Error::row("settlements", reference, why);
    Ok(Settlement {
        block: u64::try_from(block).map_err(|_| wrong("height"))?,
        block_hash: BlockHash::from_slice(block_hash).ok_or_else(|| wrong("block hash"))?,
        tx: TxHash::from_slice(tx).ok_or_else(|| wrong("hash"))?,
        reference: Reference(u64::try_from(reference).map_err(|_| wrong("reference"))?),
        outcome: SettlementOutcome::of_name(outcome).ok_or_else(|| wrong("outcome"))?,
    })
}
