//! The chain, its coins and the pairs, out of the configuration into the database.

use anyhow::{Context as _, bail};
use chain::identity::ChainIdentity;
use domain::assets::Home;
use domain::chain::{Address, ChainId, Token};
use domain::money::Amount;
use store::Store;
use store::catalog::{Chain, put_asset, put_chain};

use crate::config::{Asset, AssetKind, Config};
use crate::{bootstrap, config_check, pairs};

/// Writes what the configuration says of the chain and its coins. What the product found out itself stays.
pub(crate) async fn write(store: &Store, config: &Config) -> anyhow::Result<()> {
    let id = ChainId(config.chain.id);
    config_check::possible(&mut store.begin().await?, config).await?;
    let met = meet(config).await?;
    let mut tx = store.begin().await?;
    let chain = Chain {
        id,
        name: config.chain.name.clone(),
        genesis: met.map(|met| met.genesis),
        escrow: config.escrow().ok(),
        escrow_code: met.and_then(|met| met.escrow_code),
        confirmations: u64::from(config.chain.confirmations),
        start: config.chain.start_block,
        head: None,
        confirmed: None,
        stopped_because: None,
    };
    put_chain(&mut tx, &chain).await?;
    for asset in &config.assets {
        let amount = |key: &str, text: &str| {
            Amount::parse(text, asset.decimals).with_context(|| format!("asset {}: {key}", asset.code))
        };
        let home = Home::Chain { chain: id, token: token(asset)? };
        let (dust, return_gas) = (amount("dust", &asset.dust)?, amount("return_gas", &asset.return_gas)?);
        put_asset(&mut tx, &asset.code, asset.decimals, home, dust, return_gas).await?;
    }
    pairs::write(&mut tx, config).await?;
    tx.commit().await?;
    Ok(())
}

/// What the node says of the chain and of the Escrow on it: what the books are about from now on. Nothing while no Escrow
/// is configured.
async fn meet(config: &Config) -> anyhow::Result<Option<ChainIdentity>> {
    let Ok(escrow) = config.escrow() else { return Ok(None) };
    let node = bootstrap::node(&config.chain)?;
    let met = chain::identity::read(node.as_ref(), escrow).await.context("the chain's node")?;
    if met.chain != ChainId(config.chain.id) {
        bail!("chain.id is {}, the node speaks of chain {}", config.chain.id, met.chain.0);
    }
    if met.escrow_code.is_none() {
        bail!("chain.escrow: there is no contract at {escrow}");
    }
    Ok(Some(met))
}

/// How a configured coin lives on the chain.
pub(crate) fn token(asset: &Asset) -> anyhow::Result<Token> {
    Ok(match asset.kind {
        AssetKind::Native => Token::Native,
        AssetKind::Erc20 => Token::Erc20(asset.contract.to_lowercase().parse::<Address>()?),
    })
}
