//! Pays what is owed: row first, chain second.
//!
//! In one turn the worker either sends again what may still be mined, or signs one new batch, writes it down, and sends it.
//! After a crash at any point the next turn begins from what was written: the same bytes are sent as often as needed, and
//! the Escrow pays each reference once, whatever happens here.

use app::settlement::{Attempt, Owed, Turn};
use chain::batch::{Batch, Leg};
use chain::node::{Fees, SendError};
use chain::payouts::{Deployment, raised};
use chain::signer::Signer;
use domain::assets::Home;

use crate::{Pace, Point, Result, Worker, gate};

/// One turn.
pub async fn step(worker: &Worker) -> Result<Pace> {
    let Some(signer) = worker.signer.clone() else { return Ok(Pace::Rest) };
    let Some(watch) = app::chain::watch(&worker.context, 1).await? else { return Ok(Pace::Rest) };
    gate::pass(worker, &watch).await?;
    let Some(escrow) = watch.chain.escrow else { return Ok(Pace::Rest) };
    let deployment = Deployment { chain: watch.chain.id, escrow };
    let Some(mut turn) = Turn::begin(&worker.context, watch.chain.id).await? else { return Ok(Pace::Rest) };

    let open = turn.open_attempts().await?;
    let mined = worker.node.nonce(signer.address()).await?;
    if let Some(stuck) = again(worker, &open, mined, turn.now).await? {
        let fees = raised(Fees { max_fee: stuck.max_fee, priority_fee: stuck.priority_fee }, worker.node.fees().await?);
        let batch = Batch::decode(stuck.first, &stuck.call)?;
        return write(worker, turn, &deployment, &batch, stuck.nonce, fees, signer.as_ref()).await;
    }
    if let Some(dead) = reverted(worker, &open, watch.chain.confirmed).await? {
        tracing::error!(?dead, "a batch was mined and did nothing");
        turn.give_up(dead.tx).await?;
        return Ok(Pace::Again);
    }

    // The oldest legs first, as many as fit; a pair is never torn apart.
    let most = i64::try_from(worker.settings.legs_at_once).unwrap_or(i64::MAX);
    let owed = turn.payable(most.saturating_add(1)).await?;
    let legs: Vec<_> = owed.iter().filter_map(|owed| leg(owed, &watch.assets)).collect();
    let Some(batch) = Batch::split(complete(legs), worker.settings.legs_at_once)?.into_iter().next() else {
        turn.pass().await?;
        return Ok(Pace::Rest);
    };
    worker.points.reached(Point::Chosen);
    let nonce = next_nonce(mined, &open);
    let fees = worker.node.fees().await?;
    write(worker, turn, &deployment, &batch, nonce, fees, signer.as_ref()).await
}

/// Signs a batch, writes it down, and only then sends it.
async fn write(
    worker: &Worker,
    turn: Turn,
    deployment: &Deployment,
    batch: &Batch,
    nonce: u64,
    fees: Fees,
    signer: &dyn Signer,
) -> Result<Pace> {
    let signed = deployment.sign(batch, nonce, fees, signer).await?;
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
    };
    turn.commit(&attempt).await?;
    worker.points.reached(Point::Written);
    tracing::info!(?attempt, legs = batch.legs().len(), "a batch is sent");
    send(worker, &attempt).await?;
    worker.points.reached(Point::Sent);
    Ok(Pace::Again)
}

/// Sends all that may still be mined, in the order of nonces. Says which attempt has waited too long and should offer more.
async fn again(worker: &Worker, open: &[Attempt], mined: u64, now: domain::clock::Moment) -> Result<Option<Attempt>> {
    let mut last = None;
    for attempt in open.iter().filter(|attempt| attempt.nonce >= mined) {
        // Only the newest of a nonce: it offers the most.
        if last.replace(attempt.nonce) == Some(attempt.nonce) {
            continue;
        }
        send(worker, attempt).await?;
        let waited = now.signed_duration_since(attempt.signed_at);
        if attempt.nonce == mined && waited >= worker.settings.stuck_after {
            return Ok(Some(attempt.clone()));
        }
    }
    Ok(None)
}

/// Sends signed bytes. Whatever the node answers, the bytes are written down and what came of them shows on the chain.
async fn send(worker: &Worker, attempt: &Attempt) -> Result<()> {
    match worker.node.send(&attempt.raw).await {
        Ok(_) | Err(SendError::AlreadyKnown | SendError::NonceTooLow) => Ok(()),
        Err(SendError::Unknown(error)) => Err(error.into()),
        Err(error @ (SendError::Underpriced(_) | SendError::InsufficientFunds(_) | SendError::Refused(_))) => {
            tracing::error!(?attempt, %error, "the node does not take a batch");
            Ok(())
        }
    }
}

/// An attempt that was mined, deep enough, and reverted as a whole: its legs are to be paid by another.
async fn reverted(worker: &Worker, open: &[Attempt], confirmed: Option<u64>) -> Result<Option<Attempt>> {
    for attempt in open {
        if let Some(receipt) = worker.node.receipt(attempt.tx).await?
            && !receipt.succeeded
            && confirmed.is_some_and(|confirmed| receipt.block <= confirmed)
        {
            return Ok(Some(attempt.clone()));
        }
    }
    Ok(None)
}

/// The nonce after all that were mined and all that may still be. One that was signed with and is neither was lost with
/// its chain, and is used again.
fn next_nonce(mined: u64, open: &[Attempt]) -> u64 {
    open.iter().map(|attempt| attempt.nonce.saturating_add(1)).max().unwrap_or(0).max(mined)
}

fn leg(owed: &Owed, assets: &[domain::assets::Asset]) -> Option<Leg> {
    let token = assets.iter().find(|asset| asset.id == owed.pot.asset).and_then(|asset| match asset.home {
        Home::Chain { token, .. } => Some(token),
        Home::Fiat => None,
    })?;
    Some(Leg {
        reference: owed.reference,
        vault: owed.custody_index,
        token,
        to: owed.recipient,
        amount: owed.amount,
        with_next: owed.with_next,
    })
}

/// Without a last leg whose partner did not fit into what was asked for.
fn complete(mut legs: Vec<Leg>) -> Vec<Leg> {
    if legs.last().is_some_and(|leg| leg.with_next) {
        legs.pop();
    }
    legs
}
