//! Copies the chain, the coins and the pairs from the configuration to the database, for `mec2c migrate`.

use domain::assets::{Asset, Home, Pair, PairId, Windows};
use domain::chain::Token;
use domain::money::Amount;
use store::catalog::{assets, escrow_chain, put_asset, put_chain, put_pair};
use store::{Store, Tx};

pub use store::catalog::Chain;

use crate::{Error, Result};

/// The catalog that the database contains.
#[derive(Debug)]
pub struct Known {
    /// The chain; `None` before the first migration.
    pub chain: Option<Chain>,
    pub assets: Vec<Asset>,
}

/// Reads the catalog from the database.
pub async fn known(store: &Store) -> Result<Known> {
    let mut tx = store.begin().await?;
    Ok(Known { chain: escrow_chain(&mut tx).await?, assets: assets(&mut tx).await? })
}

/// A coin as the configuration describes it.
#[derive(Debug)]
pub struct Coin {
    /// Its short name, such as `USDT`.
    pub code: String,
    pub decimals: u8,
    pub token: Token,
    /// See [`Asset::dust`].
    pub dust: Amount,
    /// See [`Asset::return_gas`].
    pub return_gas: Amount,
}

/// A function that gives a new pair its settings.
pub type ApplyPolicy = Box<dyn Fn(&mut Pair) -> std::result::Result<(), String> + Send + Sync>;

/// The catalog that the configuration contains.
pub struct Configured {
    pub chain: Chain,
    /// The coins of the chain. The first coin is never a quote.
    pub coins: Vec<Coin>,
    /// The fiat currencies and their numbers of decimals.
    pub fiat: Vec<(String, u8)>,
    pub apply_policy: ApplyPolicy,
    /// The chain types of receiving addresses.
    pub chain_types: Vec<String>,
    /// The chain type of the escrow chain, if automatic adverts are possible.
    pub escrow_chain_type: Option<String>,
}

/// Writes the configured chain, coins and currencies, and a pair for every two coins and for every coin and currency.
/// Changes neither existing pairs nor the data about the chain that the product has read from nodes.
pub async fn write(store: &Store, configured: &Configured) -> Result<()> {
    let mut tx = store.begin().await?;
    put_chain(&mut tx, &configured.chain).await?;
    for coin in &configured.coins {
        let home = Home::Chain { chain: configured.chain.id, token: coin.token };
        put_asset(&mut tx, &coin.code, coin.decimals, home, coin.dust, coin.return_gas).await?;
    }
    for (code, decimals) in &configured.fiat {
        put_asset(&mut tx, code, *decimals, Home::Fiat, Amount::ZERO, Amount::ZERO).await?;
    }
    write_pairs(&mut tx, configured).await?;
    Ok(tx.commit().await?)
}

async fn write_pairs(tx: &mut Tx, configured: &Configured) -> Result<()> {
    let all = assets(tx).await?;
    let find = |code: &String| {
        let found = all.iter().find(|asset| asset.code == *code);
        found.ok_or_else(|| Error::Internal(format!("{code} is not in the database")))
    };
    let coins = configured.coins.iter().map(|coin| find(&coin.code)).collect::<Result<Vec<_>>>()?;
    let fiat = configured.fiat.iter().map(|(code, _)| find(code)).collect::<Result<Vec<_>>>()?;
    for (index, base) in coins.iter().enumerate() {
        for quote in coins.iter().skip(index.saturating_add(1)).chain(&fiat) {
            put_pair(tx, &pair(configured, base, quote)?).await?;
        }
    }
    Ok(())
}

fn pair(configured: &Configured, base: &Asset, quote: &Asset) -> Result<Pair> {
    let fiat = quote.home == Home::Fiat;
    let mut pair = Pair {
        // The database assigns the ID.
        id: PairId(0),
        base: base.clone(),
        quote: quote.clone(),
        enabled: true,
        fee_rate_ppm: 0,
        fee_minimum: Amount::ZERO,
        min_total: Amount::ZERO,
        max_total: Amount::ZERO,
        price_band_ppm: 0,
        price_decimals: 0,
        windows: Windows::default(),
        chain_types: if fiat { Vec::new() } else { configured.chain_types.clone() },
        automatic_chain_type: configured.escrow_chain_type.clone().filter(|_| !fiat),
    };
    (configured.apply_policy)(&mut pair).map_err(Error::Internal)?;
    Ok(pair)
}
