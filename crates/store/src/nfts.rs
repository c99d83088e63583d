//! NFTs: the assets that appear when a transfer of them is first seen, where they were, and who has them in custody.

use std::collections::BTreeMap;

use domain::assets::{Asset, AssetId};
use domain::chain::{Address, BlockNumber, ChainId, Token, TxHash};
use domain::clock::Timestamp;
use domain::ids::{AdvertId, OrderId, UserId};
use domain::money::Price;
use domain::nfts::{MetadataFault, Nft, NftPlace, TokenId};

use crate::catalog::AssetRow;
use crate::columns::{column, signed, vault_address};
use crate::numeric::Units;
use crate::{Error, Result, Tx};

fn ids(assets: &[AssetId]) -> Vec<i64> {
    assets.iter().map(|asset| asset.0).collect()
}

fn all(rows: Vec<AssetRow>) -> Result<Vec<Asset>> {
    rows.into_iter().map(Asset::try_from).collect()
}

/// Returns those of the assets that are NFTs.
pub async fn assets(tx: &mut Tx, assets: &[AssetId]) -> Result<Vec<Asset>> {
    if assets.is_empty() {
        return Ok(Vec::new());
    }
    all(sqlx::query_as!(
        AssetRow,
        "select id, code, kind, chain_id, contract, token_id, album, decimals, dust, return_gas from assets
         where id = any($1) and album is not null",
        &ids(assets)
    )
    .fetch_all(tx.connection())
    .await?)
}

/// Returns those of the NFTs that are known. Ignores tokens of other kinds.
pub async fn of_tokens(tx: &mut Tx, chain: ChainId, tokens: &[Token]) -> Result<Vec<Asset>> {
    let wanted: Vec<_> = tokens.iter().copied().filter_map(nft).collect();
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    all(sqlx::query_as!(
        AssetRow,
        "select a.id, a.code, a.kind, a.chain_id, a.contract, a.token_id, a.album, a.decimals, a.dust, a.return_gas
         from unnest($2::bytea[], $3::bytea[]) as w (contract, token_id)
              join assets a on a.chain_id = $1 and a.kind = 'erc721' and a.contract = w.contract and a.token_id = w.token_id",
        signed(chain.0)?,
        &column(&wanted, |(contract, _)| contract.as_slice().to_vec()),
        &column(&wanted, |(_, id)| id.to_vec())
    )
    .fetch_all(tx.connection())
    .await?)
}

/// Returns those of the assets that are NFTs, as everybody sees them.
pub async fn by_ids(tx: &mut Tx, assets: &[AssetId]) -> Result<Vec<Nft>> {
    if assets.is_empty() {
        return Ok(Vec::new());
    }
    let rows = sqlx::query!(
        r#"select a.id, a.code, a.kind, a.chain_id, a.contract, a.token_id, a.album, a.decimals, a.dust as "dust: Units",
                  a.return_gas as "return_gas: Units", l.class_id, l.name as album_name, m.name as "name?", m.picture, m.refused
           from assets a join albums l on l.asset_id = a.album left join nft_metadata m on m.asset_id = a.id
           where a.id = any($1)"#,
        &ids(assets)
    )
    .fetch_all(tx.connection())
    .await?;
    let nfts = rows.into_iter().map(|row| {
        let wrong = |why| Error::row("assets", row.id, why);
        let picture = match (row.picture, row.refused) {
            (Some(picture), _) => Ok(picture),
            (None, Some(refused)) => Err(refused.parse().map_err(|_| wrong("refusal of a picture"))?),
            (None, None) => Err(MetadataFault::Pending),
        };
        let asset = Asset::try_from(AssetRow {
            id: row.id,
            code: row.code,
            kind: row.kind,
            chain_id: row.chain_id,
            contract: row.contract,
            token_id: row.token_id,
            album: row.album,
            decimals: row.decimals,
            dust: row.dust,
            return_gas: row.return_gas,
        })?;
        let (_, token_id) = asset.nft().ok_or_else(|| wrong("token id"))?;
        Ok(Nft {
            asset,
            class_id: row.class_id,
            album: row.album_name,
            token_id: TokenId(token_id),
            name: row.name,
            picture,
        })
    });
    nfts.collect()
}

/// Returns those of the NFTs that are known and not burned. Ignores tokens of other kinds.
pub async fn existing(tx: &mut Tx, chain: ChainId, tokens: &[Token]) -> Result<Vec<Nft>> {
    let known = column(&of_tokens(tx, chain, tokens).await?, |nft| nft.id);
    let holders = holders(tx, &known).await?;
    let mut existing = by_ids(tx, &known).await?;
    existing.retain(|nft| holders.get(&nft.asset.id) != Some(&Address([0; 20])));
    Ok(existing)
}

/// Returns the holders of NFTs. The zero address holds those that are burned. Omits NFTs without a known transfer.
pub async fn holders(tx: &mut Tx, nfts: &[AssetId]) -> Result<BTreeMap<AssetId, Address>> {
    let rows = sqlx::query!(
        r#"select a as "asset!", last.recipient from unnest($1::bigint[]) a cross join lateral (
               select recipient from nft_transfers where asset_id = a
               order by block_number desc, position desc limit 1) last"#,
        &ids(nfts)
    )
    .fetch_all(tx.connection())
    .await?;
    rows.into_iter().map(|row| Ok((AssetId(row.asset), vault_address(&row.recipient, row.asset)?))).collect()
}

