//! What this crate asks of a node, in the domain's words, and how a node can fail.

use async_trait::async_trait;
use domain::chain::{Address, BlockHash, BlockNumber, BlockRef, ChainId, Token, TxHash};
use domain::money::Amount;
use ruint::aliases::U256;

/// Why a node gave no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NodeError {
    /// It may answer the same question later: unreachable, overloaded, not yet at that block.
    #[error("the node did not answer: {0}")]
    Transient(String),
    /// Too few nodes gave the same answer.
    #[error("the nodes do not agree on {0}")]
    Disagreement(&'static str),
    /// It refuses to answer for so many blocks or logs at once.
    #[error("the node refuses so much at once: {0}")]
    TooMuch(String),
    /// The contract that is asked does not answer what it should: its code ends without an answer, or with one of another
    /// form. It says nothing about the node.
    #[error("the contract does not answer: {0}")]
    Contract(String),
    /// It will not answer this question however often it is asked: unknown method, answer of another form, state it has
    /// thrown away.
    #[error("the node cannot answer: {0}")]
    Fatal(String),
}

impl NodeError {
    /// Whether asking again later may help.
    pub fn is_transient(&self) -> bool {
        matches!(self, Self::Transient(_) | Self::Disagreement(_))
    }
}

/// Why a node did not take a transaction.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SendError {
    /// It has it already: as good as taken.
    #[error("the node knows this transaction already")]
    AlreadyKnown,
    /// A transaction with this nonce was mined: this one, or another. Look at the chain by reference.
    #[error("a transaction with this nonce was mined already")]
    NonceTooLow,
    /// Another with the same nonce waits, and this one does not pay enough more to replace it; or it pays less than the
    /// node takes at all.
    #[error("the fee is too low: {0}")]
    Underpriced(String),
    /// The sender cannot pay for its gas.
    #[error("the sender has too little of the native coin for the gas: {0}")]
    InsufficientFunds(String),
    /// The node refuses it for another reason; sending the same bytes again will not help.
    #[error("the node refuses the transaction: {0}")]
    Refused(String),
    /// No answer, or none that says which: the node may have taken it. Send the same bytes again.
    #[error(transparent)]
    Unknown(#[from] NodeError),
}

/// A block's head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header {
    /// Its height and hashes.
    pub place: BlockRef,
    /// Seconds since 1970.
    pub timestamp: u64,
}

/// A transaction as it stands in a block. Whether it succeeded is not here: ask [`Node::succeeded`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transaction {
    /// Its hash.
    pub hash: TxHash,
    /// Its place in the block, from 0.
    pub index: u64,
    /// Who signed it.
    pub from: Address,
    /// Whom it calls; nothing when it makes a contract.
    pub to: Option<Address>,
    /// How much of the native coin goes along.
    pub value: U256,
    /// Function and parameters.
    pub data: Vec<u8>,
}

/// A block with its transactions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// Its head.
    pub header: Header,
    /// In their order.
    pub transactions: Vec<Transaction>,
}

/// What a contract wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Log {
    /// Which contract.
    pub contract: Address,
    /// The event and its indexed parameters.
    pub topics: Vec<[u8; 32]>,
    /// Its other parameters.
    pub data: Vec<u8>,
    /// The height of its block.
    pub block: BlockNumber,
    /// Its block's hash.
    pub block_hash: BlockHash,
    /// Its transaction.
    pub tx: TxHash,
    /// Its place in the block, from 0.
    pub index: u64,
}

/// What became of a mined transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receipt {
    /// Which transaction.
    pub tx: TxHash,
    /// The height of its block.
    pub block: BlockNumber,
    /// Its block's hash.
    pub block_hash: BlockHash,
    /// Whether it did what it says; otherwise it only cost gas.
    pub succeeded: bool,
    /// The address of the contract that it made.
    pub created: Option<Address>,
    /// Gas that it used.
    pub gas_used: u64,
    /// What was paid for a unit of gas, in base units of the native coin.
    pub gas_price: Amount,
    /// What contracts wrote in it.
    pub logs: Vec<Log>,
}

/// Which blocks' logs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogRange {
    /// Exactly this block: a node that does not know it must say so, not answer with nothing.
    Block(BlockHash),
    /// From one height to another, both included.
    Heights(BlockNumber, BlockNumber),
}

/// Which logs: of these contracts, and of one of these events.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LogFilter {
    /// Contracts; none means no logs at all.
    pub contracts: Vec<Address>,
    /// First topics.
    pub events: Vec<[u8; 32]>,
}

/// What a transaction offers for a unit of gas, in base units of the native coin (EIP-1559).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fees {
    /// The most in all.
    pub max_fee: Amount,
    /// The block maker's part of it.
    pub priority_fee: Amount,
}

/// Which state of the chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum At {
    /// After this block.
    Block(BlockHash),
    /// After the newest block.
    Latest,
}

/// A call that asks and changes nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// Who asks; matters to contracts that answer by caller, and to estimates.
    pub from: Address,
    /// Whom; nothing to estimate the making of a contract.
    pub to: Option<Address>,
    /// How much of the native coin goes along.
    pub value: Amount,
    /// Function and parameters.
    pub data: Vec<u8>,
}

/// A node of an EVM chain, or several that speak as one.
#[async_trait]
pub trait Node: Send + Sync {
    /// The chain's number.
    async fn chain_id(&self) -> Result<ChainId, NodeError>;

    /// The height of the newest block.
    async fn head(&self) -> Result<BlockNumber, NodeError>;

    /// The head of the block at a height, if there is one.
    async fn header(&self, number: BlockNumber) -> Result<Option<Header>, NodeError>;

    /// The head of the block of a hash, if the node knows it (it may know blocks that were reorganised away).
    async fn header_of(&self, hash: BlockHash) -> Result<Option<Header>, NodeError>;

    /// The block at a height, if there is one.
    async fn block(&self, number: BlockNumber) -> Result<Option<Block>, NodeError>;

    /// Which transactions of a block succeeded.
    async fn succeeded(&self, block: BlockHash) -> Result<Vec<TxHash>, NodeError>;

    /// The logs of some blocks, oldest first.
    async fn logs(&self, range: LogRange, filter: &LogFilter) -> Result<Vec<Log>, NodeError>;

    /// How much of a token a holder has: base units, or 1 and 0 for an NFT.
    async fn holding(&self, token: Token, holder: Address, at: At) -> Result<U256, NodeError>;

    /// The code at an address; empty where there is none.
    async fn code(&self, address: Address, at: At) -> Result<Vec<u8>, NodeError>;

    /// How many transactions of an account were mined as of a block: the nonce of its next.
    async fn nonce(&self, account: Address, at: At) -> Result<u64, NodeError>;

    /// What the node thinks a transaction should offer now.
    async fn fees(&self) -> Result<Fees, NodeError>;

    /// How much gas a call would take.
    async fn estimate(&self, question: &Question) -> Result<u64, NodeError>;

    /// What a call answers. A call that reverts is [`NodeError::Contract`].
    async fn ask(&self, question: &Question, at: At) -> Result<Vec<u8>, NodeError>;

    /// Sends signed bytes, and returns the hash by which the chain will know them.
    async fn send(&self, raw: &[u8]) -> Result<TxHash, SendError>;

    /// What became of a transaction, if it was mined.
    async fn receipt(&self, tx: TxHash) -> Result<Option<Receipt>, NodeError>;
}
