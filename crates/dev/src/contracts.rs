//! Deploys the contracts on the development chain on the first start, and finds them on later starts.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, bail};
use chain::calls;
use chain::node::{At, Node as _};
use chain::rpc::RpcNode;
use chain::signer::{LocalSigner, Signer as _};
use chain::wallet::Wallet;
use domain::chain::{Address, ChainId, Token};
use domain::money::Amount;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::environment::{Environment, write_new};
use crate::node::CHAIN_ID;
use crate::rpc::Node;
use crate::{album, node, people, saved};

/// The time limit for one transaction.
const NODE_TIMEOUT: Duration = Duration::from_secs(30);
/// The settler's payout limit per day, in whole units of each coin: more than any demonstration needs.
const DAY_LIMIT: &str = "1000000";
/// The initial USDT balance of each person.
const USDT_FOR_EACH: &str = "50000";
/// The number of NFTs of the album that may leave the Escrow's vaults per day.
const NFT_DAY_LIMIT: i128 = 1_000_000;
const USDT_DECIMALS: u8 = 6;
const NATIVE_DECIMALS: u8 = 18;
/// The initial native balance of the platform's own accounts, for gas: 1000 coins.
const GAS_MONEY: &str = "0x3635c9adc5dea00000";

/// The name of the secret from which the settler's key is derived.
const SETTLER_KEY: &str = "settler-key";

/// The addresses of the contracts.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Deployment {
    pub(crate) escrow: Address,
    /// A token that behaves like the real USDT.
    pub(crate) usdt: Address,
    /// The album of the environment.
    pub(crate) album: Address,
    /// The block before the first relevant one.
    pub(crate) start_block: u64,
}

/// The settler's key, in the form that the product's configuration takes.
#[derive(Debug)]
pub(crate) struct SettlerKey {
    pub(crate) keystore: std::path::PathBuf,
    pub(crate) password_file: std::path::PathBuf,
}

/// Finds the contracts, or deploys them on a new chain.
pub(crate) async fn ready(environment: &Environment, rpc: &Node) -> anyhow::Result<(Deployment, SettlerKey)> {
    let (settler, key) = settler(environment)?;
    let file = environment.path("chain/deployment.json");
    let chain = Arc::new(RpcNode::new(rpc.url(), NODE_TIMEOUT)?);
    if file.exists() {
        let deployment: Deployment = serde_json::from_str(&std::fs::read_to_string(&file)?)
            .with_context(|| format!("{} is invalid", file.display()))?;
        if chain.code(deployment.escrow, At::Latest).await?.is_empty() {
            bail!(
                "the chain has no contract at {}, where this environment's Escrow was: the chain was lost or is another one.\n\
                 Database and chain no longer belong together; to delete both and start over: make reset",
                deployment.escrow
            );
        }
        return Ok((deployment, key));
    }
    let deployment = deploy(environment, rpc, chain, settler).await?;
    // Save the chain before recording the deployment, so that a recorded deployment always exists on disk.
    saved::save(rpc, &node::state_file(environment)).await?;
    write_new(&file, &serde_json::to_string_pretty(&deployment)?, 0o644)?;
    Ok((deployment, key))
}

async fn deploy(
    environment: &Environment,
    rpc: &Node,
    chain: Arc<RpcNode>,
    settler: Address,
) -> anyhow::Result<Deployment> {
    let admin = LocalSigner::development(key(environment, "admin-key")?)?;
    for account in [admin.address(), settler] {
        rpc.call::<Value>("anvil_setBalance", json!([account, GAS_MONEY])).await?;
    }
    let start_block = rpc.head().await?;
    let admin = Wallet::new(chain, Arc::new(admin), ChainId(CHAIN_ID));
    let make = async |call| -> anyhow::Result<Address> {
        admin.send_and_wait(&call, NODE_TIMEOUT).await?.created.context("the deployment created no contract")
    };
    let escrow = make(calls::deploy_escrow(admin.address(), settler, admin.address())).await.context("Escrow")?;
    let usdt = make(calls::deploy_dev_usdt()).await.context("DevUsdt")?;
    for (token, decimals) in [(Token::Native, NATIVE_DECIMALS), (Token::Erc20(usdt), USDT_DECIMALS)] {
        admin
            .send_and_wait(&calls::list_asset(escrow, token, Amount::parse(DAY_LIMIT, decimals)?), NODE_TIMEOUT)
            .await?;
    }
    for person in people::all(rpc).await? {
        let amount = Amount::parse(USDT_FOR_EACH, USDT_DECIMALS)?;
        admin.send_and_wait(&calls::mint_dev_usdt(usdt, person.address, amount), NODE_TIMEOUT).await?;
    }
    let album = make(calls::deploy_dev_nft(album::NAME, album::CODE)).await.context("DevNft")?;
    let listed = Token::Erc721(album, album::token_id(0).0);
    admin.send_and_wait(&calls::list_asset(escrow, listed, Amount::new(NFT_DAY_LIMIT)?), NODE_TIMEOUT).await?;
    let people = people::all(rpc).await?;
    for (number, person) in (1..=album::MINTED).zip(people.iter().cycle()) {
        let mint = calls::mint_dev_nft(album, person.address, album::token_id(number).0, &album::metadata(number)?);
        admin.send_and_wait(&mint, NODE_TIMEOUT).await.with_context(|| format!("garden {number}"))?;
    }
    let bank = people::bank(rpc).await?;
    rpc.call::<Value>("anvil_setBalance", json!([bank, format!("{:#x}", bank_money(NATIVE_DECIMALS)?.units())]))
        .await?;
    admin.send_and_wait(&calls::mint_dev_usdt(usdt, bank, bank_money(USDT_DECIMALS)?), NODE_TIMEOUT).await?;
    Ok(Deployment { escrow, usdt, album, start_block })
}

/// Returns the initial balance of the account that funds the others.
fn bank_money(decimals: u8) -> anyhow::Result<Amount> {
    Ok(Amount::parse("1000000000", decimals)?)
}

/// Returns the settler's address and its key, which is in a keystore file as in production.
fn settler(environment: &Environment) -> anyhow::Result<(Address, SettlerKey)> {
    const NAME: &str = "settler.json";
    let folder = environment.path("secrets");
    let (password, password_file) = environment.secret("settler-password")?;
    let bytes = key(environment, SETTLER_KEY)?;
    let keystore = folder.join(NAME);
    if !keystore.exists() {
        write_keystore(&folder, NAME, bytes, &password)?;
    }
    Ok((LocalSigner::development(bytes)?.address(), SettlerKey { keystore, password_file }))
}

/// Returns a signer with the settler's unencrypted key.
pub(crate) fn settler_signer(environment: &Environment) -> anyhow::Result<LocalSigner> {
    Ok(LocalSigner::development(key(environment, SETTLER_KEY)?)?)
}

/// Writes a keystore file under a temporary name and renames it, so that an incomplete file is never used.
fn write_keystore(folder: &Path, name: &str, key: [u8; 32], password: &str) -> anyhow::Result<()> {
    let unfinished = format!("{name}.unfinished");
    LocalSigner::write_keystore(folder, &unfinished, key, password)?;
    Ok(std::fs::rename(folder.join(unfinished), folder.join(name))?)
}

/// Returns a private key made of one of the environment's secrets, which are 32 random bytes.
fn key(environment: &Environment, name: &str) -> anyhow::Result<[u8; 32]> {
    let (text, path) = environment.secret(name)?;
    let mut bytes = [0; 32];
    hex::decode_to_slice(text, &mut bytes).with_context(|| format!("{} is not a key", path.display()))?;
    Ok(bytes)
}
