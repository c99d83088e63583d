//! Is this our chain? Nothing is concluded from another, and no money moved.

use app::chain::Watch;
use chain::identity::{self, ChainCheck, ChainIdentity};

use crate::{Error, Result, Worker};

/// Compares the node's chain with the one that the books are about; stops what moves money if they differ, and lets it go
/// on when they agree again.
pub async fn pass(worker: &Worker, watch: &Watch) -> Result<()> {
    let chain = &watch.chain;
    let (Some(escrow), Some(genesis)) = (chain.escrow, chain.genesis) else {
        return Err(Error::OtherChain("no Escrow is known on the chain yet".to_owned()));
    };
    let expected = ChainIdentity { chain: chain.id, genesis, escrow_code: chain.escrow_code };
    match identity::check(worker.node.as_ref(), escrow, expected, chain.head).await? {
        ChainCheck::SameChain | ChainCheck::Behind { .. } => {
            if chain.stopped_because.is_some() {
                app::chain::stop(&worker.context, chain.id, None).await?;
                tracing::info!("the node speaks of our chain again");
            }
            Ok(())
        }
        ChainCheck::OtherChain { expected, found } => {
            let why = format!(
                "the books are about chain {} with genesis {}, the node speaks of chain {} with genesis {}{}",
                expected.chain.0,
                expected.genesis,
                found.chain.0,
                found.genesis,
                if found.escrow_code.is_none() { " without an Escrow" } else { "" },
            );
            if chain.stopped_because.as_ref() != Some(&why) {
                app::chain::stop(&worker.context, chain.id, Some(&why)).await?;
            }
            Err(Error::OtherChain(why))
        }
    }
}
