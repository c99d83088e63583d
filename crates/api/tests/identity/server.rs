//! A server for one test, with a real database, validly signed assertions, emails kept in memory, and a stopped clock.

use std::collections::{BTreeMap, HashMap};
use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration as Span;

use api::middleware::{Limits, Middleware, Rate, RateLimitSettings};
use api::realtime::{Hub, HubSettings};
use app::identity::ChainType;
use app::{Clock, Context, SystemTime};
use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{Request, header};
use chrono::{DateTime, Duration, Utc};
use domain::assets::Home;
use domain::chain::{Address, ChainId, Token};
use domain::clock::Reading;
use domain::identity::address::AddressForm;
use domain::money::Amount;
use gateways::KeySource;
use gateways::fakes::{KeptMail, TestIssuer};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use store::identity::challenges;
use testkit::{Database, noon};
use tower::ServiceExt;

use crate::product::{self, ISSUER};

pub(crate) const PASSWORD: &str = "Right-Horse7";
pub(crate) const SECURITY: &str = "only-for-money";
/// The network address of requests, unless a test changes it.
pub(crate) const HOME: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(198, 51, 100, 1));
/// The address of the proxy in front of the product.
pub(crate) const PROXY: [u8; 4] = [10, 0, 0, 1];

pub(crate) struct Got {
    pub(crate) status: u16,
    pub(crate) headers: axum::http::HeaderMap,
    pub(crate) body: Value,
}

impl Got {
    pub(crate) fn code(&self) -> &str {
        self.body["code"].as_str().unwrap_or_default()
    }

    pub(crate) fn data(&self) -> &Value {
        assert_eq!(self.code(), "200", "{}", self.body);
        &self.body["data"]
    }
}

/// The target of a redirect.
pub(crate) struct Page {
    pub(crate) path: String,
    query: BTreeMap<String, String>,
}

impl Page {
    /// Returns a query parameter of the URL.
    pub(crate) fn says(&self, name: &str) -> Option<&str> {
        self.query.get(name).map(String::as_str)
    }
}

pub(crate) struct TestServer {
    pub(crate) app: Router,
    pub(crate) database: Database,
    pub(crate) mail: KeptMail,
    pub(crate) issuer: TestIssuer,
    count: AtomicU32,
    pub(crate) context: Context,
    /// The ID of the newest code for each email address and purpose.
    ids: Mutex<HashMap<(String, String), String>>,
    /// The network address that requests come from.
    from: Mutex<IpAddr>,
    /// Keeps the issuer's key file until the test ends.
    _keys: tempfile::NamedTempFile,
}

/// A user with a session.
#[derive(Debug, Clone)]
pub(crate) struct Somebody {
    pub(crate) id: String,
    pub(crate) token: String,
    pub(crate) email: String,
    pub(crate) me: u32,
}

/// Returns a user's address. The prefix avoids the low addresses, which belong to precompiled contracts.
pub(crate) fn address(number: u32) -> String {
    format!("0xbb{number:038x}")
}

pub(crate) async fn server() -> TestServer {
    let database = Database::fresh().await;
    let context = Context::new(database.store.clone(), Clock::Shared(Arc::new(SystemTime)), Arc::new(testkit::Ids));
    let issuer = TestIssuer::new("k1");
    let keys = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(&keys, issuer.jwks()).unwrap();
    let mail = KeptMail::default();
    let chain_types = vec![
        ChainType { name: "ERC20".into(), form: AddressForm::Evm },
        ChainType { name: "TRC20".into(), form: AddressForm::Tron },
    ];
    let keys_of_issuer = KeySource::File(keys.path().to_owned());
    let identity = product::identity(&context, mail.clone(), keys_of_issuer, chain_types);
    let ticks = AtomicU64::new(0);
    // Requests are a minute apart, so rate limits do not affect tests.
    let limits = Limits::new(
        RateLimitSettings::all(Rate { burst: 1, every: Span::from_secs(1) }),
        Arc::new(move || Span::from_mins(ticks.fetch_add(1, Ordering::Relaxed))),
    );
    let middleware = Middleware {
        proxies: vec![PROXY.into()],
        region_header: Some("cf-ipcountry".into()),
        ..product::middleware(&identity, limits)
    };
    let hub = Arc::new(Hub::new(context.clone(), HubSettings::default()));
    let (app, _) = api::router(product::state(&context, identity, middleware, &hub));
    let server = TestServer {
        app,
        database,
        mail,
        issuer,
        count: AtomicU32::new(0),
        context,
        ids: Mutex::default(),
        from: Mutex::new(HOME),
        _keys: keys,
    };
    server.set_clock(noon()).await;
    server
}

