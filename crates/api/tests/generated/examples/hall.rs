//! The examples of the hall, as Maria sees it: she lives in the US.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use api::realtime::{Hub, HubSettings};
use axum::Router;
use axum::body::Body;
use axum::http::{Method, Request, header};
use chrono::Duration;
use domain::assets::PairId;
use domain::ids::{AdvertId, IdSource, PaymentMethodId, UserId};
use domain::trade::Side;
use domain::users::User;
use http_body_util::BodyExt;
use serde_json::{Value, json};
use testkit::market::{Chain, Market, Trader, minutes, price, usdt};
use testkit::{Ids, noon};
use tower::ServiceExt;

use super::names;
use super::set::{add_pair, amount};
use crate::product::{self, FollowedHall};

/// A user who posts adverts.
struct Advertiser {
    nickname: &'static str,
    region: &'static str,
    currency: &'static str,
    /// Without one, the user trades coins only.
    methods: &'static [&'static str],
    verified: bool,
}

const fn advertiser(
    nickname: &'static str,
    (region, currency): (&'static str, &'static str),
    methods: &'static [&'static str],
    verified: bool,
) -> Advertiser {
    Advertiser { nickname, region, currency, methods, verified }
}

const US: (&str, &str) = ("US", "USD");
const PT: (&str, &str) = ("PT", "EUR");
const VN: (&str, &str) = ("VN", "VND");
const CN: (&str, &str) = ("CN", "CNY");
const ADVERTISERS: [Advertiser; 13] = [
    advertiser("MinhTrader", US, &["bankCard", "zelle"], true),
    advertiser("Sofia88", US, &["bankCard"], false),
    advertiser("kaya", US, &["zelle", "cashApp", "bankCard"], true),
    advertiser(WITHOUT_BADGE, US, &["zelle"], false),
    advertiser("weichen", US, &["bankCard", "cashApp"], true),
    advertiser("LisbonOTC", PT, &["sepa", "revolut"], false),
    advertiser("Marlene", ("DE", "EUR"), &["sepa"], true),
    advertiser("HanoiCoins", VN, &["bankCard", "momo"], true),
    advertiser("Thao21", VN, &["momo"], false),
    advertiser("xiaolin", CN, &["alipay", "wechat"], true),
    advertiser("Shenzhen8", CN, &["bankCard", "alipay"], true),
    advertiser("mei", CN, &["wechat"], false),
    advertiser("BangkokDesk", ("TH", "THB"), &[], false),
];

/// Who is no longer certified, but still has adverts from that time. Only certified users post adverts for fiat.
const WITHOUT_BADGE: &str = "HarborDesk";

/// Each pair, with the price near which its adverts are, and how many each advertiser posts to sell.
const PAIRS: [(&str, &str, f64, usize); 5] = [
    ("MEC", "USD", 0.4821, 5),
    ("MEC", "EUR", 0.4417, 4),
    ("MEC", "VND", 12_250.0, 2),
    ("MEC", "USDT", 0.4818, 1),
    ("USDT", "CNY", 7.24, 3),
];

const REMARK: &str = "Only from an account in your own name.";

#[tokio::test]
async fn the_examples_of_the_hall_are_up_to_date() {
    let mut played = Played::open().await;
    let mut examples = BTreeMap::new();
    for pair in PAIRS {
        for side in ["SELL", "BUY"] {
            played.fills(pair, side).await;
        }
    }
    let badge = format!("update users set certified = false where nickname = '{WITHOUT_BADGE}'");
    played.market.sql(&badge).await;
    for (base, quote, ..) in PAIRS {
        for side in ["SELL", "BUY"] {
            examples.insert(format!("{side}-{base}-{quote}"), played.shows((base, quote), side).await);
        }
    }
    played.market.database.remove().await;
    reach_everything(&examples);
    let text = serde_json::to_string_pretty(&names::named("hall", &json!(examples))).unwrap();
    crate::is_up_to_date("examples/hall.json", &format!("{text}\n"));
}

/// Fails unless the examples contain each kind of advert that the hall tells apart.
fn reach_everything(examples: &BTreeMap<String, Value>) {
    let adverts: Vec<_> = examples.values().flat_map(|list| list.as_array().unwrap()).collect();
    let found =
        |field: &str| -> BTreeSet<_> { adverts.iter().map(|one| one.pointer(field).unwrap().to_string()).collect() };
    let both = |of: [&str; 2]| -> BTreeSet<_> { of.map(str::to_owned).into() };
    for field in ["/advertiser/certified", "/advertiser/verified", "/advertiser/fast"] {
        assert_eq!(found(field), both(["true", "false"]), "{field}");
    }
    assert_eq!(found("/side"), both(["\"BUY\"", "\"SELL\""]));
    assert_eq!(found("/kind"), both(["\"AUTOMATIC\"", "\"MANUAL\""]));
    assert!(found("/remark").len() == 2 && found("/methodTypes").len() > 4);
    assert!(examples.values().all(|list| !list.as_array().unwrap().is_empty()));
}

