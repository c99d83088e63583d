//! Payouts as the worker sees them: what is to be paid, and the signed transactions that pay it.
//!
//! The worker is one at a time: [`Turn`] holds a lock that ends with its transaction, and an attempt is written under that
//! lock before it is sent. Whoever lost the lock cannot write, so two workers never sign for the same legs.

use domain::chain::{BlockRef, ChainId};
use domain::clock::Timestamp;
use store::Tx;
use store::payouts;
pub use store::payouts::{Attempt, Leg as Owed};

use crate::{Context, Result};

/// The only worker's turn: look, decide, write one attempt, end.
#[derive(Debug)]
pub struct Turn {
    tx: Tx,
    chain: ChainId,
    /// The product's time.
    pub now: Timestamp,
}

impl Turn {
    /// Begins a turn, unless another worker has one.
    pub async fn begin(context: &Context, chain: ChainId) -> Result<Option<Self>> {
        let (mut tx, now) = context.begin().await?;
        Ok(payouts::try_lead(&mut tx).await?.then_some(Self { tx, chain, now }))
    }

    /// The signed transactions that may still be mined, by nonce, the newest of a nonce first.
    pub async fn open_attempts(&mut self) -> Result<Vec<Attempt>> {
        Ok(payouts::open_attempts(&mut self.tx, self.chain).await?)
    }

    /// The oldest legs that may be paid now.
    pub async fn payable(&mut self, most: i64) -> Result<Vec<Owed>> {
        Ok(payouts::payable(&mut self.tx, self.chain, self.now, most).await?)
    }

    /// Writes an attempt and ends the turn: only then may it be sent.
    pub async fn commit(mut self, attempt: &Attempt) -> Result<()> {
        payouts::insert_attempt(&mut self.tx, self.chain, attempt).await?;
        Ok(self.tx.commit().await?)
    }

    /// The newest final block, if it is known.
    pub async fn confirmed(&mut self) -> Result<Option<BlockRef>> {
        let confirmed = store::catalog::escrow_chain(&mut self.tx).await?.and_then(|chain| chain.confirmed);
        match confirmed {
            Some(number) => Ok(store::blocks::at(&mut self.tx, self.chain, number).await?),
            None => Ok(None),
        }
    }

    /// Ends the turn of a nonce that is used up, as of the newest final block, by what we signed or by another: what it did
    /// is counted, and what it did not do may be paid by another.
    pub async fn give_up(mut self, nonce: u64) -> Result<()> {
        payouts::close_nonce(&mut self.tx, self.chain, nonce, self.now).await?;
        Ok(self.tx.commit().await?)
    }

    /// Ends the turn in which transactions of nonces from one on and before another turned out to be gone from the chain
    /// that had been counted: they may be mined again. Says how many.
    pub async fn take_up(mut self, from: u64, before: u64) -> Result<u64> {
        let reopened = payouts::reopen_nonces(&mut self.tx, self.chain, from, before).await?;
        self.tx.commit().await?;
        Ok(reopened)
    }

    /// Ends the turn without writing.
    pub async fn pass(self) -> Result<()> {
        Ok(self.tx.rollback().await?)
    }
}
