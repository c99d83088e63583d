//! An album of NFTs in a market.

use app::commands::CommandKind;
use app::wallet::withdrawals::withdraw_nft;
use domain::assets::{AssetId, Home, Pair, PairId, Prepayment};
use domain::chain::{Address, Token};
use domain::checks::AdvertRequest;
use domain::ids::{AdvertId, IdSource, OrderId, PayoutId};
use domain::money::{Amount, Price};
use domain::nfts::NftPlace;
use domain::refusal::Refusal;
use domain::trade::Side;
use store::catalog::{self, Album};

use super::trader::{idempotency_key, refusal};
use super::{CHAIN, Market, Offer, Trader, mec, usdt};
use crate::{Ids, noon};

/// The contract of the album.
pub const ALBUM_CONTRACT: Address = Address([0xa1; 20]);

/// Returns the token of an NFT of the album.
pub fn nft(number: u8) -> Token {
    Token::Erc721(ALBUM_CONTRACT, token_id(number))
}

fn token_id(number: u8) -> [u8; 32] {
    let mut id = [0; 32];
    id[31] = number;
    id
}

impl Market {
    /// Adds the album ART, whose NFTs are sold for USDT. Sellers prepay a fee of 2 MEC and gas of 0.01 MEC. Returns its pair.
    pub async fn opens_album(&self) -> PairId {
        self.opens_another_album("ART", "art", "Art", ALBUM_CONTRACT).await
    }

    /// Adds an album like ART with another code, class ID, name and contract. Returns its pair.
    pub async fn opens_another_album(&self, code: &str, class_id: &str, name: &str, contract: Address) -> PairId {
        let mut tx = self.database.store.begin().await.expect("a transaction");
        let home = Home::Album { chain: CHAIN, contract };
        let asset = catalog::put_asset(&mut tx, code, 0, home, Amount::ZERO, Amount::ZERO).await.expect("an album");
        let prepayment = Prepayment { asset: self.mec, decimals: 18, fee: mec("2"), gas: mec("0.01") };
        let album = Album {
            asset,
            class_id: class_id.to_owned(),
            name: name.to_owned(),
            creator: "An artist".to_owned(),
            description: String::new(),
            prepayment,
            start: 0,
        };
        catalog::put_album(&mut tx, &album).await.expect("an album");
        let assets = catalog::assets(&mut tx).await.expect("assets");
        let named = |id| assets.iter().find(|asset| asset.id == id).cloned().expect("an asset");
        let pair = super::pair(named(asset), named(self.usdt), Amount::ZERO, usdt("1"), usdt("1000000"));
        catalog::put_pair(&mut tx, &Pair { fee_rate_ppm: 0, prepayment: Some(prepayment), ..pair })
            .await
            .expect("a pair");
        let pairs = catalog::pairs(&mut tx).await.expect("pairs");
        tx.commit().await.expect("a commit");
        pairs.iter().find(|pair| pair.base.id == asset).expect("the pair").id
    }

    /// Returns the asset of an NFT that was seen on the chain.
    pub async fn nft(&self, number: u8) -> AssetId {
        let mut tx = self.database.store.begin().await.expect("a transaction");
        let known = store::nfts::of_tokens(&mut tx, CHAIN, &[nft(number)]).await.expect("NFTs");
        known.first().expect("an NFT that was seen").id
    }
}

impl Trader {
    /// Offers an NFT of the album for a price in USDT.
    pub fn nft_for_usdt(&self, pair: PairId, number: u8, price: &str) -> Offer {
        let price = Price::parse(price).expect("a price");
        let totals = (usdt("1"), usdt("1"));
        let request = AdvertRequest::new(pair, Side::Sell, price, Amount::ONE, totals);
        Offer(AdvertRequest { nft: Some(token_id(number)), ..request })
    }

    /// Places an order on an advert that sells an NFT.
    pub async fn orders_nft(&self, advert: AdvertId) -> Result<OrderId, Refusal> {
        let order = self.order_for(advert, Amount::ONE).await;
        self.asks(CommandKind::PlaceOrder(order)).await.map(|answer| OrderId(answer.id.expect("an order")))
    }

    pub async fn withdraws_nft(&self, nft: AssetId) -> Result<PayoutId, Refusal> {
        let key = idempotency_key(&Ids.fresh(noon()).to_string(), &nft);
        refusal(withdraw_nft(&self.market.context, &key, self.id(), nft).await)
    }

    /// Returns where the user's NFTs are in custody, newest first.
    pub async fn has_nfts(&self) -> Vec<(AssetId, NftPlace)> {
        let (owned, _) = app::nfts::owned(&self.market.context, self.id(), None, 0, 100).await.expect("NFTs");
        owned.into_iter().map(|one| (one.nft.asset.id, one.place)).collect()
    }
}
