//! Copies the chain, its coins and the pairs from the configuration to the database.

use anyhow::{Context as _, bail};
use app::chain::catalog::{AlbumConfig, Chain, Coin, Configured};
use chain::identity::ChainIdentity;
use domain::chain::{Address, ChainId, Token};
use domain::money::Amount;
use store::Store;

use crate::config::{Album, Asset, AssetKind, Config};
use crate::policy::Policy;
use crate::{bootstrap, config_check};

/// Writes the chain, coins and pairs of the configuration, unless the database contradicts them.
pub(crate) async fn write(store: &Store, config: &Config) -> anyhow::Result<()> {
    config_check::check_writable(store, config).await?;
    let identity = identity(config).await?;
    Ok(app::chain::catalog::write(store, &configured(config, identity)?).await?)
}

fn configured(config: &Config, identity: Option<ChainIdentity>) -> anyhow::Result<Configured> {
    let chain = Chain {
        id: ChainId(config.chain.id),
        name: config.chain.name.clone(),
        genesis: identity.map(|identity| identity.genesis),
        escrow: config.escrow().ok(),
        escrow_code: identity.and_then(|identity| identity.escrow_code),
        confirmations: u64::from(config.chain.confirmations),
        start: config.chain.start_block,
        head: None,
        confirmed: None,
        stopped_because: None,
    };
    let own = &config.market.escrow_chain_type;
    let policy = Policy::shipped()?;
    let decimals = |code: &String| if policy.currencies.whole.contains(code) { 0 } else { 2 };
    Ok(Configured {
        chain,
        coins: config.assets.iter().map(coin).collect::<anyhow::Result<_>>()?,
        albums: config.albums.iter().map(album).collect::<anyhow::Result<_>>()?,
        fiat: config.market.fiat.iter().map(|code| (code.clone(), decimals(code))).collect(),
        apply_policy: Box::new(move |pair| policy.apply(pair).map_err(|error| format!("{error:#}"))),
        chain_types: config.chain_types.iter().map(|kind| kind.name.clone()).collect(),
        escrow_chain_type: (!own.is_empty()).then(|| own.clone()),
    })
}

fn coin(asset: &Asset) -> anyhow::Result<Coin> {
    let amount = |key: &str, text: &str| {
        Amount::parse(text, asset.decimals).with_context(|| format!("asset {}: {key}", asset.code))
    };
    Ok(Coin {
        code: asset.code.clone(),
        decimals: asset.decimals,
        token: token(asset)?,
        dust: amount("dust", &asset.dust)?,
        return_gas: amount("return_gas", &asset.return_gas)?,
    })
}

fn album(album: &Album) -> anyhow::Result<AlbumConfig> {
    Ok(AlbumConfig {
        code: album.code.clone(),
        class_id: album.class_id.clone(),
        name: album.name.clone(),
        creator: album.creator.clone(),
        description: album.description.clone(),
        contract: album.contract.to_lowercase().parse::<Address>()?,
        fee: album.fee.clone(),
        gas: album.gas.clone(),
        start: album.start_block,
    })
}

/// Asks the node for the identity of the chain. Returns `None` if no Escrow is configured.
async fn identity(config: &Config) -> anyhow::Result<Option<ChainIdentity>> {
    let Ok(escrow) = config.escrow() else { return Ok(None) };
    let node = bootstrap::node(&config.chain)?;
    let identity = chain::identity::read(node.as_ref(), escrow).await.context("the chain's node")?;
    if identity.chain != ChainId(config.chain.id) {
        bail!("chain.id is {}, but the node serves chain {}", config.chain.id, identity.chain.0);
    }
    if identity.escrow_code.is_none() {
        bail!("chain.escrow: there is no contract at {escrow}");
    }
    Ok(Some(identity))
}

/// Returns the coin's token on the chain.
pub(crate) fn token(asset: &Asset) -> anyhow::Result<Token> {
    Ok(match asset.kind {
        AssetKind::Native => Token::Native,
        AssetKind::Erc20 => Token::Erc20(asset.contract.to_lowercase().parse::<Address>()?),
    })
}
