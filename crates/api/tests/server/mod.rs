//! A small setup for tests of calls: a database, users with sessions, two pairs, and a stopped clock.

#![allow(dead_code, reason = "each test file uses its own part")]

#[path = "../conforming/mod.rs"]
mod conforming;
#[path = "../product/mod.rs"]
pub(crate) mod product;

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use api::realtime::{Hub, HubSettings};
use app::{Clock, Context, MachineTime};
use axum::Router;
use axum::body::Body;
use axum::http::Request;
use chrono::{DateTime, Duration, Utc};
use domain::adverts::{self, Advert};
use domain::assets::{Asset, Home, Pair, PairId, Windows};
use domain::chain::{Address, ChainId, Token};
use domain::ids::{AdvertId, IdSource, OrderId, PaymentMethodId, PayoutId, SessionId};
use domain::money::{Amount, Price};
use domain::orders::{self, Order, Paid, Progress};
use domain::trade::{Coin, Method, Payment, Side};
use domain::users::User;
use http_body_util::BodyExt;
use serde_json::Value;
use sha2::{Digest, Sha256};
use store::catalog::{self, Chain};
use store::identity::sessions;
use store::sessions::Session;
use testkit::{Database, Ids, noon, users};
use tower::ServiceExt;

pub(crate) const CHAIN: ChainId = ChainId(31_337);
pub(crate) const USDT_CONTRACT: Address = Address([0x55; 20]);

/// A clock that tests set.
#[derive(Default)]
struct Hands(AtomicI64);

impl MachineTime for Hands {
    fn now(&self) -> DateTime<Utc> {
        DateTime::from_timestamp_micros(self.0.load(Ordering::SeqCst)).unwrap()
    }
}

pub(crate) struct TestServer {
    pub(crate) database: Database,
    pub(crate) context: Context,
    pub(crate) hub: Arc<Hub>,
    pub(crate) hall: product::FollowedHall,
    pub(crate) router: Router,
    pub(crate) mec: Asset,
    pub(crate) usdt: Asset,
    pub(crate) krw: Asset,
    hands: Arc<Hands>,
    next_person: RwLock<u64>,
}

pub(crate) struct Answered {
    pub(crate) status: u16,
    pub(crate) code: String,
    pub(crate) data: Value,
}

impl Answered {
    pub(crate) fn ok(self) -> Value {
        assert_eq!((self.status, self.code.as_str()), (200, "200"), "{}", self.data);
        self.data
    }

    /// Asserts a refusal and returns the name of the wrong field, if any.
    pub(crate) fn refused(self, status: u16, code: &str) -> Option<String> {
        assert_eq!((self.status, self.code.as_str()), (status, code), "{}", self.data);
        self.data["field"].as_str().map(ToOwned::to_owned)
    }
}

pub(crate) fn windows() -> Windows {
    Windows {
        acceptance: Duration::minutes(5),
        advert_deposit: Duration::minutes(30),
        order_deposit: Duration::minutes(15),
        payment: Duration::minutes(15),
        confirmation: Duration::minutes(15),
        grace: Duration::minutes(10),
    }
}

pub(crate) fn amount(text: &str, asset: &Asset) -> Amount {
    Amount::parse(text, asset.decimals).unwrap()
}

impl TestServer {
    pub(crate) async fn new() -> Self {
        Self::with(HubSettings::default()).await
    }

    pub(crate) async fn with(settings: HubSettings) -> Self {
        let database = Database::fresh().await;
        let hands = Arc::new(Hands::default());
        hands.0.store(noon().timestamp_micros(), Ordering::SeqCst);
        let machine: Arc<dyn MachineTime> = hands.clone();
        let clock = Clock::Machine(machine);
        let context = Context::new(database.store.clone(), clock, Arc::new(Ids));
        let hub = Arc::new(Hub::new(context.clone(), settings));
        let state = product::unlimited(&context, &hub);
        let hall = product::FollowedHall::new(&context, &state.hall);
        let (router, _) = api::router(state);
        let (mec, usdt, krw) = coins(&context).await;
        Self { database, context, hub, hall, router, mec, usdt, krw, hands, next_person: RwLock::new(1) }
    }

    /// Returns a router of the same product as another node, with its own websockets.
    pub(crate) fn router_of(&self, hub: &Arc<Hub>) -> Router {
        api::router(product::unlimited(&self.context, hub)).0
    }

    pub(crate) fn now(&self) -> DateTime<Utc> {
        self.hands.now()
    }

    pub(crate) fn set_clock(&self, at: DateTime<Utc>) {
        self.hands.0.store(at.timestamp_micros(), Ordering::SeqCst);
    }

