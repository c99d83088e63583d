//! Fetches the metadata and the royalties of NFTs that are new or say that their metadata has changed.

use app::nfts::metadata;
use chain::node::{At, NodeError};
use domain::nfts::MetadataFault;

use crate::{Next, Result, Worker};

/// How many NFTs are fetched at once. Their servers may be slow.
const AT_ONCE: i64 = 4;

/// Fetches the metadata that has been due for longest. A worker without a source or without a file store fetches none.
pub async fn step(worker: &Worker) -> Result<Next> {
    let (Some(source), Some(files)) = (&worker.metadata, &worker.files) else { return Ok(Next::Rest) };
    let due = metadata::begin(&worker.context, AT_ONCE).await?;
    let fetched = due.iter().map(async |one| {
        let node = worker.node.as_ref();
        let asked = async {
            let uri = chain::nfts::metadata_uri(node, one.contract, one.token_id, At::Latest).await?;
            let royalty = chain::nfts::royalty(node, one.contract, one.token_id, At::Latest).await?;
            Ok::<_, NodeError>((uri, royalty))
        };
        match asked.await {
            Ok((uri, royalty)) => {
                metadata::put_royalty(&worker.context, one, royalty).await?;
                metadata::refresh(&worker.context, source.as_ref(), files.as_ref(), one, uri).await?;
            }
            Err(error) => {
                // If the node answers other questions, this NFT must not keep the others waiting.
                if let Err(down) = node.head().await {
                    metadata::give_back(&worker.context, one).await?;
                    return Err(down.into());
                }
                tracing::warn!(%error, nft = one.nft.0, "the node does not say what the contract states about the NFT");
                metadata::postpone(&worker.context, one, MetadataFault::Unreachable).await?;
            }
        }
        Result::Ok(())
    });
    for done in futures::future::join_all(fetched).await {
        done?;
    }
    Ok(if due.is_empty() { Next::Rest } else { Next::Immediately })
}
