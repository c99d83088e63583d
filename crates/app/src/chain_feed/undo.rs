//! What a reorganisation takes away.

use domain::clock::Moment;
use store::blocks::{self, Settlement};
use store::deposits::Deposit;
use store::{Tx, deposits, payouts};

use super::Range;
use crate::Result;

/// What stood in blocks that are no more.
#[derive(Debug, Default)]
pub(super) struct Undone {
    /// Settlements that counted.
    pub(super) counted: Vec<Settlement>,
    /// Settlements that were seen and did not count yet.
    pub(super) seen: Vec<Settlement>,
    /// Deposits that were money.
    pub(super) deposits: Vec<Deposit>,
}

/// Forgets all blocks from the range's beginning on, and says what stood in them.
pub(super) async fn forget(tx: &mut Tx, range: &Range, now: Moment) -> Result<Undone> {
    let (chain, from) = (range.chain, range.replace_from);
    let (counted, seen) = blocks::settlements_from(tx, chain, from).await?;
    let deposits = deposits::revoke_from(tx, chain, from, now).await?;
    payouts::reopen_attempts_from(tx, chain, from).await?;
    blocks::forget_from(tx, chain, from).await?;
    Ok(Undone { counted, seen, deposits })
}
