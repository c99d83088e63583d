//! Checks that the node serves the chain that the ledger was built from. While it serves another chain, no blocks are
//! read and no money moves.

use app::chain::{Chain, Watch};
use chain::identity::{self, ChainCheck, ChainIdentity};
use chain::node::{Node, NodeError};

use crate::{Error, Result, Worker};

/// Describes how the node's chain differs from the chain in the database; `None` if they are the same.
pub async fn difference(node: &dyn Node, chain: &Chain) -> std::result::Result<Option<String>, NodeError> {
    let (Some(escrow), Some(genesis)) = (chain.escrow, chain.genesis) else {
        return Ok(Some("the Escrow is not deployed or configured yet".to_owned()));
    };
    let expected = ChainIdentity { chain: chain.id, genesis, escrow_code: chain.escrow_code };
    Ok(match identity::check(node, escrow, expected, chain.head).await? {
        ChainCheck::SameChain | ChainCheck::Behind { .. } => None,
        ChainCheck::OtherChain { expected, found } => Some(format!(
            "expected chain {} with genesis {}, but the node serves chain {} with genesis {}{}",
            expected.chain.0,
            expected.genesis,
            found.chain.0,
            found.genesis,
            if found.escrow_code.is_none() { " and no Escrow" } else { "" },
        )),
    })
}

/// Compares the node's chain with the chain in the database. If they differ, suspends all commands that move money
/// until they match again.
pub async fn pass(worker: &Worker, watch: &Watch) -> Result<()> {
    let chain = &watch.chain;
    match difference(worker.node.as_ref(), chain).await? {
        None => {
            if chain.stopped_because.is_some() {
                app::chain::stop(&worker.context, chain.id, None).await?;
                tracing::info!("the node serves the expected chain again");
            }
            Ok(())
        }
        Some(why) => {
            // Without a known Escrow, no money can move anyway, and no chain row exists that could be stopped.
            if chain.escrow.is_some() && chain.genesis.is_some() && chain.stopped_because.as_ref() != Some(&why) {
                app::chain::stop(&worker.context, chain.id, Some(&why)).await?;
            }
            Err(Error::OtherChain(why))
        }
    }
}
