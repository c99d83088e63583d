//! Chain ingestion: applies ranges of blocks and replaces them after a reorganization.
//!
//! A transfer is recorded when it is first seen and credited when its block is final. A reorganization, however deep,
//! is an ordinary step: it removes the blocks above the common ancestor, reverts their final deposits and settlements
//! in the ledger, and applies the new blocks.
//!
//! A range is valid only for the stored blocks it was read on. If another reader has changed them, the range is dropped
//! and read again. Blocks and their contents are always stored. If the ledger refuses an effect, the vault concerned is
//! stopped and the effect is retried with each range ([`consequences`]).
//!
//! A range passes the stages that [`try_apply`] lists, in one direction; each is a module.

mod assets;
pub mod backfill;
mod balances;
mod consequences;
mod credit;
mod effects;
mod known;
mod locking;
mod losses;
mod range;
mod record;
mod revert;

use domain::chain::{BlockNumber, BlockRef, ChainId};
use store::{Tx, blocks};

pub use balances::apply_balances;
pub use credit::{Finalizing, finalizing};
pub use losses::{LOSSES_AT_ONCE, Missing, apply_losses};
pub use range::{Balance, Held, Range};

use crate::{Context, Result};
use effects::RangeEffects;
use locking::UserLocking;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Policy {
    /// Whether a reorganization that removes credited deposits or final payouts stops all payouts until an officer resumes
    /// them.
    pub stop_on_deep_reorganisation: bool,
}

/// The result of applying a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Ingested {
    /// The newest known block.
    pub head: Option<BlockNumber>,
    /// The newest final block.
    pub confirmed: Option<BlockNumber>,
    /// The number of credited deposits.
    pub deposits: usize,
    /// The number of credited deposits that a reorganization removed.
    pub revoked: usize,
    /// The number of final transfers that are not credited, because the vault does not hold the logged amount.
    pub uncredited: usize,
}

/// Applies a range of blocks. Refuses a range that does not join the stored blocks. Skips the blocks that are already
/// stored, so applying a range twice is safe.
///
/// Returns `None` and changes nothing if the stored blocks have changed since the range was read, because another reader was
/// faster, or if an album was configured meanwhile: the chain must be read again.
pub async fn apply(context: &Context, range: &Range, policy: Policy) -> Result<Option<Ingested>> {
    for locking in UserLocking::attempts() {
        match try_apply(context, range, policy, locking).await? {
            Attempt::Done(applied) => return Ok(Some(applied)),
            Attempt::Stale => return Ok(None),
            Attempt::Conflict => locking.count_conflict(),
        }
    }
    Err(store::Error::Conflict.into())
}

enum Attempt {
    Done(Ingested),
    /// The stored blocks have changed since the range was read. Nothing was changed.
    Stale,
    /// Trading changed the rows. Nothing was changed; a retry may succeed.
    Conflict,
}

async fn try_apply(context: &Context, range: &Range, policy: Policy, locking: UserLocking) -> Result<Attempt> {
    let (mut tx, now) = context.begin().await?;
    // 1. Read what is known, and keep other readers out.
    let Some((mut known, range)) = known::lock(&mut tx, range).await? else {
        // Releases the chain's lock before returning.
        tx.rollback().await?;
        return Ok(Attempt::Stale);
    };
    let head = range.head();
    let newest_final = range.newest_final(known.newest_final, known.confirmations);
    // 2. Remove the blocks that the range replaces.
    let (reverted, revoked) = revert::revert(&mut tx, &known, &range, policy, now).await?;
    // 3. Store the new blocks.
    known.assets.discover(&mut tx, &range.blocks, now).await?;
    let unconfirmed_settlements = record::record(context, &mut tx, &range, &known.assets, now).await?;
    let chain = known.chain;
    let none = RangeEffects::none(now, chain, known.assets);
    let mut effects = RangeEffects { unconfirmed_settlements, reverted, ..none };
    // 4. Make blocks final, if the vaults' holdings are known, and choose the deposits to credit.
    let finalized = newest_final.zip(range.held.as_ref());
    let uncredited = match finalized {
        Some((up_to, held)) => credit::finalize(&mut tx, &mut effects, up_to, held).await?,
        None => 0,
    };
    // 5. Lock the users whom all this concerns.
    let users = locking.lock_concerned(&mut tx, &effects).await?;
    // 6. Apply the effects to the ledger, the adverts and the orders.
    let Some(refused) = consequences::apply(&effects, context, &mut tx, &users).await? else {
        tx.rollback().await?;
        return Ok(Attempt::Conflict);
    };
    if finalized.is_some() {
        consequences::lift_stops(&mut tx, &refused).await?;
    }
    // 7. Commit everything together.
    blocks::set_progress(&mut tx, chain, head, newest_final).await?;
    tx.commit().await?;
    let deposits = effects.deposits.len().saturating_sub(refused.deposits);
    Ok(Attempt::Done(Ingested { head, confirmed: newest_final, deposits, revoked, uncredited }))
}

/// Locks the chain's row, so that no range is applied until the transaction ends, and returns whether this is the newest final block.
async fn lock_at_final(tx: &mut Tx, chain: ChainId, at: BlockRef) -> Result<bool> {
    let (_, newest_final) = blocks::lock_progress(tx, chain).await?;
    Ok(newest_final == Some(at.number) && blocks::at(tx, chain, at.number).await? == Some(at))
}
