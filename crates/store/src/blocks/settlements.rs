//! Settlements that the Escrow has reported.

use domain::chain::{BlockHash, BlockNumber, ChainId, Reference, SettlementOutcome, TxHash};
use domain::clock::Timestamp;

use crate::columns::signed;
use crate::{Error, Result, Tx};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoredSettlement {
    pub block: BlockNumber,
    pub block_hash: BlockHash,
    pub tx: TxHash,
    pub reference: Reference,
    pub outcome: SettlementOutcome,
}

/// Inserts settlements of stored blocks. Stores a reference above the database's maximum as that maximum: no leg has
/// either number.
pub async fn insert_settlements(tx: &mut Tx, chain: ChainId, settlements: &[StoredSettlement]) -> Result<()> {
    let blocks = settlements.iter().map(|s| signed(s.block)).collect::<Result<Vec<_>>>()?;
    let hashes: Vec<_> = settlements.iter().map(|s| s.block_hash.0.to_vec()).collect();
    let txs: Vec<_> = settlements.iter().map(|s| s.tx.0.to_vec()).collect();
    let references: Vec<_> = settlements.iter().map(|s| i64::try_from(s.reference.0).unwrap_or(i64::MAX)).collect();
    let outcomes: Vec<_> = settlements.iter().map(|s| s.outcome.into_str().to_owned()).collect();
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

/// Returns the settlements that paid these references, final or not.
pub async fn payments_of(tx: &mut Tx, references: &[Reference]) -> Result<Vec<StoredSettlement>> {
    if references.is_empty() {
        return Ok(Vec::new());
    }
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

/// Returns everything that the chain did with these references, final or not, each with the time of its block.
pub async fn outcomes_of(tx: &mut Tx, references: &[Reference]) -> Result<Vec<(StoredSettlement, Timestamp)>> {
    if references.is_empty() {
        return Ok(Vec::new());
    }
    let references = references.iter().map(|reference| signed(reference.0)).collect::<Result<Vec<_>>>()?;
    let rows = sqlx::query!(
        "select s.block_number, s.block_hash, s.tx_hash, s.reference, s.outcome, b.at
         from settlements s join blocks b on b.chain_id = s.chain_id and b.number = s.block_number
         where s.reference = any($1) order by s.block_number, s.reference",
        &references
    )
    .fetch_all(tx.connection())
    .await?;
    rows.into_iter()
        .map(|row| {
            let settled = settlement(row.block_number, &row.block_hash, &row.tx_hash, row.reference, &row.outcome)?;
            Ok((settled, row.at))
        })
        .collect()
}

/// Marks the settlements up to a height as final. Returns those that were not final before, oldest first.
pub async fn finalize_settlements(
    tx: &mut Tx,
    chain: ChainId,
    up_to: BlockNumber,
    at: Timestamp,
) -> Result<Vec<StoredSettlement>> {
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

/// Marks settlements as not final, so that the next block range retries them.
pub async fn unfinalize_settlements(tx: &mut Tx, chain: ChainId, settlements: &[StoredSettlement]) -> Result<()> {
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

/// Returns the settlements at or above a height, final and not final, which a reorganization removes.
pub async fn settlements_from(
    tx: &mut Tx,
    chain: ChainId,
    from: BlockNumber,
) -> Result<(Vec<StoredSettlement>, Vec<StoredSettlement>)> {
    let rows = sqlx::query!(
        "select block_number, block_hash, tx_hash, reference, outcome, confirmed_at from settlements
         where chain_id = $1 and block_number >= $2 order by block_number, reference",
        signed(chain.0)?,
        signed(from)?
    )
    .fetch_all(tx.connection())
    .await?;
    let (mut confirmed, mut seen) = (Vec::new(), Vec::new());
    for row in rows {
        let one = settlement(row.block_number, &row.block_hash, &row.tx_hash, row.reference, &row.outcome)?;
        if row.confirmed_at.is_some() { confirmed.push(one) } else { seen.push(one) }
    }
    Ok((confirmed, seen))
}

fn settlement(block: i64, block_hash: &[u8], tx: &[u8], reference: i64, outcome: &str) -> Result<StoredSettlement> {
    let wrong = |why| Error::row("settlements", reference, why);
    Ok(StoredSettlement {
        block: u64::try_from(block).map_err(|_| wrong("height"))?,
        block_hash: BlockHash::from_slice(block_hash).ok_or_else(|| wrong("block hash"))?,
        tx: TxHash::from_slice(tx).ok_or_else(|| wrong("hash"))?,
        reference: Reference(u64::try_from(reference).map_err(|_| wrong("reference"))?),
        outcome: outcome.parse().map_err(|_| wrong("outcome"))?,
    })
}