    /// Adds a user who may trade everything, except as changed by `change`.
    pub(crate) async fn person(&self, change: impl FnOnce(&mut User)) -> User {
        let index = {
            let mut next = self.next_person.write().unwrap_or_else(PoisonError::into_inner);
            *next += 1;
            *next
        };
        let mut person = users::trader(index);
        change(&mut person);
        users::join(&self.database.store, &person).await;
        person
    }

    /// Adds a user who owns nothing and opens a session. Returns its token.
    pub(crate) async fn stranger(&self) -> String {
        self.sign_in(&self.person(|_| ()).await).await
    }

    /// Opens a session and returns its token.
    pub(crate) async fn sign_in(&self, person: &User) -> String {
        let token = format!("token-{}", person.id);
        let mut tx = self.context.store.begin().await.unwrap();
        let digest = |text: &str| -> [u8; 32] { Sha256::digest(text).into() };
        let session = Session {
            id: SessionId(Ids.fresh(self.now())),
            owner: person.id,
            token_hash: digest(&token),
            salt: digest("salt"),
            opened_by: digest(&format!("opened {token}")),
            request_hash: digest("login"),
            opened_at: self.now(),
            expires_at: self.now() + Duration::days(7),
            agent: String::new(),
            address: String::new(),
        };
        sessions::insert(&mut tx, &session).await.unwrap();
        tx.commit().await.unwrap();
        token
    }

    pub(crate) async fn sign_out(&self, person: &User) {
        let mut tx = self.context.store.begin().await.unwrap();
        for session in sessions::of_user(&mut tx, person.id, self.now()).await.unwrap() {
            sessions::end(&mut tx, person.id, session.id, self.now()).await.unwrap();
        }
        tx.commit().await.unwrap();
    }

    pub(crate) async fn get(&self, path: &str, token: Option<&str>) -> Answered {
        self.call(Request::get(format!("/api{path}")), token, Body::empty()).await
    }

    pub(crate) async fn post(&self, path: &str, token: Option<&str>, body: &Value) -> Answered {
        let request = Request::post(format!("/api{path}")).header("content-type", "application/json");
        self.call(request, token, Body::from(body.to_string())).await
    }

    async fn call(&self, mut request: axum::http::request::Builder, token: Option<&str>, body: Body) -> Answered {
        if let Some(token) = token {
            request = request.header("authorization", token);
        }
        let request = request.body(body).unwrap();
        let (method, path) = (request.method().clone(), request.uri().path().to_owned());
        self.hall.follow_before(&path).await;
        let response = self.router.clone().oneshot(request).await.unwrap();
        let status = response.status().as_u16();
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        let json: Value = serde_json::from_slice(&bytes).unwrap();
        conforming::check(&method, &path, status, &json);
        Answered { status, code: json["code"].as_str().unwrap().to_owned(), data: json["data"].clone() }
    }

    pub(crate) async fn pair(&self, quote: &Asset) -> Pair {
        let mut tx = self.context.store.begin().await.unwrap();
        let pairs = catalog::pairs(&mut tx).await.unwrap();
        pairs.into_iter().find(|pair| pair.base.id == self.mec.id && pair.quote.id == quote.id).unwrap()
    }

    /// Stores an advert that takes orders.
    pub(crate) async fn advert(&self, owner: &User, side: Side, quote: &Asset, price: &str, kinds: &[&str]) -> Advert {
        self.advert_of(owner, side, quote, price, "10", kinds, |_| ()).await
    }

    #[expect(clippy::too_many_arguments, reason = "tests set these properties of an advert")]
    pub(crate) async fn advert_of(
        &self,
        owner: &User,
        side: Side,
        quote: &Asset,
        price: &str,
        quantity: &str,
        kinds: &[&str],
        change: impl FnOnce(&mut Advert),
    ) -> Advert {
        let pair = self.pair(quote).await;
        let (quantity, price) = (amount(quantity, &self.mec), Price::parse(price).unwrap());
        let mut advert = Advert {
            prepaid: Amount::ZERO,
            id: AdvertId(Ids.fresh(self.now())),
            version: 1,
            terms: adverts::Terms {
                prepayment: None,
                owner: owner.id,
                side,
                automatic: false,
                pair: pair.id,
                base: Coin::from(&pair.base),
                quote: Coin::from(&pair.quote),
                price,
                quantity,
                total: pair.total(quantity, price).unwrap(),
                min_total: pair.min_total,
                max_total: pair.max_total,
                methods: kinds
                    .iter()
                    .map(|kind| Method { id: PaymentMethodId(Ids.fresh(self.now())), kind: (*kind).to_owned() })
                    .collect(),
                receiving: owner.receiving.clone(),
                bound: owner.bound.unwrap(),
                options: adverts::Options::default(),
                windows: windows(),
                created_at: self.now(),
            },
            state: adverts::State::Online,
            remaining: quantity,
            escrow: quantity,
            running: 0,
            frozen: None,
            funding_rounds: 1,
            confirmed_at: Some(self.now()),
        };
        change(&mut advert);
        let mut tx = self.context.store.begin().await.unwrap();
        store::adverts::insert(&mut tx, &[(&advert, None)]).await.unwrap();
        tx.commit().await.unwrap();
        advert
    }

