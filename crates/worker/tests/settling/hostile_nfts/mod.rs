//! Albums whose contracts attack: what the users of their NFTs see, and that the users of another album do not notice.

mod deliveries;
mod holders;
mod logs;
mod metadata;
mod returning;
mod unlisted;

use app::console;
use app::wallet::records;
use chain::calls::{self, Call};
use chain::node::{At, Node};
use domain::assets::{AssetId, PairId};
use domain::chain::{Address, Token, TxHash};
use domain::checks::AdvertRequest;
use domain::ids::{AdvertId, OrderId};
use domain::money::Amount;
use domain::nfts::NftPlace;
use serde_json::json;
use testkit::market::{CHAIN, CONFIRMATIONS, Offer, Trader, mec, minutes, usdt};
use worker::{Next, reconcile};

use crate::anvil::amount;
use crate::frozen::{self, joins};
use crate::tokens::deployment;

/// The number of the NFT that Anna sells to Ben, of the hostile album.
const ATTACKED: [u8; 32] = word(1);
/// The number of the NFT that Cleo sells to Dan, of another album: the largest.
const LAST: [u8; 32] = [0xff; 32];
const STRANGER: Address = Address([0x5a; 20]);

/// What a transfer of the hostile album does, as in `DevHostileNft`.
#[derive(Debug, Clone, Copy)]
enum Transfers {
    Honest,
    Reverts,
    UsesAllGas,
    Nothing,
    Elsewhere,
    Reenters,
}

impl Transfers {
    const fn number(self) -> u8 {
        match self {
            Self::Honest => 0,
            Self::Reverts => 1,
            Self::UsesAllGas => 2,
            Self::Nothing => 3,
            Self::Elsewhere => 4,
            Self::Reenters => 5,
        }
    }
}

/// What the hostile album answers, as in `DevHostileNft`.
#[derive(Debug, Clone, Copy)]
enum Answers {
    Honest,
    Reverts,
    UsesAllGas,
    Nothing,
    Lies,
    TooLong,
}

impl Answers {
    const fn number(self) -> u8 {
        match self {
            Self::Honest => 0,
            Self::Reverts => 1,
            Self::UsesAllGas => 2,
            Self::Nothing => 3,
            Self::Lies => 4,
            Self::TooLong => 5,
        }
    }
}

/// Encodes a number as a parameter.
const fn word(number: u8) -> [u8; 32] {
    let mut word = [0; 32];
    word[31] = number;
    word
}

/// Encodes an address as a parameter.
fn padded(address: Address) -> [u8; 32] {
    let mut word = [0; 32];
    word[12..].copy_from_slice(address.as_slice());
    word
}

/// Two automatic sales of NFTs for 100 USDT, which wait for the payment of the buyers.
struct Stage {
    base: frozen::Stage,
    cleo: Trader,
    dan: Trader,
    hostile: Address,
    honest: Address,
    hostile_pair: PairId,
    /// The NFT that Anna sells to Ben.
    nft: AssetId,
    advert: AdvertId,
    order: OrderId,
    /// Dan's order on Cleo's NFT.
    others: OrderId,
}

/// What the users of the attacked NFT see: the order, where Anna and Ben have the NFT, and their fund records of it.
#[derive(Debug, PartialEq, Eq)]
struct Seen {
    order: &'static str,
    anna: &'static [&'static str],
    ben: &'static [&'static str],
    anna_records: &'static [&'static str],
    ben_records: &'static [&'static str],
    /// The reasons why payouts of the NFT are stopped, as officers see them.
    stops: &'static [&'static str],
}

/// The release did not happen: the NFT is on its way out of Anna's vault, and the payment out of Ben's.
const STUCK: Seen = Seen {
    order: "RELEASING",
    anna: &["leaving"],
    ben: &[],
    anna_records: &["DEPOSIT COMPLETED", "RELEASE REQUESTED"],
    ben_records: &["RELEASE REQUESTED"],
    stops: &[],
};

/// Ben received the NFT at his own address.
const DELIVERED: Seen = Seen {
    order: "COMPLETED",
    anna: &[],
    anna_records: &["DEPOSIT COMPLETED", "RELEASE COMPLETED"],
    ben_records: &["RELEASE COMPLETED"],
    ..STUCK
};

/// Ben received the NFT in his vault, because his own address did not.
const REDIRECTED: Seen =
    Seen { ben: &["available"], ben_records: &["DEPOSIT COMPLETED", "RELEASE COMPLETED"], ..DELIVERED };

fn place(state: NftPlace) -> &'static str {
    match state {
        NftPlace::Confirming(_) => "confirming",
        NftPlace::Available => "available",
        NftPlace::InAdvert(_) => "in an advert",
        NftPlace::InOrder(_) => "in an order",
        NftPlace::Leaving => "leaving",
    }
}

