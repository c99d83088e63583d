//! The pass emulator: an identity app for development and tests.
//!
//! It publishes its own keys and signs valid assertions, so a product that is configured to use it cannot tell it from
//! a real pass. Anyone who opens its page can act as any person. Therefore it listens on the loopback address only and
//! refuses to run in production.

pub(crate) mod command;
mod keys;
mod people;

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, bail};
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use chrono::{DateTime, Utc};
use domain::chain::Address;
use domain::users::KycLevel;
use reqwest::Url;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use store::Store;
use uuid::Uuid;

use keys::Keys;
use people::{Made, People, me_id};

/// The lifetime of an assertion, in seconds.
const STATEMENT_LIFETIME: i64 = 120;
/// The page may load resources only from its own origin and must not be framed.
const POLICY: &str = "default-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'";

pub(crate) struct EmulatorSettings<'a> {
    /// Its URL, which is also the `iss` of its assertions.
    pub(crate) issuer: String,
    /// The folder for its key and its people.
    pub(crate) folder: &'a Path,
    /// Accounts of the development chain, each with a name.
    pub(crate) accounts: Vec<(String, Address)>,
    /// The `aud` of its assertions. The emulator knows only one product.
    pub(crate) audience: String,
    pub(crate) call_back: String,
    /// The product's database, to use the product's clock. Without it, the machine's clock is used.
    pub(crate) time: Option<Store>,
}

/// The emulator. Cheap to clone.
#[derive(Clone)]
pub(crate) struct PassEmulator {
    issuer: Arc<str>,
    keys: Arc<Keys>,
    people: Arc<People>,
    product: Arc<Product>,
    time: Option<Store>,
    http: reqwest::Client,
}

impl PassEmulator {
    /// Reads the key and the people, or creates them.
    ///
    /// Fails if `MEC2C_MODE` is `production`.
    pub(crate) fn open(settings: EmulatorSettings<'_>) -> anyhow::Result<Self> {
        refuse_production(std::env::var("MEC2C_MODE").ok().as_deref())?;
        let http = reqwest::Client::builder()
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .timeout(std::time::Duration::from_secs(10))
            .build()?;
        Ok(Self {
            issuer: settings.issuer.into(),
            keys: Arc::new(Keys::open(&settings.folder.join("pass-key.der"))?),
            people: Arc::new(People::open(settings.folder.join("pass-people.json"), settings.accounts)?),
            product: Arc::new(Product::new(settings.audience, &settings.call_back)?),
            time: settings.time,
            http,
        })
    }

    async fn now(&self) -> anyhow::Result<DateTime<Utc>> {
        let machine = Utc::now();
        let Some(store) = &self.time else { return Ok(machine) };
        let mut tx = store.begin().await?;
        Ok(store::clock::read(&mut tx).await?.now(machine))
    }

    /// Sets the name, region and KYC level of the person with this account.
    pub(crate) fn introduce(&self, account: Address, name: &str, region: &str, kyc: KycLevel) -> anyhow::Result<()> {
        let person = self.with_account(account)?;
        let said = Made {
            name: name.to_owned(),
            region: region.to_owned(),
            kyc: kyc.into_str().to_owned(),
            address: Some(person.address).filter(|address| *address != account),
        };
        self.people.put(Some(&person.me_id), said).map(drop)
    }

    /// Approves an invitation as the person with this account and returns the signed assertion, like the page.
    pub(crate) async fn agree(&self, account: Address, invitation: &str) -> anyhow::Result<String> {
        let invitation: Url = invitation.parse().context("the invitation is not a URL")?;
        let asks = |name: &str| {
            let found = invitation.query_pairs().find(|(known, _)| known == name).map(|(_, value)| value.into_owned());
            found.with_context(|| format!("the invitation has no parameter {name}"))
        };
        let person = self.with_account(account)?;
        let asked = Asked {
            challenge: asks("challenge")?.parse().context("the challenge is not a UUID")?,
            audience: asks("audience")?,
            callback: asks("callback")?,
            mode: Mode::Redirect,
            person: person.me_id.clone(),
            number: None,
        };
        self.state(&asked, &person, Answer::Approved).await
    }

