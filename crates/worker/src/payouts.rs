//! Sends payouts. Each transaction is stored in the database before it is sent to the chain.
//!
//! Each step either resends transactions that may still be mined, or signs a new batch, stores it and sends it. After a
//! crash at any point, the next step continues from the stored transactions. It resends the same bytes as often as
//! needed, and the Escrow pays each reference at most once.

use std::collections::BTreeSet;

use app::chain::settlement::{Attempt, PayoutLeg, Turn};
use chain::batch::{Batch, BatchLeg};
use chain::node::{At, Fees, NodeError, SendError};
use chain::payouts::{Deployment, bounded, raised};
use chain::signer::Signer;
use domain::assets::Home;
use domain::chain::{Address, BlockNumber, Reference};

use crate::{Next, Point, Result, Worker, chain_identity};

/// The Escrow that pays, and the newest block that was read.
struct Place {
    deployment: Deployment,
    head: Option<BlockNumber>,
}

pub async fn step(worker: &Worker) -> Result<Next> {
    let Some(signer) = worker.signer.clone() else { return Ok(Next::Rest) };
    if app::chain::settlement::is_idle(&worker.context).await? {
        metrics::gauge!("mec2c_payouts_fee_ceiling_reached").set(0.0);
        return Ok(Next::Rest);
    }
    let Some(watch) = app::chain::watch(&worker.context, 1).await? else { return Ok(Next::Rest) };
    chain_identity::pass(worker, &watch).await?;
    let Some(escrow) = watch.chain.escrow else { return Ok(Next::Rest) };
    let place = Place { deployment: Deployment { chain: watch.chain.id, escrow }, head: watch.chain.head };
    let Some(mut turn) = Turn::begin(&worker.context, watch.chain.id).await? else { return Ok(Next::Rest) };

    let most = worker.settings.most_fee();
    let open = turn.open_attempts().await?;
    let mined = worker.node.nonce(signer.address(), At::Latest).await?;
    if let Some(first) = open.iter().map(|attempt| attempt.nonce).min().filter(|first| *first > mined) {
        // A reorganization removed the transactions with nonces before `first`. Transactions with later nonces cannot
        // be mined until these are mined again.
        let reopened = turn.take_up(mined, first).await?;
        if reopened != 0 {
            tracing::warn!(reopened, from = mined, "a reorganization removed mined transactions; sending them again");
            return Ok(Next::Immediately);
        }
        let Some(next) = Turn::begin(&worker.context, watch.chain.id).await? else { return Ok(Next::Rest) };
        turn = next;
    }
    let stuck = again(worker, &open, mined, turn.now, place.head).await?;
    let mut more = None;
    if let Some(stuck) = &stuck {
        let last = Fees { max_fee: stuck.max_fee, priority_fee: stuck.priority_fee };
        more = raised(last, worker.node.fees().await?, most).map(|fees| (stuck, fees));
    }
    metrics::gauge!("mec2c_payouts_fee_ceiling_reached").set(if stuck.is_some() && more.is_none() { 1.0 } else { 0.0 });
    if let Some((stuck, fees)) = more {
        let batch = Batch::decode(stuck.first, &stuck.call)?;
        return write(worker, turn, &place, &batch, stuck.nonce, fees, signer.as_ref()).await;
    }
    if let Some(used) = used_up(worker, &mut turn, &place.deployment, &open, mined, signer.address()).await? {
        turn.give_up(used).await?;
        return Ok(Next::Immediately);
    }

    // Takes as many legs as fit, oldest first, without splitting a pair.
    let legs_at_once = i64::try_from(worker.settings.legs_at_once).unwrap_or(i64::MAX);
    let owed = turn.payable(legs_at_once.saturating_add(1)).await?;
    let mut assets = watch.assets;
    assets.extend(turn.nfts(&owed).await?);
    let legs: Vec<_> = owed.iter().filter_map(|owed| leg(owed, &assets)).collect();
    let next = Batch::split(complete(legs), worker.settings.legs_at_once)?.into_iter().next();
    let nonce = next_nonce(mined, &open);
    let Some(batch) = next.or(behind_a_gap(nonce, &open)?) else {
        turn.pass().await?;
        return Ok(Next::Rest);
    };
    worker.points.reached(Point::Chosen);
    let fees = bounded(worker.node.fees().await?, most);
    write(worker, turn, &place, &batch, nonce, fees, signer.as_ref()).await
}

