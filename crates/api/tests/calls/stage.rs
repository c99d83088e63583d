//! A market behind the complete API, with logged-in users.

use std::sync::Arc;

use api::realtime::{Hub, HubSettings};
use axum::Router;
use axum::body::Body;
use axum::http::{Request, header};
use chrono::Duration;
use domain::chain::Address;
use domain::console::{Officer, Role};
use domain::ids::{IdSource, OfficerId, SessionId};
use domain::orders::OrderCommand;
use gateways::KeySource;
use gateways::fakes::{KeptMail, TestIssuer};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use store::console::{accounts, sessions};
use testkit::market::{Chain, Market, Trader, mec};
use testkit::{Ids, noon};
use tower::ServiceExt;

use crate::product::{FollowedHall, ISSUER, sealed, unlimited_with};

/// The security password of every user who has one.
pub(crate) const SECURITY: &str = "only-for-money";

/// The login password of every user, hashed with the lowest cost.
pub(crate) const LOGIN: &str = "Login-Horse7";
const LOGIN_HASH: &str =
    "$argon2id$v=19$m=8,t=1,p=1$c2l4dGVlbiBieXRlcy4uIQ$okt5tgSloaiQJkN6zf9dpB0tMf2UhyqexixkuRUSIx8";

/// A logged-in user.
pub(crate) struct Caller {
    pub(crate) name: &'static str,
    pub(crate) trader: Trader,
    pub(crate) token: String,
}

pub(crate) struct Got {
    pub(crate) status: u16,
    pub(crate) body: Value,
}

impl Got {
    /// Asserts success and returns the data.
    pub(crate) fn ok(self) -> Value {
        assert_eq!((self.status, &self.body["code"]), (200, &json!("200")), "{}", self.body);
        self.body["data"].clone()
    }

    /// Asserts a refusal and returns its data.
    pub(crate) fn refused(self, status: u16, code: &str) -> Value {
        assert_eq!((self.status, &self.body["code"]), (status, &json!(code)), "{}", self.body);
        self.body["data"].clone()
    }
}

pub(crate) struct Stage {
    pub(crate) market: Market,
    pub(crate) chain: Chain,
    pub(crate) hall: FollowedHall,
    pub(crate) app: Router,
    pub(crate) mail: KeptMail,
    issuer: TestIssuer,
    /// Keeps the issuer's key file until the test ends.
    _keys: tempfile::NamedTempFile,
    pub(crate) anna: Caller,
    pub(crate) ben: Caller,
    pub(crate) carl: Caller,
    /// The session tokens of an administrator of the console and of an appeal officer.
    pub(crate) officers: [(Role, String); 2],
}

impl Stage {
    /// Creates three users and nothing else.
    pub(crate) async fn empty() -> Self {
        Box::pin(Self::on(Market::open().await)).await
    }

    /// Creates three users on a market.
    pub(crate) async fn on(market: Market) -> Self {
        let chain = market.chain().await;
        let hub = Arc::new(Hub::new(market.context.clone(), HubSettings::default()));
        let (mail, issuer) = (KeptMail::default(), TestIssuer::new("k1"));
        let keys = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(&keys, issuer.jwks()).unwrap();
        let state = unlimited_with(&market.context, &hub, mail.clone(), KeySource::File(keys.path().to_owned()));
        let hall = FollowedHall::new(&market.context, &state.hall);
        let (app, _) = api::router(state);
        let anna = Caller::join(&market, "anna").await;
        let ben = Caller::join(&market, "ben").await;
        let carl = Caller::join(&market, "carl").await;
        let officers = [
            (Role::Administrator, colleague(&market, Role::Administrator).await),
            (Role::AppealOfficer, colleague(&market, Role::AppealOfficer).await),
        ];
        Self { market, chain, hall, app, mail, issuer, _keys: keys, anna, ben, carl, officers }
    }

    /// Creates Anna's online advert, which sells 10 MEC for 1000 KRW each. Returns the ID of the advert.
    pub(crate) async fn selling() -> (Self, String) {
        let mut stage = Box::pin(Self::empty()).await;
        let advert = stage.post(&stage.anna, "/c2c/advert/create", &stage.mec_for_krw()).await.ok();
        stage.chain.brings(&stage.anna.trader, stage.market.mec, mec("10")).await;
        (stage, text(&advert["id"]))
    }

