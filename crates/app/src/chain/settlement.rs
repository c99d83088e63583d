//! Gives the worker the legs to pay, and stores the signed transactions that pay them.
//!
//! Only one worker at a time sends payouts. [`Turn`] holds a lock until its transaction ends, and an attempt is stored
//! under that lock before it is sent. A worker that has lost the lock cannot store an attempt, so two workers never pay
//! the same legs at the same time.

use domain::assets::Asset;
use domain::chain::{BlockRef, ChainId};
use domain::clock::Timestamp;
use store::Tx;
use store::payouts;
pub use store::payouts::{Attempt, PayoutLeg};

use crate::{Context, Result};

/// Returns whether there is nothing to send: no leg is owed, and no attempt may still be mined.
pub async fn is_idle(context: &Context) -> Result<bool> {
    Ok(payouts::is_idle(&mut context.store.alone().await?).await?)
}

/// One turn of the worker that holds the lock: it reads, decides, stores at most one attempt, and ends.
#[derive(Debug)]
pub struct Turn {
    tx: Tx,
    chain: ChainId,
    /// The start of the turn, by the product's clock.
    pub now: Timestamp,
}

impl Turn {
    /// Begins a turn. Returns `None` if another worker holds the lock.
    pub async fn begin(context: &Context, chain: ChainId) -> Result<Option<Self>> {
        let (mut tx, now) = context.begin().await?;
        Ok(payouts::try_lead(&mut tx).await?.then_some(Self { tx, chain, now }))
    }

    /// Returns the attempts that may still be mined, in order of nonces, newest first within a nonce.
    pub async fn open_attempts(&mut self) -> Result<Vec<Attempt>> {
        Ok(payouts::open_attempts(&mut self.tx, self.chain).await?)
    }

    /// Returns the oldest legs that may be paid now, at most `most`.
    pub async fn payable(&mut self, most: i64) -> Result<Vec<PayoutLeg>> {
        Ok(payouts::payable(&mut self.tx, self.chain, self.now, most).await?)
    }

    /// Returns those of the legs' assets that are NFTs.
    pub async fn nfts(&mut self, legs: &[PayoutLeg]) -> Result<Vec<Asset>> {
        let ids: Vec<_> = legs.iter().map(|leg| leg.vault_asset.asset).collect();
        Ok(store::nfts::assets(&mut self.tx, &ids).await?)
    }

    /// Stores an attempt and ends the turn. The caller may send the attempt only afterwards.
    pub async fn commit(mut self, attempt: &Attempt) -> Result<()> {
        payouts::insert_attempt(&mut self.tx, self.chain, attempt).await?;
        Ok(self.tx.commit().await?)
    }

    /// Returns the newest final block, if there is one.
    pub async fn confirmed(&mut self) -> Result<Option<BlockRef>> {
        let confirmed = store::catalog::escrow_chain(&mut self.tx).await?.and_then(|chain| chain.confirmed);
        match confirmed {
            Some(number) => Ok(store::blocks::at(&mut self.tx, self.chain, number).await?),
            None => Ok(None),
        }
    }

    /// Closes the attempts of a nonce that some transaction has used up as of the newest final block, and ends the
    /// turn. Another attempt may pay the legs that this transaction did not pay.
    pub async fn give_up(mut self, nonce: u64) -> Result<()> {
        payouts::close_nonce(&mut self.tx, self.chain, nonce, self.now).await?;
        Ok(self.tx.commit().await?)
    }

    /// Reopens the attempts with nonces from `from` (inclusive) to `before` (exclusive), which a reorganization removed
    /// although they were final and which may be mined again. Ends the turn and returns their number.
    pub async fn take_up(mut self, from: u64, before: u64) -> Result<u64> {
        let reopened = payouts::reopen_nonces(&mut self.tx, self.chain, from, before).await?;
        self.tx.commit().await?;
        Ok(reopened)
    }

    /// Ends the turn without changes.
    pub async fn pass(self) -> Result<()> {
        Ok(self.tx.rollback().await?)
    }
}
