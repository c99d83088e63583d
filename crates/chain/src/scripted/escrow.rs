//! A model of the Escrow for payouts: it pays each reference at most once and pays both legs of a pair or neither, and
//! a failed leg does not affect others. It has no day limits, roles, gas or pauses, which the contract's own tests
//! cover.

use alloy::primitives::IntoLogData;
use alloy::sol_types::SolCall;
use domain::chain::{Reference, Token};
use ruint::aliases::U256;

use super::blocks::{Change, Done, State, Wrote, transfer_log};
use super::pool::Sent;
use crate::batch::{Batch, BatchLeg};
use crate::contracts::Escrow;
use crate::settlements::Failure;
use crate::vaults::Vaults;

/// Executes a sent transaction. The transaction fails if it is not a settlement.
pub(super) fn execute(state: &mut State, sent: &Sent) -> Done {
    let nonce = Change::Nonce(sent.from);
    let done =
        Done { hash: sent.hash.0, from: Some(sent.from), to: sent.to, sent: Some(sent.clone()), ..Done::default() };
    let call = Escrow::settleCall::abi_decode(&sent.data).ok();
    let batch = call.and_then(|call| Batch::decode(Reference(call.firstReference), &call.batch).ok());
    match batch {
        Some(batch) if sent.to == Some(state.escrow) => {
            let (mut changes, wrote) = settle(state, &batch);
            changes.push(nonce);
            Done { wrote, changes, ..done }
        }
        _ => Done { failed: true, changes: vec![nonce], ..done },
    }
}

/// Spends a reference without paying it. The transaction fails if the reference is already spent.
pub(super) fn void(state: &State, reference: Reference) -> Done {
    let event = Escrow::Voided { legReference: reference.0 };
    Done {
        to: Some(state.escrow),
        failed: state.spent.contains(&reference),
        wrote: vec![wrote(state, &event)],
        changes: vec![Change::Spent(reference)],
        ..Done::default()
    }
}

fn settle(state: &mut State, batch: &Batch) -> (Vec<Change>, Vec<Wrote>) {
    let mut changes = Vec::new();
    let mut told = Vec::new();
    let mut paid = U256::ZERO;
    let mut legs = batch.legs().iter();
    while let Some(leg) = legs.next() {
        let group: Vec<&BatchLeg> =
            if leg.with_next { std::iter::once(leg).chain(legs.next()).collect() } else { vec![leg] };
        let mut moved = Vec::new();
        let failures: Vec<Option<Failure>> = group
            .iter()
            .map(|leg| {
                let outcome = try_leg(state, leg);
                if let Ok(change) = &outcome {
                    state.apply(change);
                    moved.push(change.clone());
                }
                outcome.err()
            })
            .collect();
        if failures.iter().all(Option::is_none) {
            for leg in &group {
                let bit = usize::try_from(leg.reference.0.saturating_sub(batch.first().0)).unwrap_or_default();
                paid.set_bit(bit, true);
                changes.push(Change::Spent(leg.reference));
            }
            for change in &moved {
                if let Change::Moved { token, from, to, units } = change
                    && !matches!(token, Token::Native)
                {
                    told.push(transfer_log(*token, *from, *to, *units));
                }
            }
            changes.extend(moved);
        } else if let ([leg], [Some(Failure::PaymentFailed)]) = (group.as_slice(), failures.as_slice())
            && leg.or_void
        {
            changes.push(Change::Spent(leg.reference));
            told.push(wrote(state, &Escrow::Voided { legReference: leg.reference.0 }));
        } else {
            for change in moved.iter().rev() {
                state.revert(change);
            }
            let mut tried = true;
            for (leg, failure) in group.iter().zip(failures) {
                // Like the contract, skip the second leg if the payment of the first failed.
                let judged = failure.filter(|failure| tried || *failure != Failure::PaymentFailed);
                let reason = judged.unwrap_or(Failure::PartnerFailed);
                tried = reason != Failure::PaymentFailed;
                let event = Escrow::LegFailed { legReference: leg.reference.0, reason: reason.number() };
                told.push(wrote(state, &event));
            }
        }
    }
    // Undo the changes here: mining the block applies them again.
    for change in changes.iter().rev() {
        state.revert(change);
    }
    let count = u8::try_from(batch.span()).unwrap_or(u8::MAX);
    let event = Escrow::Settled { firstReference: batch.first().0, count, paid };
    told.push(wrote(state, &event));
    (changes, told)
}

fn try_leg(state: &State, leg: &BatchLeg) -> Result<Change, Failure> {
    if state.spent.contains(&leg.reference) {
        return Err(Failure::AlreadySpent);
    }
    let from = Vaults::of(state.escrow).address(leg.vault);
    let units = U256::from(crate::convert::units(leg.amount));
    if state.held(from, leg.token) < units || state.refusing.contains(&leg.to) {
        return Err(Failure::PaymentFailed);
    }
    Ok(Change::Moved { token: leg.token, from, to: leg.to, units })
}

fn wrote(state: &State, event: &impl IntoLogData) -> Wrote {
    let (topics, data) = event.to_log_data().split();
    Wrote { contract: state.escrow, topics: topics.into_iter().map(|topic| topic.0).collect(), data: data.into() }
}
