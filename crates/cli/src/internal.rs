//! What the operator's network may ask of every process: metrics, whether it lives, whether it is ready.

use std::net::SocketAddr;
use std::sync::Arc;

use anyhow::Context as _;
use api::middleware::{Check, internal_router};
use app::Context;
use async_trait::async_trait;
use chain::node::Node;
use gateways::SmtpMail;
use metrics_exporter_prometheus::PrometheusBuilder;
use store::Store;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// Starts to count, and to answer the operator's questions where the configuration says.
pub(crate) async fn start(
    listen: Option<SocketAddr>,
    checks: Vec<Arc<dyn Check>>,
    stop: CancellationToken,
) -> anyhow::Result<Option<JoinHandle<std::io::Result<()>>>> {
    let metrics = PrometheusBuilder::new().install_recorder().context("metrics")?;
    let Some(address) = listen else { return Ok(None) };
    let listener = TcpListener::bind(address).await.with_context(|| format!("http.internal_listen: {address}"))?;
    tracing::info!(address = %listener.local_addr()?, "metrics and health");
    Ok(Some(tokio::spawn(api::serve(listener, internal_router(metrics, checks), api::Connections::default(), stop))))
}

/// Whether Postgres answers.
pub(crate) struct Postgres(pub(crate) Store);

#[async_trait]
impl Check for Postgres {
    fn name(&self) -> &'static str {
        "postgres"
    }

    async fn check(&self) -> Result<(), String> {
        self.0.ping().await.map_err(|error| error.to_string())
    }
}

/// Whether the node answers.
pub(crate) struct ChainNode {
    pub(crate) node: Arc<dyn Node>,
    /// The worker can do nothing without it; the calls go on, and only what the chain must say waits.
    pub(crate) needed: bool,
}

#[async_trait]
impl Check for ChainNode {
    fn name(&self) -> &'static str {
        "node"
    }

    fn needed(&self) -> bool {
        self.needed
    }

    async fn check(&self) -> Result<(), String> {
        self.node.head().await.map(drop).map_err(|error| error.to_string())
    }
}

/// Whether the node's chain is the one that the books are about. Commands that move money are refused while it is not, and
/// until a worker has seen that it is again.
pub(crate) struct OurChain {
    pub(crate) context: Context,
    pub(crate) node: Arc<dyn Node>,
    /// The worker can do nothing on another chain; the calls that move no money go on.
    pub(crate) needed: bool,
}

#[async_trait]
impl Check for OurChain {
    fn name(&self) -> &'static str {
        "chain"
    }

    fn needed(&self) -> bool {
        self.needed
    }

    async fn check(&self) -> Result<(), String> {
        // A database or a node that does not answer is named for itself.
        let Ok(known) = app::chain::known(&self.context).await else { return Ok(()) };
        let Some(chain) = known else { return Err("no chain is configured: run `mec2c migrate`".to_owned()) };
        if let Ok(Some(difference)) = worker::chain_identity::difference(self.node.as_ref(), &chain).await {
            return Err(difference);
        }
        match chain.stopped_because {
            Some(because) => Err(format!("commands that move money wait for a worker to look at the chain: {because}")),
            None => Ok(()),
        }
    }
}

/// Whether every coin is paid out. One that is not is an officer's to look at, and takes the worker away from nothing
/// else.
pub(crate) struct Payouts(pub(crate) Context);

#[async_trait]
impl Check for Payouts {
    fn name(&self) -> &'static str {
        "payouts"
    }

    fn needed(&self) -> bool {
        false
    }

    async fn check(&self) -> Result<(), String> {
        // A database that does not answer is named for itself.
        let Ok(stopped) = app::officers::stopped(&self.0).await else { return Ok(()) };
        let Ok(vaults) = app::officers::stopped_vaults(&self.0).await else { return Ok(()) };
        let assets = stopped.into_iter().map(|one| format!("{} is stopped: {}", one.asset.code, one.stop.because));
        let vaults = vaults
            .into_iter()
            .map(|one| format!("{} of vault {} is stopped: {}", one.asset.code, one.stop.address, one.stop.because));
        let Ok(failing) = app::officers::failing(&self.0).await else { return Ok(()) };
        let told: Vec<_> = assets.chain(vaults).chain(failing.iter().map(ToString::to_string)).collect();
        if told.is_empty() { Ok(()) } else { Err(told.join("; ")) }
    }
}

/// Whether the mail server answers.
pub(crate) struct MailServer(pub(crate) SmtpMail);

#[async_trait]
impl Check for MailServer {
    fn name(&self) -> &'static str {
        "mail"
    }

    fn needed(&self) -> bool {
        false
    }

    async fn check(&self) -> Result<(), String> {
        if self.0.answers().await { Ok(()) } else { Err("the mail server does not answer".to_owned()) }
    }
}
