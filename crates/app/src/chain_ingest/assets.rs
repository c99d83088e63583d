//! The assets of the escrow chain.

use domain::assets::{Asset, AssetId, Home};
use domain::chain::{ChainId, Token};
use domain::clock::Timestamp;
use store::{Tx, catalog};

use crate::Result;

/// The assets whose transfers ingestion reads.
#[derive(Debug, Clone)]
pub(super) struct ChainAssets {
    chain: ChainId,
    assets: Vec<Asset>,
}

impl ChainAssets {
    pub(super) async fn load(tx: &mut Tx, chain: ChainId) -> Result<Self> {
        let mut assets = catalog::assets(tx).await?;
        assets.retain(|asset| matches!(asset.home, Home::Chain { .. }));
        Ok(Self { chain, assets })
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
            Home::Chain { token: Token::Native, .. } | Home::Fiat => None,
            Home::Chain { token, .. } => Some(token),
        }
    }

    /// Stops the payouts of all assets.
    pub(super) async fn stop_payouts(&self, tx: &mut Tx, because: &str, now: Timestamp) -> Result<()> {
        for asset in &self.assets {
            store::stops::stop(tx, asset.id, because, now).await?;
        }
        Ok(())
    }
}
