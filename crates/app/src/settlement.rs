//! Payouts from the worker's point of view: what must be paid, and the signed transactions that pay it.
//!
//! Only one worker runs at a time. [`Turn`] holds a lock until its transaction ends, and an attempt is stored under
//! that lock before it is sent. A worker that lost the lock cannot store one, so two workers never sign for the same
//! legs.

use domain::chain::{BlockRef, ChainId};
use domain::clock::Timestamp;
use store::Tx;
use store::payouts;
pub use store::payouts::{Attempt, PayoutLeg};

use crate::{Context, Result};

/// A turn of the only active worker: read, decide, store one attempt, end.
#[derive(Debug)]
pub struct Turn {
    tx: Tx,
    chain: ChainId,
    /// The product's time.
    pub now: Timestamp,
}

impl Turn {
    /// Begins a turn. Returns `None` if another worker has one.
    pub async fn begin(context: &Context, chain: ChainId) -> Result<Option<Self>> {
        let (mut tx, now) = context.begin().await?;
        Ok(payouts::try_lead(&mut tx).await?.then_some(Self { tx, chain, now }))
    }

    /// The attempts that may still be mined, by nonce, newest first within a nonce.
    pub async fn open_attempts(&mut self) -> Result<Vec<Attempt>> {
        Ok(payouts::open_attempts(&mut self.tx, self.chain).await?)
    }

    /// The oldest legs that may be paid now.
    pub async fn payable(&mut self, most: i64) -> Result<Vec<PayoutLeg>> {
        Ok(payouts::payable(&mut self.tx, self.chain, self.now, most).await?)
    }

    /// Stores an attempt and ends the turn. Only then may the attempt be sent.
    pub async fn commit(mut self, attempt: &Attempt) -> Result<()> {
        payouts::insert_attempt(&mut self.tx, self.chain, attempt).await?;
        Ok(self.tx.commit().await?)
    }

    /// The newest final block, if there is one.
    pub async fn confirmed(&mut self) -> Result<Option<BlockRef>> {
        let confirmed = store::catalog::escrow_chain(&mut self.tx).await?.and_then(|chain| chain.confirmed);
        match confirmed {
            Some(number) => Ok(store::blocks::at(&mut self.tx, self.chain, number).await?),
            None => Ok(None),
        }
    }

    /// Ends the turn for a nonce that is used up as of the newest final block, by this or another transaction. What
    /// that transaction did counts; what it did not pay may be paid by another attempt.
    pub async fn give_up(mut self, nonce: u64) -> Result<()> {
        payouts::close_nonce(&mut self.tx, self.chain, nonce, self.now).await?;
        Ok(self.tx.commit().await?)
    }

    /// Ends the turn after a reorganization removed final transactions with the nonces from `from` to before `before`:
    /// they may be mined again. Returns their number.
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
