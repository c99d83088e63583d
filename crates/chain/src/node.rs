//! The interface to a node, and the errors that a node can return.

use async_trait::async_trait;
use domain::chain::{Address, BlockHash, BlockNumber, BlockRef, ChainId, Token, TxHash};
use domain::money::Amount;
use futures::StreamExt;
use ruint::aliases::U256;

/// Maximum number of concurrent requests for balances.
const MAX_CONCURRENT_REQUESTS: usize = 16;
/// The gas with which a contract must answer a question for a number or an address. Without a limit, it could keep the node busy or
/// make its answer depend on the node's own limit. An album whose `ownerOf` needs more could not be paid either (`PAYMENT_GAS`).
pub(crate) const VIEW_GAS: u64 = 300_000;

/// Why a node did not answer a request.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NodeError {
    /// The node is unreachable, is overloaded, or has not reached the block. A retry may succeed.
    #[error("the node did not answer: {0}")]
    Transient(String),
    #[error("the nodes do not agree on {0}")]
    Disagreement(&'static str),
    #[error("the node refuses a request of this size: {0}")]
    TooMuch(String),
    /// The called contract reverts or returns an invalid result. The node itself works.
    #[error("the contract does not answer: {0}")]
    Contract(String),
    /// The node does not know the method, returned a malformed response, or has pruned the state. A retry does not
    /// help.
    #[error("the node cannot answer the request: {0}")]
    Fatal(String),
}

impl NodeError {
    /// Returns whether a retry may succeed.
    pub fn is_transient(&self) -> bool {
        matches!(self, Self::Transient(_) | Self::Disagreement(_))
    }
}

/// Why a node did not accept a transaction.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SendError {
    /// The node already has the transaction. Treat this as success.
    #[error("the node already has this transaction")]
    AlreadyKnown,
    /// A transaction with this nonce was mined. It may be a different transaction: check the references on the chain.
    #[error("a transaction with this nonce was already mined")]
    NonceTooLow,
    /// The fee is too low to replace a pending transaction with the same nonce, or below the node's minimum.
    #[error("the fee is too low: {0}")]
    Underpriced(String),
    #[error("the sender cannot pay for the gas: {0}")]
    InsufficientFunds(String),
    /// The node refused the transaction for another reason. Sending the same bytes again does not help.
    #[error("the node refused the transaction: {0}")]
    Refused(String),
    /// The result is unknown, and the node may have accepted the transaction. Send the same bytes again.
    #[error(transparent)]
    Unknown(#[from] NodeError),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header {
    pub place: BlockRef,
    /// Seconds since 1970.
    pub timestamp: u64,
}

/// A transaction in a block. It may have failed; see [`Node::succeeded`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transaction {
    pub hash: TxHash,
    /// The position in the block, from 0.
    pub index: u64,
    pub from: Address,
    /// The recipient; `None` if the transaction creates a contract.
    pub to: Option<Address>,
    /// The amount of the native coin that it sends.
    pub value: U256,
    /// The encoded call.
    pub data: Vec<u8>,
}

/// A block as nodes return it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeBlock {
    pub header: Header,
    /// The transactions in the order of the block.
    pub transactions: Vec<Transaction>,
}

/// An event that a contract emitted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Log {
    pub contract: Address,
    /// The event's signature hash and its indexed parameters.
    pub topics: Vec<[u8; 32]>,
    /// The encoded parameters that are not indexed.
    pub data: Vec<u8>,
    pub block: BlockNumber,
    pub block_hash: BlockHash,
    pub tx: TxHash,
    /// The position in the block, from 0.
    pub index: u64,
}

/// The result of a mined transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receipt {
    pub tx: TxHash,
    pub block: BlockNumber,
    pub block_hash: BlockHash,
    /// If `false`, the transaction was reverted and only used gas.
    pub succeeded: bool,
    pub created: Option<Address>,
    pub logs: Vec<Log>,
}

/// The blocks to search for logs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogRange {
    /// Exactly this block. A node that does not know the block must return an error, not an empty list.
    Block(BlockHash),
    /// A range of block numbers, both inclusive.
    Heights(BlockNumber, BlockNumber),
}

/// Selects logs by contract and event.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LogFilter {
    /// The contracts whose logs match. If empty, no log matches.
    pub contracts: Vec<Address>,
    /// The first topics of the events that match. If empty, no log matches.
    pub events: Vec<[u8; 32]>,
}

/// Fees per unit of gas, in base units of the native coin (EIP-1559).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fees {
    /// The maximum total fee.
    pub max_fee: Amount,
    /// The maximum part of the fee that goes to the block producer.
    pub priority_fee: Amount,
}

/// The state of the chain that a request refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum At {
    /// The state after this block.
    Block(BlockHash),
    /// The state after the newest block.
    Latest,
}

/// A read-only call, or a transaction whose gas is estimated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// The caller. It matters for estimates and for contracts that check the caller.
    pub from: Address,
    /// `None` estimates the creation of a contract.
    pub to: Option<Address>,
    /// The amount of the native coin to send.
    pub value: Amount,
    /// The encoded call.
    pub data: Vec<u8>,
    /// The maximum gas; `None` if the node decides.
    pub gas: Option<u64>,
}

/// A node of an EVM chain, or a quorum of nodes.
#[async_trait]
pub trait Node: Send + Sync {
    async fn chain_id(&self) -> Result<ChainId, NodeError>;

    async fn head(&self) -> Result<BlockNumber, NodeError>;

    async fn header(&self, number: BlockNumber) -> Result<Option<Header>, NodeError>;

    /// Returns the header of the block with this hash. A node may also return blocks that a reorganization removed.
    async fn header_of(&self, hash: BlockHash) -> Result<Option<Header>, NodeError>;

    async fn block(&self, number: BlockNumber) -> Result<Option<NodeBlock>, NodeError>;

    /// Returns the hashes of a block's transactions that succeeded.
    async fn succeeded(&self, block: BlockHash) -> Result<Vec<TxHash>, NodeError>;

    /// Returns the matching logs, oldest first.
    async fn logs(&self, range: LogRange, filter: &LogFilter) -> Result<Vec<Log>, NodeError>;

    /// Returns the balance of a holder: base units, or 1 or 0 for an NFT.
    async fn holding(&self, token: Token, holder: Address, at: At) -> Result<U256, NodeError>;

    /// Returns the balance of each holder, in the given order.
    async fn holdings(&self, holders: &[(Token, Address)], at: At) -> Vec<Result<U256, NodeError>> {
        let questions: Vec<_> = holders.iter().map(|(token, holder)| self.holding(*token, *holder, at)).collect();
        futures::stream::iter(questions).buffered(MAX_CONCURRENT_REQUESTS).collect().await
    }

    /// Returns the code at an address; empty if there is none.
    async fn code(&self, address: Address, at: At) -> Result<Vec<u8>, NodeError>;

    /// Returns the nonce of an account's next transaction.
    async fn nonce(&self, account: Address, at: At) -> Result<u64, NodeError>;

    async fn fees(&self) -> Result<Fees, NodeError>;

    async fn estimate(&self, question: &Question) -> Result<u64, NodeError>;

    /// Returns the result of a call. If the contract reverts, fails with [`NodeError::Contract`].
    async fn ask(&self, question: &Question, at: At) -> Result<Vec<u8>, NodeError>;

    /// Sends a signed transaction and returns its hash.
    async fn send(&self, raw: &[u8]) -> Result<TxHash, SendError>;

    /// Returns the receipt of a transaction; `None` if it has not been mined.
    async fn receipt(&self, tx: TxHash) -> Result<Option<Receipt>, NodeError>;
}
