//! The console of a market, with officers who have authenticator apps, and a machine's clock that tests move.

use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicI64, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration as Span;

use api::console::COOKIE;
use api::middleware::{Limits, Rate, RateLimitSettings};
use api::realtime::{Hub, HubSettings};
use app::console::{NewOfficer, TotpSecrets, code_at, invite_officer, step_at};
use app::identity::ports::SystemRandom;
use app::{Clock, Context, MachineTime};
use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{Request, header};
use chrono::{DateTime, Duration, Utc};
use domain::clock::{Reading, Timestamp};
use domain::console::Role;
use gateways::KeySource;
use gateways::fakes::KeptMail;
use http_body_util::BodyExt;
use serde_json::{Value, json};
use testkit::market::{Market, Trader};
use testkit::{Ids, noon};
use tokio::sync::OnceCell;
use tower::ServiceExt;

use crate::product::{self, CONSOLE_KEY, Differences, ISSUER, sealed};

pub(crate) const PASSWORD: &str = "Officer-Horse7";

/// The machine's clock, in seconds since noon.
#[derive(Default)]
struct Machine(AtomicI64);

impl MachineTime for Machine {
    fn now(&self) -> Timestamp {
        noon() + Duration::seconds(self.0.load(Ordering::Relaxed))
    }
}

pub(crate) struct Got {
    pub(crate) status: u16,
    pub(crate) headers: axum::http::HeaderMap,
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

/// An officer who has enrolled.
#[derive(Debug, Clone)]
pub(crate) struct Person {
    pub(crate) id: String,
    pub(crate) email: String,
    /// The secret in the authenticator app.
    pub(crate) secret: Vec<u8>,
    /// The token of the session; empty without one.
    pub(crate) token: String,
}

/// A user of the product with a session.
pub(crate) struct User {
    pub(crate) trader: Trader,
    pub(crate) id: String,
    pub(crate) token: String,
}

pub(crate) struct Desk {
    pub(crate) market: Market,
    pub(crate) context: Context,
    pub(crate) app: Router,
    pub(crate) admin: Person,
    pub(crate) mail: KeptMail,
    /// Another administrator, from when one is needed.
    second: OnceCell<Person>,
    machine: Arc<Machine>,
    count: AtomicU32,
    from: Mutex<IpAddr>,
}

/// Decodes base32 like an authenticator app.
fn unbase32(text: &str) -> Vec<u8> {
    let (mut bytes, mut bits, mut length) = (Vec::new(), 0_u32, 0);
    for letter in text.bytes() {
        let value = if letter.is_ascii_digit() { letter - b'2' + 26 } else { letter - b'A' };
        bits = (bits << 5) | u32::from(value);
        length += 5;
        if length >= 8 {
            length -= 8;
            bytes.push(u8::try_from((bits >> length) & 0xff).unwrap());
        }
    }
    bytes
}

impl Desk {
    /// Opens the console of a market, with an administrator who is signed in.
    pub(crate) async fn open() -> Self {
        Self::with(Differences::default()).await
    }

    /// Does the same, with these differences between ledger and chain.
    pub(crate) async fn with(differences: Differences) -> Self {
        let market = Market::open().await;
        let machine = Arc::new(Machine::default());
        let clock = Clock::Shared(machine.clone());
        let context = Context::new(market.database.store.clone(), clock, Arc::new(Ids));
        let keys = KeySource::Url(format!("{ISSUER}/keys").parse().unwrap());
        let mail = KeptMail::default();
        let identity = product::identity(&context, mail.clone(), keys, Vec::new());
        let free = RateLimitSettings::all(Rate { burst: 1_000_000, every: Span::ZERO });
        let middleware = product::middleware(&identity, Limits::new(free, Arc::new(|| Span::ZERO)));
        let hub = Arc::new(Hub::new(context.clone(), HubSettings::default()));
        let mut services = product::services(&context, identity.clone(), middleware, &hub);
        services.console = product::console(&context, &identity, differences);
        let (app, _) = api::router(services.into());
        let nobody = Person { id: String::new(), email: String::new(), secret: Vec::new(), token: String::new() };
        let from = Mutex::new("198.51.100.1".parse().unwrap());
        let (second, count) = (OnceCell::new(), AtomicU32::new(0));
        let mut desk = Self { market, context, app, admin: nobody, mail, second, machine, count, from };
        desk.admin = desk.administrator("Ada").await;
        desk
    }

