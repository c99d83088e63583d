//! Builds and signs transactions.

use alloy::consensus::{SignableTransaction, TxEip1559};
use alloy::eips::eip2718::Encodable2718;
use alloy::primitives::{Signature, TxKind, U256};
use domain::chain::{Address, ChainId, TxHash};
use domain::money::Amount;

use crate::convert::{to_evm, tx_hash, units};
use crate::node::Fees;
use crate::signer::{SignError, Signer};

/// A transaction before it is signed (EIP-1559).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unsigned {
    /// The chain for which the transaction is valid.
    pub chain: ChainId,
    pub nonce: u64,
    pub gas_limit: u64,
    pub fees: Fees,
    /// `None` creates a contract.
    pub to: Option<Address>,
    /// The amount of the native coin to send, in base units.
    pub value: Amount,
    /// The encoded call, or the creation code of a contract.
    pub data: Vec<u8>,
}

/// A signed transaction. It is stored before it is sent, and can be sent repeatedly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signed {
    pub raw: Vec<u8>,
    pub hash: TxHash,
}

impl Unsigned {
    /// Signs the transaction. The same transaction and key always yield the same bytes.
    pub async fn sign(&self, signer: &dyn Signer) -> Result<Signed, SignError> {
        let transaction = TxEip1559 {
            chain_id: self.chain.0,
            nonce: self.nonce,
            gas_limit: self.gas_limit,
            max_fee_per_gas: units(self.fees.max_fee),
            max_priority_fee_per_gas: units(self.fees.priority_fee),
            to: self.to.map_or(TxKind::Create, |to| TxKind::Call(to_evm(to))),
            value: U256::from(units(self.value)),
            access_list: alloy::eips::eip2930::AccessList::default(),
            input: self.data.clone().into(),
        };
        let bytes = signer.sign(transaction.signature_hash().0).await?;
        let signature = Signature::from_raw(&bytes).map_err(|error| SignError::Refused(error.to_string()))?;
        let sealed = transaction.into_signed(signature);
        Ok(Signed { raw: sealed.encoded_2718(), hash: tx_hash(*sealed.hash()) })
    }
}