    fn with_account(&self, account: Address) -> anyhow::Result<people::Person> {
        self.people.get(&me_id(account)).context("no person in the pass has this account")
    }

    /// Signs an assertion about a person's decision on a challenge, with the number that they chose.
    async fn state(&self, asked: &Asked, person: &people::Person, answer: Answer) -> anyhow::Result<String> {
        self.product.check(&asked.audience, &asked.callback)?;
        let now = self.now().await?.timestamp();
        Ok(self.keys.sign(&json!({
            "iss": &*self.issuer,
            "aud": asked.audience,
            "sub": person.me_id,
            "jti": hex::encode(rand::random::<[u8; 16]>()),
            "iat": now,
            "exp": now.saturating_add(STATEMENT_LIFETIME),
            "address": person.address,
            "region": person.region,
            "kyc": person.kyc,
            "challenge": asked.challenge,
            "decision": answer,
            "number": if asked.mode == Mode::Qr { asked.number } else { None },
        })))
    }

    /// Delivers an assertion: sends it to the product after a QR scan, or redirects the browser with it.
    async fn answer(&self, mode: Mode, statement: &str) -> anyhow::Result<Next> {
        let mut url = self.product.call_back.clone();
        url.query_pairs_mut().append_pair("statement", statement);
        if mode == Mode::Redirect {
            return Ok(Next { go: Some(url.to_string()) });
        }
        self.ask_product(url).await.map(|_| Next { go: None })
    }

    /// Sends a request to the product and unwraps the response.
    async fn ask_product(&self, url: Url) -> anyhow::Result<Value> {
        let response = self.http.get(url).header("language", "en_US").send().await;
        let response = response.context("the product does not respond")?;
        let mut body: Value = response.json().await.context("the product's response is not JSON")?;
        if body.get("code").and_then(Value::as_str) != Some("200") {
            let words = body.get("message").and_then(Value::as_str).unwrap_or("no reason given");
            bail!("the product refused: {words}");
        }
        Ok(body.get_mut("data").map(Value::take).unwrap_or_default())
    }

    /// Asks the product for the description of a challenge. The parameters of the URL are not trusted, because an
    /// attacker may have altered them.
    async fn look(&self, challenge: Uuid) -> anyhow::Result<Value> {
        let url = self.product.call_back.join(&format!("challenge/{challenge}"))?;
        self.ask_product(url).await
    }
}

/// The product as registered with the pass. Assertions are sent only to its callback, because anyone who holds an
/// assertion can act as the person.
struct Product {
    audience: String,
    call_back: Url,
}

impl Product {
    fn new(audience: String, call_back: &str) -> anyhow::Result<Self> {
        let url: Url = call_back.parse().context("the callback is not a URL")?;
        if !["http", "https"].contains(&url.scheme()) || !url.path().ends_with("/scan/callBack") {
            bail!("the callback is not a URL of the product");
        }
        Ok(Self { audience, call_back: url })
    }

    /// Rejects a request for another audience or callback.
    fn check(&self, audience: &str, call_back: &str) -> anyhow::Result<()> {
        if audience != self.audience || call_back != self.call_back.as_str() {
            bail!("the site that sent this request is not registered with the pass");
        }
        Ok(())
    }
}

/// Fails in production, because anyone who opens the page can act as any person.
fn refuse_production(mode: Option<&str>) -> anyhow::Result<()> {
    if mode.is_some_and(|mode| mode.eq_ignore_ascii_case("production")) {
        bail!("the pass emulator lets anyone act as anyone; it does not run when MEC2C_MODE is production");
    }
    Ok(())
}