    /// Like [`Self::selling`], and Anna has accepted Ben's order of 4 MEC. Returns the IDs of the advert and the order.
    pub(crate) async fn accepted() -> (Self, String, String) {
        let (stage, advert) = Box::pin(Self::selling()).await;
        let order = stage.post(&stage.ben, "/c2c/deal/order", &order_of(&advert)).await.ok();
        let order = text(&order["id"]);
        stage.anna.trader.does(order.parse().unwrap(), OrderCommand::Accept).await.unwrap();
        (stage, advert, order)
    }

    /// Like [`Self::accepted`], and Ben has marked the order as paid.
    pub(crate) async fn paid() -> (Self, String, String) {
        let (stage, advert, order) = Box::pin(Self::accepted()).await;
        stage.ben.trader.marks_paid(order.parse().unwrap()).await.unwrap();
        (stage, advert, order)
    }

    /// Returns the request body of Anna's advert.
    pub(crate) fn mec_for_krw(&self) -> Value {
        json!({
            "side": "SELL", "kind": "MANUAL", "base": "MEC", "quote": "KRW", "price": "1000", "quantity": "10",
            "orderMin": "100", "orderMax": "1000000000", "paymentMethodIds": [self.anna.trader.account]
        })
    }

    pub(crate) async fn send(&self, request: Request<Body>) -> Got {
        let (method, path) = (request.method().clone(), request.uri().path().to_owned());
        self.hall.follow_before(&path).await;
        let response = self.app.clone().oneshot(request).await.unwrap();
        let status = response.status().as_u16();
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        let body = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
        crate::conforming::check(&method, &path, status, &body);
        Got { status, body }
    }

    pub(crate) async fn get(&self, who: &Caller, path: &str) -> Got {
        let request = Request::get(format!("/api{path}")).header(header::AUTHORIZATION, &who.token);
        self.send(request.header("language", "en_US").body(Body::empty()).unwrap()).await
    }

    /// Does the same as [`Self::get`] without a session.
    pub(crate) async fn get_as_guest(&self, path: &str) -> Got {
        let request = Request::get(format!("/api{path}")).header("language", "en_US");
        self.send(request.body(Body::empty()).unwrap()).await
    }

    /// Sends a command with a new idempotency key.
    pub(crate) async fn post(&self, who: &Caller, path: &str, body: &Value) -> Got {
        self.post_as(&Ids.fresh(noon()).to_string(), who, path, body).await
    }

    /// Sends a command with this idempotency key.
    pub(crate) async fn post_as(&self, key: &str, who: &Caller, path: &str, body: &Value) -> Got {
        let request = Request::post(format!("/api{path}"))
            .header(header::AUTHORIZATION, &who.token)
            .header(header::CONTENT_TYPE, "application/json")
            .header("language", "en_US")
            .header("idempotency-key", key);
        self.send(request.body(Body::from(body.to_string())).unwrap()).await
    }

    /// Returns an order as the caller sees it.
    pub(crate) async fn order(&self, who: &Caller, id: &str) -> Value {
        self.get(who, &format!("/c2c/deal/order/{id}")).await.ok()
    }

    /// Returns what only the owner of an advert sees; null for others.
    pub(crate) async fn advert(&self, who: &Caller, id: &str) -> Value {
        self.get(who, &format!("/c2c/advert/{id}")).await.ok()["own"].take()
    }

    /// Sets the caller's security password.
    pub(crate) async fn protects(&self, who: &Caller) {
        let body =
            json!({ "newSecurityCode": self.seal(who, SECURITY).await, "password": self.seal(who, LOGIN).await });
        self.post(who, "/user/updateInfo", &body).await.ok();
    }

    /// Encrypts a password as a browser does.
    pub(crate) async fn seal(&self, who: &Caller, secret: &str) -> Value {
        sealed(&self.get(who, "/user/secretKey").await.ok(), secret)
    }

    /// Approves a challenge through the pass. Returns the ticket.
    pub(crate) async fn approves(&self, who: &Caller, challenge: &Value) -> Value {
        self.approves_at(who, who.trader.user.bound.unwrap(), challenge).await
    }

