//! NFTs: the albums, what a user has in custody, and where an NFT was.

pub mod metadata;

use std::collections::BTreeMap;

use domain::assets::{Asset, AssetId, Home};
use domain::chain::{Address, ChainId, TxHash};
use domain::clock::Timestamp;
use domain::ids::{AdvertId, UserId};
use domain::money::{Amount, Price};
use domain::nfts::{Nft, NftPlace};
use domain::refusal::Refusal;
use store::Tx;
use store::catalog::Album;
use store::nft_metadata::Metadata;
use store::nfts::Owned;

use crate::engine::confirmations::Confirmations;
use crate::memory::assets::Assets;
use crate::memory::reference_data::Current;
use crate::wallet::withdrawals::is_busy;
use crate::{Context, Error, Result};

/// An album as everybody sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AlbumView {
    pub album: Album,
    pub asset: Asset,
    pub contract: Address,
    /// The ID and the name of its chain.
    pub chain: (ChainId, String),
    /// The coin in which the sellers of its NFTs prepay.
    pub prepaid: Asset,
}

/// Returns all albums.
pub async fn albums(context: &Context) -> Result<Vec<AlbumView>> {
    let (mut tx, _) = context.begin().await?;
    let data = context.reference_data(&mut tx).await?.data;
    let view = |album: &Album| {
        let named =
            |id: AssetId| data.assets.get(&id).cloned().ok_or_else(|| Error::Internal(format!("no asset {}", id.0)));
        let asset = named(album.asset)?;
        let Home::Album { contract, chain } = asset.home else {
            return Err(Error::Internal(format!("{} is no album", asset.code)));
        };
        let name = data.chain.as_ref().map_or_else(String::new, |chain| chain.name.clone());
        let (prepaid, album) = (named(album.prepayment.asset)?, album.clone());
        Ok(AlbumView { prepaid, asset, contract, chain: (chain, name), album })
    };
    data.albums.values().map(view).collect()
}

/// An NFT in the custody of a user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnedNft {
    pub nft: Nft,
    pub place: NftPlace,
    /// The confirmations of its deposit, and how many it needs, while it is on its way into the vault.
    pub confirmations: Option<(u64, u64)>,
    /// The network fee of its withdrawal, and the coin in which it is paid.
    pub gas: (Amount, Asset),
    /// Whether open adverts and orders of the owner prevent its withdrawal.
    pub busy: bool,
    /// Whether its payouts are stopped, so that it can be neither sold nor withdrawn.
    pub paused: bool,
}

/// Returns a page of a user's NFTs in custody, of one album or of all, newest first, and their number.
pub async fn owned(
    context: &Context,
    user: UserId,
    class_id: Option<&str>,
    offset: i64,
    limit: i64,
) -> Result<(Vec<OwnedNft>, i64)> {
    let (mut tx, _) = context.begin().await?;
    let current = context.reference_data(&mut tx).await?;
    let wanted = match class_id {
        None => Owned::All,
        Some(class_id) => {
            let album = current.data.albums.values().find(|album| album.class_id == class_id);
            Owned::OfAlbum(album.ok_or(Refusal::AlbumMissing)?.asset)
        }
    };
    owned_in(&mut tx, &current, user, wanted, offset, limit).await
}

async fn owned_in(
    tx: &mut Tx,
    current: &Current,
    user: UserId,
    wanted: Owned,
    offset: i64,
    limit: i64,
) -> Result<(Vec<OwnedNft>, i64)> {
    let (held, total) = store::nfts::owned(tx, user, wanted, offset, limit).await?;
    let assets = Assets::load(tx, &current.data, held.iter().map(|(nft, _)| *nft)).await?;
    let confirmations = Confirmations::of_chain(current);
    let busy = is_busy(tx, user).await?;
    let nfts: Vec<_> = held.iter().map(|(nft, _)| *nft).collect();
    let stopped = store::stops::among(tx, &nfts).await?;
    let view = |(id, place): (AssetId, NftPlace)| {
        let missing = || Error::Internal(format!("the NFT {} has no album", id.0));
        let nft = assets.nft(id).cloned().ok_or_else(missing)?;
        let prepayment = current.data.albums.get(&nft.asset.counted_as()).ok_or_else(missing)?.prepayment;
        let confirmations = match place {
            NftPlace::Confirming(block) => Some((confirmations.of(block), confirmations.needed)),
            _ => None,
        };
        let gas = (prepayment.gas, assets.named(prepayment.asset)?);
        Ok(OwnedNft { nft, place, confirmations, gas, busy, paused: stopped.contains(&id) })
    };
    Ok((held.into_iter().map(view).collect::<Result<_>>()?, total))
}