/// Signs a batch, stores it, and only then sends it.
async fn write(
    worker: &Worker,
    turn: Turn,
    place: &Place,
    batch: &Batch,
    nonce: u64,
    fees: Fees,
    signer: &dyn Signer,
) -> Result<Next> {
    let signed = place.deployment.sign(batch, nonce, fees, signer).await?;
    worker.points.reached(Point::Signed);
    let attempt = Attempt {
        nonce,
        first: batch.first(),
        last: batch.legs().last().map_or(batch.first(), |leg| leg.reference),
        call: batch.encode(),
        raw: signed.raw,
        tx: signed.hash,
        max_fee: fees.max_fee,
        priority_fee: fees.priority_fee,
        signed_at: turn.now,
        head: place.head,
    };
    turn.commit(&attempt).await?;
    worker.points.reached(Point::Written);
    tracing::info!(?attempt, legs = batch.legs().len(), "sending a batch");
    send(worker, &attempt).await?;
    worker.points.reached(Point::Sent);
    Ok(Next::Immediately)
}

/// Resends all attempts that may still be mined, in order of nonces. Returns an attempt that has waited too long and
/// should offer a higher fee. Returns none if no block has arrived since the attempt was signed, because a higher fee
/// would not help.
async fn again(
    worker: &Worker,
    open: &[Attempt],
    mined: u64,
    now: domain::clock::Timestamp,
    head: Option<BlockNumber>,
) -> Result<Option<Attempt>> {
    let mut last = None;
    for attempt in open.iter().filter(|attempt| attempt.nonce >= mined) {
        // Send only the newest attempt of each nonce, because it offers the highest fee.
        if last.replace(attempt.nonce) == Some(attempt.nonce) {
            continue;
        }
        send(worker, attempt).await?;
        let waited = now.signed_duration_since(attempt.signed_at);
        if attempt.nonce == mined && waited >= worker.settings.stuck_after && attempt.head != head {
            return Ok(Some(attempt.clone()));
        }
    }
    Ok(None)
}

/// Sends signed bytes. Most errors are only logged: the bytes are stored and will be sent again, and the chain will
/// show the outcome.
async fn send(worker: &Worker, attempt: &Attempt) -> Result<()> {
    match worker.node.send(&attempt.raw).await {
        Ok(_) | Err(SendError::AlreadyKnown | SendError::NonceTooLow) => Ok(()),
        Err(SendError::Unknown(error)) => Err(error.into()),
        Err(error @ (SendError::Underpriced(_) | SendError::InsufficientFunds(_) | SendError::Refused(_))) => {
            tracing::error!(?attempt, %error, "the node rejected a batch");
            Ok(())
        }
    }
}

/// Returns a nonce that is used as of the newest final block but still has open attempts. The ledger already contains
/// their outcome. If legs of these attempts are still owed, either the transaction reverted, or a foreign transaction
/// used the nonce.
async fn used_up(
    worker: &Worker,
    turn: &mut Turn,
    deployment: &Deployment,
    open: &[Attempt],
    mined: u64,
    settler: Address,
) -> Result<Option<u64>> {
    let Some(nonce) = open.iter().map(|attempt| attempt.nonce).min().filter(|nonce| *nonce < mined) else {
        return Ok(None);
    };
    let Some(confirmed) = turn.confirmed().await? else { return Ok(None) };
    let at = At::Block(confirmed.hash);
    match worker.node.nonce(settler, at).await {
        Ok(next) if nonce < next => {}
        Ok(_) => return Ok(None),
        // The node has pruned the state of this block. Try again at a later block; until then, other payouts continue.
        Err(NodeError::Fatal(why)) => {
            tracing::debug!(nonce, block = confirmed.number, why, "cannot tell yet whether the nonce is used for good");
            return Ok(None);
        }
        Err(error) => return Err(error.into()),
    }
    // The nonce is used in any case. The remaining code only logs the cause for operators.
    let mut ours = None;
    for attempt in open.iter().filter(|attempt| attempt.nonce == nonce) {
        match worker.node.receipt(attempt.tx).await {
            Ok(Some(receipt)) => ours = Some((attempt, receipt)),
            Ok(None) => {}
            Err(NodeError::Fatal(why)) => {
                tracing::warn!(?attempt, why, "the node cannot return the receipt");
                return Ok(Some(nonce));
            }
            Err(error) => return Err(error.into()),
        }
    }
    match ours {
        Some((attempt, receipt)) if receipt.succeeded => tracing::debug!(?attempt, "a batch is final"),
        Some((attempt, _)) => tracing::error!(?attempt, "a batch was mined but reverted"),
        None => {
            for attempt in open.iter().filter(|attempt| attempt.nonce == nonce) {
                for reference in (attempt.first.0..=attempt.last.0).map(Reference) {
                    let spent = deployment.is_spent(worker.node.as_ref(), reference, at).await;
                    tracing::error!(nonce, reference = reference.0, ?spent, "a foreign transaction used the nonce");
                }
            }
        }
    }
    Ok(Some(nonce))
}

