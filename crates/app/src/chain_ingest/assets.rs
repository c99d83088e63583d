//! The assets of the escrow chain.

use std::collections::{BTreeMap, BTreeSet};

use domain::assets::{Asset, AssetId, Home};
use domain::chain::{Address, Block, ChainId, Token};
use domain::clock::Timestamp;
use store::{Tx, catalog, nfts};

use crate::Result;

/// The coins and albums of the chain, and those NFTs that the work at hand concerns.
#[derive(Debug, Clone)]
pub(super) struct ChainAssets {
    chain: ChainId,
    assets: BTreeMap<AssetId, Asset>,
    by_token: BTreeMap<Token, AssetId>,
}

impl ChainAssets {
    pub(super) async fn load(tx: &mut Tx, chain: ChainId) -> Result<Self> {
        let mut loaded = Self { chain, assets: BTreeMap::new(), by_token: BTreeMap::new() };
        loaded.insert(catalog::assets(tx).await?);
        Ok(loaded)
    }

    fn insert(&mut self, assets: Vec<Asset>) {
        for asset in assets.into_iter().filter(|asset| asset.home != Home::Fiat) {
            if let Home::Chain { chain, token } = asset.home
                && chain == self.chain
            {
                self.by_token.insert(token, asset.id);
            }
            self.assets.insert(asset.id, asset);
        }
    }

    /// Adds the NFTs among the tokens of these blocks, and stores those that are seen for the first time.
    pub(super) async fn discover(&mut self, tx: &mut Tx, blocks: &[Block], now: Timestamp) -> Result<()> {
        let tokens: BTreeSet<_> = blocks.iter().flat_map(|block| &block.transfers).map(|one| one.token).collect();
        self.add_tokens(tx, tokens.iter().copied()).await?;
        let new: Vec<_> = tokens.into_iter().filter(|token| self.of_token(*token).is_none()).collect();
        nfts::put(tx, self.chain, &new, now).await?;
        self.add_tokens(tx, new).await
    }

    /// Adds the NFTs among these tokens.
    pub(super) async fn add_tokens(&mut self, tx: &mut Tx, tokens: impl IntoIterator<Item = Token>) -> Result<()> {
        let missing: Vec<_> = tokens.into_iter().filter(|token| self.of_token(*token).is_none()).collect();
        self.insert(nfts::of_tokens(tx, self.chain, &missing).await?);
        Ok(())
    }

    /// Adds the NFTs among these assets.
    pub(super) async fn add(&mut self, tx: &mut Tx, ids: impl IntoIterator<Item = AssetId>) -> Result<()> {
        let missing: BTreeSet<_> = ids.into_iter().filter(|id| self.get(*id).is_none()).collect();
        let missing: Vec<_> = missing.into_iter().collect();
        self.insert(nfts::assets(tx, &missing).await?);
        Ok(())
    }

    pub(super) fn get(&self, id: AssetId) -> Option<&Asset> {
        self.assets.get(&id)
    }

    pub(super) fn of_token(&self, token: Token) -> Option<AssetId> {
        self.by_token.get(&token).copied()
    }

    /// Returns the contracts of the albums.
    pub(super) fn albums(&self) -> impl Iterator<Item = Address> {
        self.assets.values().filter_map(|asset| match asset.home {
            Home::Album { chain, contract } if chain == self.chain => Some(contract),
            _ => None,
        })
    }

    /// Returns the token of an asset; `None` for the native coin and for unknown assets.
    pub(super) fn token_of(&self, id: AssetId) -> Option<Token> {
        match self.get(id)?.home {
            Home::Chain { token: Token::Native, .. } | Home::Album { .. } | Home::Fiat => None,
            Home::Chain { token, .. } => Some(token),
        }
    }

    /// Stops the payouts of all assets. A stopped album stops its NFTs.
    pub(super) async fn stop_payouts(&self, tx: &mut Tx, because: &str, now: Timestamp) -> Result<()> {
        for asset in self.assets.values().filter(|asset| asset.album.is_none()) {
            store::stops::stop(tx, asset.id, because, now).await?;
        }
        Ok(())
    }
}
