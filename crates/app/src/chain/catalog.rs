//! Copies the chain, the coins and the pairs from the configuration to the database, for `mec2c migrate`.

use std::collections::BTreeMap;

use domain::assets::{Asset, Home, Pair, PairId, Prepayment, Windows};
use domain::chain::{Address, BlockNumber, Token};
use domain::money::Amount;
use store::catalog::{Album, albums, assets, escrow_chain, put_album, put_asset, put_chain, put_pair};
use store::{Store, Tx};

pub use store::catalog::Chain;

use crate::{Error, Result};

/// The catalog that the database contains.
#[derive(Debug)]
pub struct Known {
    /// The chain; `None` before the first migration.
    pub chain: Option<Chain>,
    pub assets: Vec<Asset>,
    pub albums: Vec<Album>,
}

/// Reads the catalog from the database.
pub async fn known(store: &Store) -> Result<Known> {
    let mut tx = store.begin().await?;
    let (chain, assets) = (escrow_chain(&mut tx).await?, assets(&mut tx).await?);
    Ok(Known { chain, assets, albums: albums(&mut tx).await? })
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

/// An album as the configuration describes it.
#[derive(Debug)]
pub struct AlbumConfig {
    /// The short name that stands for it in pairs.
    pub code: String,
    pub class_id: String,
    pub name: String,
    pub creator: String,
    pub description: String,
    pub contract: Address,
    /// The fee of a sale and the network fee of an advert's end, as decimal numbers in the first coin.
    pub fee: String,
    pub gas: String,
    pub start: BlockNumber,
}

/// A function that gives a new pair its settings.
pub type ApplyPolicy = Box<dyn Fn(&mut Pair) -> std::result::Result<(), String> + Send + Sync>;

/// The catalog that the configuration contains.
pub struct Configured {
    pub chain: Chain,
    /// The coins of the chain. The first coin is never a quote.
    pub coins: Vec<Coin>,
    /// Sellers of NFTs prepay in the first coin, and are paid in the others.
    pub albums: Vec<AlbumConfig>,
    /// The fiat currencies and their numbers of decimals.
    pub fiat: Vec<(String, u8)>,
    pub apply_policy: ApplyPolicy,
    /// The chain types of receiving addresses.
    pub chain_types: Vec<String>,
    /// The chain type of the escrow chain, if automatic adverts are possible.
    pub escrow_chain_type: Option<String>,
}

/// Writes the configured chain, coins, albums and currencies, and a pair for every two coins, for every coin and currency, and for
/// every album and every coin but the first.
/// Changes neither existing pairs nor the data about the chain that the product has read from nodes.
pub async fn write(store: &Store, configured: &Configured) -> Result<()> {
    let mut tx = store.begin().await?;
    put_chain(&mut tx, &configured.chain).await?;
    for coin in &configured.coins {
        let home = Home::Chain { chain: configured.chain.id, token: coin.token };
        put_asset(&mut tx, &coin.code, coin.decimals, home, coin.dust, coin.return_gas).await?;
    }
    write_albums(&mut tx, configured).await?;
    for (code, decimals) in &configured.fiat {
        put_asset(&mut tx, code, *decimals, Home::Fiat, Amount::ZERO, Amount::ZERO).await?;
    }
    write_pairs(&mut tx, configured).await?;
    Ok(tx.commit().await?)
}

async fn write_albums(tx: &mut Tx, configured: &Configured) -> Result<()> {
    let Some(coin) = configured.coins.first().filter(|_| !configured.albums.is_empty()) else { return Ok(()) };
    let all = assets(tx).await?;
    let prepaid = all.iter().find(|asset| asset.code == coin.code);
    let prepaid = prepaid.ok_or_else(|| Error::Internal(format!("{} is not in the database", coin.code)))?;
    for album in &configured.albums {
        let home = Home::Album { chain: configured.chain.id, contract: album.contract };
        let asset = put_asset(tx, &album.code, 0, home, Amount::ZERO, Amount::ZERO).await?;
        let amount = |text: &str| {
            Amount::parse(text, prepaid.decimals)
                .map_err(|_| Error::Internal(format!("{text} is not an amount of {}", prepaid.code)))
        };
        let prepayment = Prepayment {
            asset: prepaid.id,
            decimals: prepaid.decimals,
            fee: amount(&album.fee)?,
            gas: amount(&album.gas)?,
        };
        put_album(
            tx,
            &Album {
                asset,
                class_id: album.class_id.clone(),
                name: album.name.clone(),
                creator: album.creator.clone(),
                description: album.description.clone(),
                prepayment,
                start: album.start,
            },
        )
        .await?;
    }
    Ok(())
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
    let prepayments: BTreeMap<_, _> =
        albums(tx).await?.into_iter().map(|album| (album.asset, album.prepayment)).collect();
    for album in &configured.albums {
        let base = find(&album.code)?;
        for quote in coins.iter().skip(1) {
            let pair = Pair { prepayment: prepayments.get(&base.id).copied(), ..pair(configured, base, quote)? };
            if let Some(problem) = pair.problem() {
                return Err(Error::Internal(format!("{}/{}: {problem}", base.code, quote.code)));
            }
            put_pair(tx, &pair).await?;
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
        prepayment: None,
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
