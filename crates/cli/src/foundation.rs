//! What every command stands on, made out of the configuration.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, bail};
use app::identity::ports::SystemRandom;
use app::{Clock, Context, SystemTime};
use chain::node::Node;
use chain::rpc::RpcNode;
use store::Store;

use crate::config::{self, ClockSource, Config};

/// How long the node may take for one answer.
const NODE_PATIENCE: Duration = Duration::from_secs(10);

/// Database, clock and identifiers.
pub(crate) fn context(store: Store, config: &Config) -> Context {
    let time = Arc::new(SystemTime);
    let clock = match config.clock.source {
        ClockSource::Machine => Clock::Machine(time),
        ClockSource::Database => Clock::Shared(time),
    };
    Context::new(store, clock, Arc::new(SystemRandom))
}

/// The chain's node.
pub(crate) fn node(chain: &config::Chain) -> anyhow::Result<Arc<dyn Node>> {
    match chain.rpc.as_slice() {
        [address] => Ok(Arc::new(RpcNode::new(address, NODE_PATIENCE).context("chain.rpc")?)),
        _ => bail!("chain.rpc: several nodes that must agree are not supported yet; name one"),
    }
}
