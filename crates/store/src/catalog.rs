//! Chains, assets and pairs, written from the configuration.

use std::collections::BTreeMap;

use domain::assets::{Asset, AssetId, Home, Pair, PairId, Prepayment};
use domain::chain::{Address, BlockHash, BlockNumber, ChainId, Token};
use domain::money::Amount;

use crate::columns::{signed, vault_address};
use crate::numeric::Units;
use crate::trade::{window_seconds, windows};
use crate::{Error, Result, Tx};

/// The configuration of a chain, and how far ingestion has read it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chain {
    pub id: ChainId,
    /// The display name.
    pub name: String,
    /// The hash of the first block; `None` until it is known.
    pub genesis: Option<BlockHash>,
    /// The address of the Escrow contract; `None` until it is deployed.
    pub escrow: Option<Address>,
    /// The Keccak-256 hash of the Escrow's code; `None` until it is known.
    pub escrow_code: Option<[u8; 32]>,
    /// The number of confirmations after which a block is final.
    pub confirmations: u64,
    /// The first block that ingestion reads.
    pub start: BlockNumber,
    /// The newest block that ingestion has read.
    pub head: Option<BlockNumber>,
    /// The newest final block.
    pub confirmed: Option<BlockNumber>,
    /// Why commands that move money are refused; `None` if they are allowed.
    pub stopped_because: Option<String>,
}

fn height(number: i64) -> Result<BlockNumber> {
    u64::try_from(number).map_err(|_| Error::row("chains", number, "negative height"))
}

/// Returns the escrow chain, the only one to which the product writes; `None` before it is configured.
pub async fn escrow_chain(tx: &mut Tx) -> Result<Option<Chain>> {
    let Some(row) =
        sqlx::query!("select * from chains order by chain_id limit 1").fetch_optional(tx.connection()).await?
    else {
        return Ok(None);
    };
    let wrong = |why| Error::row("chains", row.chain_id, why);
    Ok(Some(Chain {
        id: ChainId(u64::try_from(row.chain_id).map_err(|_| wrong("negative id"))?),
        name: row.name,
        genesis: row
            .genesis_hash
            .map(|hash| BlockHash::from_slice(&hash).ok_or_else(|| wrong("genesis")))
            .transpose()?,
        escrow: row.escrow_address.map(|a| Address::from_slice(&a).ok_or_else(|| wrong("escrow"))).transpose()?,
        escrow_code: row
            .escrow_code
            .map(|hash| <[u8; 32]>::try_from(hash).map_err(|_| wrong("hash of the Escrow's code")))
            .transpose()?,
        confirmations: u64::try_from(row.confirmations).map_err(|_| wrong("confirmations"))?,
        start: height(row.start_block)?,
        head: row.head_number.map(height).transpose()?,
        confirmed: row.confirmed_number.map(height).transpose()?,
        stopped_because: row.stopped_because,
    }))
}

