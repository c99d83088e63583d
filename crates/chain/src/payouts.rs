//! From batches to signed transactions, and from receipts to what became of each reference.
//!
//! The order of things is the caller's, and matters: the attempt (nonce, bytes, hash) is committed before the bytes are
//! sent; the same bytes are sent as often as needed; a replacement keeps the nonce; and what happened is read from the
//! chain by reference, never concluded from an answer to a send. The nonce is a parameter: one that is kept here would
//! jam after a send that failed.

use alloy::sol_types::SolCall;
use domain::chain::{Address, ChainId, Reference, Token};
use domain::money::Amount;
use ruint::aliases::U256;

use crate::batch::Batch;
use crate::contracts::Escrow;
use crate::convert::to_evm;
use crate::node::{At, Fees, Node, NodeError, Question, Receipt};
use crate::settlements::{self, Outcome};
use crate::signer::{SignError, Signer};
use crate::transaction::{Signed, Unsigned};

/// Which Escrow, on which chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deployment {
    /// The chain.
    pub chain: ChainId,
    /// The Escrow's address.
    pub escrow: Address,
}

impl Deployment {
    /// Signs the transaction that settles a batch. Its gas limit is enough whatever recipients do.
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

    /// Whether a reference was paid or voided, as of a block.
    pub async fn is_spent(&self, node: &dyn Node, reference: Reference, at: At) -> Result<bool, NodeError> {
        let call = Escrow::isSpentCall { legReference: reference.0 };
        let answer = self.ask(node, &call, at).await?;
        Escrow::isSpentCall::abi_decode_returns(&answer).map_err(|error| NodeError::Fatal(format!("isSpent: {error}")))
    }

    /// How much of an asset may still leave today, in base units (NFTs: tokens of the album).
    pub async fn left_today(&self, node: &dyn Node, token: Token, at: At) -> Result<U256, NodeError> {
        let contract = match token {
            Token::Native => Address([0; 20]),
            Token::Erc20(contract) | Token::Erc721(contract, _) => contract,
        };
        let answer = self.ask(node, &Escrow::leftTodayCall { token: to_evm(contract) }, at).await?;
        Escrow::leftTodayCall::abi_decode_returns(&answer)
            .map_err(|error| NodeError::Fatal(format!("leftToday: {error}")))
    }

    /// What a mined transaction did with references. Empty for one that reverted: it did nothing.
    pub fn outcomes(&self, receipt: &Receipt) -> Vec<(Reference, Outcome)> {
        if !receipt.succeeded {
            return Vec::new();
        }
        receipt.logs.iter().filter(|log| log.contract == self.escrow).flat_map(settlements::read).collect()
    }

    async fn ask<C: SolCall>(&self, node: &dyn Node, call: &C, at: At) -> Result<Vec<u8>, NodeError> {
        let data = call.abi_encode();
        node.ask(&Question { from: self.escrow, to: Some(self.escrow), value: Amount::ZERO, data }, at).await
    }
}

/// What a replacement of a stuck transaction must offer: what the chain asks now, and in any case an eighth more than the
/// last attempt in both parts, or nodes refuse it (most ask for a tenth).
pub fn raised(last: Fees, now: Fees) -> Fees {
    Fees {
        max_fee: an_eighth_more(last.max_fee).max(now.max_fee),
        priority_fee: an_eighth_more(last.priority_fee).max(now.priority_fee),
    }
}

fn an_eighth_more(fee: Amount) -> Amount {
    // Above what the books hold there is no fee to raise.
    let raised = fee.mul_div_floor(9, 8).and_then(|raised| raised.add(Amount::ONE));
    raised.unwrap_or(fee)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fees(max_fee: i128, priority_fee: i128) -> Fees {
        Fees { max_fee: Amount::new(max_fee).unwrap(), priority_fee: Amount::new(priority_fee).unwrap() }
    }

    #[test]
    fn a_replacement_offers_an_eighth_more_and_no_less_than_the_chain_asks() {
        assert_eq!(raised(fees(800, 80), fees(1, 1)), fees(901, 91));
        assert_eq!(raised(fees(800, 80), fees(2000, 85)), fees(2000, 91));
        assert_eq!(raised(fees(1, 0), fees(0, 0)), fees(2, 1));
    }
}
