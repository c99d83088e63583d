//! The internal listener of every process: metrics, liveness and readiness.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use api::middleware::{Check, internal_router};
use app::Context;
use app::market::hall::Hall;
use async_trait::async_trait;
use chain::node::Node;
use gateways::SmtpMail;
use metrics_exporter_prometheus::PrometheusBuilder;
use store::Store;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// Starts the metrics and, if configured, the internal listener.
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

/// The time that a check may wait for the database. Shorter than the time limit of a check.
const DATABASE_TIMEOUT: Duration = Duration::from_secs(1);

/// Returns what a check reads from the database, or `None` if the database is not available: its own check reports that.
async fn read<T>(reading: impl Future<Output = app::Result<T>>) -> Option<T> {
    tokio::time::timeout(DATABASE_TIMEOUT, reading).await.ok()?.ok()
}

pub(crate) struct ChainNode {
    pub(crate) node: Arc<dyn Node>,
    /// True for the worker, which can do nothing without the node. API calls work without the node; only results from
    /// the chain are delayed.
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

/// Checks that the node serves the chain that the ledger refers to. If it serves another chain, commands that move
/// money are refused until a worker has seen the right chain again.
pub(crate) struct OurChain {
    pub(crate) context: Context,
    pub(crate) node: Arc<dyn Node>,
    /// True for the worker, which can do nothing on another chain. API calls that move no money still work.
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
        let Some(known) = read(app::chain::known(&self.context)).await else { return Ok(()) };
        let Some(chain) = known else { return Err("no chain is configured: run `mec2c migrate`".to_owned()) };
        // If the node is not available, its own check reports the failure.
        if let Ok(Some(difference)) = worker::chain_identity::difference(self.node.as_ref(), &chain).await {
            return Err(difference);
        }
        match chain.stopped_because {
            Some(because) => Err(format!("money commands are refused until a worker checks the chain: {because}")),
            None => Ok(()),
        }
    }
}

/// Checks that no payouts are stopped. An officer must resolve a stop; the worker's other tasks continue.
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
        let Some(stopped) = read(app::console::stopped(&self.0)).await else { return Ok(()) };
        let Some(vaults) = read(app::console::stopped_vaults(&self.0)).await else { return Ok(()) };
        let assets = stopped.into_iter().map(|one| format!("{} is stopped: {}", one.asset.code, one.stop.because));
        let vaults = vaults
            .into_iter()
            .map(|one| format!("{} of vault {} is stopped: {}", one.asset.code, one.stop.address, one.stop.because));
        let Some(failing) = read(app::console::failing(&self.0)).await else { return Ok(()) };
        let told: Vec<_> = assets.chain(vaults).chain(failing.iter().map(ToString::to_string)).collect();
        if told.is_empty() { Ok(()) } else { Err(told.join("; ")) }
    }
}

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

/// Checks that the hall is loaded, so that no requests arrive before it can answer them.
pub(crate) struct LoadedHall {
    pub(crate) hall: Arc<Hall>,
    pub(crate) store: Store,
}

#[async_trait]
impl Check for LoadedHall {
    fn name(&self) -> &'static str {
        "hall"
    }

    async fn check(&self) -> Result<(), String> {
        if tokio::time::timeout(DATABASE_TIMEOUT, self.hall.loaded()).await.is_ok() {
            return Ok(());
        }
        // If the database is not available, its own check reports the failure.
        match tokio::time::timeout(DATABASE_TIMEOUT, self.store.ping()).await {
            Ok(Ok(())) => Err("the hall is being loaded".to_owned()),
            _ => Ok(()),
        }
    }
}
