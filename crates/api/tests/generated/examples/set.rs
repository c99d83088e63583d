//! The people of the examples, on a market of their own.

use std::sync::Arc;

use api::realtime::{Hub, HubSettings};
use app::commands::CommandKind;
use axum::Router;
use axum::body::Body;
use axum::http::{Method, Request, header};
use chrono::Duration;
use domain::assets::{Home, Pair, PairId, Windows};
use domain::ids::{AdvertId, FileId, IdSource, OrderId, PaymentMethodId, UserId};
use domain::money::Amount;
use domain::payment_methods::PaymentMethod;
use domain::trade::{Party, Side};
use domain::users::{ReceivingAddress, User};
use http_body_util::BodyExt;
use serde_json::Value;
use store::catalog;
use testkit::market::{Chain, Market, Offer, Trader, mec, minutes};
use testkit::{Ids, noon, users};
use tower::ServiceExt;

use super::scenes::For;
use crate::product;
use crate::samples::{jpeg_of, squares};

/// A user, as others see them.
pub(super) struct Character {
    index: u64,
    pub(super) nickname: &'static str,
    holder: &'static str,
    account: &'static str,
    vault: &'static str,
    bound: &'static str,
    receiving: &'static str,
}

/// The user of the web app.
const MARIA: Character = Character {
    index: 11,
    nickname: "Maria7",
    holder: "Maria Gonzalez",
    account: "6222020000001234",
    vault: "0x4c6f1a2e9bd03f57a81c09de6b2f45a7731e90cd",
    bound: "0x91f3b07e6d2a54c8e19b03df7a6c58e24b0d71fa",
    receiving: "0x2bd5e80f6c17a94e3b06d8f21a5c4709ee3b91d6",
};
/// The advertiser, if Maria is not.
pub(super) const MINH: Character = Character {
    index: 12,
    nickname: "MinhTrader",
    holder: "Minh Tran",
    account: "9704360000005678",
    vault: "0xb18e5f03a7d29c640e83b5d7f12a96c40d8e73f5",
    bound: "0x3c07e1a95b84d26f9e01c7a8b35d4f60729be8a1",
    receiving: "0xd41b7c90e25f38a6b1c04e9d7f82a35b60c9e417",
};
/// The taker, if Maria is not.
pub(super) const KAYA: Character = Character {
    index: 13,
    nickname: "kaya",
    holder: "Kaya Demir",
    account: "TR330006100519786457841326",
    vault: "0x62d0a8f4c51b7e9380d6a24f9bc81e5037f4d916",
    bound: "0x7ae94b1c03d26f58b9e07a41c6df352b80e19c44",
    receiving: "0x5f20b8d3a91e47c6082fd4b95e7a1c83d06f92b7",
};
/// Another taker.
pub(super) const SOFIA: Character = Character {
    index: 14,
    nickname: "Sofia88",
    holder: "Sofia Ruiz",
    account: "9100041823004512",
    vault: "0x9f27c3b80e6d514a72f8e0b93d5c16a84e07b2d3",
    bound: "0xe6a4029bd7c1583f40b92e6da85c7f13902db46e",
    receiving: "0x08c5d9f7b3ae62140d7fb1925c8e60a34f91d27b",
};

pub(super) struct Set {
    pub(super) market: Market,
    pub(super) chain: Chain,
    app: Router,
    usd: PairId,
    /// Whether Maria buys or sells.
    role: Party,
    pub(super) buyer: Trader,
    pub(super) seller: Trader,
    pub(super) advertiser: Trader,
    pub(super) taker: Trader,
    pub(super) other_taker: Trader,
    /// Another order of the same total.
    pub(super) same_order: Option<OrderId>,
}

