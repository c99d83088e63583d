//! Starts a real Anvil process for each test, with the contracts deployed. The process ends with the test.

// Each test binary uses a different part of this module.
#![allow(dead_code, unreachable_pub, reason = "each test program of two crates uses its own part")]
#![allow(clippy::unused_self, clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use chain::batch::{Batch, BatchLeg};
use chain::calls::{self, Call};
use chain::node::{At, Node, Receipt};
use chain::payouts::Deployment;
use chain::rpc::RpcNode;
use chain::signer::{LocalSigner, Signer};
use chain::vaults::Vaults;
use chain::wallet::{Wallet, mined};
use domain::chain::{Address, ChainId, CustodyIndex, Reference, Token, TxHash};
use domain::money::Amount;
use serde_json::json;

pub const CHAIN: ChainId = ChainId(31_337);
const NODE_TIMEOUT: Duration = Duration::from_secs(20);

/// The accounts that Anvil funds; their keys are public.
const KEYS: [&str; 4] = [
    "ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80",
    "59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d",
    "5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a",
    "7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6",
];

pub struct Anvil {
    process: Child,
    pub address: String,
    pub node: Arc<RpcNode>,
}

impl Drop for Anvil {
    fn drop(&mut self) {
        // Ignore the error: the process may already have exited.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Anvil {
    pub fn start() -> Self {
        Self::start_with(&[])
    }

    pub fn start_with(options: &[&str]) -> Self {
        let mut process = Command::new(binary())
            .args(["--port", "0", "--chain-id", "31337", "--hardfork", "cancun"])
            .args(options)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Anvil must start: run `npm ci` in contracts/, or set MEC2C_ANVIL to its binary");
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let address = lines
            .find_map(|line| line.unwrap().strip_prefix("Listening on ").map(|at| format!("http://{at}")))
            .expect("Anvil must print its address");
        // Keep reading, because Anvil blocks when the pipe is full.
        std::thread::spawn(move || lines.for_each(drop));
        let node = Arc::new(RpcNode::new(&address, NODE_TIMEOUT).unwrap());
        Self { process, address, node }
    }

    pub async fn raw(&self, method: &'static str, parameters: serde_json::Value) -> serde_json::Value {
        self.node.raw(method, parameters).await.unwrap()
    }

    pub async fn mine(&self, blocks: u64) {
        self.raw("anvil_mine", json!([format!("{blocks:#x}")])).await;
    }

    /// Replaces the newest `depth` blocks by empty blocks.
    pub async fn reorganise(&self, depth: u64) {
        self.raw("anvil_reorg", json!([depth, []])).await;
    }
}

/// Returns the path of Anvil: `MEC2C_ANVIL`, or else the binary that npm installed for this machine.
fn binary() -> PathBuf {
    if let Some(named) = std::env::var_os("MEC2C_ANVIL") {
        return named.into();
    }
    let packages = concat!(env!("CARGO_MANIFEST_DIR"), "/../../contracts/node_modules/@foundry-rs");
    let installed = std::fs::read_dir(packages).expect("contracts/node_modules must exist: run `npm ci` in contracts/");
    let binaries = installed.filter_map(Result::ok).map(|package| package.path().join("bin/anvil"));
    binaries.into_iter().find(|binary| binary.is_file()).expect("npm must provide an Anvil for this machine")
}

pub fn key(number: usize) -> [u8; 32] {
    hex::decode(KEYS[number]).unwrap().try_into().unwrap()
}

pub fn signer(number: usize) -> Arc<LocalSigner> {
    Arc::new(LocalSigner::development(key(number)).unwrap())
}

/// Anvil with an Escrow, a USDT and an NFT collection, all listed.
pub struct TestChain {
    pub anvil: Anvil,
    pub deployment: Deployment,
    pub vaults: Vaults,
    pub usdt: Address,
    pub album: Address,
    pub admin: Wallet,
    pub settler: Arc<LocalSigner>,
    pub person: Wallet,
}

impl TestChain {
    pub async fn new() -> Self {
        let anvil = Anvil::start();
        let wallet = |number| Wallet::new(anvil.node.clone(), signer(number), CHAIN);
        let (admin, settler, person) = (wallet(0), signer(1), wallet(2));
        let escrow = deploy(&admin, &calls::deploy_escrow(admin.address(), settler.address(), admin.address())).await;
        let usdt = deploy(&admin, &calls::deploy_dev_usdt()).await;
        let album = deploy(&admin, &calls::deploy_dev_nft("Album", "ALB")).await;
        let test_chain = Self {
            deployment: Deployment { chain: CHAIN, escrow },
            vaults: Vaults::of(escrow),
            anvil,
            usdt,
            album,
            admin,
            settler,
            person,
        };
        for token in [Token::Native, Token::Erc20(usdt), Token::Erc721(album, [0; 32])] {
            test_chain.as_admin(&calls::list_asset(escrow, token, amount(10_i128.pow(30)))).await;
        }
        test_chain
    }

    pub fn settler_address(&self) -> Address {
        self.settler.address()
    }

    pub async fn as_admin(&self, call: &Call) -> Receipt {
        self.admin.send_and_wait(call, NODE_TIMEOUT).await.unwrap()
    }

    pub async fn as_person(&self, call: &Call) -> Receipt {
        self.person.send_and_wait(call, NODE_TIMEOUT).await.unwrap()
    }

    pub fn vault(&self, index: u64) -> Address {
        self.vaults.address(CustodyIndex(index))
    }

    /// Sends the native coin from the user to a vault.
    pub async fn deposit(&self, index: u64, units: i128) -> Receipt {
        let call = calls::transfer(Token::Native, self.person.address(), self.vault(index), amount(units));
        self.as_person(&call).await
    }

    pub async fn mint(&self, to: Address, units: i128) -> Receipt {
        self.as_admin(&calls::mint_dev_usdt(self.usdt, to, amount(units))).await
    }

    pub fn leg(&self, reference: u64, vault: u64, token: Token, to: Address, units: i128) -> BatchLeg {
        BatchLeg {
            reference: Reference(reference),
            vault: CustodyIndex(vault),
            token,
            to,
            amount: amount(units),
            with_next: false,
            or_void: false,
        }
    }

    pub async fn mined(&self, tx: TxHash) -> Receipt {
        mined(self.anvil.node.as_ref(), tx, NODE_TIMEOUT).await.unwrap()
    }

    /// Settles legs as the payout worker does: signs a batch with a given nonce and fees, and sends the signed bytes.
    pub async fn settle(&self, legs: Vec<BatchLeg>) -> Receipt {
        let node = &self.anvil.node;
        let batch = Batch::new(legs).unwrap();
        let (nonce, fees) = (node.nonce(self.settler.address(), At::Latest).await.unwrap(), node.fees().await.unwrap());
        let signed = self.deployment.sign(&batch, nonce, fees, self.settler.as_ref()).await.unwrap();
        assert_eq!(node.send(&signed.raw).await.unwrap(), signed.hash);
        self.mined(signed.hash).await
    }
}

async fn deploy(wallet: &Wallet, call: &Call) -> Address {
    wallet.send_and_wait(call, NODE_TIMEOUT).await.unwrap().created.expect("the call must create a contract")
}

pub fn amount(units: i128) -> Amount {
    Amount::new(units).unwrap()
}