    /// Creates an administrator on the command line, who enrolls and signs in.
    async fn administrator(&self, name: &str) -> Person {
        let secrets = TotpSecrets::new(CONSOLE_KEY, Arc::new(SystemRandom)).unwrap();
        let email = format!("{}@example.org", name.to_lowercase());
        let new = NewOfficer { name: name.into(), email, role: Role::Administrator };
        let (_, token) = invite_officer(&self.context, &secrets, &new, "root", "the first").await.unwrap().unwrap();
        self.signs_in(&self.enrolls(&token).await).await
    }

    /// Returns the second administrator.
    pub(crate) async fn second(&self) -> Person {
        self.second.get_or_init(|| self.administrator("Sue")).await.clone()
    }

    /// Creates an officer in the console, whom the second administrator approves, and who enrolls and signs in.
    pub(crate) async fn officer(&self, name: &str, role: Role) -> Person {
        self.officer_of((&self.admin, &self.second().await), name, role).await
    }

    /// Does the same with these administrators: the one who creates the officer, and the one who approves it.
    pub(crate) async fn officer_of(&self, (creates, approves): (&Person, &Person), name: &str, role: Role) -> Person {
        let invited = self.invites(creates, name, role).await;
        self.sends_link(approves, &invited).await.ok();
        let person = self.enrolls(&self.mailed_token(&invited)).await;
        self.signs_in(&person).await
    }

    /// Creates an officer in the console. Returns the response.
    pub(crate) async fn invites(&self, creates: &Person, name: &str, role: Role) -> Value {
        let email = format!("{name}@example.org");
        let new = json!({"name": name, "email": email, "role": role.into_str(), "reason": "a new colleague"});
        self.post(creates, "/console/officers", &new).await.ok()
    }

    /// Sends an officer the setup link, as an administrator who has just seen the officer.
    pub(crate) async fn sends_link(&self, sender: &Person, officer: &Value) -> Got {
        let body = json!({"version": officer["version"], "reason": "I have spoken with the officer"});
        self.post(sender, &format!("/console/officers/{}/link", officer["id"].as_str().unwrap()), &body).await
    }

    /// Returns the token of the newest setup link in an officer's mailbox.
    pub(crate) fn mailed_token(&self, officer: &Value) -> String {
        let emails = self.mail.emails();
        let newest = emails.iter().rev().find(|email| officer["email"] == email.to.as_str()).unwrap();
        let (_, rest) = newest.text.split_once("https://mec2c.test/console/setup#").unwrap();
        rest.split_whitespace().next().unwrap().to_owned()
    }

    /// Sets up an officer's account with the token of a setup link.
    pub(crate) async fn enrolls(&self, token: &str) -> Person {
        let shown = self.post_open("/console/enrollment/begin", &json!({"token": token})).await.ok();
        let secret = unbase32(shown["secret"].as_str().unwrap());
        let sealed = self.seal(PASSWORD).await;
        let body = json!({"token": token, "newPassword": sealed, "code": self.code(&secret, 0)});
        self.post_open("/console/enrollment", &body).await.ok();
        let email = shown["email"].as_str().unwrap().to_owned();
        let mut tx = self.context.store.begin().await.unwrap();
        let account = store::console::accounts::by_email(&mut tx, &email).await.unwrap().unwrap();
        Person { id: account.officer.id.to_string(), email, secret, token: String::new() }
    }

    /// Waits for the next code, and signs in with it.
    pub(crate) async fn signs_in(&self, person: &Person) -> Person {
        self.pass(Duration::seconds(30));
        let got = self.tries(person, PASSWORD, &self.code(&person.secret, 0)).await;
        let token = cookie_of(&got);
        got.ok();
        Person { token, ..person.clone() }
    }

    /// Tries to sign in.
    pub(crate) async fn tries(&self, person: &Person, password: &str, code: &str) -> Got {
        let body = self.sign_in_body(person, password, code).await;
        self.post_open("/console/sign-in", &body).await
    }

    pub(crate) async fn sign_in_body(&self, person: &Person, password: &str, code: &str) -> Value {
        json!({"email": person.email, "password": self.seal(password).await, "code": code})
    }

    /// Returns the code that an app shows some steps from now.
    pub(crate) fn code(&self, secret: &[u8], steps: i64) -> String {
        code_at(secret, step_at(self.machine.now()) + steps)
    }

    /// Moves the machine's clock, but not the product's.
    pub(crate) fn pass(&self, span: Duration) {
        self.machine.0.fetch_add(span.num_seconds(), Ordering::Relaxed);
    }

    pub(crate) async fn now(&self) -> DateTime<Utc> {
        let mut tx = self.context.store.begin().await.unwrap();
        store::clock::read(&mut tx).await.unwrap().now(noon())
    }

