//! The assets of the escrow chain.

use std::collections::BTreeSet;

use domain::assets::{Asset, AssetId, Home};
use domain::chain::{ChainId, Token};
use domain::clock::Timestamp;
use store::{Tx, catalog, nfts};

use super::range::Range;
use crate::Result;

/// The coins and albums of the chain, and those NFTs that the work at hand concerns.
#[derive(Debug, Clone)]
pub(super) struct ChainAssets {
    chain: ChainId,
    assets: Vec<Asset>,
}

impl ChainAssets {
    pub(super) async fn load(tx: &mut Tx, chain: ChainId) -> Result<Self> {
        let mut assets = catalog::assets(tx).await?;
        assets.retain(|asset| !matches!(asset.home, Home::Fiat));
        Ok(Self { chain, assets })
    }

    /// Adds the NFTs of a range's transfers, and stores those that are seen for the first time.
    pub(super) async fn discover(&mut self, tx: &mut Tx, range: &Range, now: Timestamp) -> Result<()> {
        let tokens: BTreeSet<_> = range.blocks.iter().flat_map(|block| &block.transfers).map(|one| one.token).collect();
        let tokens: Vec<_> = tokens.into_iter().filter(|token| matches!(token, Token::Erc721(..))).collect();
        let known = nfts::of_tokens(tx, self.chain, &tokens).await?;
        let homes: BTreeSet<_> = known.iter().map(|nft| nft.home).collect();
        let home = |token| Home::Chain { chain: self.chain, token };
        let new: Vec<_> = tokens.into_iter().filter(|token| !homes.contains(&home(*token))).collect();
        self.assets.extend(known);
        nfts::put(tx, self.chain, &new, now).await?;
        self.assets.extend(nfts::of_tokens(tx, self.chain, &new).await?);
        Ok(())
    }

    /// Adds the NFTs among these tokens.
    pub(super) async fn add_tokens(&mut self, tx: &mut Tx, tokens: impl IntoIterator<Item = Token>) -> Result<()> {
        let missing: Vec<_> = tokens.into_iter().filter(|token| self.of_token(*token).is_none()).collect();
        self.assets.extend(nfts::of_tokens(tx, self.chain, &missing).await?);
        Ok(())
    }

    /// Adds the NFTs among these assets.
    pub(super) async fn add(&mut self, tx: &mut Tx, ids: impl IntoIterator<Item = AssetId>) -> Result<()> {
        let missing: BTreeSet<_> = ids.into_iter().filter(|id| self.get(*id).is_none()).collect();
        let missing: Vec<_> = missing.into_iter().collect();
        self.assets.extend(nfts::by_ids(tx, &missing).await?);
        Ok(())
    }

    pub(super) fn get(&self, id: AssetId) -> Option<&Asset> {
        self.assets.iter().find(|asset| asset.id == id)
    }

    pub(super) fn of_token(&self, token: Token) -> Option<AssetId> {
        let home = Home::Chain { chain: self.chain, token };
        self.assets.iter().find(|asset| asset.home == home).map(|asset| asset.id)
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
        for asset in self.assets.iter().filter(|asset| asset.nft().is_none()) {
            store::stops::stop(tx, asset.id, because, now).await?;
        }
        Ok(())
    }
}