    /// Stores a completed trade: its quantity, price, time of completion, and how long the seller took to confirm.
    pub(crate) async fn traded(
        &self,
        advert: &Advert,
        taker: &User,
        quantity: &str,
        price: &str,
        at: DateTime<Utc>,
        took: Duration,
    ) -> OrderId {
        let quote = if advert.terms.quote.asset == self.usdt.id { &self.usdt } else { &self.krw };
        let pair = self.pair(quote).await;
        let (quantity, price) = (amount(quantity, &self.mec), Price::parse(price).unwrap());
        let payment = match advert.terms.methods.first() {
            Some(method) => Payment::Method(method.clone()),
            None => Payment::Transfer(advert.terms.receiving.clone().unwrap()),
        };
        let paid = Paid { method: None, reference: None, hash: None, receipts: Vec::new(), at: at - took };
        let order = Order {
            id: OrderId(Ids.fresh(at)),
            version: 5,
            terms: orders::Terms {
                prepayment: None,
                advert: advert.id,
                pair: pair.id,
                base: Coin::from(&pair.base),
                quote: Coin::from(&pair.quote),
                side: advert.terms.side,
                advertiser: advert.terms.owner,
                taker: taker.id,
                quantity,
                price,
                total: pair.total(quantity, price).unwrap(),
                fee: Amount::ONE,
                payment,
                payer: None,
                buyer_bound: taker.bound.unwrap(),
                seller_bound: advert.terms.bound,
                windows: windows(),
                created_at: at - took,
            },
            state: orders::State::Completed { payout: PayoutId(Ids.fresh(at)) },
            frozen: None,
            appeal: None,
            progress: Progress {
                accepted_at: Some(at - took),
                paid: Some(paid),
                received_at: Some(at),
                settled_at: Some(at),
                ended_at: Some(at),
                ..Progress::default()
            },
        };
        let mut tx = self.context.store.begin().await.unwrap();
        store::orders::insert(&mut tx, &[(&order, None)]).await.unwrap();
        tx.commit().await.unwrap();
        order.id
    }
}

async fn coins(context: &Context) -> (Asset, Asset, Asset) {
    let mut tx = context.store.begin().await.unwrap();
    let chain = Chain {
        id: CHAIN,
        name: "Test".to_owned(),
        genesis: None,
        escrow: None,
        escrow_code: None,
        confirmations: 3,
        start: 0,
        head: None,
        confirmed: None,
        stopped_because: None,
    };
    catalog::put_chain(&mut tx, &chain).await.unwrap();
    let gas = |decimals| Amount::parse("0.01", decimals).unwrap();
    let native = Home::Chain { chain: CHAIN, token: Token::Native };
    let token = Home::Chain { chain: CHAIN, token: Token::Erc20(USDT_CONTRACT) };
    catalog::put_asset(&mut tx, "MEC", 18, native, gas(18), gas(18)).await.unwrap();
    catalog::put_asset(&mut tx, "USDT", 6, token, gas(6), gas(6)).await.unwrap();
    catalog::put_asset(&mut tx, "KRW", 2, Home::Fiat, Amount::ZERO, Amount::ZERO).await.unwrap();
    let assets = catalog::assets(&mut tx).await.unwrap();
    let asset = |code: &str| assets.iter().find(|asset| asset.code == code).unwrap().clone();
    let (mec, usdt, krw) = (asset("MEC"), asset("USDT"), asset("KRW"));
    for (quote, chain_types) in [(&usdt, vec!["ERC20".to_owned()]), (&krw, Vec::new())] {
        let pair = Pair {
            prepayment: None,
            id: PairId(0),
            base: mec.clone(),
            quote: quote.clone(),
            enabled: true,
            fee_rate_ppm: 1_000,
            fee_minimum: Amount::parse("0.001", 18).unwrap(),
            min_total: amount("1", quote),
            max_total: amount("1000", quote),
            price_band_ppm: 100_000,
            price_decimals: 4,
            windows: windows(),
            automatic_chain_type: chain_types.first().cloned(),
            chain_types,
        };
        catalog::put_pair(&mut tx, &pair).await.unwrap();
    }
    tx.commit().await.unwrap();
    (mec, usdt, krw)
}
