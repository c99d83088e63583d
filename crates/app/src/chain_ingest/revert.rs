//! Stage 2: removes the stored blocks that a reorganization replaced, and collects the deposits and settlements to revert.

use domain::chain::Reference;
use domain::clock::Timestamp;
use store::blocks::{self, StoredSettlement};
use store::deposits::Deposit;
use store::{Tx, deposits, payouts};

use super::Policy;
use super::known::Known;
use super::range::Range;
use crate::Result;

/// The contents of the removed blocks that must be reverted.
#[derive(Debug, Clone, Default)]
pub(super) struct Reverted {
    /// References that were spent by settlements that were final.
    pub(super) final_settlements: Vec<Reference>,
    /// Settlements that were not final yet.
    pub(super) unconfirmed_settlements: Vec<StoredSettlement>,
    /// Deposits that were credited.
    pub(super) deposits: Vec<Deposit>,
}

/// Removes the stored blocks that the range replaces, and returns their contents, with those of blocks that earlier
/// reorganizations removed and that the ledger refused to revert. Also returns the number of credited deposits in the blocks
/// that it removes.
pub(super) async fn revert(
    tx: &mut Tx,
    known: &Known,
    range: &Range,
    policy: Policy,
    now: Timestamp,
) -> Result<(Reverted, usize)> {
    let mut reverted = Reverted::default();
    if known.head.is_some_and(|head| range.replace_from <= head) {
        reverted = remove_blocks(tx, range, now).await?;
    }
    let deep = !(reverted.deposits.is_empty() && reverted.final_settlements.is_empty());
    if policy.stop_on_deep_reorganisation && deep {
        let because = "a reorganization removed final transactions";
        tracing::error!(alarm = because, from = range.replace_from, "payouts stopped");
        known.assets.stop_payouts(tx, because, now).await?;
    }
    let removed_deposits = reverted.deposits.len();
    reverted.deposits.extend(deposits::revoke_orphaned(tx, range.chain, now).await?);
    reverted.final_settlements.extend(payouts::take_orphaned(tx, range.chain).await?);
    Ok((reverted, removed_deposits))
}

/// Removes all stored blocks from the start of the range upward, and returns their contents.
async fn remove_blocks(tx: &mut Tx, range: &Range, now: Timestamp) -> Result<Reverted> {
    let (chain, from) = (range.chain, range.replace_from);
    let (final_settlements, unconfirmed_settlements) = blocks::settlements_from(tx, chain, from).await?;
    let deposits = deposits::revoke_from(tx, chain, from, now).await?;
    payouts::reopen_attempts_from(tx, chain, from).await?;
    blocks::delete_from(tx, chain, from).await?;
    // A failed attempt in a removed block says nothing about a reference that was spent in an earlier block, which stays.
    let spent = final_settlements.into_iter().filter(|settlement| settlement.outcome.spends());
    let final_settlements = spent.map(|settlement| settlement.reference).collect();
    Ok(Reverted { final_settlements, unconfirmed_settlements, deposits })
}