impl Set {
    pub(super) async fn open(role: Party, offer: For) -> Self {
        let market = Market::open().await;
        let usd = add_pair(&market, market.mec_krw, "USD").await;
        let chain = market.chain().await;
        let hub = Arc::new(Hub::new(market.context.clone(), HubSettings::default()));
        let (app, _) = api::router(product::unlimited(&market.context, &hub));
        let maria = join(&market, &MARIA, AMERICANS).await;
        let advertises = (role == Party::Seller) == (offer.side() == Side::Sell);
        let other = join(&market, if advertises { &KAYA } else { &MINH }, AMERICANS).await;
        let pair = |first: bool| if first { (maria.clone(), other.clone()) } else { (other.clone(), maria.clone()) };
        let (buyer, seller) = pair(role == Party::Buyer);
        let (advertiser, taker) = pair(advertises);
        let other_taker = join(&market, &SOFIA, AMERICANS).await;
        for (party, name) in [(&buyer, Party::Buyer), (&seller, Party::Seller)] {
            testkit::sessions::sign_in(&market.database.store, party.id(), &name.into_str().to_lowercase(), "-").await;
        }
        Self { market, chain, app, usd, role, buyer, seller, advertiser, taker, other_taker, same_order: None }
    }

    pub(super) fn party(&self, party: Party) -> &Trader {
        match party {
            Party::Buyer => &self.buyer,
            Party::Seller => &self.seller,
        }
    }

    /// Returns the advert of 1000 MEC, for dollars or USDT.
    pub(super) fn offer(&self, offer: For) -> Offer {
        let mut made = self.advertiser.mec_for_usdt("1000", "0.4818");
        made.0.side = offer.side();
        made.0.automatic = offer == For::Swap;
        if matches!(offer, For::Dollars | For::DollarsBought) {
            made.0.pair = self.usd;
            made.0.price = testkit::market::price("0.4835");
            (made.0.min_total, made.0.max_total) = (dollars("10"), dollars("400"));
            made.0.methods = vec![self.advertiser.account];
        }
        made
    }

    /// Places an order, in dollars from the taker's bank account.
    pub(super) async fn places(&self, who: &Trader, advert: AdvertId, quantity: &str, from_account: bool) -> OrderId {
        let mut order = who.order_for(advert, mec(quantity)).await;
        order.payer = from_account.then_some(who.account);
        let reply = who.asks(CommandKind::PlaceOrder(order)).await.unwrap();
        OrderId(reply.id.unwrap())
    }

    /// Returns what Maria gets.
    pub(super) async fn gets(&self, path: &str) -> Value {
        let request = Request::get(path).header(header::AUTHORIZATION, token(self.role)).header("language", "en_US");
        self.sends(path, request.body(Body::empty()).unwrap()).await
    }

    /// Uploads a picture.
    pub(super) async fn uploads(&self, who: Party, seed: u8) -> FileId {
        let picture = jpeg_of(&squares(seed, 24, 32), 90);
        let request = upload(("/api/file/uploadImage", "image/jpeg"), &token(who), &picture);
        let uploaded = self.sends("/api/file/uploadImage", request).await;
        uploaded["id"].as_str().unwrap().parse().unwrap()
    }

    async fn sends(&self, path: &str, request: Request<Body>) -> Value {
        let method: Method = request.method().clone();
        let response = self.app.clone().oneshot(request).await.unwrap();
        let status = response.status().as_u16();
        let body: Value = serde_json::from_slice(&response.into_body().collect().await.unwrap().to_bytes()).unwrap();
        crate::conforming::check(&method, path, status, &body);
        assert_eq!(body["code"], "200", "{body}");
        body["data"].clone()
    }
}

/// Returns the token of a party's session.
fn token(party: Party) -> String {
    format!("token-of-{}", party.into_str().to_lowercase())
}

