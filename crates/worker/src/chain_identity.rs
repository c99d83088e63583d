//! Is this our chain? Nothing is concluded from another, and no money moved.

use app::chain::{Chain, Watch};
use chain::identity::{self, ChainCheck, ChainIdentity};
use chain::node::{Node, NodeError};

use crate::{Error, Result, Worker};

/// Says how the node's chain differs from the one that the books are about, naming both; nothing if it does not.
pub async fn difference(node: &dyn Node, chain: &Chain) -> std::result::Result<Option<String>, NodeError> {
    let (Some(escrow), Some(genesis)) = (chain.escrow, chain.genesis) else {
        return Ok(Some("no Escrow is known on the chain yet".to_owned()));
    };
    let expected = ChainIdentity { chain: chain.id, genesis, escrow_code: chain.escrow_code };
    Ok(match identity::check(node, escrow, expected, chain.head).await? {
        ChainCheck::SameChain | ChainCheck::Behind { .. } => None,
        ChainCheck::OtherChain { expected, found } => Some(format!(
            "the books are about chain {} with genesis {}, the node speaks of chain {} with genesis {}{}",
            expected.chain.0,
            expected.genesis,
            found.chain.0,
            found.genesis,
            if found.escrow_code.is_none() { " without an Escrow" } else { "" },
        )),
    })
}

/// Compares the node's chain with the one that the books are about; stops what moves money if they differ, and lets it go
/// on when they agree again.
pub async fn pass(worker: &Worker, watch: &Watch) -> Result<()> {
    let chain = &watch.chain;
    match difference(worker.node.as_ref(), chain).await? {
        None => {
            if chain.stopped_because.is_some() {
                app::chain::stop(&worker.context, chain.id, None).await?;
                tracing::info!("the node speaks of our chain again");
            }
            Ok(())
        }
        Some(why) => {
            // Where no Escrow is known yet, nothing moves money either, and there is no chain to stop.
            if chain.escrow.is_some() && chain.genesis.is_some() && chain.stopped_because.as_ref() != Some(&why) {
                app::chain::stop(&worker.context, chain.id, Some(&why)).await?;
            }
            Err(Error::OtherChain(why))
        }
    }
}
