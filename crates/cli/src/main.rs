//! The `mec2c` program: the API server, the worker, and commands for operators.

mod accounts;
mod bootstrap;
mod catalog;
mod config;
mod config_check;
mod console;
mod database;
mod internal;
mod log;
mod maintenance;
mod officer;
mod policy;
mod record;
mod serve;
mod stop;
mod work;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::{Parser, Subcommand};

use crate::config::Config;

/// MEC2C, a peer-to-peer marketplace.
///
/// Configuration: mec2c.example.toml documents every key. Each can also be set as a variable `MEC2C_SECTION_KEY`.
#[derive(Debug, Parser)]
#[command(name = "mec2c", version, verbatim_doc_comment)]
struct Arguments {
    /// The configuration file, which overrides the documented defaults.
    #[arg(long, global = true, value_name = "FILE", env = config::FILE_VARIABLE)]
    config: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Updates the database schema, and the chain and its coins. Run it before the first start and after every update.
    Migrate,
    /// Serves the API and the web app. Several can run in parallel.
    Serve,
    /// Reads the chain, sends payouts, enforces deadlines and reconciles the ledger. Several can run in parallel.
    Worker,
    /// Verifies the record of an order, which its parties can download. Needs no database and no configuration.
    VerifyLog(record::Verify),
    /// Prints the public keys with which records of orders are verified, the current one first.
    LogKeys,
    /// Creates the first administrator, and shows payout stops, failing payouts, pairs and maintenance.
    #[command(subcommand)]
    Officer(officer::Act),
}

#[tokio::main]
async fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(arguments).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Print to the terminal, because logging may not have started.
            eprintln!("mec2c: {error:#}");
            ExitCode::FAILURE
        }
    }
}

async fn run(arguments: Arguments) -> anyhow::Result<()> {
    if let Command::VerifyLog(wanted) = &arguments.command {
        return record::verify(wanted);
    }
    let config = Config::load(arguments.config.as_deref(), environment())?;
    log::start(&config.log).context("cannot start the log")?;
    match arguments.command {
        Command::VerifyLog(wanted) => record::verify(&wanted),
        Command::LogKeys => record::print_keys(&config.records),
        Command::Migrate => migrate(&config).await,
        Command::Serve => serve::run(&config, stop::on_signal()?).await,
        Command::Worker => work::run(&config, stop::on_signal()?).await,
        Command::Officer(act) => officer::run(&config, act).await,
    }
}

/// Returns the environment variables, without those that are not valid Unicode.
fn environment() -> impl Iterator<Item = (String, String)> {
    std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
}

async fn migrate(config: &Config) -> anyhow::Result<()> {
    let store = database::connect(&config.database)?;
    store.migrate().await.context("cannot update the database")?;
    let renewed = app::identity::renew_nickname_skeletons(&store).await.context("cannot update nickname skeletons")?;
    for user in renewed.alike {
        tracing::warn!(%user, "the nickname looks like an older one of another user");
    }
    catalog::write(&store, config).await.context("cannot write the chain and its coins")?;
    store.close().await;
    tracing::info!("the database is up to date");
    Ok(())
}