pub(crate) fn router(pass: PassEmulator) -> Router {
    Router::new()
        .route("/jwks.json", get(jwks))
        .route("/authorize", get(|| async { file("text/html; charset=utf-8", include_str!("page.html")) }))
        .route("/", get(|| async { file("text/html; charset=utf-8", include_str!("page.html")) }))
        .route("/page.css", get(|| async { file("text/css; charset=utf-8", include_str!("page.css")) }))
        .route("/page.js", get(|| async { file("text/javascript; charset=utf-8", include_str!("page.js")) }))
        .route("/people", get(list).post(make))
        .route("/request", post(request))
        .route("/approve", post(approve))
        .route("/deny", post(deny))
        .with_state(pass)
}

fn file(kind: &'static str, text: &'static str) -> impl IntoResponse {
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::CACHE_CONTROL, "no-store"),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::REFERRER_POLICY, "no-referrer"),
    ];
    (headers, text)
}

/// An error response with a message for people.
struct Failure(anyhow::Error);

impl<E: Into<anyhow::Error>> From<E> for Failure {
    fn from(error: E) -> Self {
        Self(error.into())
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        (StatusCode::BAD_REQUEST, Json(json!({ "error": format!("{:#}", self.0) }))).into_response()
    }
}

/// How a request reached the pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Mode {
    /// Through a QR code, from another device.
    #[default]
    Qr,
    /// Through a link in the same browser. The link may have been altered.
    Redirect,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Answer {
    Approved,
    Declined,
}

/// The answer to a request, with the parameters of the request, which the page passes on.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    challenge: Uuid,
    audience: String,
    callback: String,
    #[serde(default)]
    mode: Mode,
    /// The ME ID of the person who answers.
    person: String,
    /// The number that the person chose after scanning.
    #[serde(default)]
    number: Option<u8>,
}

/// A request to display.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Shown {
    challenge: Uuid,
    audience: String,
    callback: String,
}

/// The URL to which the browser is redirected, if any.
#[derive(Debug, Serialize)]
struct Next {
    go: Option<String>,
}

async fn jwks(State(pass): State<PassEmulator>) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], pass.keys.jwks())
}

async fn list(State(pass): State<PassEmulator>) -> Result<Json<Vec<people::Person>>, Failure> {
    Ok(Json(pass.people.all()))
}

/// A new person, or changes to an existing one (`me_id`).
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Making {
    #[serde(default)]
    me_id: Option<String>,
    name: String,
    region: String,
    kyc: String,
    /// Where the person has moved on the chain.
    #[serde(default)]
    address: Option<Address>,
}

async fn make(State(pass): State<PassEmulator>, Json(making): Json<Making>) -> Result<Json<people::Person>, Failure> {
    if making.name.trim().is_empty() || making.name.chars().count() > 40 {
        return Err(anyhow::anyhow!("the name must have 1 to 40 characters").into());
    }
    let region = making.region.trim().to_ascii_uppercase();
    if region.len() != 2 || !region.bytes().all(|message| message.is_ascii_uppercase()) {
        return Err(anyhow::anyhow!("the region must be two letters, such as VN").into());
    }
    let kyc = making.kyc.parse::<KycLevel>().context("the level must be none, basic or advanced")?;
    let made =
        Made { name: making.name.trim().to_owned(), region, kyc: kyc.into_str().to_owned(), address: making.address };
    Ok(Json(pass.people.put(making.me_id.as_deref(), made)?))
}

async fn request(State(pass): State<PassEmulator>, Json(shown): Json<Shown>) -> Result<Json<Value>, Failure> {
    pass.product.check(&shown.audience, &shown.callback)?;
    Ok(Json(pass.look(shown.challenge).await?))
}

async fn decide(pass: &PassEmulator, asked: &Asked, answer: Answer) -> anyhow::Result<Next> {
    let person = pass.people.get(&asked.person).context("no such person")?;
    let statement = pass.state(asked, &person, answer).await?;
    pass.answer(asked.mode, &statement).await
}

async fn approve(State(pass): State<PassEmulator>, Json(asked): Json<Asked>) -> Result<Json<Next>, Failure> {
    if asked.mode == Mode::Qr && asked.number.is_none() {
        return Err(anyhow::anyhow!("choose the number that the site shows").into());
    }
    Ok(Json(decide(&pass, &asked, Answer::Approved).await?))
}

