//! The shipped programs under test: `mec2c migrate`, `serve` and `worker`.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use chain::signer::LocalSigner;
use rustix::process::Signal;
use tokio::process::Command;

use crate::http::{Client, get};
use crate::node::{CHAIN_ID, CONFIRMATIONS, Node, SETTLER_KEY};
use crate::postgres::Postgres;
use crate::process::{Process, free_port, output};

/// The settings of the product that differ from its defaults. Everything else is as shipped.
pub(crate) const SETTINGS: &[&str] = &[
    "rate limits off",
    "the load generator counts as a proxy, so that it may open any number of connections",
    "the worker has no settler's key, so it sends no payouts, except for the releases",
];

/// The product's program and the place of its files.
#[derive(Debug, Clone)]
pub(crate) struct Product {
    pub(crate) program: PathBuf,
    pub(crate) folder: PathBuf,
}

/// A running server and worker.
pub(crate) struct Running {
    server: Process,
    worker: Option<Process>,
    pub(crate) api: SocketAddr,
    /// The listener of metrics and health.
    pub(crate) internal: SocketAddr,
    /// The time from the start of the server until it answered calls.
    pub(crate) started_in: Duration,
    /// The time from the start of the server until it was ready, with the hall in memory.
    pub(crate) ready_in: Duration,
    /// When the worker was started.
    pub(crate) started_at: Instant,
}

impl Product {
    /// Brings a database up to date.
    pub(crate) async fn migrate(&self, postgres: &Postgres, database: &str, node: &Node) -> anyhow::Result<()> {
        let config = self.configure(postgres, database, node, free_port()?)?;
        output("mec2c migrate", Command::new(&self.program).arg("--config").arg(config).arg("migrate")).await?;
        Ok(())
    }

    /// Starts server and worker on a database, and waits until the server is ready.
    pub(crate) async fn start(&self, postgres: &Postgres, database: &str, node: &Node) -> anyhow::Result<Running> {
        let mut running = self.serve(postgres, database, node).await?;
        let config = self.folder.join("mec2c.toml");
        let internal = SocketAddr::from(([127, 0, 0, 1], free_port()?));
        running.started_at = Instant::now();
        let mut worker = self.process("worker", &config, internal, &[])?;
        worker.ready(async || healthy(internal, "/health/live").await).await?;
        running.worker = Some(worker);
        Ok(running)
    }

    /// Starts a worker that sends payouts, beside a server that runs alone.
    pub(crate) async fn pay(&self, running: &mut Running) -> anyhow::Result<()> {
        const NAME: &str = "settler.json";
        const PASSWORD: &str = "bench-settler-1";
        LocalSigner::write_keystore(&self.folder, NAME, SETTLER_KEY, PASSWORD)?;
        let keystore = self.folder.join(NAME).display().to_string();
        let settler = [("MEC2C_PAYOUTS_KEYSTORE_FILE", keystore.as_str()), ("MEC2C_PAYOUTS_PASSWORD", PASSWORD)];
        let internal = SocketAddr::from(([127, 0, 0, 1], free_port()?));
        let mut worker = self.process("worker", &self.folder.join("mec2c.toml"), internal, &settler)?;
        worker.ready(async || healthy(internal, "/health/live").await).await?;
        running.worker = Some(worker);
        Ok(())
    }

    /// Starts only the server, and waits until it is ready.
    pub(crate) async fn serve(&self, postgres: &Postgres, database: &str, node: &Node) -> anyhow::Result<Running> {
        let port = free_port()?;
        let config = self.configure(postgres, database, node, port)?;
        let internal = SocketAddr::from(([127, 0, 0, 1], free_port()?));
        let api = SocketAddr::from(([127, 0, 0, 1], port));
        let mut server = self.process("serve", &config, internal, &[])?;
        let started_in = server
            .ready(async || healthy(api, "/api/common/coin").await && healthy(internal, "/health/live").await)
            .await?;
        let rest = server.ready(async || healthy(internal, "/health/ready").await).await?;
        let ready_in = started_in.saturating_add(rest);
        Ok(Running { server, worker: None, api, internal, started_in, ready_in, started_at: Instant::now() })
    }

    fn process(
        &self,
        command: &'static str,
        config: &Path,
        internal: SocketAddr,
        settings: &[(&str, &str)],
    ) -> anyhow::Result<Process> {
        let log = self.folder.join(format!("{command}.log"));
        let mut line = Command::new(&self.program);
        line.arg("--config").arg(config).arg(command).env("MEC2C_HTTP_INTERNAL_LISTEN", internal.to_string());
        line.envs(settings.iter().copied());
        Process::start(command, &mut line, &log)
    }

    fn configure(&self, postgres: &Postgres, database: &str, node: &Node, port: u16) -> anyhow::Result<PathBuf> {
        let text = format!(
            r#"[http]
listen = "127.0.0.1:{port}"
public_url = "http://127.0.0.1:{port}"
web_folder = ""
proxies = ["127.0.0.1"]

[rate_limits]
address_every_ms = 0
login_every_ms = 0
session_every_ms = 0
account_every_ms = 0

[database]
url = "{}"

[chain]
id = {CHAIN_ID}
rpc = ["{}"]
confirmations = {CONFIRMATIONS}
escrow = "{}"
"#,
            postgres.url(database),
            node.url(),
            node.escrow
        );
        let path = self.folder.join("mec2c.toml");
        std::fs::write(&path, text)?;
        Ok(path)
    }
}

impl Running {
    pub(crate) fn server_pid(&self) -> anyhow::Result<u32> {
        self.server.pid()
    }

    pub(crate) fn worker_pid(&self) -> anyhow::Result<Option<u32>> {
        self.worker.as_ref().map(Process::pid).transpose()
    }

    pub(crate) async fn stop(self) -> anyhow::Result<()> {
        if let Some(worker) = self.worker {
            worker.stop(Signal::TERM).await?;
        }
        self.server.stop(Signal::TERM).await
    }
}

/// Returns whether a page answers with success.
async fn healthy(address: SocketAddr, path: &str) -> bool {
    let Ok(mut client) = Client::connect(address).await else { return false };
    client.exchange(&get(path, "")).await.is_ok_and(|status| status == 200)
}