/// Returns the holders of NFTs after a block, not counting the transfers into vaults that are not credited: their albums have logged them,
/// and the vaults did not hold the NFTs.
pub async fn credible_holders(tx: &mut Tx, nfts: &[AssetId], after: BlockNumber) -> Result<BTreeMap<AssetId, Address>> {
    let rows = sqlx::query!(
        r#"select a as "asset!", last.recipient from unnest($1::bigint[]) a cross join lateral (
               select recipient from nft_transfers n where asset_id = a and block_number <= $2
                   and not exists (select from transfers t where t.uncredited and t.asset_id = a and t.chain_id = n.chain_id
                                   and t.block_number = n.block_number and t.position = n.position)
               order by block_number desc, position desc limit 1) last"#,
        &ids(nfts),
        signed(after)?
    )
    .fetch_all(tx.connection())
    .await?;
    rows.into_iter().map(|row| Ok((AssetId(row.asset), vault_address(&row.recipient, row.asset)?))).collect()
}

fn nft(token: Token) -> Option<(Address, [u8; 32])> {
    match token {
        Token::Erc721(contract, id) => Some((contract, id)),
        _ => None,
    }
}

/// Inserts the NFTs that are not known yet, each with the code of its album, and makes their metadata due. Ignores tokens of
/// contracts that are no album, and tokens of other kinds.
pub async fn put(tx: &mut Tx, chain: ChainId, tokens: &[Token], now: Timestamp) -> Result<()> {
    let seen: Vec<_> = tokens.iter().copied().filter_map(nft).collect();
    if seen.is_empty() {
        return Ok(());
    }
    sqlx::query!(
        "with new as (
             insert into assets (code, kind, chain_id, contract, token_id, decimals, album)
             select distinct l.code, 'erc721', l.chain_id, l.contract, s.token_id, 0, l.id
             from unnest($2::bytea[], $3::bytea[]) as s (contract, token_id)
                  join assets l on l.chain_id = $1 and l.kind = 'erc721' and l.contract = s.contract and l.token_id is null
             on conflict do nothing returning id, album)
         insert into nft_metadata (asset_id, album, due_at) select id, album, $4 from new",
        signed(chain.0)?,
        &column(&seen, |(contract, _)| contract.as_slice().to_vec()),
        &column(&seen, |(_, id)| id.to_vec()),
        now
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// A transfer of an NFT, of whoever it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NftTransfer {
    pub block: BlockNumber,
    pub tx: TxHash,
    /// The log's index in the block.
    pub position: i64,
    pub asset: AssetId,
    /// The zero address if the NFT was minted.
    pub from: Address,
    /// The zero address if the NFT was burned.
    pub to: Address,
    pub at: Timestamp,
}