/// Returns the first nonce from `mined` upward that no open attempt uses. A nonce that was signed with but is neither
/// mined nor open was lost in a reorganization and is used again.
fn next_nonce(mined: u64, open: &[Attempt]) -> u64 {
    let taken: BTreeSet<_> = open.iter().map(|attempt| attempt.nonce).collect();
    let mut next = mined;
    while taken.contains(&next) {
        next = next.saturating_add(1);
    }
    next
}

/// Returns the batch to sign for an unused nonce that blocks attempts with later nonces, for the case that no leg is
/// payable: the batch of the first blocked attempt. It pays the legs now. When the blocked attempt is mined later, its
/// references are spent, so the Escrow does not pay them again.
fn behind_a_gap(nonce: u64, open: &[Attempt]) -> Result<Option<Batch>> {
    let waits = open.iter().filter(|attempt| attempt.nonce > nonce).min_by_key(|attempt| attempt.nonce);
    Ok(waits.map(|attempt| Batch::decode(attempt.first, &attempt.call)).transpose()?)
}

fn leg(owed: &PayoutLeg, assets: &[domain::assets::Asset]) -> Option<BatchLeg> {
    let token = assets.iter().find(|asset| asset.id == owed.vault_asset.asset).and_then(|asset| match asset.home {
        Home::Chain { token, .. } => Some(token),
        Home::Album { .. } | Home::Fiat => None,
    })?;
    Some(BatchLeg {
        reference: owed.reference,
        vault: owed.custody_index,
        token,
        to: owed.recipient,
        amount: owed.amount,
        with_next: owed.with_next,
        or_void: owed.or_void,
    })
}

/// Removes legs whose partner is missing, such as a last leg whose partner exceeded the limit of the query. Otherwise,
/// the database should return only complete pairs, but this check does not rely on it.
fn complete(mut legs: Vec<BatchLeg>) -> Vec<BatchLeg> {
    let there: BTreeSet<_> = legs.iter().map(|leg| leg.reference.0).collect();
    legs.retain(|leg| !leg.with_next || leg.reference.0.checked_add(1).is_some_and(|next| there.contains(&next)));
    legs
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use domain::chain::{CustodyIndex, Token};
    use domain::money::Amount;

    use super::*;

    fn legs(legs: &[(u64, bool)]) -> Vec<BatchLeg> {
        let leg = |(reference, with_next): &(u64, bool)| BatchLeg {
            reference: Reference(*reference),
            vault: CustodyIndex(1),
            token: Token::Native,
            to: Address([1; 20]),
            amount: Amount::ONE,
            with_next: *with_next,
            or_void: false,
        };
        legs.iter().map(leg).collect()
    }

    #[test]
    fn a_leg_without_its_partner_is_left_out_and_blocks_no_other() {
        // The partners of 4 and 9 are missing.
        let owed = legs(&[(1, false), (2, true), (3, false), (4, true), (6, false), (9, true)]);
        let whole = complete(owed);
        assert_eq!(whole, legs(&[(1, false), (2, true), (3, false), (6, false)]));
        assert_eq!(Batch::split(whole, 50).unwrap().len(), 1);
    }
}