/// Stores the configuration of a chain. Keeps the values learned from the chain, and never replaces a known genesis
/// block or Escrow.
pub async fn put_chain(tx: &mut Tx, chain: &Chain) -> Result<()> {
    sqlx::query!(
        "insert into chains (chain_id, name, genesis_hash, escrow_address, escrow_code, confirmations, start_block)
         values ($1, $2, $3, $4, $5, $6, $7)
         on conflict (chain_id) do update set name = excluded.name, confirmations = excluded.confirmations,
             genesis_hash = coalesce(chains.genesis_hash, excluded.genesis_hash),
             escrow_address = coalesce(chains.escrow_address, excluded.escrow_address),
             escrow_code = coalesce(chains.escrow_code, excluded.escrow_code)",
        signed(chain.id.0)?,
        chain.name,
        chain.genesis.as_ref().map(BlockHash::as_slice),
        chain.escrow.as_ref().map(Address::as_slice),
        chain.escrow_code.as_ref().map(|hash| &hash[..]),
        i32::try_from(chain.confirmations).map_err(|_| Error::row("chains", chain.id.0, "confirmations"))?,
        signed(chain.start)?
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Sets why commands that move money are refused. `None` allows them again.
pub async fn stop_chain(tx: &mut Tx, chain: ChainId, because: Option<&str>) -> Result<()> {
    sqlx::query!("update chains set stopped_because = $2 where chain_id = $1", signed(chain.0)?, because)
        .execute(tx.connection())
        .await?;
    Ok(())
}

pub(crate) struct AssetRow {
    pub(crate) id: i64,
    pub(crate) code: String,
    pub(crate) kind: String,
    pub(crate) chain_id: Option<i64>,
    pub(crate) contract: Option<Vec<u8>>,
    pub(crate) token_id: Option<Vec<u8>>,
    pub(crate) album: Option<i64>,
    pub(crate) decimals: i16,
    pub(crate) dust: Units,
    pub(crate) return_gas: Units,
}

impl TryFrom<AssetRow> for Asset {
    type Error = Error;

    fn try_from(row: AssetRow) -> Result<Self> {
        let wrong = |why| Error::row("assets", row.id, why);
        let contract = || row.contract.as_deref().and_then(Address::from_slice).ok_or_else(|| wrong("contract"));
        let token = match row.kind.as_str() {
            "fiat" => None,
            "native" => Some(Token::Native),
            "erc20" => Some(Token::Erc20(contract()?)),
            "erc721" => match &row.token_id {
                Some(id) => {
                    let id = id.as_slice().try_into().map_err(|_| wrong("token id"))?;
                    Some(Token::Erc721(contract()?, id))
                }
                None => None,
            },
            _ => return Err(wrong("kind")),
        };
        let chain =
            row.chain_id.map(|chain| u64::try_from(chain).map(ChainId).map_err(|_| wrong("chain"))).transpose()?;
        let home = match (token, chain) {
            (None, None) => Home::Fiat,
            (None, Some(chain)) => Home::Album { chain, contract: contract()? },
            (Some(token), Some(chain)) => Home::Chain { chain, token },
            (Some(_), None) => return Err(wrong("chain")),
        };
        Ok(Self {
            id: AssetId(row.id),
            decimals: u8::try_from(row.decimals).map_err(|_| wrong("decimals"))?,
            code: row.code,
            home,
            album: row.album.map(AssetId),
            dust: row.dust.into(),
            return_gas: row.return_gas.into(),
        })
    }
}

/// Returns all coins, albums and fiat currencies. There can be any number of NFTs: see [`crate::nfts`].
pub async fn assets(tx: &mut Tx) -> Result<Vec<Asset>> {
    sqlx::query_as!(
        AssetRow,
        "select id, code, kind, chain_id, contract, token_id, album, decimals, dust, return_gas from assets
         where album is null order by id"
    )
    .fetch_all(tx.connection())
    .await?
    .into_iter()
    .map(Asset::try_from)
    .collect()
}

/// Inserts a coin, album or fiat currency and returns its ID. If it exists, updates only the dust limit and the return gas.
pub async fn put_asset(
    tx: &mut Tx,
    code: &str,
    decimals: u8,
    home: Home,
    dust: Amount,
    return_gas: Amount,
) -> Result<AssetId> {
    let (kind, chain, contract) = match home {
        Home::Fiat => ("fiat", None, None),
        Home::Album { chain, contract } => ("erc721", Some(signed(chain.0)?), Some(contract.as_slice().to_vec())),
        Home::Chain { chain, token } => match token {
            Token::Native => ("native", Some(signed(chain.0)?), None),
            Token::Erc20(contract) => ("erc20", Some(signed(chain.0)?), Some(contract.as_slice().to_vec())),
            Token::Erc721(..) => return Err(Error::row("assets", code, "an NFT is written when it is first seen")),
        },
    };
    let id = sqlx::query_scalar!(
        "insert into assets (code, kind, chain_id, contract, decimals, dust, return_gas) values ($1, $2, $3, $4, $5, $6, $7)
         on conflict (code) where token_id is null do update set dust = excluded.dust, return_gas = excluded.return_gas
         returning id",
        code,
        kind,
        chain,
        contract,
        i16::from(decimals),
        Units(dust) as _,
        Units(return_gas) as _
    )
    .fetch_one(tx.connection())
    .await?;
    Ok(AssetId(id))
}

/// What an album has besides its asset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Album {
    pub asset: AssetId,
    /// The class ID in the API.
    pub class_id: String,
    pub name: String,
    pub creator: String,
    pub description: String,
    /// What the sellers of its NFTs prepay.
    pub prepayment: Prepayment,
    /// The first block that can contain a transfer of the album.
    pub start: BlockNumber,
}

pub async fn albums(tx: &mut Tx) -> Result<Vec<Album>> {
    let rows = sqlx::query!(
        r#"select a.asset_id, a.class_id, a.name, a.creator, a.description, a.prepaid_asset, a.fee as "fee: Units",
                  a.gas as "gas: Units", a.start_block, p.decimals
           from albums a join assets p on p.id = a.prepaid_asset order by a.asset_id"#
    )
    .fetch_all(tx.connection())
    .await?;
    rows.into_iter()
        .map(|row| {
            let wrong = |why| Error::row("albums", row.asset_id, why);
            Ok(Album {
                asset: AssetId(row.asset_id),
                class_id: row.class_id,
                name: row.name,
                creator: row.creator,
                description: row.description,
                prepayment: Prepayment {
                    asset: AssetId(row.prepaid_asset),
                    decimals: u8::try_from(row.decimals).map_err(|_| wrong("decimals"))?,
                    fee: row.fee.into(),
                    gas: row.gas.into(),
                },
                start: height(row.start_block)?,
            })
        })
        .collect()
}

/// Inserts or updates what an album has besides its asset. The start block of a known album stays. The chain must be known.
pub async fn put_album(tx: &mut Tx, album: &Album) -> Result<()> {
    sqlx::query!(
        "insert into albums (asset_id, class_id, name, creator, description, prepaid_asset, fee, gas, start_block)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
         on conflict (asset_id) do update
             set name = excluded.name, creator = excluded.creator, description = excluded.description,
                 prepaid_asset = excluded.prepaid_asset, fee = excluded.fee, gas = excluded.gas",
        album.asset.0,
        album.class_id,
        album.name,
        album.creator,
        album.description,
        album.prepayment.asset.0,
        Units(album.prepayment.fee) as _,
        Units(album.prepayment.gas) as _,
        signed(album.start)?
    )
    .execute(tx.connection())
    .await?;
    crate::album_backfills::plan(tx, album.asset).await
}

fn ppm(share: u32) -> Result<i32> {
    i32::try_from(share).map_err(|_| Error::row("pairs", share, "a share out of range"))
}

/// Inserts a pair. Does not change an existing pair, because officers may have changed its settings.
pub async fn put_pair(tx: &mut Tx, pair: &Pair) -> Result<()> {
    let [acceptance, advert_deposit, order_deposit, payment, confirmation, grace] = window_seconds(&pair.windows)?;
    sqlx::query!(
        "insert into pairs (base_asset, quote_asset, enabled, fee_rate_ppm, fee_minimum, min_total, max_total, price_band_ppm,
                            acceptance_seconds, advert_deposit_seconds, order_deposit_seconds, payment_seconds,
                            confirmation_seconds, grace_seconds, chain_types, automatic_chain_type,
                            price_decimals)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
         on conflict (base_asset, quote_asset) do nothing",
        pair.base.id.0,
        pair.quote.id.0,
        pair.enabled,
        ppm(pair.fee_rate_ppm)?,
        Units(pair.fee_minimum) as _,
        Units(pair.min_total) as _,
        Units(pair.max_total) as _,
        ppm(pair.price_band_ppm)?,
        acceptance,
        advert_deposit,
        order_deposit,
        payment,
        confirmation,
        grace,
        &pair.chain_types,
        pair.automatic_chain_type,
        i16::from(pair.price_decimals)
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Locks a pair until the transaction ends, so that its settings cannot change concurrently.
pub async fn lock_pair(tx: &mut Tx, pair: PairId) -> Result<()> {
    sqlx::query!("select from pairs where id = $1 for no key update", pair.0).execute(tx.connection()).await?;
    Ok(())
}

/// Updates the settings of a pair that officers can change.
pub async fn set_pair(tx: &mut Tx, pair: &Pair) -> Result<()> {
    let [acceptance, advert_deposit, order_deposit, payment, confirmation, grace] = window_seconds(&pair.windows)?;
    sqlx::query!(
        "update pairs set fee_rate_ppm = $2, fee_minimum = $3, min_total = $4, max_total = $5, price_band_ppm = $6,
                          price_decimals = $7, acceptance_seconds = $8, advert_deposit_seconds = $9,
                          order_deposit_seconds = $10, payment_seconds = $11, confirmation_seconds = $12,
                          grace_seconds = $13, enabled = $14
         where id = $1",
        pair.id.0,
        ppm(pair.fee_rate_ppm)?,
        Units(pair.fee_minimum) as _,
        Units(pair.min_total) as _,
        Units(pair.max_total) as _,
        ppm(pair.price_band_ppm)?,
        i16::from(pair.price_decimals),
        acceptance,
        advert_deposit,
        order_deposit,
        payment,
        confirmation,
        grace,
        pair.enabled
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Returns all pairs with their assets.
pub async fn pairs(tx: &mut Tx) -> Result<Vec<Pair>> {
    let assets = assets(tx).await?;
    let prepayments: BTreeMap<_, _> =
        albums(tx).await?.into_iter().map(|album| (album.asset, album.prepayment)).collect();
    let rows = sqlx::query!("select * from pairs order by id").fetch_all(tx.connection()).await?;
    rows.into_iter()
        .map(|row| {
            let wrong = |why| Error::row("pairs", row.id, why);
            let asset = |id: i64| assets.iter().find(|asset| asset.id.0 == id).cloned().ok_or_else(|| wrong("asset"));
            Ok(Pair {
                id: PairId(row.id),
                base: asset(row.base_asset)?,
                quote: asset(row.quote_asset)?,
                prepayment: prepayments.get(&AssetId(row.base_asset)).copied(),
                enabled: row.enabled,
                fee_rate_ppm: u32::try_from(row.fee_rate_ppm).map_err(|_| wrong("fee"))?,
                fee_minimum: row.fee_minimum.into(),
                min_total: row.min_total.into(),
                max_total: row.max_total.into(),
                price_band_ppm: u32::try_from(row.price_band_ppm).map_err(|_| wrong("price band"))?,
                price_decimals: u8::try_from(row.price_decimals).map_err(|_| wrong("price decimals"))?,
                windows: windows!(row),
                chain_types: row.chain_types,
                automatic_chain_type: row.automatic_chain_type,
            })
        })
        .collect()
}

/// Returns the addresses that belong to the product: token contracts, the Escrow and vaults. Coins sent there would be
/// lost or credited to the wrong user.
pub async fn own_addresses(tx: &mut Tx, addresses: &[Address]) -> Result<Vec<Address>> {
    let asked: Vec<_> = addresses.iter().map(|address| address.as_slice().to_vec()).collect();
    let found = sqlx::query_scalar!(
        r#"select a as "a!" from unnest($1::bytea[]) a
           where exists (select from assets where contract = a) or exists (select from chains where escrow_address = a)
              or exists (select from users where vault_address = a)"#,
        &asked
    )
    .fetch_all(tx.connection())
    .await?;
    found.iter().map(|address| vault_address(address, "?")).collect()
}
