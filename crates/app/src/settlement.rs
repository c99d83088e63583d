//! Payouts as the worker sees them: what is to be paid, and the signed transactions that pay it.
//!
//! The worker is one at a time: [`Turn`] holds a lock that ends with its transaction, and an attempt is written under that
//! lock before it is sent. Whoever lost the lock cannot write, so two workers never sign for the same legs.

use domain::chain::{ChainId, TxHash};
use domain::clock::Moment;
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
    pub now: Moment,
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

    /// Ends the turn of an attempt that was mined and did nothing: its legs may be paid by another.
    pub async fn give_up(mut self, mined: TxHash) -> Result<()> {
        payouts::close_attempts(&mut self.tx, self.chain, &[mined], self.now).await?;
        Ok(self.tx.commit().await?)
    }

    /// Ends the turn without writing.
    pub async fn pass(self) -> Result<()> {
        Ok(self.tx.rollback().await?)
    }
}
