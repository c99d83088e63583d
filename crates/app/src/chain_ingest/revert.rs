//! Removes the stored blocks that a reorganization replaced, and collects the deposits and settlements to revert.

use domain::chain::{ChainId, Reference};
use domain::clock::Timestamp;
use store::blocks::{self, StoredSettlement};
use store::deposits::Deposit;
use store::{Tx, deposits, payouts};

use super::Range;
use crate::Result;

/// The contents of the removed blocks that must be reverted.
#[derive(Debug, Clone, Default)]
pub(super) struct Reverted {
    /// References that were spent by settlements that were final.
    pub(super) final_settlements: Vec<Reference>,
    /// Settlements that were not final yet.
    pub(super) seen: Vec<StoredSettlement>,
    /// Deposits that were credited.
    pub(super) deposits: Vec<Deposit>,
}

/// Removes all stored blocks from the start of the range upward, and returns their contents.
pub(super) async fn forget(tx: &mut Tx, range: &Range, now: Timestamp) -> Result<Reverted> {
    let (chain, from) = (range.chain, range.replace_from);
    let (final_settlements, seen) = blocks::settlements_from(tx, chain, from).await?;
    let deposits = deposits::revoke_from(tx, chain, from, now).await?;
    payouts::reopen_attempts_from(tx, chain, from).await?;
    blocks::forget_from(tx, chain, from).await?;
    // A failed attempt in a removed block says nothing about a reference that was spent in an earlier block, which stays.
    let spent = final_settlements.into_iter().filter(|settlement| settlement.outcome.spends());
    let final_settlements = spent.map(|settlement| settlement.reference).collect();
    Ok(Reverted { final_settlements, seen, deposits })
}

/// Adds the contents of blocks that earlier reorganizations removed and that the ledger refused to revert.
pub(super) async fn add_refused(tx: &mut Tx, chain: ChainId, now: Timestamp, reverted: &mut Reverted) -> Result<()> {
    reverted.deposits.extend(deposits::revoke_orphaned(tx, chain, now).await?);
    reverted.final_settlements.extend(payouts::take_orphaned(tx, chain).await?);
    Ok(())
}
