//! What must hold for the signed transactions of the workers, in every block and before they are in one.

use std::collections::{BTreeMap, BTreeSet};

use chain::scripted::SignedTransaction;
use domain::chain::{BlockHash, BlockRef, TxHash};
use sqlx::Row as _;
use uuid::Uuid;

use crate::{Bug, Result, World};

/// What was checked in earlier steps.
#[derive(Default)]
pub(crate) struct Checked {
    /// A block that was checked follows only blocks that were checked.
    blocks: BTreeSet<BlockHash>,
    /// Transactions that are stored as attempts.
    stored: BTreeSet<TxHash>,
}

/// No transaction is on the chain, or waits to be, that is not stored as an attempt: a process that dies at any point
/// could otherwise pay the same legs again. In every block, both legs of a pair are paid, or neither is.
pub(crate) async fn check(world: &mut World) -> Result<()> {
    let new = world.script.signed_since(|block| world.checked.blocks.contains(&block));
    let sent: BTreeSet<_> = new.iter().flat_map(|(_, signed)| signed).map(|signed| signed.hash).collect();
    attempts_are_stored(world, sent.into_iter().chain(world.script.pending()).collect()).await?;
    pairs_are_paid_together(world, &new).await?;
    world.checked.blocks.extend(new.iter().map(|(block, _)| block.hash));
    Ok(())
}

async fn attempts_are_stored(world: &mut World, sent: BTreeSet<TxHash>) -> Result<()> {
    let unknown: Vec<_> = sent.difference(&world.checked.stored).copied().collect();
    if unknown.is_empty() {
        return Ok(());
    }
    let hashes: Vec<_> = unknown.iter().map(|hash| hash.as_slice().to_vec()).collect();
    let query = "select tx_hash from payout_attempts where tx_hash = any($1)";
    let rows: Vec<Vec<u8>> =
        sqlx::query_scalar(query).bind(&hashes).fetch_all(&mut world.inspector).await.expect("attempts");
    let stored = rows.iter().map(|hash| TxHash::from_slice(hash).expect("a hash"));
    world.checked.stored.extend(stored);
    match unknown.iter().find(|hash| !world.checked.stored.contains(hash)) {
        Some(hash) => Err(Bug(format!("the transaction {hash} was sent and is not stored as an attempt"))),
        None => Ok(()),
    }
}

async fn pairs_are_paid_together(world: &mut World, new: &[(BlockRef, Vec<SignedTransaction>)]) -> Result<()> {
    let paid = new.iter().flat_map(|(_, signed)| signed).flat_map(|signed| &signed.paid);
    let paid: Vec<_> = paid.map(|reference| i64::try_from(reference.0).expect("a reference")).collect();
    if paid.is_empty() {
        return Ok(());
    }
    let query = "select reference, payout_id from payout_legs
                 where payout_id in (select payout_id from payout_legs where reference = any($1))";
    let rows = sqlx::query(query).bind(&paid).fetch_all(&mut world.inspector).await.expect("legs");
    let mut legs: BTreeMap<Uuid, BTreeSet<u64>> = BTreeMap::new();
    for row in rows {
        let reference = u64::try_from(row.get::<i64, _>("reference")).expect("a reference");
        legs.entry(row.get("payout_id")).or_default().insert(reference);
    }
    world.counts.add("pairs paid", legs.values().filter(|legs| legs.len() > 1).count());
    for (block, signed) in new {
        let paid: BTreeSet<_> = signed.iter().flat_map(|signed| &signed.paid).map(|reference| reference.0).collect();
        for (payout, legs) in &legs {
            if !legs.is_disjoint(&paid) && !legs.is_subset(&paid) {
                let number = block.number;
                return Err(Bug(format!("of the legs {legs:?} of payout {payout}, block {number} paid only {paid:?}")));
            }
        }
    }
    Ok(())
}