impl Stage {
    async fn set() -> Self {
        // Its future is large.
        Box::pin(Self::open()).await
    }

    async fn open() -> Self {
        let base = frozen::Stage::set().await;
        let market = &base.market;
        let (cleo, dan) = (joins(market, &base.test_chain).await, joins(market, &base.test_chain).await);
        let artifact = include_str!("../../../../../contracts/artifacts/DevHostileNft.json");
        let hostile = base.test_chain.as_admin(&deployment(artifact)).await.created.unwrap();
        let honest = base.test_chain.as_admin(&calls::deploy_dev_nft("Art", "ART")).await.created.unwrap();
        let mut pairs = Vec::new();
        for (code, contract, id, owner) in [("EVIL", hostile, ATTACKED, &base.anna), ("ART", honest, LAST, &cleo)] {
            let token = Token::Erc721(contract, id);
            let listed = calls::list_asset(base.test_chain.deployment.escrow, token, amount(1_000));
            base.test_chain.as_admin(&listed).await;
            pairs.push(market.opens_another_album(code, &code.to_lowercase(), code, contract).await);
            base.test_chain.as_admin(&calls::mint_dev_nft(contract, owner.user.vault, id, "data:,{}")).await;
            base.test_chain.deposit(owner.user.custody_index.0, mec("5").units()).await;
        }
        base.test_chain.anvil.mine(CONFIRMATIONS).await;
        base.settles().await;
        let advert = base.anna.posts(offer(&base.anna, pairs[0], ATTACKED).automatic()).await.unwrap();
        let order = base.ben.orders_nft(advert).await.unwrap();
        let other = cleo.posts(offer(&cleo, pairs[1], LAST).automatic()).await.unwrap();
        let others = dan.orders_nft(other).await.unwrap();
        let (hostile_pair, nft) = (pairs[0], nft_of(&base, hostile, ATTACKED).await);
        Self { base, cleo, dan, hostile, honest, hostile_pair, nft, advert, order, others }
    }

    /// Calls a function of the hostile album, as its owner.
    async fn tells(&self, function: &str, parameters: &[[u8; 32]]) -> TxHash {
        let call = self.call(function, parameters).await;
        let receipt = self.base.test_chain.as_admin(&call).await;
        assert!(receipt.succeeded, "{function}");
        receipt.tx
    }

    async fn call(&self, function: &str, parameters: &[[u8; 32]]) -> Call {
        let signature = format!("0x{}", hex::encode(function));
        let hash = self.base.test_chain.anvil.raw("web3_sha3", json!([signature])).await;
        let selector = hex::decode(&hash.as_str().unwrap()[2..10]).unwrap();
        Call { to: Some(self.hostile), value: Amount::ZERO, data: [selector, parameters.concat()].concat() }
    }

    async fn transfers(&self, what: Transfers) {
        self.tells("setTransfers(uint8)", &[word(what.number())]).await;
    }

    /// `Lies` names `owner` as the owner of every NFT.
    async fn answers(&self, what: Answers, owner: Address) {
        self.tells("setAnswers(uint8,address)", &[word(what.number()), padded(owner)]).await;
    }

    /// Logs transfers of NFTs from this number on, without moving them.
    async fn forges(&self, from: Address, to: Address, number: u8, count: u8) -> TxHash {
        let parameters = [padded(from), padded(to), word(number), word(count)];
        self.tells("forge(address,address,uint256,uint256)", &parameters).await
    }

    /// Both buyers pay. The worker does all that it can do at once.
    async fn buyers_pay(&self) {
        for buyer in [&self.base.ben, &self.dan] {
            self.base.test_chain.mint(buyer.user.vault, usdt("100").units()).await;
        }
        self.base.test_chain.anvil.mine(CONFIRMATIONS).await;
        self.base.round().await;
    }

    /// The worker compares all vaults with the chain. Then both buyers pay, and the worker tries to pay for many hours. Cleo and
    /// Dan do not wait. Asserts that everything except for the hostile album is in order, and returns what Anna and Ben see.
    async fn plays(&self) -> Outcome {
        self.watches().await;
        reconcile::step(&self.base.worker).await.unwrap();
        self.buyers_pay().await;
        self.others_have_traded().await;
        for _ in 0..5 {
            self.base.market.waits(minutes(60)).await;
            self.base.round().await;
        }
        self.seen().await
    }

    /// Asserts that Dan has Cleo's NFT, and that Cleo has his payment.
    async fn others_have_traded(&self) {
        assert_eq!(self.base.market.state(self.others).await, "COMPLETED");
        assert_eq!(self.owner(self.honest, LAST).await, self.dan.user.bound);
        let receiving = self.cleo.user.receiving.clone().unwrap().address.parse().unwrap();
        assert_eq!(self.base.held(Token::Erc20(self.base.test_chain.usdt), receiving).await, usdt("100"));
        assert_eq!((self.cleo.has_nfts().await, self.dan.has_nfts().await), (vec![], vec![]));
    }

