//! The development world: the product with everything around it, real and on one machine.

mod clock;
mod contracts;
mod demo;
mod http;
mod keeper;
mod mail;
mod node;
mod pace;
mod part;
mod pass_emulator;
mod people;
mod places;
mod ports;
mod postgres;
mod product;
mod rpc;
mod saved;
mod slides;
mod supervisor;
mod wallet;
mod world;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::places::Places;
use crate::world::World;

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
        Command::Reset(places) => World::forget(&places.world())
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