struct Played {
    market: Market,
    chain: Chain,
    hall: FollowedHall,
    app: Router,
    pairs: BTreeMap<String, PairId>,
    advertisers: Vec<(Trader, Vec<PaymentMethodId>)>,
    posted: usize,
}

impl Played {
    async fn open() -> Self {
        let market = Market::open().await;
        let mut pairs = BTreeMap::from([("MEC-USDT".to_owned(), market.mec_usdt)]);
        for (base, quote, ..) in PAIRS.into_iter().filter(|(_, quote, ..)| *quote != "USDT") {
            let like = if base == "MEC" { market.mec_krw } else { market.usdt_krw };
            pairs.insert(format!("{base}-{quote}"), add_pair(&market, like, quote).await);
        }
        let chain = market.chain().await;
        let hub = Arc::new(Hub::new(market.context.clone(), HubSettings::default()));
        let state = product::unlimited(&market.context, &hub);
        let hall = FollowedHall::new(&market.context, &state.hall);
        let (app, _) = api::router(state);
        let mut played = Self { market, chain, hall, app, pairs, advertisers: Vec::new(), posted: 0 };
        for (index, one) in (1..).zip(&ADVERTISERS) {
            let joined = played.joins(one, index).await;
            played.advertisers.push(joined);
        }
        let maria = advertiser("Maria7", US, &["bankCard"], false);
        let (maria, _) = played.joins(&maria, 100).await;
        let password = format!("update accounts set security_hash = '-' where user_id = '{}'", maria.id());
        played.market.sql(&password).await;
        played.trades_often(&maria).await;
        played.trades_late(&maria).await;
        played
    }

    async fn joins(&self, one: &Advertiser, index: u64) -> (Trader, Vec<PaymentMethodId>) {
        let user = User {
            id: UserId(Ids.fresh(noon())),
            nickname: Some(one.nickname.to_owned()),
            region: one.region.to_owned(),
            certified: !one.methods.is_empty(),
            verified: one.verified,
            ..testkit::users::trader(index)
        };
        testkit::users::join_at(&self.market.database.store, &user, noon() - Duration::days(400)).await;
        let name = one.nickname.to_lowercase();
        let token = testkit::sessions::sign_in(&self.market.database.store, user.id, &name, "-").await;
        let mut methods = Vec::new();
        for kind in one.methods {
            let body = json!({ "type": kind, "currency": one.currency, "fields": fields(kind, one.nickname) });
            let made = self.calls(Method::POST, "/api/payment/method", &token, &body).await;
            methods.push(made["id"].as_str().unwrap().parse().unwrap());
            // An advert lists its methods by their IDs, which begin with the time.
            self.market.waits(minutes(1)).await;
        }
        let account = methods.first().copied().unwrap_or(PaymentMethodId(Ids.fresh(noon())));
        (Trader { user, account, market: self.market.clone() }, methods)
    }

    /// Maria buys four times from Kaya, who leaves another order unanswered and confirms one payment late.
    async fn trades_late(&mut self, maria: &Trader) {
        let (kaya, _) = self.advertisers[2].clone();
        let advert = kaya.posts(kaya.mec_for_usdt("200", "0.4818")).await.unwrap();
        self.chain.brings(&kaya, self.market.mec, amount("MEC", "200")).await;
        maria.orders(advert, "20").await.unwrap();
        self.market.waits(minutes(6)).await;
        self.market.clock_strikes().await;
        for minutes_to_confirm in [5, 40, 5, 5] {
            self.trades(maria, &kaya, advert, minutes_to_confirm).await;
        }
    }

    async fn trades(&mut self, buyer: &Trader, seller: &Trader, advert: AdvertId, minutes_to_confirm: i64) {
        let order = buyer.orders(advert, "20").await.unwrap();
        seller.accepts(order).await.unwrap();
        buyer.marks_paid(order).await.unwrap();
        self.market.waits(minutes(minutes_to_confirm)).await;
        self.market.clock_strikes().await;
        seller.confirms(order).await.unwrap();
        self.chain.time = self.market.now().await;
        self.chain.settles().await;
    }

    /// Maria buys often enough from the first two advertisers that they are fast.
    async fn trades_often(&mut self, maria: &Trader) {
        for index in [0, 1] {
            let (seller, _) = self.advertisers[index].clone();
            let advert = seller.posts(seller.mec_for_usdt("200", "0.4818")).await.unwrap();
            self.chain.brings(&seller, self.market.mec, amount("MEC", "200")).await;
            for _ in 0..domain::reputation::FAST_CONFIRMATIONS {
                self.trades(maria, &seller, advert, 5).await;
            }
        }
    }