/// An NFT with all that is known of it.
#[derive(Debug, Clone)]
pub struct NftDetails {
    pub nft: Nft,
    pub album: Album,
    pub contract: Address,
    pub metadata: Metadata,
    /// The current holder; the zero address if the NFT is burned. `None` if no transfer is known.
    pub holder: Option<Address>,
    /// Whether the holder is a vault of the platform.
    pub in_custody: bool,
    /// The advert that sells it and takes orders.
    pub advert: Option<AdvertId>,
    /// Where it is, if it is in the custody of the user who asks.
    pub mine: Option<OwnedNft>,
}

/// Returns an NFT.
pub async fn one(context: &Context, viewer: Option<UserId>, id: AssetId) -> Result<NftDetails> {
    let (mut tx, _) = context.begin().await?;
    let current = context.reference_data(&mut tx).await?;
    let nft = store::nfts::by_ids(&mut tx, &[id]).await?.pop().ok_or(Refusal::NftMissing)?;
    let (contract, _) = nft.asset.nft().ok_or(Refusal::NftMissing)?;
    let album = current.data.albums.get(&nft.asset.counted_as()).cloned().ok_or(Refusal::AlbumMissing)?;
    let holder = store::nfts::holders(&mut tx, &[id]).await?.remove(&id);
    let in_custody = match holder {
        Some(holder) => !store::users::vault_owners(&mut tx, &[holder]).await?.is_empty(),
        None => false,
    };
    let metadata = store::nft_metadata::of(&mut tx, id).await?;
    let advert = store::nfts::advert_of(&mut tx, id).await?;
    let mine = match viewer {
        Some(viewer) => owned_in(&mut tx, &current, viewer, Owned::One(id), 0, 1).await?.0.pop(),
        None => None,
    };
    Ok(NftDetails { nft, album, contract, metadata, holder, in_custody, advert, mine })
}

/// A transfer of an NFT on the chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryLine {
    pub at: Timestamp,
    pub tx: TxHash,
    /// The zero address if the NFT was minted.
    pub from: Address,
    /// The zero address if the NFT was burned.
    pub to: Address,
    /// Whether the sender and the recipient are vaults of the platform.
    pub vaults: (bool, bool),
    /// The price of the trade here that the transfer settled, and its coin.
    pub sale: Option<(Price, Asset)>,
    /// Whether the block is final.
    pub confirmed: bool,
}

/// Returns a page of the transfers of an NFT, newest first, and their number.
pub async fn history(context: &Context, id: AssetId, offset: i64, limit: i64) -> Result<(Vec<HistoryLine>, i64)> {
    let (mut tx, _) = context.begin().await?;
    let current = context.reference_data(&mut tx).await?;
    let (transfers, total) = store::nfts::transfers(&mut tx, id, offset, limit).await?;
    let settled_by: Vec<_> = transfers.iter().map(|transfer| transfer.tx).collect();
    let sales = store::nfts::sales(&mut tx, id, &settled_by).await?;
    let mut sales: BTreeMap<_, _> = sales.into_iter().map(|sale| (sale.tx, sale)).collect();
    let assets = Assets::load(&mut tx, &current.data, sales.values().map(|sale| sale.quote)).await?;
    let addresses: Vec<_> = transfers.iter().flat_map(|one| [one.from, one.to]).collect();
    let vaults = store::users::vault_owners(&mut tx, &addresses).await?;
    let is_vault = |address: Address| vaults.iter().any(|(vault, _)| *vault == address);
    let confirmations = Confirmations::of_chain(&current);
    let line = |transfer: store::nfts::NftTransfer| {
        // An album can log further transfers in the same transaction.
        let sale = if is_vault(transfer.from) { sales.remove(&transfer.tx) } else { None };
        let sale = sale.map(|sale| Ok::<_, Error>((sale.price, assets.named(sale.quote)?)));
        Ok(HistoryLine {
            at: transfer.at,
            tx: transfer.tx,
            from: transfer.from,
            to: transfer.to,
            vaults: (is_vault(transfer.from), is_vault(transfer.to)),
            sale: sale.transpose()?,
            confirmed: !confirmations.grows(confirmations.of(transfer.block)),
        })
    };
    Ok((transfers.into_iter().map(line).collect::<Result<_>>()?, total))
}