/// Stores transfers. A transfer that is stored already stays.
pub async fn insert_transfers(tx: &mut Tx, chain: ChainId, transfers: &[NftTransfer]) -> Result<()> {
    if transfers.is_empty() {
        return Ok(());
    }
    let blocks = transfers.iter().map(|transfer| signed(transfer.block)).collect::<Result<Vec<_>>>()?;
    sqlx::query!(
        "insert into nft_transfers (chain_id, block_number, tx_hash, position, asset_id, sender, recipient, at)
         select $1, * from unnest($2::bigint[], $3::bytea[], $4::bigint[], $5::bigint[], $6::bytea[], $7::bytea[], $8::timestamptz[])
         on conflict do nothing",
        signed(chain.0)?,
        &blocks,
        &column(transfers, |transfer| transfer.tx.as_slice().to_vec()),
        &column(transfers, |transfer| transfer.position),
        &column(transfers, |transfer| transfer.asset.0),
        &column(transfers, |transfer| transfer.from.as_slice().to_vec()),
        &column(transfers, |transfer| transfer.to.as_slice().to_vec()),
        &column(transfers, |transfer| transfer.at)
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Returns a page of an NFT's transfers, newest first, and their total number.
pub async fn transfers(tx: &mut Tx, nft: AssetId, offset: i64, limit: i64) -> Result<(Vec<NftTransfer>, i64)> {
    let total = sqlx::query_scalar!(r#"select count(*) as "many!" from nft_transfers where asset_id = $1"#, nft.0)
        .fetch_one(tx.connection())
        .await?;
    let rows = sqlx::query!(
        "select block_number, tx_hash, position, sender, recipient, at
         from nft_transfers where asset_id = $1 order by block_number desc, position desc offset $2 limit $3",
        nft.0,
        offset,
        limit
    )
    .fetch_all(tx.connection())
    .await?;
    let wrong = |why| Error::row("nft_transfers", nft.0, why);
    let transfers = rows.into_iter().map(|row| {
        Ok(NftTransfer {
            block: u64::try_from(row.block_number).map_err(|_| wrong("negative height"))?,
            tx: TxHash::from_slice(&row.tx_hash).ok_or_else(|| wrong("hash"))?,
            position: row.position,
            asset: nft,
            from: vault_address(&row.sender, nft.0)?,
            to: vault_address(&row.recipient, nft.0)?,
            at: row.at,
        })
    });
    Ok((transfers.collect::<Result<_>>()?, total))
}

/// Returns the advert that sells an NFT and takes orders.
pub async fn advert_of(tx: &mut Tx, nft: AssetId) -> Result<Option<AdvertId>> {
    let id = sqlx::query_scalar!(
        "select id from adverts where base_asset = $1 and prepaid_asset is not null and is_open and state = 'ONLINE'
               and frozen is null and remaining > 0
               and not exists (select from stopped_assets s where s.id = base_asset)",
        nft.0
    )
    .fetch_optional(tx.connection())
    .await?;
    Ok(id.map(AdvertId))
}

/// A completed trade of an NFT.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sale {
    /// The transaction that transferred the NFT.
    pub tx: TxHash,
    pub price: Price,
    pub quote: AssetId,
}

/// Returns the completed trades of an NFT that these transactions settled.
pub async fn sales(tx: &mut Tx, nft: AssetId, settled_by: &[TxHash]) -> Result<Vec<Sale>> {
    let rows = sqlx::query!(
        r#"select s.tx_hash, o.price as "price: Units", o.quote_asset
           from orders o join payouts p on p.subject = o.id and p.purpose = 'release'
                join payout_legs l on l.payout_id = p.id and l.asset_id = o.base_asset
                join settlements s on s.reference = l.reference and s.outcome = 'paid'
           where o.base_asset = $1 and o.prepaid_asset is not null and o.state = 'COMPLETED' and s.tx_hash = any($2)"#,
        nft.0,
        &column(settled_by, |tx| tx.as_slice().to_vec())
    )
    .fetch_all(tx.connection())
    .await?;
    let wrong = |why| Error::row("orders", nft.0, why);
    rows.into_iter()
        .map(|row| {
            Ok(Sale {
                tx: TxHash::from_slice(&row.tx_hash).ok_or_else(|| wrong("hash"))?,
                price: Price::new(row.price.0.units()).map_err(|_| wrong("price"))?,
                quote: AssetId(row.quote_asset),
            })
        })
        .collect()
}

/// Which of a user's NFTs are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owned {
    All,
    OfAlbum(AssetId),
    One(AssetId),
}

/// Returns a page of a user's NFTs in custody or on their way into it, newest first, and their number.
pub async fn owned(
    tx: &mut Tx,
    user: UserId,
    wanted: Owned,
    offset: i64,
    limit: i64,
) -> Result<(Vec<(AssetId, NftPlace)>, i64)> {
    let (album, one) = match wanted {
        Owned::All => (None, None),
        Owned::OfAlbum(album) => (Some(album.0), None),
        Owned::One(nft) => (None, Some(nft.0)),
    };
    let rows = sqlx::query!(
        r#"with held as (
               select l.asset_id, l.kind, l.owner, null::bigint as block
               from ledger_accounts l where l.vault = $1 and l.balance > 0
                    and l.kind in ('temporary', 'advert_escrow', 'order_escrow', 'in_flight')
               union all
               select t.asset_id, 'confirming', null, t.block_number
               from transfers t where t.vault = $1 and t.incoming and t.confirmed_at is null),
           wanted as (
               select h.* from held h join assets a on a.id = h.asset_id
               where a.album is not null and ($2::bigint is null or a.album = $2) and ($3::bigint is null or a.id = $3)),
           page as (select * from wanted order by asset_id desc, kind offset $4 limit $5)
           -- The row of the total is there even if the page is empty.
           select total.many as "total!", p.asset_id as "asset_id?", p.kind as "kind?", p.owner as "owner?", p.block as "block?"
           from (select count(*) as many from wanted) total left join page p on true order by p.asset_id desc, p.kind"#,
        user.0,
        album,
        one,
        offset,
        limit
    )
    .fetch_all(tx.connection())
    .await?;
    let total = rows.first().map_or(0, |row| row.total);
    let places = rows.into_iter().filter_map(|row| Some((row.asset_id?, row.kind?, row.owner, row.block)));
    let places = places.map(|(asset, kind, owner, block)| {
        let wrong = |why| Error::row("ledger_accounts", asset, why);
        let owner = owner.ok_or_else(|| wrong("owner"));
        let place = match kind.as_str() {
            "confirming" => {
                let block = block.and_then(|block| u64::try_from(block).ok());
                NftPlace::Confirming(block.ok_or_else(|| wrong("block"))?)
            }
            "temporary" => NftPlace::Available,
            "advert_escrow" => NftPlace::InAdvert(AdvertId(owner?)),
            "order_escrow" => NftPlace::InOrder(OrderId(owner?)),
            "in_flight" => NftPlace::Leaving,
            _ => return Err(wrong("kind")),
        };
        Ok((AssetId(asset), place))
    });
    Ok((places.collect::<Result<_>>()?, total))
}