/// Addresses that belong to the product.
pub(crate) struct Contracts {
    pub(crate) token: String,
    pub(crate) escrow: String,
}

impl TestServer {
    /// Stores a chain with its Escrow and a token, as `migrate` does.
    pub(crate) async fn contracts(&self) -> Contracts {
        let (escrow, token) = (Address([0xe5; 20]), Address([0x0d; 20]));
        let chain = store::catalog::Chain {
            id: ChainId(31_337),
            name: "MEC".to_owned(),
            genesis: None,
            escrow: Some(escrow),
            escrow_code: None,
            confirmations: 3,
            start: 0,
            head: None,
            confirmed: None,
            stopped_because: None,
        };
        let home = Home::Chain { chain: chain.id, token: Token::Erc20(token) };
        let mut tx = self.database.store.begin().await.unwrap();
        store::catalog::put_chain(&mut tx, &chain).await.unwrap();
        store::catalog::put_asset(&mut tx, "USDT", 6, home, Amount::ZERO, Amount::ZERO).await.unwrap();
        tx.commit().await.unwrap();
        Contracts { token: token.to_string(), escrow: escrow.to_string() }
    }

    /// Returns a user's custody address.
    pub(crate) async fn vault_of(&self, who: &Somebody) -> String {
        let mut tx = self.database.store.begin().await.unwrap();
        let people = store::users::read(&mut tx, &[who.id.parse().unwrap()]).await.unwrap();
        people[0].vault.to_string()
    }

    async fn set_clock(&self, at: DateTime<Utc>) {
        let mut tx = self.database.store.begin().await.unwrap();
        store::clock::set(&mut tx, Reading::Stopped { at }).await.unwrap();
        tx.commit().await.unwrap();
    }

    pub(crate) async fn now(&self) -> DateTime<Utc> {
        let mut tx = self.database.store.begin().await.unwrap();
        store::clock::read(&mut tx).await.unwrap().now(noon())
    }

    pub(crate) async fn advance(&self, span: Duration) {
        let now = self.now().await;
        self.set_clock(now + span).await;
    }

