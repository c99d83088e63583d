//! The signed transactions that pay legs.

use domain::chain::{BlockNumber, ChainId, Reference, TxHash};
use domain::clock::Timestamp;
use domain::money::Amount;

use crate::columns::signed;
use crate::numeric::Units;
use crate::{Error, Result, Tx};

/// A signed transaction that pays one or more legs.
#[derive(Clone, PartialEq, Eq)]
pub struct Attempt {
    /// The settler's nonce.
    pub nonce: u64,
    /// The first leg that the transaction pays.
    pub first: Reference,
    /// The last leg that the transaction pays.
    pub last: Reference,
    /// The call to the Escrow, which is the same in a replacement transaction.
    pub call: Vec<u8>,
    /// The signed transaction.
    pub raw: Vec<u8>,
    pub tx: TxHash,
    /// The maximum price per unit of gas, in base units of the native coin.
    pub max_fee: Amount,
    /// The priority fee per unit of gas, in base units of the native coin.
    pub priority_fee: Amount,
    pub signed_at: Timestamp,
    /// The newest known block at that time.
    pub head: Option<BlockNumber>,
}

impl std::fmt::Debug for Attempt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Attempt(nonce {}, {}..={}, {})", self.nonce, self.first.0, self.last.0, self.tx)
    }
}

/// Stores a signed transaction. Call this before sending it.
pub async fn insert_attempt(tx: &mut Tx, chain: ChainId, attempt: &Attempt) -> Result<()> {
    sqlx::query!(
        "insert into payout_attempts (chain_id, nonce, first_reference, last_reference, call, raw, tx_hash, max_fee, priority_fee, signed_at, head_number)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
        signed(chain.0)?,
        signed(attempt.nonce)?,
        signed(attempt.first.0)?,
        signed(attempt.last.0)?,
        attempt.call,
        attempt.raw,
        attempt.tx.as_slice(),
        Units(attempt.max_fee) as _,
        Units(attempt.priority_fee) as _,
        attempt.signed_at,
        attempt.head.map(signed).transpose()?
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Returns the attempts that may still be mined, by nonce, newest first within a nonce.
pub async fn open_attempts(tx: &mut Tx, chain: ChainId) -> Result<Vec<Attempt>> {
    let rows = sqlx::query!(
        "select nonce, first_reference, last_reference, call, raw, tx_hash, max_fee, priority_fee, signed_at, head_number
         from payout_attempts
         where chain_id = $1 and done_at is null order by nonce, id desc",
        signed(chain.0)?
    )
    .fetch_all(tx.connection())
    .await?;
    rows.into_iter()
        .map(|row| {
            let wrong = |why| Error::row("payout_attempts", row.nonce, why);
            let positive = |number: i64| u64::try_from(number).map_err(|_| wrong("below zero"));
            Ok(Attempt {
                nonce: positive(row.nonce)?,
                first: Reference(positive(row.first_reference)?),
                last: Reference(positive(row.last_reference)?),
                call: row.call,
                raw: row.raw,
                tx: TxHash::from_slice(&row.tx_hash).ok_or_else(|| wrong("hash"))?,
                max_fee: row.max_fee.into(),
                priority_fee: row.priority_fee.into(),
                signed_at: row.signed_at,
                head: row.head_number.map(positive).transpose()?,
            })
        })
        .collect()
}

/// Closes all attempts with the nonces of these mined transactions, because their result is final.
pub async fn close_attempts(tx: &mut Tx, chain: ChainId, mined: &[TxHash], now: Timestamp) -> Result<()> {
    let mined: Vec<_> = mined.iter().map(|hash| hash.0.to_vec()).collect();
    sqlx::query!(
        "update payout_attempts a set done_at = $3
         where a.chain_id = $1 and a.done_at is null
           and a.nonce in (select b.nonce from payout_attempts b where b.chain_id = $1 and b.tx_hash = any($2))",
        signed(chain.0)?,
        &mined,
        now
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Closes all attempts with a nonce that another transaction has used, or whose transaction had no effect. New attempts
/// can then pay the legs.
pub async fn close_nonce(tx: &mut Tx, chain: ChainId, nonce: u64, now: Timestamp) -> Result<()> {
    sqlx::query!(
        "update payout_attempts set done_at = $3 where chain_id = $1 and nonce = $2 and done_at is null",
        signed(chain.0)?,
        signed(nonce)?,
        now
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Reopens the closed attempts with nonces from `from` to before `before`. Returns the number of reopened attempts.
pub async fn reopen_nonces(tx: &mut Tx, chain: ChainId, from: u64, before: u64) -> Result<u64> {
    let reopened = sqlx::query!(
        "update payout_attempts set done_at = null where chain_id = $1 and nonce >= $2 and nonce < $3 and done_at is not null",
        signed(chain.0)?,
        signed(from)?,
        signed(before)?
    )
    .execute(tx.connection())
    .await?;
    Ok(reopened.rows_affected())
}

/// Reopens the attempts mined at or above a height, because a reorganization removes those blocks.
pub async fn reopen_attempts_from(tx: &mut Tx, chain: ChainId, from: BlockNumber) -> Result<()> {
    sqlx::query!(
        "update payout_attempts a set done_at = null
         where a.chain_id = $1 and a.done_at is not null and a.nonce >= (
             select min((select b.nonce from payout_attempts b where b.tx_hash = s.tx_hash and b.chain_id = $1))
             from settlements s where s.chain_id = $1 and s.block_number >= $2)",
        signed(chain.0)?,
        signed(from)?
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Returns whether no leg is owed and no attempt may still be mined.
pub async fn is_idle(tx: &mut Tx) -> Result<bool> {
    Ok(sqlx::query_scalar!(
        r#"select not exists (select from payout_legs where state = 'owed')
              and not exists (select from payout_attempts where done_at is null) as "idle!""#
    )
    .fetch_one(tx.connection())
    .await?)
}

/// Tries to become the only payout worker, and returns whether that succeeded. The lock ends with the transaction.
pub async fn try_lead(tx: &mut Tx) -> Result<bool> {
    Ok(sqlx::query_scalar!(r#"select pg_try_advisory_xact_lock(hashtext('payout_worker')) as "leads!""#)
        .fetch_one(tx.connection())
        .await?)
}