    /// Approves a challenge through a pass that states this address. Returns the ticket.
    pub(crate) async fn approves_at(&self, who: &Caller, address: Address, challenge: &Value) -> Value {
        let now = self.market.now().await.timestamp();
        let (name, address) = (who.name, address.to_string());
        let claims = json!({
            "iss": ISSUER, "aud": "mec2c", "sub": format!("ME-{name}"), "jti": Ids.fresh(noon()), "iat": now, "exp": now + 120,
            "address": address, "region": "VN", "kyc": "basic", "challenge": challenge["challengeId"],
            "decision": "approved", "number": challenge["number"]
        });
        let request = Request::get(format!("/api/scan/callBack?statement={}", self.issuer.sign(&claims)));
        self.send(request.body(Body::empty()).unwrap()).await.ok();
        challenge["id"].clone()
    }

    /// Returns a hash of all tables that trading commands change, to detect changes.
    pub(crate) async fn print(&self) -> i64 {
        let tables = [
            "adverts",
            "advert_methods",
            "orders",
            "funding_requests",
            "ledger_postings",
            "ledger_entries",
            "payouts",
            "payout_legs",
            "withdrawals",
            "outbox_events",
            "reputation_changes",
            "idempotency_keys",
            "users",
            "payment_methods",
            "order_log",
            "order_log_heads",
            "conversations",
        ];
        let rows = tables.map(|name| format!("(select string_agg(t::text, ',' order by t::text) from {name} t)"));
        self.market.count(&format!("select hashtextextended(concat_ws('|', {}), 0)", rows.join(", "))).await
    }

    /// Replaces values that differ between runs with names.
    pub(crate) fn named(&self, answer: &Value, more: &[(&str, &str)]) -> Value {
        let mut text = answer.to_string();
        for who in [&self.anna, &self.ben, &self.carl] {
            text = text.replace(&who.trader.id().to_string(), &format!("[{}]", who.name));
            text = text.replace(&who.trader.account.to_string(), &format!("[{}'s account]", who.name));
        }
        for (id, name) in more {
            text = text.replace(id, &format!("[{name}]"));
        }
        serde_json::from_str(&text).unwrap()
    }
}

impl Caller {
    pub(crate) async fn join(market: &Market, name: &'static str) -> Self {
        let trader = market.trader().await;
        let token = testkit::sessions::sign_in(&market.database.store, trader.id(), name, LOGIN_HASH).await;
        Self { name, trader, token }
    }
}

/// Creates an officer of the console with a session, and returns its token.
async fn colleague(market: &Market, role: Role) -> String {
    let (id, token) = (OfficerId(Ids.fresh(noon())), format!("token-of-{}", role.into_str()));
    let digest = |text: &str| -> [u8; 32] { Sha256::digest(text).into() };
    let officer = Officer {
        id,
        name: role.into_str().to_owned(),
        email: format!("{}@example.org", role.into_str().to_lowercase()),
        role,
        appointed_by: None,
        approved_at: Some(noon()),
        enrolled_at: Some(noon()),
        enrollment_expires_at: None,
        disabled_at: None,
        created_at: noon(),
        version: 1,
    };
    let account = accounts::Account {
        officer,
        password_hash: Some(LOGIN_HASH.to_owned()),
        totp_secret: Vec::new(),
        totp_step: None,
        enrollment_hash: None,
    };
    let session = store::sessions::Session {
        id: SessionId(Ids.fresh(noon())),
        owner: id,
        token_hash: digest(&token),
        salt: digest("salt"),
        opened_by: digest(role.into_str()),
        request_hash: digest("sign-in"),
        opened_at: noon(),
        expires_at: noon() + Duration::hours(12),
        agent: String::new(),
        address: String::new(),
    };
    let mut tx = market.database.store.begin().await.unwrap();
    accounts::insert(&mut tx, &account).await.unwrap();
    sessions::insert(&mut tx, &session).await.unwrap();
    tx.commit().await.unwrap();
    token
}

/// Returns the request body of an order of 4 MEC from Anna's advert.
pub(crate) fn order_of(advert: &str) -> Value {
    json!({ "advertId": advert, "price": "1000", "quantity": "4" })
}

pub(crate) fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}
