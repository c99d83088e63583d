//! Anvil with the Escrow, as the chain of the product under test.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, bail};
use chain::calls;
use chain::rpc::RpcNode;
use chain::signer::{LocalSigner, Signer as _};
use chain::wallet::Wallet;
use domain::chain::{Address, ChainId, Token};
use domain::money::Amount;
use rustix::process::Signal;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::process::Command;

use crate::http::{Client, request};
use crate::process::{Process, free_port};

pub(crate) const CHAIN_ID: u64 = 31_337;
/// The number of confirmations that make a block final.
pub(crate) const CONFIRMATIONS: u64 = 3;
const LIMIT: Duration = Duration::from_secs(30);
/// The private keys of the administrator and the settler on this chain, which exists only during the benchmark.
const ADMIN_KEY: [u8; 32] = [0xad; 32];
pub(crate) const SETTLER_KEY: [u8; 32] = [0x5e; 32];
/// 10^24 base units.
const GAS_MONEY: &str = "0xd3c21bcecceda1000000";

pub(crate) struct Node {
    process: Process,
    pub(crate) address: SocketAddr,
    pub(crate) escrow: Address,
}

impl Node {
    /// Starts a new chain that mines a block every second, and deploys the Escrow.
    pub(crate) async fn start(root: &Path, folder: &Path) -> anyhow::Result<Self> {
        let port = free_port()?;
        let address = SocketAddr::from(([127, 0, 0, 1], port));
        let mut command = Command::new(program(root)?);
        command.args(["--host", "127.0.0.1", "--port", &port.to_string(), "--chain-id", &CHAIN_ID.to_string()]);
        command.args(["--order", "fifo", "--quiet"]);
        let mut process = Process::start("anvil", &mut command, &folder.join("anvil.log"))?;
        process.ready(async || Client::connect(address).await.is_ok()).await?;
        let mut node = Self { process, address, escrow: Address([0; 20]) };
        node.deploy().await.context("cannot deploy the Escrow")?;
        node.call::<Value>("evm_setIntervalMining", json!([1])).await?;
        Ok(node)
    }

    async fn deploy(&mut self) -> anyhow::Result<()> {
        let admin = LocalSigner::development(ADMIN_KEY)?;
        let settler = LocalSigner::development(SETTLER_KEY)?.address();
        for account in [admin.address(), settler] {
            self.call::<Value>("anvil_setBalance", json!([account, GAS_MONEY])).await?;
        }
        let rpc = Arc::new(RpcNode::new(&self.url(), LIMIT)?);
        let owner = admin.address();
        let wallet = Wallet::new(rpc, Arc::new(admin), ChainId(CHAIN_ID));
        let deployed = wallet.send_and_wait(&calls::deploy_escrow(owner, settler, owner), LIMIT).await?;
        self.escrow = deployed.created.context("the deployment created no contract")?;
        let limit = Amount::parse("1000000000000", 18)?;
        wallet.send_and_wait(&calls::list_asset(self.escrow, Token::Native, limit), LIMIT).await?;
        Ok(())
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Sets the balance of addresses, in base units of the native coin.
    pub(crate) async fn endow(&self, balances: &[(Address, Amount)]) -> anyhow::Result<()> {
        let mut client = Client::connect(self.address).await?;
        for (address, amount) in balances {
            let balance = json!([address, format!("{:#x}", amount.units())]);
            call_on::<Value>(&mut client, "anvil_setBalance", &balance).await?;
        }
        Ok(())
    }

    pub(crate) async fn call<T: DeserializeOwned>(&self, method: &str, parameters: Value) -> anyhow::Result<T> {
        call_on(&mut Client::connect(self.address).await?, method, &parameters).await
    }

    /// Returns the number of the newest block.
    pub(crate) async fn head(&self) -> anyhow::Result<u64> {
        let text: String = self.call("eth_blockNumber", json!([])).await?;
        Ok(u64::from_str_radix(text.trim_start_matches("0x"), 16)?)
    }

    pub(crate) async fn stop(self) -> anyhow::Result<()> {
        self.process.stop(Signal::TERM).await
    }
}

async fn call_on<T: DeserializeOwned>(client: &mut Client, method: &str, parameters: &Value) -> anyhow::Result<T> {
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": parameters }).to_string();
    client.exchange(&request("POST", "/", "", "", &body)).await?;
    let mut answer: Value = serde_json::from_slice(client.body())?;
    if let Some(error) = answer.get("error") {
        bail!("{method}: {error}");
    }
    let result = answer.get_mut("result").map_or(Value::Null, Value::take);
    serde_json::from_value(result).with_context(|| format!("{method}: unexpected response"))
}

fn program(root: &Path) -> anyhow::Result<std::path::PathBuf> {
    let machine = match std::env::consts::ARCH {
        "x86_64" => "linux-amd64",
        "aarch64" => "linux-arm64",
        other => bail!("Anvil is not available for {other}"),
    };
    let path = root.join(format!("contracts/node_modules/@foundry-rs/anvil-{machine}/bin/anvil"));
    if path.exists() { Ok(path) } else { bail!("Anvil is not installed in {}: run scripts/setup run", path.display()) }
}