    pub(crate) fn number(&self) -> u32 {
        self.count.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Makes further requests come from this network address.
    pub(crate) fn come_from(&self, address: &str) {
        *self.from.lock().unwrap() = address.parse().unwrap();
    }

    /// Makes further requests come from [`HOME`] again.
    pub(crate) fn come_home(&self) {
        self.come_from(&HOME.to_string());
    }

    pub(crate) async fn send(&self, mut request: Request<Body>) -> Got {
        let peer = SocketAddr::new(*self.from.lock().unwrap(), 40_000);
        request.extensions_mut().get_or_insert_with(|| ConnectInfo(peer));
        let (method, path) = (request.method().clone(), request.uri().path().to_owned());
        let response = self.app.clone().oneshot(request).await.unwrap();
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        let body = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
        crate::conforming::check(&method, &path, status, &body);
        Got { status, headers, body }
    }

    pub(crate) async fn get(&self, path: &str, token: Option<&str>) -> Got {
        let mut request = Request::get(format!("/api{path}")).header("language", "en_US");
        if let Some(token) = token {
            request = request.header(header::AUTHORIZATION, token);
        }
        self.send(request.body(Body::empty()).unwrap()).await
    }

    pub(crate) async fn post(&self, path: &str, token: Option<&str>, body: &Value) -> Got {
        self.post_as(&format!("key-{:08}", self.number()), path, token, body).await
    }

    /// Like [`Self::post`], without a session and from this network address, independently of concurrent requests.
    pub(crate) async fn post_from(&self, address: &str, path: &str, body: &Value) -> Got {
        let request = Request::post(format!("/api{path}"))
            .extension(ConnectInfo(SocketAddr::new(address.parse().unwrap(), 40_000)))
            .header("language", "en_US")
            .header("idempotency-key", format!("key-{:08}", self.number()))
            .header(header::CONTENT_TYPE, "application/json");
        self.send(request.body(Body::from(body.to_string())).unwrap()).await
    }

    /// Like [`Self::post`], with this idempotency key.
    pub(crate) async fn post_as(&self, key: &str, path: &str, token: Option<&str>, body: &Value) -> Got {
        let mut request = Request::post(format!("/api{path}"))
            .header("language", "en_US")
            .header("idempotency-key", key)
            .header(header::USER_AGENT, "test browser")
            .header(header::CONTENT_TYPE, "application/json");
        if let Some(token) = token {
            request = request.header(header::AUTHORIZATION, token);
        }
        self.send(request.body(Body::from(body.to_string())).unwrap()).await
    }

    /// Like [`Self::post_as`], without a session and with this `cookie` header.
    pub(crate) async fn post_with_cookie(&self, key: &str, path: &str, cookie: Option<&str>, body: &Value) -> Got {
        let mut request = Request::post(format!("/api{path}"))
            .header("language", "en_US")
            .header("idempotency-key", key)
            .header(header::CONTENT_TYPE, "application/json");
        if let Some(cookie) = cookie {
            request = request.header(header::COOKIE, cookie);
        }
        self.send(request.body(Body::from(body.to_string())).unwrap()).await
    }

    /// Encrypts a password as a browser does.
    pub(crate) async fn seal(&self, secret: &str) -> Value {
        product::sealed(self.get("/user/secretKey", None).await.data(), secret)
    }

    /// Returns the correct answer to a new slide check.
    pub(crate) async fn slide_answer(&self) -> Value {
        let got = self.get("/slide", None).await;
        let slide = got.data();
        let (salt, hash) = (slide["salt"].as_str().unwrap(), slide["hash"].as_str().unwrap());
        let number = (0..=50_u32).find(|n| hex::encode(Sha256::digest(format!("{salt}{n}"))) == hash).unwrap();
        let trail = json!([{"t": 0, "x": 0}, {"t": 150, "x": 40}, {"t": 260, "x": 100}, {"t": 400, "x": 121}]);
        json!({"id": slide["id"], "x": 121, "trail": trail, "number": number})
    }

    pub(crate) async fn slide_token(&self) -> String {
        let answer = self.slide_answer().await;
        let got = self.post("/slide/verify", None, &answer).await;
        got.data()["token"].as_str().unwrap().to_owned()
    }

    /// Requests a code and returns it from the email.
    pub(crate) async fn code(&self, email: &str, purpose: &str) -> String {
        let body = json!({"email": email, "purpose": purpose, "slideToken": self.slide_token().await});
        let before = self.mail.emails().len();
        let got = self.post("/email/send", None, &body).await;
        let id = got.data()["id"].as_str().unwrap().to_owned();
        self.ids.lock().unwrap().insert((email.to_owned(), purpose.to_owned()), id);
        // The email for a forgotten password may be sent after the response.
        while self.mail.emails().len() == before {
            tokio::task::yield_now().await;
        }
        self.mail.code_for(email).unwrap()
    }

    /// Returns the ID of the newest code that [`Self::code`] requested.
    pub(crate) fn code_id(&self, email: &str, purpose: &str) -> String {
        self.ids.lock().unwrap()[&(email.to_owned(), purpose.to_owned())].clone()
    }

    /// Starts a challenge. Returns its secret and its ID.
    pub(crate) async fn challenge(&self, purpose: &str) -> (String, String) {
        let got = self.get(&format!("/scan/genQrCodeUrl/device-1?purpose={purpose}"), None).await;
        named(got.data())
    }

    /// Returns the number that the page of a challenge shows.
    async fn number_of(&self, challenge: &str) -> Option<u8> {
        let mut tx = self.database.store.begin().await.unwrap();
        let found = challenges::lock(&mut tx, challenge.parse().ok()?).await.unwrap();
        found.map(|challenge| challenge.matching.number)
    }

    /// Returns the claims of an assertion after a QR scan, with the number that the challenge's page shows. For a
    /// redirect, remove the number.
    pub(crate) async fn claims(&self, me: u32, challenge: &str) -> Value {
        let now = self.now().await.timestamp();
        json!({
            "iss": ISSUER, "aud": "mec2c", "sub": format!("ME-{me}"), "jti": format!("s-{}", self.number()),
            "iat": now, "exp": now + 120, "address": address(me), "region": "VN", "kyc": "basic",
            "challenge": challenge, "decision": "approved", "number": self.number_of(challenge).await
        })
    }

    /// Delivers an assertion, as the pass does.
    pub(crate) async fn approve(&self, claims: &Value) -> Got {
        self.get(&format!("/scan/callBack?statement={}", self.issuer.sign(claims)), None).await
    }

    /// Returns a signed assertion for a redirect.
    pub(crate) async fn approval_by_redirect(&self, me: u32, challenge: &str) -> String {
        let mut claims = self.claims(me, challenge).await;
        claims["number"] = Value::Null;
        self.issuer.sign(&claims)
    }

    /// Opens a URL in a browser and returns the target of the redirect.
    pub(crate) async fn opens(&self, path: &str) -> Page {
        let request = Request::get(format!("/api{path}"))
            .header("sec-fetch-mode", "navigate")
            .header(header::ACCEPT, "text/html,application/xhtml+xml,*/*;q=0.8");
        let got = self.send(request.body(Body::empty()).unwrap()).await;
        assert_eq!((got.status, &got.body), (303, &Value::Null));
        let address = got.headers[header::LOCATION].to_str().unwrap();
        let (path, query) = address.split_once('?').unwrap();
        let query = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
        Page { path: path.to_owned(), query }
    }

    /// Returns a ticket for a person without an account.
    pub(crate) async fn ticket(&self, me: u32) -> String {
        let (secret, challenge) = self.challenge("register").await;
        self.approve(&self.claims(me, &challenge).await).await.data();
        let got = self.get(&format!("/scan/result/{secret}"), None).await;
        got.data()["ticket"].as_str().unwrap().to_owned()
    }

    pub(crate) async fn register_body(&self, me: u32, email: &str) -> Value {
        json!({
            "ticket": self.ticket(me).await,
            "email": email,
            "emailCode": self.code(email, "register").await,
            "emailCodeId": self.code_id(email, "register"),
            "password": self.seal(PASSWORD).await,
            "receivingAddress": address(me + 1_000_000),
            "chainType": "ERC20",
            "termsAccepted": true
        })
    }

    /// Registers a new user.
    pub(crate) async fn somebody(&self) -> Somebody {
        let me = self.number();
        let email = format!("person{me}@example.org");
        let body = self.register_body(me, &email).await;
        let got = self.post("/user/register", None, &body).await;
        let text = |name: &str| got.data()[name].as_str().unwrap().to_owned();
        Somebody { id: text("userId"), token: text("token"), email, me }
    }

    pub(crate) async fn login_body(&self, email: &str, password: &str) -> Value {
        json!({"email": email, "password": self.seal(password).await, "slideToken": self.slide_token().await})
    }

    pub(crate) async fn login(&self, email: &str, password: &str) -> Got {
        let body = self.login_body(email, password).await;
        self.post("/user/login", None, &body).await
    }

    pub(crate) async fn info(&self, who: &Somebody) -> Value {
        self.get(&format!("/user/info/{}", who.id), Some(&who.token)).await.data().clone()
    }

    pub(crate) async fn update(&self, who: &Somebody, body: &Value) -> Got {
        self.post("/user/updateInfo", Some(&who.token), body).await
    }
}

/// Returns the secret and the ID of a challenge from a response.
pub(crate) fn named(data: &Value) -> (String, String) {
    let qr = data["qrCodeUrl"].as_str().unwrap();
    let challenge = qr.split("challenge=").nth(1).unwrap().split('&').next().unwrap().to_owned();
    let secret = data["id"].as_str().unwrap().to_owned();
    assert!(!qr.contains(&secret), "the QR must not show the secret");
    (secret, challenge)
}