    /// Asserts that the ledger is consistent, that every vault has what the ledger says apart from NFTs of the hostile album, and
    /// that no other payouts are stopped. Returns what Anna and Ben see.
    async fn seen(&self) -> Outcome {
        self.base.market.is_sound().await;
        reconcile::step(&self.base.worker).await.unwrap();
        let mut tx = self.base.market.database.store.begin().await.unwrap();
        for (vault, asset, held) in store::ledger::custody_by_vault(&mut tx).await.unwrap() {
            let token = match app::nfts::one(&self.base.market.context, None, asset).await {
                Ok(nft) if nft.contract == self.hostile => continue,
                Ok(nft) => Token::Erc721(nft.contract, nft.nft.token_id.0),
                Err(_) if asset == self.base.market.mec => Token::Native,
                Err(_) => Token::Erc20(self.base.test_chain.usdt),
            };
            assert_eq!(self.base.held(token, vault).await, held, "{token:?} in {vault}");
        }
        let stopped = console::stopped(&self.base.worker.context).await.unwrap();
        let hostile = |contract: Option<(Address, _)>| contract.is_some_and(|(contract, _)| contract == self.hostile);
        assert!(stopped.iter().all(|one| hostile(one.asset.nft())), "{stopped:?}");
        assert_eq!(console::stopped_vaults(&self.base.worker.context).await.unwrap(), vec![]);
        let stops = stopped.into_iter().filter(|one| one.asset.id == self.nft).map(|one| one.stop.because).collect();
        let Self { base: frozen::Stage { anna, ben, market, .. }, .. } = self;
        Outcome {
            order: market.state(self.order).await,
            places: [self.places(anna).await, self.places(ben).await],
            records: [self.records(anna).await, self.records(ben).await],
            stops,
        }
    }

    async fn places(&self, user: &Trader) -> Vec<&'static str> {
        user.has_nfts().await.into_iter().map(|(_, state)| place(state)).collect()
    }

    /// Returns the kinds and states of the user's fund records of the attacked NFT, sorted.
    async fn records(&self, user: &Trader) -> Vec<String> {
        self.records_of(user, self.nft).await
    }

    async fn records_of(&self, user: &Trader, nft: AssetId) -> Vec<String> {
        let page = records::page(&self.base.market.context, user.id(), None, None, 0, 100).await.unwrap().0;
        let of_nft = page.into_iter().map(|one| one.record).filter(|record| record.asset == nft);
        let mut records: Vec<_> =
            of_nft.map(|record| format!("{} {}", record.kind.into_str(), record.state.into_str())).collect();
        records.sort();
        records
    }

    async fn owner(&self, album: Address, id: [u8; 32]) -> Option<Address> {
        chain::nfts::owner(self.base.test_chain.anvil.node.as_ref(), album, id, At::Latest).await.unwrap()
    }

    /// Makes all blocks final, without paying anything.
    async fn watches(&self) {
        self.base.test_chain.anvil.mine(CONFIRMATIONS).await;
        while worker::watch::step(&self.base.worker).await.unwrap() == Next::Immediately {}
    }
}

/// What [`Stage::seen`] has found.
#[derive(Debug)]
struct Outcome {
    order: &'static str,
    places: [Vec<&'static str>; 2],
    records: [Vec<String>; 2],
    stops: Vec<String>,
}

impl Outcome {
    #[track_caller]
    fn is(&self, expected: &Seen) {
        assert_eq!(self.order, expected.order, "{self:?}");
        assert_eq!(self.places.each_ref().map(Vec::as_slice), [expected.anna, expected.ben], "{self:?}");
        let records = [expected.anna_records, expected.ben_records];
        assert_eq!(self.records, records, "{self:?}");
        assert_eq!(self.stops.len(), expected.stops.len(), "{self:?}");
        assert!(self.stops.iter().zip(expected.stops).all(|(stop, words)| stop.contains(words)), "{self:?}");
    }
}

/// Returns an offer to sell an NFT for 100 USDT.
fn offer(seller: &Trader, pair: PairId, id: [u8; 32]) -> Offer {
    let Offer(request) = seller.nft_for_usdt(pair, 0, "100");
    Offer(AdvertRequest { nft: Some(id), ..request })
}

async fn nft_of(base: &frozen::Stage, contract: Address, id: [u8; 32]) -> AssetId {
    let mut tx = base.market.database.store.begin().await.unwrap();
    let known = store::nfts::of_tokens(&mut tx, CHAIN, &[Token::Erc721(contract, id)]).await.unwrap();
    known.first().expect("an NFT that was seen").id
}
