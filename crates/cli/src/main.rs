//! The shipped program: serves the API, does the work behind it, and what an operator does by hand.

mod accounts;
mod bootstrap;
mod catalog;
mod config;
mod config_check;
mod database;
mod internal;
mod log;
mod officer;
mod planned;
mod policy;
mod reference;
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
/// Configuration: mec2c.example.toml documents every key; each is also a variable `MEC2C_SECTION_KEY`.
#[derive(Debug, Parser)]
#[command(name = "mec2c", version, verbatim_doc_comment)]
struct Arguments {
    /// A file over the documented defaults.
    #[arg(long, global = true, value_name = "FILE", env = config::FILE_VARIABLE)]
    config: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Brings the database up to date, and the chain and its coins in it; needed once before all else, and after each update.
    Migrate,
    /// Serves the API and the web app. Any number may run.
    Serve,
    /// Reads the chain, sends payouts, keeps deadlines, compares the books with the chain. Any number may run.
    Worker,
    /// What an officer does by hand. Each act is recorded for ever.
    #[command(subcommand)]
    Officer(officer::Act),
}

#[tokio::main]
async fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(arguments).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // The log may not be there yet, and a person is looking.
            eprintln!("mec2c: {error:#}");
            ExitCode::FAILURE
        }
    }
}

async fn run(arguments: Arguments) -> anyhow::Result<()> {
    let config = Config::load(arguments.config.as_deref(), environment())?;
    log::start(&config.log).context("cannot start the log")?;
    match arguments.command {
        Command::Migrate => migrate(&config).await,
        Command::Serve => serve::run(&config, stop::on_signal()?).await,
        Command::Worker => work::run(&config, stop::on_signal()?).await,
        Command::Officer(act) => officer::run(&config, act).await,
    }
}

/// Variables that are not text are of no concern to us.
fn environment() -> impl Iterator<Item = (String, String)> {
    std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
}

async fn migrate(config: &Config) -> anyhow::Result<()> {
    let store = database::connect(&config.database)?;
    store.migrate().await.context("cannot bring the database up to date")?;
    let renewed = app::identity::renew_nickname_skeletons(&store).await.context("cannot write how nicknames look")?;
    for user in renewed.alike {
        tracing::warn!(%user, "the nickname passes for one that somebody else had first");
    }
    catalog::write(&store, config).await.context("cannot write the chain and its coins")?;
    store.close().await;
    tracing::info!("the database is up to date");
    Ok(())
}