async fn deny(State(pass): State<PassEmulator>, Json(asked): Json<Asked>) -> Result<Json<Next>, Failure> {
    Ok(Json(decide(&pass, &Asked { number: None, ..asked }, Answer::Declined).await?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CALL_BACK: &str = "http://127.0.0.1:8080/api/scan/callBack";

    #[test]
    fn it_does_not_run_in_production() {
        assert!(refuse_production(Some("Production")).is_err());
        assert!(refuse_production(Some("development")).is_ok() && refuse_production(None).is_ok());
    }

    #[test]
    fn assertions_go_only_to_the_registered_callback() {
        let product = Product::new("mec2c".into(), CALL_BACK).unwrap();
        assert!(product.check("mec2c", CALL_BACK).is_ok());
        for (audience, text) in [
            ("mec2c", "http://127.0.0.1:9999/api/scan/callBack"),
            ("mec2c", "https://evil.example/api/scan/callBack"),
            ("another", CALL_BACK),
        ] {
            assert!(product.check(audience, text).is_err(), "{audience} at {text}");
        }
        for text in ["file:///etc/passwd", "http://127.0.0.1:8080/api/other", "nonsense"] {
            assert!(Product::new("mec2c".into(), text).is_err(), "{text}");
        }
    }

    #[tokio::test]
    async fn its_assertions_are_accepted_by_the_pass_gateway() {
        use app::identity::ports::Pass;

        let folder = tempfile::tempdir().unwrap();
        let account = Address([7; 20]);
        let open = || {
            PassEmulator::open(EmulatorSettings {
                issuer: "http://127.0.0.1:8082".into(),
                folder: folder.path(),
                accounts: vec![("Amina".into(), account)],
                audience: "mec2c".into(),
                call_back: CALL_BACK.into(),
                time: None,
            })
            .unwrap()
        };
        let pass = open();
        let amina = pass.people.all().remove(0);
        let challenge = "0190163d-8694-739b-aea5-966c26f8ad91";
        let asked = Asked {
            challenge: challenge.parse().unwrap(),
            audience: "mec2c".into(),
            callback: CALL_BACK.into(),
            mode: Mode::Qr,
            person: amina.me_id.clone(),
            number: Some(42),
        };
        let statement = pass.state(&asked, &amina, Answer::Approved).await.unwrap();
        let by_redirect = Asked { mode: Mode::Redirect, person: amina.me_id.clone(), ..asked };
        let unpicked = pass.state(&by_redirect, &amina, Answer::Approved).await.unwrap();
        let no = pass.state(&by_redirect, &amina, Answer::Declined).await.unwrap();
        // After a restart, the key and the people are the same.
        let keys = folder.path().join("jwks.json");
        std::fs::write(&keys, open().keys.jwks()).unwrap();
        assert_eq!(open().people.all()[0].me_id, amina.me_id);
        let checker = gateways::SignedPass::new(gateways::PassSettings {
            issuer: "http://127.0.0.1:8082".into(),
            audience: "mec2c".into(),
            keys: gateways::KeySource::File(keys),
            invite: "http://127.0.0.1:8082/authorize".parse().unwrap(),
            call_back: CALL_BACK.parse().unwrap(),
        })
        .unwrap();
        let credited = checker.verify(&statement, Utc::now()).await.unwrap();
        assert_eq!(
            (credited.me_id, credited.address, credited.challenge.as_str()),
            (amina.me_id, Some(account), challenge)
        );
        assert_eq!(credited.answer, domain::identity::statement::Answer::Approved { number: Some(42) });
        for (statement, answer) in [
            (unpicked, domain::identity::statement::Answer::Approved { number: None }),
            (no, domain::identity::statement::Answer::Declined),
        ] {
            assert_eq!(checker.verify(&statement, Utc::now()).await.unwrap().answer, answer);
        }
    }
}
