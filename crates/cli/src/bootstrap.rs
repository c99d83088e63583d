//! Builds the shared parts of every command from the configuration.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use app::identity::ports::SystemRandom;
use app::{Clock, Context, SystemTime};
use chain::node::Node;
use chain::quorum::QuorumNode;
use chain::rpc::RpcNode;
use gateways::{Bucket, GuardedMetadata, ObjectFiles};
use store::Store;

use crate::config::{self, ClockSource, Config};

/// The timeout of a request to the node.
const NODE_PATIENCE: Duration = Duration::from_secs(10);

pub(crate) fn context(store: Store, config: &Config) -> Context {
    let time = Arc::new(SystemTime);
    let clock = match config.clock.source {
        ClockSource::Machine => Clock::Machine(time),
        ClockSource::Database => Clock::Shared(time),
    };
    Context::new(store, clock, Arc::new(SystemRandom))
}

/// Creates the client of the file store.
pub(crate) fn file_store(files: &config::Files) -> anyhow::Result<ObjectFiles> {
    if files.bucket.is_empty() {
        return ObjectFiles::local(&files.folder).context("files.folder");
    }
    let bucket = Bucket {
        name: files.bucket.clone(),
        region: files.region.clone(),
        endpoint: files.endpoint.clone(),
        key_id: files.key_id.clone(),
        secret: files.secret.expose().to_owned(),
    };
    ObjectFiles::bucket(&bucket).context("files.bucket")
}

/// Creates the client that fetches the metadata of NFTs.
pub(crate) fn metadata_source(nft: &config::Nft) -> anyhow::Result<GuardedMetadata> {
    let gateway = Some(&nft.ipfs_gateway).filter(|gateway| !gateway.is_empty());
    let gateway = gateway.map(|gateway| gateway.parse()).transpose().context("nft.ipfs_gateway")?;
    GuardedMetadata::new(gateway).context("nft.ipfs_gateway")
}

/// Creates the client of the chain's node. If several nodes are configured, more than half of them must agree.
pub(crate) fn node(chain: &config::Chain) -> anyhow::Result<Arc<dyn Node>> {
    let node = |address: &String| RpcNode::new(address, NODE_PATIENCE).context("chain.rpc");
    if let [address] = chain.rpc.as_slice() {
        return Ok(Arc::new(node(address)?));
    }
    let mut nodes: Vec<Arc<dyn Node>> = Vec::with_capacity(chain.rpc.len());
    for address in &chain.rpc {
        nodes.push(Arc::new(node(address)?));
    }
    let more_than_half = nodes.len().div_euclid(2).saturating_add(1);
    Ok(Arc::new(QuorumNode::new(nodes, more_than_half).context("chain.rpc")?))
}
