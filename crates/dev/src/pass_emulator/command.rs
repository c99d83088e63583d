//! The pass emulator as a stand-alone program.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context as _;
use clap::Args;
use domain::chain::Address;
use serde_json::json;
use store::{Options, Store};
use tokio::net::TcpListener;

use super::{EmulatorSettings, PassEmulator, router};
use crate::rpc::Node;

/// Options of the stand-alone pass emulator. The development environment does not need them.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The loopback port that serves the page and the keys of the pass emulator.
    #[arg(long, default_value_t = 8082)]
    port: u16,
    /// The folder for its key and its people.
    #[arg(long, value_name = "FOLDER")]
    folder: PathBuf,
    /// The port of the development node. The people own its accounts.
    #[arg(long, default_value_t = 8545)]
    node_port: u16,
    /// The audience of its assertions: the product's name at the pass.
    #[arg(long, default_value = "mec2c")]
    audience: String,
    /// The product's URL for assertions. They are sent to no other site.
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:8080/api/scan/callBack")]
    call_back: String,
    /// The product's database, to use the product's clock. Without it, the machine's clock is used.
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    database: Option<String>,
}

pub(crate) async fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let node = Node::local(arguments.node_port)?;
    let accounts: Vec<String> = node.call("eth_accounts", json!([])).await?;
    let accounts = accounts.iter().enumerate().map(|(number, address)| {
        let address: Address = address.to_lowercase().parse().context("an account is not an address")?;
        Ok((format!("Person {}", number.saturating_add(1)), address))
    });
    let connect = |url: &String| {
        Store::connect(&Options {
            url: url.clone(),
            connections: 2,
            patience: Duration::from_secs(5),
            untested: Duration::ZERO,
        })
    };
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, arguments.port));
    let listener = TcpListener::bind(address).await.with_context(|| format!("cannot listen on {address}"))?;
    let issuer = format!("http://{address}");
    let pass = PassEmulator::open(EmulatorSettings {
        issuer: issuer.clone(),
        folder: &arguments.folder,
        accounts: accounts.collect::<anyhow::Result<_>>()?,
        audience: arguments.audience.clone(),
        call_back: arguments.call_back.clone(),
        time: arguments.database.as_ref().map(connect).transpose()?,
    })?;
    println!("The pass emulator runs at {issuer}, with its keys at {issuer}/jwks.json. Ctrl-C stops it.");
    let end = async {
        // If signals cannot be received, serve until killed.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    Ok(axum::serve(listener, router(pass)).with_graceful_shutdown(end).await?)
}
