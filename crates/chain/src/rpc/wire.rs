//! The JSON fields that this crate reads from nodes' responses. Other fields and unknown transaction types are
//! accepted. The response types of `alloy` require fields that some nodes leave out.

use alloy::primitives::{Address, B256, Bytes, U64, U128, U256};
use domain::chain::BlockRef;
use serde::Deserialize;

use crate::convert::{block_hash, from_evm, tx_hash};
use crate::node;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Header {
    number: U64,
    hash: B256,
    parent_hash: B256,
    timestamp: U64,
}

impl From<Header> for node::Header {
    fn from(header: Header) -> Self {
        Self {
            place: BlockRef {
                number: header.number.to(),
                hash: block_hash(header.hash),
                parent: block_hash(header.parent_hash),
            },
            timestamp: header.timestamp.to(),
        }
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct Block {
    #[serde(flatten)]
    header: Header,
    transactions: Vec<Transaction>,
}

impl From<Block> for node::NodeBlock {
    fn from(block: Block) -> Self {
        let transactions = block.transactions.into_iter().map(Into::into).collect();
        Self { header: block.header.into(), transactions }
    }
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Transaction {
    hash: B256,
    #[serde(rename = "transactionIndex")]
    index: U64,
    from: Address,
    to: Option<Address>,
    value: U256,
    #[serde(default, rename = "input")]
    data: Bytes,
}

impl From<Transaction> for node::Transaction {
    fn from(tx: Transaction) -> Self {
        Self {
            hash: tx_hash(tx.hash),
            index: tx.index.to(),
            from: from_evm(tx.from),
            to: tx.to.map(from_evm),
            value: tx.value,
            data: tx.data.into(),
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Log {
    address: Address,
    topics: Vec<B256>,
    data: Bytes,
    block_number: U64,
    block_hash: B256,
    transaction_hash: B256,
    #[serde(rename = "logIndex")]
    index: U64,
    #[serde(default)]
    pub(super) removed: bool,
}

impl From<Log> for node::Log {
    fn from(log: Log) -> Self {
        Self {
            contract: from_evm(log.address),
            topics: log.topics.into_iter().map(|topic| topic.0).collect(),
            data: log.data.into(),
            block: log.block_number.to(),
            block_hash: block_hash(log.block_hash),
            tx: tx_hash(log.transaction_hash),
            index: log.index.to(),
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Receipt {
    transaction_hash: B256,
    block_number: U64,
    block_hash: B256,
    /// Missing only in receipts from before 2017, which do not exist on supported chains.
    status: U64,
    contract_address: Option<Address>,
    logs: Vec<Log>,
}

impl From<Receipt> for node::Receipt {
    fn from(receipt: Receipt) -> Self {
        Self {
            tx: tx_hash(receipt.transaction_hash),
            block: receipt.block_number.to(),
            block_hash: block_hash(receipt.block_hash),
            succeeded: receipt.status == U64::from(1),
            created: receipt.contract_address.map(from_evm),
            logs: receipt.logs.into_iter().map(Into::into).collect(),
        }
    }
}

/// The part of a receipt that tells whether the transaction succeeded.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Status {
    pub(super) transaction_hash: B256,
    pub(super) status: U64,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BaseFee {
    pub(super) base_fee_per_gas: Option<U128>,
}
