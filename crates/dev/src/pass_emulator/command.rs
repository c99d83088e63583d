//! The emulator as a program of its own.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context as _;
use clap::Args;
use domain::chain::Address;
use serde_json::json;
use store::{Options, Store};
use tokio::net::TcpListener;

use super::{PassEmulator, Settings, router};
use crate::rpc::Node;

/// How the emulator is started by itself. The world's own start needs none of this.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Where its page and its keys are, on this machine only.
    #[arg(long, default_value_t = 8082)]
    port: u16,
    /// The folder in which its key and its people are kept.
    #[arg(long, value_name = "FOLDER")]
    folder: PathBuf,
    /// The port of the development node, whose accounts the people have.
    #[arg(long, default_value_t = 8545)]
    node_port: u16,
    /// The audience of its statements: the product's name at the pass.
    #[arg(long, default_value = "mec2c")]
    audience: String,
    /// Where the product takes answers. No other site gets any.
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:8080/api/scan/callBack")]
    call_back: String,
    /// The product's database, when its time may be moved; else the machine's time counts.
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    database: Option<String>,
}

/// Serves until Ctrl-C.
pub(crate) async fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let node = Node::local(arguments.node_port)?;
    let accounts: Vec<String> = node.call("eth_accounts", json!([])).await?;
    let accounts = accounts.iter().enumerate().map(|(number, address)| {
        let address: Address = address.to_lowercase().parse().context("an account that is no address")?;
        Ok((format!("Person {}", number.saturating_add(1)), address))
    });
    let connect =
        |url: &String| Store::connect(&Options { url: url.clone(), connections: 2, patience: Duration::from_secs(5) });
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, arguments.port));
    let listener = TcpListener::bind(address).await.with_context(|| format!("cannot listen at {address}"))?;
    let issuer = format!("http://{address}");
    let pass = PassEmulator::open(Settings {
        issuer: issuer.clone(),
        folder: &arguments.folder,
        accounts: accounts.collect::<anyhow::Result<_>>()?,
        audience: arguments.audience.clone(),
        call_back: arguments.call_back.clone(),
        time: arguments.database.as_ref().map(connect).transpose()?,
    })?;
    println!("The pass emulator is at {issuer}; its keys at {issuer}/jwks.json. Ctrl-C ends it.");
    let end = async {
        // Without a signal to wait for, it serves until it is killed.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    Ok(axum::serve(listener, router(pass)).with_graceful_shutdown(end).await?)
}
