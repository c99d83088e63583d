//! Turns batches into signed transactions, and receipts into outcomes per reference.
//!
//! Callers must store an attempt (nonce, bytes, hash) before they send its bytes, and may send the same bytes
//! repeatedly. A replacement keeps the nonce. Callers read outcomes from the chain by reference, and never infer them
//! from the response to a send. The nonce is a parameter, because a counter in this module would be wrong after a
//! failed send.

use alloy::sol_types::SolCall;
use domain::chain::{Address, ChainId, Reference, Token};
use domain::money::Amount;
use ruint::aliases::U256;

use crate::batch::Batch;
use crate::contracts::Escrow;
use crate::convert::{asset, to_evm};
use crate::node::{At, Fees, Node, NodeError, Question, Receipt};
use crate::settlements::{self, DecodedOutcome};
use crate::signer::{SignError, Signer};
use crate::transaction::{Signed, Unsigned};

/// An Escrow on a chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deployment {
    pub chain: ChainId,
    pub escrow: Address,
}

impl Deployment {
    /// Signs the transaction that settles a batch.
    pub async fn sign(&self, batch: &Batch, nonce: u64, fees: Fees, signer: &dyn Signer) -> Result<Signed, SignError> {
        let call = Escrow::settleCall { firstReference: batch.first().0, batch: batch.encode().into() };
        let transaction = Unsigned {
            chain: self.chain,
            nonce,
            gas_limit: batch.gas_limit(),
            fees,
            to: Some(self.escrow),
            value: Amount::ZERO,
            data: call.abi_encode(),
        };
        transaction.sign(signer).await
    }

    /// Returns whether a reference was paid or voided, as of a block.
    pub async fn is_spent(&self, node: &dyn Node, reference: Reference, at: At) -> Result<bool, NodeError> {
        let call = Escrow::isSpentCall { legReference: reference.0 };
        let answer = self.ask(node, &call, at).await?;
        Escrow::isSpentCall::abi_decode_returns(&answer).map_err(|error| NodeError::Fatal(format!("isSpent: {error}")))
    }

    /// Returns how much of an asset may still be paid out today: base units, or a number of NFTs of a collection.
    pub async fn left_today(&self, node: &dyn Node, token: Token, at: At) -> Result<U256, NodeError> {
        let (contract, _) = asset(token);
        let answer = self.ask(node, &Escrow::leftTodayCall { token: to_evm(contract) }, at).await?;
        Escrow::leftTodayCall::abi_decode_returns(&answer)
            .map_err(|error| NodeError::Fatal(format!("leftToday: {error}")))
    }

    /// Returns the outcomes in a mined transaction; empty if it was reverted.
    pub fn outcomes(&self, receipt: &Receipt) -> Vec<(Reference, DecodedOutcome)> {
        if !receipt.succeeded {
            return Vec::new();
        }
        receipt.logs.iter().filter(|log| log.contract == self.escrow).flat_map(settlements::read).collect()
    }

    async fn ask<C: SolCall>(&self, node: &dyn Node, call: &C, at: At) -> Result<Vec<u8>, NodeError> {
        let data = call.abi_encode();
        node.ask(&Question { from: self.escrow, to: Some(self.escrow), value: Amount::ZERO, data, gas: None }, at).await
    }
}

/// A replacement offers at most this multiple of the current fee. If such a transaction is not mined, the fee is not
/// the cause.
const MAX_TIMES: i128 = 10;

/// Returns the fees of a first attempt: the current fees, but at most `most` per unit of gas.
pub fn bounded(now: Fees, most: Amount) -> Fees {
    Fees { max_fee: now.max_fee.min(most), priority_fee: now.priority_fee.min(most) }
}

/// Returns the fees of a replacement: the current fees, but at least an eighth more than the last attempt, because most
/// nodes require a tenth more. Returns `None` if that exceeds `most` per unit of gas, or ten times the current fee.
pub fn raised(last: Fees, now: Fees, most: Amount) -> Option<Fees> {
    let now = bounded(now, most);
    let max_fee = an_eighth_more(last.max_fee).max(now.max_fee);
    let priority_fee = an_eighth_more(last.priority_fee).max(now.priority_fee).min(max_fee);
    let reasonable = now.max_fee.mul_div_floor(MAX_TIMES, 1).unwrap_or(most);
    (max_fee <= most && max_fee <= reasonable).then_some(Fees { max_fee, priority_fee })
}

fn an_eighth_more(fee: Amount) -> Amount {
    // If the result exceeds the maximum amount, keep the fee.
    let raised = fee.mul_div_floor(9, 8).and_then(|raised| raised.add(Amount::ONE));
    raised.unwrap_or(fee)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fees(max_fee: i128, priority_fee: i128) -> Fees {
        Fees { max_fee: Amount::new(max_fee).unwrap(), priority_fee: Amount::new(priority_fee).unwrap() }
    }

    fn most(units: i128) -> Amount {
        Amount::new(units).unwrap()
    }

    #[test]
    fn a_replacement_offers_an_eighth_more_and_at_least_the_current_fee() {
        assert_eq!(raised(fees(800, 80), fees(100, 1), most(10_000)), Some(fees(901, 91)));
        assert_eq!(raised(fees(800, 80), fees(2000, 85), most(10_000)), Some(fees(2000, 91)));
        assert_eq!(raised(fees(1, 0), fees(1, 0), most(10_000)), Some(fees(2, 1)));
    }

    #[test]
    fn a_replacement_respects_the_maximum_and_ten_times_the_current_fee() {
        assert_eq!(raised(fees(800, 80), fees(100, 1), most(900)), None);
        assert_eq!(raised(fees(800, 80), fees(100, 1), most(901)), Some(fees(901, 91)));
        assert_eq!(raised(fees(800, 80), fees(90, 1), most(10_000)), None, "the fee is not the problem");
        assert_eq!(raised(fees(800, 80), fees(91, 1), most(10_000)), Some(fees(901, 91)));
        assert_eq!(bounded(fees(800, 80), most(50)), fees(50, 50));
        // Raise the fee until it reaches the maximum.
        let mut offered = fees(100, 10);
        let mut times = 0;
        while let Some(next) = raised(offered, fees(100, 10), most(1_000_000)) {
            (offered, times) = (next, times + 1);
        }
        assert!(offered.max_fee <= most(1_000) && times < 25, "{offered:?} after {times}");
    }
}