    /// Moves the product's clock.
    pub(crate) async fn advance(&self, span: Duration) {
        let at = self.now().await + span;
        let mut tx = self.context.store.begin().await.unwrap();
        store::clock::set(&mut tx, Reading::Stopped { at }).await.unwrap();
        tx.commit().await.unwrap();
    }

    /// Makes further requests come from this network address.
    pub(crate) fn come_from(&self, address: &str) {
        *self.from.lock().unwrap() = address.parse().unwrap();
    }

    pub(crate) async fn send(&self, mut request: Request<Body>) -> Got {
        let peer = SocketAddr::new(*self.from.lock().unwrap(), 40_000);
        request.extensions_mut().insert(ConnectInfo(peer));
        let (method, path) = (request.method().clone(), request.uri().path().to_owned());
        let response = self.app.clone().oneshot(request).await.unwrap();
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        let body = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
        crate::conforming::check(&method, &path, status, &body);
        Got { status, headers, body }
    }

    pub(crate) fn key(&self) -> String {
        format!("key-{:08}", self.count.fetch_add(1, Ordering::Relaxed))
    }

    /// Sends a request with these session headers.
    pub(crate) async fn call(
        &self,
        (method, path): (&str, &str),
        session: &[(&str, String)],
        key: &str,
        body: &Value,
    ) -> Got {
        let mut request = Request::builder().method(method).uri(format!("/api{path}"));
        for (name, value) in session {
            request = request.header(*name, value);
        }
        let request = request
            .header(header::CONTENT_TYPE, "application/json")
            .header("language", "en_US")
            .header("idempotency-key", key);
        let body = if method == "GET" { Body::empty() } else { Body::from(body.to_string()) };
        self.send(request.body(body).unwrap()).await
    }

    pub(crate) async fn get(&self, person: &Person, path: &str) -> Got {
        self.call(("GET", path), &[("cookie", person.cookie())], "unused-key", &Value::Null).await
    }

    pub(crate) async fn post(&self, person: &Person, path: &str, body: &Value) -> Got {
        self.post_as(&self.key(), person, path, body).await
    }

    pub(crate) async fn post_as(&self, key: &str, person: &Person, path: &str, body: &Value) -> Got {
        self.call(("POST", path), &[("cookie", person.cookie())], key, body).await
    }

    /// Sends a command without a session.
    pub(crate) async fn post_open(&self, path: &str, body: &Value) -> Got {
        self.call(("POST", path), &[], &self.key(), body).await
    }

    /// Encrypts a password as a browser does.
    pub(crate) async fn seal(&self, secret: &str) -> Value {
        sealed(&self.call(("GET", "/user/secretKey"), &[], "unused-key", &Value::Null).await.ok(), secret)
    }

    /// Creates a user of the product with a session.
    pub(crate) async fn user(&self, name: &str) -> User {
        let trader = self.market.trader().await;
        let token = testkit::sessions::sign_in(&self.context.store, trader.id(), name, "-").await;
        User { id: trader.id().to_string(), trader, token }
    }

    /// Sends a request of a user.
    pub(crate) async fn as_user(&self, user: &User, (method, path): (&str, &str), body: &Value) -> Got {
        self.call((method, path), &[("authorization", user.token.clone())], &self.key(), body).await
    }

    /// Returns the newest entries of the audit log, oldest first: officer, action, subject kind and reason.
    pub(crate) async fn log(&self, most: i64) -> Vec<String> {
        let mut tx = self.context.store.begin().await.unwrap();
        let mut lines =
            store::console::audit::page(&mut tx, &store::console::audit::Filter::default(), None, most).await.unwrap();
        lines.reverse();
        lines
            .into_iter()
            .map(|line| {
                let reason = line.reason.map(|reason| format!(": {reason}")).unwrap_or_default();
                format!("{} {} {}{reason}", line.name, line.action, line.subject_kind)
            })
            .collect()
    }

    pub(crate) async fn log_length(&self) -> i64 {
        self.market.database.count("select count(*) from audit_log").await
    }
}

impl Person {
    pub(crate) fn cookie(&self) -> String {
        format!("{COOKIE}={}", self.token)
    }
}

/// Returns the session token that a response sets as a cookie; empty without one.
pub(crate) fn cookie_of(got: &Got) -> String {
    let set = got.headers.get(header::SET_COOKIE).map(|value| value.to_str().unwrap()).unwrap_or_default();
    let value = set.split(';').next().unwrap_or_default();
    value.strip_prefix(&format!("{COOKIE}=")).unwrap_or_default().to_owned()
}
