//! Whether a node speaks of the chain that our books are about.

use alloy::primitives::keccak256;
use domain::chain::{Address, BlockHash, BlockNumber, ChainId};

use crate::node::{At, Node, NodeError};

/// What names a chain with our Escrow on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChainIdentity {
    /// The chain's number.
    pub chain: ChainId,
    /// The hash of block 0.
    pub genesis: BlockHash,
    /// The hash (Keccak-256) of the Escrow's code; nothing if there is no code at its address. Two development chains may
    /// have one genesis.
    pub escrow_code: Option<[u8; 32]>,
}

/// What a node's chain is to ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChainCheck {
    /// Ours, at least as long as we have read it. A reorganisation is the watcher's to find.
    SameChain,
    /// Ours, but its newest block is below the newest that we have read: an ordinary reorganisation, however deep.
    Behind {
        /// The height of its newest block.
        head: BlockNumber,
    },
    /// Another chain, or ours without our Escrow: nothing may be concluded from it and no money moved.
    OtherChain {
        /// What our books are about.
        expected: ChainIdentity,
        /// What the node speaks of.
        found: ChainIdentity,
    },
}

/// What names the chain that a node speaks of. Written down when the Escrow is deployed or configured.
pub async fn read(node: &dyn Node, escrow: Address) -> Result<ChainIdentity, NodeError> {
    let chain = node.chain_id().await?;
    let genesis = node.header(0).await?.ok_or_else(|| NodeError::Transient("no block 0".to_owned()))?;
    let code = node.code(escrow, At::Latest).await?;
    let escrow_code = (!code.is_empty()).then(|| keccak256(&code).0);
    Ok(ChainIdentity { chain, genesis: genesis.place.hash, escrow_code })
}

/// Compares a node's chain with ours. `cursor` is the height of the newest block that we have read.
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
