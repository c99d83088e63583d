//! The development world: the product with everything around it, real and on one machine.

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

/// The development world of MEC2C.
#[derive(Debug, Parser)]
#[command(name = "mec2c-dev", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Starts everything and keeps it running until Ctrl-C.
    Run(supervisor::Settings),
    /// Forgets database and chain together.
    Reset(Places),
    /// Starts the pass emulator alone.
    PassEmulator(pass_emulator::command::Arguments),
}

/// One thread: the kernel ends a part when the thread that started it dies, so that must be the one that lives as long
/// as the program.
#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Run(settings) => supervisor::run(&settings).await,
        Command::Reset(places) => Environment::forget(&places.data_dir())
            .map(|()| println!("    Database and chain are forgotten; make run begins anew.")),
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
