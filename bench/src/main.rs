//! Measures the speed of the product next to yardsticks on the same machine, in the same run. `scripts/bench` calls it.
//!
//! Each measurement starts the shipped programs on a fresh copy of a filled database, runs a load, and checks the
//! invariants afterwards. A run that breaks one is void. The results of a step are kept in `bench/results`, and
//! `docs/benchmarks.md` is generated from them.

mod audit;
mod backlog;
mod cpu;
mod deliveries;
mod deposits;
mod freshness;
mod hall;
mod history;
mod http;
mod idle;
mod machine;
mod naive;
mod node;
mod order_latency;
mod order_lives;
mod orders;
mod page;
mod pgbench;
mod polls;
mod postgres;
mod process;
mod product;
mod profile;
mod reads;
mod recipients;
mod releases;
mod restarts;
mod results;
mod sealing;
mod sockets;
mod stand;
mod stats;
mod world;

use std::path::{Path, PathBuf};

use clap::{Parser, Subcommand};
use tokio::signal::unix::{SignalKind, signal};

use crate::results::Figure;
use crate::stand::Stand;

#[derive(Debug, Parser)]
#[command(name = "mec2c-bench", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Measures, and saves the results.
    Run(Run),
    /// Rewrites docs/benchmarks.md from the saved results.
    Page,
    /// Serves the naive handler, the baseline of `order_lives`. The benchmark starts it.
    #[command(hide = true)]
    Naive {
        #[arg(long)]
        database: String,
        #[arg(long)]
        listen: std::net::SocketAddr,
    },
}

#[derive(Debug, clap::Args)]
struct Run {
    /// The measurements, such as `order_lives,hall`. All by default.
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Measure briefly, to try the benchmark out. The results are not saved.
    #[arg(long)]
    quick: bool,
    /// The name of the file in bench/results. Without it, the results are only printed.
    #[arg(long)]
    step: Option<String>,
    /// What the step changed, for the page.
    #[arg(long, default_value = "")]
    title: String,
    /// The shipped program.
    #[arg(long, default_value = "target/release/mec2c")]
    program: PathBuf,
    /// First print the statements that order transitions execute. Counting them costs some throughput.
    #[arg(long)]
    statements: bool,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let root = std::env::current_dir()?;
    match Arguments::parse().command {
        // Dropping the measurement kills its processes.
        Command::Run(run) => tokio::select! {
            measured = measure(&root, run) => measured,
            stopped = stopped() => stopped,
        },
        Command::Page => page::write(&root),
        Command::Naive { database, listen } => naive::serve(&database, listen).await,
    }
}

/// Waits for a signal to stop.
async fn stopped() -> anyhow::Result<()> {
    let mut terminate = signal(SignalKind::terminate())?;
    tokio::select! {
        interrupted = tokio::signal::ctrl_c() => interrupted?,
        _ = terminate.recv() => {}
    }
    anyhow::bail!("stopped")
}

/// The measurements. `order_lives` includes `hot_advert`, and `releases` the recipients.
const MEASUREMENTS: &[&str] = &[
    "order_lives",
    "order_latency",
    "hall",
    "polls",
    "deliveries",
    "releases",
    "restarts",
    "history",
    "idle",
    "deposits",
];

async fn measure(root: &Path, run: Run) -> anyhow::Result<()> {
    if let Some(unknown) = run.only.iter().find(|only| *only != "none" && !MEASUREMENTS.contains(&only.as_str())) {
        anyhow::bail!("there is no measurement {unknown}; there are {}", MEASUREMENTS.join(", "));
    }
    let folder = root.join(".mec2c/bench").join(std::process::id().to_string());
    std::fs::create_dir_all(&folder)?;
    let mut stand = Stand::build(root, &folder, &root.join(&run.program), run.quick, run.statements).await?;
    if run.statements {
        profile::run(&mut stand).await?;
    }
    let empty = step(root, &run, &stand).await?;
    let wanted = |name: &&&str| run.only.is_empty() || run.only.iter().any(|only| only == **name);
    for name in MEASUREMENTS.iter().filter(wanted) {
        println!("{name}");
        let figures = figures(name, &mut stand).await?;
        for figure in &figures {
            println!("  {figure}");
        }
        // A later measurement may fail, so save each.
        if let Some(step) = run.step.as_ref().filter(|_| !run.quick) {
            results::save(root, step, results::Step { figures, ..empty.clone() })?;
        }
    }
    stand.tear_down().await?;
    Ok(std::fs::remove_dir_all(&folder)?)
}

async fn figures(name: &str, stand: &mut Stand) -> anyhow::Result<Vec<Figure>> {
    match name {
        "order_lives" => order_lives::run(stand).await,
        "order_latency" => order_latency::run(stand).await,
        "hall" => hall::run(stand).await,
        "polls" => polls::run(stand).await,
        "deliveries" => deliveries::run(stand).await,
        "deposits" => deposits::run(stand).await,
        "releases" => releases::run(stand).await,
        "restarts" => restarts::run(stand).await,
        "history" => history::run(stand).await,
        _ => idle::run(stand).await,
    }
}

/// Describes a step without figures.
async fn step(root: &Path, run: &Run, stand: &Stand) -> anyhow::Result<results::Step> {
    let (postgres, pgbench) = versions(stand).await?;
    let settings = postgres::SETTINGS.iter().map(|(name, value)| format!("PostgreSQL: {name} = {value}"));
    Ok(results::Step {
        title: run.title.clone(),
        commit: machine::commit(root).await?,
        date: chrono::Utc::now().date_naive().to_string(),
        machine: machine::describe(&postgres, &pgbench).await?,
        settings: settings.chain(product::SETTINGS.iter().map(ToString::to_string)).collect(),
        figures: Vec::new(),
    })
}

async fn versions(stand: &Stand) -> anyhow::Result<(String, String)> {
    let pool = stand.postgres.pool("postgres", 1).await?;
    let postgres: String = sqlx::query_scalar("show server_version").fetch_one(&pool).await?;
    pool.close().await;
    Ok((postgres, stand.pgbench.version().await?))
}
