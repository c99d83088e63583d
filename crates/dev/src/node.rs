//! Anvil as the chain of the development world, from the state that was saved last.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::bail;
use domain::clock::Moment;

use crate::part::{Part, Spec, Stop};
use crate::rpc::Node;
use crate::world::World;

/// The chain's id.
pub(crate) const CHAIN_ID: u64 = 31_337;
/// How deep a transaction must lie to count in this world.
pub(crate) const CONFIRMATIONS: u64 = 3;
/// How many accounts the node holds the keys of. Never changed: the accounts of a saved world come from it.
pub(crate) const ACCOUNTS: u64 = 40;

/// Where the chain of a world is kept.
pub(crate) fn state_file(world: &World) -> PathBuf {
    world.path("chain/state.json")
}

/// Starts Anvil and waits until it answers.
///
/// A new chain begins at `genesis`, or now; one that was kept goes on where it was.
pub(crate) async fn start(
    world: &World,
    contracts: &Path,
    port: u16,
    genesis: Option<Moment>,
) -> anyhow::Result<(Part, Node)> {
    let mut arguments = vec![
        "--host".to_owned(),
        "127.0.0.1".to_owned(),
        "--port".to_owned(),
        port.to_string(),
        "--chain-id".to_owned(),
        CHAIN_ID.to_string(),
        "--accounts".to_owned(),
        ACCOUNTS.to_string(),
        "--order".to_owned(),
        "fifo".to_owned(),
        // Balances at earlier blocks survive a restart: the watcher reads them.
        "--preserve-historical-states".to_owned(),
    ];
    let state = state_file(world);
    if state.exists() {
        arguments.extend(["--load-state".to_owned(), state.display().to_string()]);
    } else if let Some(genesis) = genesis {
        arguments.extend(["--timestamp".to_owned(), genesis.timestamp().to_string()]);
    }
    let spec = Spec {
        name: "anvil",
        program: program(contracts)?,
        arguments,
        environment: Vec::new(),
        log: world.log("anvil"),
        stop: Stop::Terminate,
        through: Vec::new(),
    };
    let mut part = Part::start(&spec)?;
    part.says("Listening on", Duration::from_mins(1)).await?;
    Ok((part, Node::local(port)?))
}

/// The program itself and not the package's starter, whose child would outlive it.
fn program(contracts: &Path) -> anyhow::Result<PathBuf> {
    let machine = match (std::env::consts::OS, std::env::consts::ARCH) {
        ("linux", "x86_64") => "linux-amd64",
        ("linux", "aarch64") => "linux-arm64",
        ("macos", "x86_64") => "darwin-amd64",
        ("macos", "aarch64") => "darwin-arm64",
        (os, arch) => bail!("there is no packaged Anvil for {os} on {arch}"),
    };
    let path = contracts.join(format!("node_modules/@foundry-rs/anvil-{machine}/bin/anvil"));
    if path.exists() { Ok(path) } else { bail!("Anvil is not installed in {}: run scripts/setup run", path.display()) }
}
