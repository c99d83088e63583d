//! The development environment: the product and everything it needs, on one machine.

mod album;
mod block_production;
mod clock;
mod contracts;
mod demo;
mod environment;
mod http;
mod mail;
mod miner;
mod node;
mod pass_emulator;
mod people;
mod places;
mod ports;
mod postgres;
mod process;
mod product;
mod rpc;
mod saved;
mod slides;
mod supervisor;
mod wallet;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::environment::Environment;
use crate::places::Places;

/// The development environment of MEC2C.
#[derive(Debug, Parser)]
#[command(name = "mec2c-dev", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Starts everything and keeps it running until Ctrl-C.
    Run(supervisor::SupervisorSettings),
    /// Deletes the database and the chain.
    Reset(Places),
    /// Starts only the pass emulator.
    PassEmulator(pass_emulator::command::Arguments),
}

/// Runs on a single thread: the kernel kills a child process when the thread that started it ends (`--pdeathsig`), and
/// only the main thread lives as long as the program.
#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Run(settings) => supervisor::run(&settings).await,
        Command::Reset(places) => Environment::forget(&places.data_dir())
            .map(|()| println!("    Deleted the database and the chain; make run creates new ones.")),
        Command::PassEmulator(arguments) => pass_emulator::command::run(&arguments).await,
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("\nerror: {error:#}");
            ExitCode::FAILURE
        }
    }
}
