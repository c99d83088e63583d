//! Runs Anvil as the development chain, from the last saved state.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::bail;
use domain::clock::Timestamp;

use crate::environment::Environment;
use crate::process::{Process, Spec, Stop};
use crate::rpc::Node;
use crate::saved;

pub(crate) const CHAIN_ID: u64 = 31_337;
/// The number of confirmations that make a block final.
pub(crate) const CONFIRMATIONS: u64 = 3;
/// The number of accounts whose keys the node holds. Must not change, because existing environments use these accounts.
pub(crate) const ACCOUNTS: u64 = 40;

/// Returns the file in which the chain is saved.
pub(crate) fn state_file(environment: &Environment) -> PathBuf {
    environment.path("chain/state.json")
}

/// Starts Anvil and waits until it responds.
///
/// A new chain begins at `genesis`, by default at the current time. A saved chain continues from its last block.
pub(crate) async fn start(
    environment: &Environment,
    contracts: &Path,
    port: u16,
    genesis: Option<Timestamp>,
) -> anyhow::Result<(Process, Node)> {
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
    ];
    let state = state_file(environment);
    let kept = state.exists();
    if kept {
        let dropped = saved::repair(&state)?;
        if dropped > 1 {
            println!("  anvil          removed {dropped} superfluous blocks 0 from the saved chain");
        }
        arguments.extend(["--load-state".to_owned(), state.display().to_string()]);
    } else if let Some(genesis) = genesis {
        arguments.extend(["--timestamp".to_owned(), genesis.timestamp().to_string()]);
    }
    let spec = Spec {
        name: "anvil",
        program: program(contracts)?,
        arguments,
        variables: Vec::new(),
        log: environment.log("anvil"),
        stop: Stop::Terminate,
        through: Vec::new(),
    };
    let mut process = Process::start(&spec)?;
    process.says("Listening on", Duration::from_mins(1)).await?;
    let node = Node::local(port)?;
    saved::check(&node).await?;
    if kept {
        // The node does not have the state of blocks older than the one it loaded. The product asks for balances at the
        // newest final block, so mine until the node has the state of that block.
        for _ in 1..CONFIRMATIONS {
            node.mine().await?;
        }
    }
    Ok((process, node))
}

/// Returns the binary itself rather than the package's launcher, because the launcher's child process would outlive it.
fn program(contracts: &Path) -> anyhow::Result<PathBuf> {
    let machine = match (std::env::consts::OS, std::env::consts::ARCH) {
        ("linux", "x86_64") => "linux-amd64",
        ("linux", "aarch64") => "linux-arm64",
        ("macos", "x86_64") => "darwin-amd64",
        ("macos", "aarch64") => "darwin-arm64",
        (os, arch) => bail!("Anvil is not available for {os} on {arch}"),
    };
    let path = contracts.join(format!("node_modules/@foundry-rs/anvil-{machine}/bin/anvil"));
    if path.exists() { Ok(path) } else { bail!("Anvil is not installed in {}: run scripts/setup run", path.display()) }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use serde_json::json;

    use super::*;
    use crate::ports;

    /// Starts a chain whose genesis is far in the past.
    async fn started(environment: &Environment) -> (Process, Node) {
        let contracts = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../contracts");
        let port = ports::choose(IpAddr::V4(Ipv4Addr::LOCALHOST), None).unwrap();
        start(environment, &contracts, port, Timestamp::from_timestamp(1_000_000_000, 0)).await.unwrap()
    }

    #[tokio::test]
    async fn the_chain_stays_the_same_over_twenty_starts() {
        let folder = tempfile::tempdir().unwrap();
        let environment = Environment::open(folder.path(), false).unwrap();
        let (process, node) = started(&environment).await;
        let account = node.accounts().await.unwrap()[0].clone();
        let gift = json!([{ "from": account, "to": "0x00000000000000000000000000000000c0ffee00", "value": "0x7" }]);
        node.call::<String>("eth_sendTransaction", gift).await.unwrap();
        let genesis = node.block(0).await.unwrap().unwrap();
        // Anvil responds before it mines the transaction.
        let first = loop {
            if let Some(block) = node.block(1).await.unwrap() {
                break block;
            }
        };
        saved::save(&node, &state_file(&environment)).await.unwrap();
        process.end().await;
        for time in 1..=20 {
            let (process, node) = started(&environment).await;
            assert_eq!(node.block(0).await.unwrap().unwrap().hash, genesis.hash, "start {time}");
            assert_eq!(node.block(1).await.unwrap().unwrap().hash, first.hash, "start {time}");
            let newest_final = node.head().await.unwrap() - CONFIRMATIONS + 1;
            let held: String = node
                .call(
                    "eth_getBalance",
                    json!(["0x00000000000000000000000000000000c0ffee00", format!("{newest_final:#x}")]),
                )
                .await
                .unwrap();
            assert_eq!(held, "0x7", "start {time}");
            saved::save(&node, &state_file(&environment)).await.unwrap();
            process.end().await;
        }
    }
}