/// Returns the request of a user who uploads a file of a type to a path.
pub(super) fn upload((path, media_type): (&str, &str), token: &str, file: &[u8]) -> Request<Body> {
    const BOUNDARY: &str = "--------part";
    let head = format!("Content-Disposition: form-data; name=\"file\"; filename=\"x\"\r\nContent-Type: {media_type}");
    let start = format!("--{BOUNDARY}\r\n{head}\r\n\r\n").into_bytes();
    let body = [&start, file, format!("\r\n--{BOUNDARY}--\r\n").as_bytes()].concat();
    Request::post(path)
        .header(header::AUTHORIZATION, token)
        .header(header::CONTENT_TYPE, format!("multipart/form-data; boundary={BOUNDARY}"))
        .header("idempotency-key", Ids.fresh(noon()).to_string())
        .header("language", "en_US")
        .body(Body::from(body))
        .unwrap()
}

/// Parses an amount of an asset.
pub(super) fn amount(asset: &str, text: &str) -> Amount {
    let decimals = match asset {
        "MEC" => 18,
        "USDT" => 6,
        "KRW" | "VND" => 0,
        _ => 2,
    };
    Amount::parse(text, decimals).unwrap()
}

fn dollars(text: &str) -> Amount {
    amount("USD", text)
}

/// Adds a currency, and a pair for it that is like another one.
pub(super) async fn add_pair(market: &Market, like: PairId, currency: &str) -> PairId {
    let mut tx = market.database.store.begin().await.unwrap();
    let decimals = if currency == "VND" { 0 } else { 2 };
    catalog::put_asset(&mut tx, currency, decimals, Home::Fiat, Amount::ZERO, Amount::ZERO).await.unwrap();
    let assets = catalog::assets(&mut tx).await.unwrap();
    let quote = assets.into_iter().find(|asset| asset.code == currency).unwrap();
    let pairs = catalog::pairs(&mut tx).await.unwrap();
    let like = pairs.into_iter().find(|pair| pair.id == like).unwrap();
    let windows = Windows { payment: minutes(15), ..like.windows };
    let most = if currency == "VND" { "1000000000" } else { "100000" };
    let (min_total, max_total) = (amount(currency, "1"), amount(currency, most));
    catalog::put_pair(&mut tx, &Pair { id: PairId(0), quote, min_total, max_total, windows, ..like }).await.unwrap();
    let pairs = catalog::pairs(&mut tx).await.unwrap();
    tx.commit().await.unwrap();
    pairs.into_iter().find(|pair| pair.quote.code == currency).unwrap().id
}

/// Where users live, and since when they trade.
#[derive(Debug, Clone, Copy)]
pub(super) struct Residence {
    pub(super) region: &'static str,
    /// The currency of the region, because only its residents trade with it.
    pub(super) currency: &'static str,
    pub(super) days: i64,
}

const AMERICANS: Residence = Residence { region: "US", currency: "USD", days: 400 };

/// Adds a user with a bank account.
pub(super) async fn join(market: &Market, character: &Character, home: Residence) -> Trader {
    let receiving = ReceivingAddress { address: character.receiving.to_owned(), chain_type: "ERC20".to_owned() };
    let person = User {
        id: UserId(Ids.fresh(noon())),
        nickname: Some(character.nickname.to_owned()),
        region: home.region.to_owned(),
        vault: character.vault.parse().unwrap(),
        bound: Some(character.bound.parse().unwrap()),
        receiving: Some(receiving),
        ..users::trader(character.index)
    };
    users::join_at(&market.database.store, &person, noon() - Duration::days(home.days)).await;
    let account = PaymentMethodId(Ids.fresh(noon()));
    let fields = [("name", character.holder), ("account", character.account), ("bankName", "First Harbor Bank")];
    let method = PaymentMethod {
        currency: home.currency.to_owned(),
        fields: fields.map(|(name, value)| (name.to_owned(), value.to_owned())).into_iter().collect(),
        ..users::bank_account(account, person.id, character.index)
    };
    let mut tx = market.database.store.begin().await.unwrap();
    store::payment_methods::insert(&mut tx, &method, noon()).await.unwrap();
    tx.commit().await.unwrap();
    Trader { market: market.clone(), user: person, account }
}