    /// Lets the residents of a pair's regions post adverts on a side. Everybody trades coins.
    async fn fills(&mut self, (base, quote, last, each): (&str, &str, f64, usize), side: &str) {
        let sells = side == "SELL";
        let each = if sells { each } else { 1 };
        for round in 0..each {
            for (index, one) in ADVERTISERS.iter().enumerate() {
                if quote != "USDT" && one.currency != quote {
                    continue;
                }
                self.posts((base, quote, last), sells, (index, round)).await;
            }
        }
    }

    async fn posts(&mut self, (base, quote, last): (&str, &str, f64), sells: bool, (index, round): (usize, usize)) {
        let (owner, methods) = self.advertisers[index].clone();
        let step = 0.0015 * f64::from(u32::try_from(index + round * ADVERTISERS.len()).unwrap());
        let digits = if last > 1_000.0 { 0 } else { 4 };
        let asked = if sells { last * (1.0 + step / 4.0) } else { last * (1.0 - step) };
        let mut offer = owner.mec_for_usdt("1", &format!("{asked:.digits$}"));
        offer.0.pair = self.pairs[&format!("{base}-{quote}")];
        let quantity = amount(base, &(4_400 - 300 * index).to_string());
        offer.0.quantity = quantity;
        offer.0.price = price(&format!("{asked:.digits$}"));
        if !sells {
            offer.0.side = Side::Buy;
        }
        let scale: u32 = if last > 1_000.0 { 20_000 } else { 1 };
        offer.0.min_total = amount(quote, &(10 * scale).to_string());
        offer.0.max_total = amount(quote, &((500 + 100 * u32::try_from(index).unwrap()) * scale).to_string());
        offer.0.methods = if quote == "USDT" { Vec::new() } else { methods };
        offer.0.automatic = quote == "USDT" && index % 2 == 0;
        self.posted += 1;
        offer.0.options.remark = self.posted.is_multiple_of(3).then(|| REMARK.to_owned());
        let automatic = offer.0.automatic;
        owner.posts(offer).await.unwrap();
        let asset = if base == "MEC" { self.market.mec } else { self.market.usdt };
        if sells {
            self.chain.brings(&owner, asset, quantity).await;
        } else if automatic {
            self.chain.brings(&owner, self.market.usdt, usdt("3000")).await;
        }
    }

    /// Returns a page of the hall. Each advert is as its own page shows it, which is its row and what Maria lacks or does not meet.
    async fn shows(&self, (base, quote): (&str, &str), side: &str) -> Value {
        let token = "token-of-maria7";
        let path = format!("/api/c2c/advert/page?side={side}&base={base}&quote={quote}&size=100");
        let page = self.calls(Method::GET, &path, token, &Value::Null).await;
        let mut shown = Vec::new();
        for row in page["records"].as_array().unwrap() {
            let path = format!("/api/c2c/advert/{}", row["id"].as_str().unwrap());
            let mut one = self.calls(Method::GET, &path, token, &Value::Null).await;
            assert_eq!(one.as_object_mut().unwrap().remove("own"), Some(Value::Null));
            let mut without = one.clone();
            for own in ["missing", "unmet"] {
                without.as_object_mut().unwrap().remove(own).unwrap();
            }
            assert_eq!(without, *row);
            shown.push(one);
        }
        json!(shown)
    }

    async fn calls(&self, method: Method, path: &str, token: &str, body: &Value) -> Value {
        self.hall.follow_before(path).await;
        let request = Request::builder()
            .method(method.clone())
            .uri(path)
            .header(header::AUTHORIZATION, token)
            .header(header::CONTENT_TYPE, "application/json")
            .header("idempotency-key", Ids.fresh(noon()).to_string())
            .header("language", "en_US");
        let body = if body.is_null() { Body::empty() } else { Body::from(body.to_string()) };
        let response = self.app.clone().oneshot(request.body(body).unwrap()).await.unwrap();
        let status = response.status().as_u16();
        let body: Value = serde_json::from_slice(&response.into_body().collect().await.unwrap().to_bytes()).unwrap();
        let path = path.split('?').next().unwrap();
        crate::conforming::check(&method, path, status, &body);
        assert_eq!(body["code"], "200", "{path}: {body}");
        body["data"].clone()
    }
}

/// Returns the fields of a payment method.
fn fields(kind: &str, name: &str) -> Value {
    match kind {
        "bankCard" => json!({ "name": name, "account": format!("4000 {name}"), "bankName": "First Harbor Bank" }),
        "zelle" => json!({ "name": name, "account": format!("{}@example.org", name.to_lowercase()) }),
        "cashApp" => json!({ "name": name, "cashtag": name }),
        "revolut" => json!({ "name": name, "revtag": name }),
        "sepa" => {
            let iban = if name == "Marlene" { "DE89370400440532013000" } else { "PT50000201231234567890154" };
            json!({ "name": name, "iban": iban, "bankName": "Banco do Porto" })
        }
        _ => json!({ "name": name, "account": format!("{name}-pay") }),
    }
}
