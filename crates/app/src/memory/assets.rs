//! Assets by their IDs. Coins, albums and currencies are reference data; an NFT is read when it is needed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use domain::assets::{Asset, AssetId, Prepayment};
use domain::nfts::Nft;
use domain::trade::Coin;
use store::Tx;

use super::reference_data::ReferenceData;
use crate::{Error, Result};

#[derive(Debug, Clone)]
pub(crate) struct Assets {
    data: Arc<ReferenceData>,
    nfts: BTreeMap<AssetId, Nft>,
}

/// The assets of an advert or order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TradedAssets {
    pub base: Asset,
    pub quote: Asset,
    /// The base, if it is an NFT.
    pub nft: Option<Nft>,
    /// The coin in which the seller prepays, and what; `None` if fees are taken out of the base.
    pub prepayment: Option<(Asset, Prepayment)>,
}

impl Assets {
    /// Reads those of the assets that are not reference data. An NFT never changes.
    pub(crate) async fn load(
        tx: &mut Tx,
        data: &Arc<ReferenceData>,
        ids: impl IntoIterator<Item = AssetId>,
    ) -> store::Result<Self> {
        let others: BTreeSet<_> = ids.into_iter().filter(|id| !data.assets.contains_key(id)).collect();
        let others: Vec<_> = others.into_iter().collect();
        let mut assets = Self { data: Arc::clone(data), nfts: BTreeMap::new() };
        assets.add(store::nfts::by_ids(tx, &others).await?);
        Ok(assets)
    }

    pub(crate) fn add(&mut self, nfts: Vec<Nft>) {
        self.nfts.extend(nfts.into_iter().map(|nft| (nft.asset.id, nft)));
    }

    /// Returns the reference data and the NFTs.
    pub(crate) fn all(&self) -> BTreeMap<AssetId, Asset> {
        let nfts = self.nfts.values().map(|nft| &nft.asset);
        self.data.assets.values().chain(nfts).map(|asset| (asset.id, asset.clone())).collect()
    }

    pub(crate) fn nft(&self, id: AssetId) -> Option<&Nft> {
        self.nfts.get(&id)
    }

    pub(crate) fn traded(&self, base: Coin, quote: Coin, prepayment: Option<Prepayment>) -> Result<TradedAssets> {
        let prepayment = prepayment.map(|prepayment| Ok::<_, Error>((self.named(prepayment.asset)?, prepayment)));
        Ok(TradedAssets {
            base: self.named(base.asset)?,
            quote: self.named(quote.asset)?,
            nft: self.nft(base.asset).cloned(),
            prepayment: prepayment.transpose()?,
        })
    }

    pub(crate) fn get(&self, id: AssetId) -> Option<&Asset> {
        self.data.assets.get(&id).or_else(|| self.nft(id).map(|nft| &nft.asset))
    }

    /// Returns an asset to which a row refers.
    pub(crate) fn named(&self, id: AssetId) -> Result<Asset> {
        self.get(id).cloned().ok_or_else(|| Error::Internal(format!("no asset {}", id.0)))
    }
}
