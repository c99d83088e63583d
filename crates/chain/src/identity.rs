//! Checks whether a node serves the expected chain.

use alloy::primitives::keccak256;
use domain::chain::{Address, BlockHash, BlockNumber, ChainId};

use crate::node::{At, Node, NodeError};

/// Identifies a chain and the Escrow on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChainIdentity {
    pub chain: ChainId,
    pub genesis: BlockHash,
    /// The Keccak-256 hash of the Escrow's code; `None` if its address has no code. Distinguishes development chains
    /// with the same genesis block.
    pub escrow_code: Option<[u8; 32]>,
}

/// The result of comparing a node's chain with the expected chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChainCheck {
    /// The expected chain. It may have been reorganized.
    SameChain,
    /// The expected chain, but its head is below the newest block that was read, because of a reorganization.
    Behind {
        /// The node's newest block.
        head: BlockNumber,
    },
    /// Another chain, or the expected chain without the Escrow: ignore the node and stop payouts.
    OtherChain { expected: ChainIdentity, found: ChainIdentity },
}

/// Reads the identity of a node's chain. Callers store it when the Escrow is deployed or configured.
pub async fn read(node: &dyn Node, escrow: Address) -> Result<ChainIdentity, NodeError> {
    let chain = node.chain_id().await?;
    let genesis = node.header(0).await?.ok_or_else(|| NodeError::Transient("no block 0".to_owned()))?;
    let code = node.code(escrow, At::Latest).await?;
    let escrow_code = (!code.is_empty()).then(|| keccak256(&code).0);
    Ok(ChainIdentity { chain, genesis: genesis.place.hash, escrow_code })
}

/// Compares a node's chain with the expected chain. `cursor` is the newest block that was read.
pub async fn check(
    node: &dyn Node,
    escrow: Address,
    expected: ChainIdentity,
    cursor: Option<BlockNumber>,
) -> Result<ChainCheck, NodeError> {
    let found = read(node, escrow).await?;
    if found != expected || found.escrow_code.is_none() {
        return Ok(ChainCheck::OtherChain { expected, found });
    }
    let head = node.head().await?;
    Ok(if cursor.is_some_and(|cursor| head < cursor) { ChainCheck::Behind { head } } else { ChainCheck::SameChain })
}
