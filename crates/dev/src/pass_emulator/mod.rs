//! The pass emulator: an identity app for development and tests, with keys of its own.
//!
//! It publishes its keys and signs real statements; the product cannot tell it from a pass that is connected by
//! configuration. Whoever opens its page may be anybody: it listens on this machine only, and never beside a product
//! that is not a development world.

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
use domain::people::KycLevel;
use reqwest::Url;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use store::Store;
use uuid::Uuid;

use keys::Keys;
use people::{Made, People};

/// How long a statement is good, in seconds.
const STATEMENT_LIFE: i64 = 120;
/// The page may load from here only, and be shown in no frame.
const POLICY: &str = "default-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'";

/// What the emulator stands on.
pub(crate) struct Settings<'a> {
    /// Its address, which is also the `iss` of its statements.
    pub(crate) issuer: String,
    /// The folder in which its key and its people are kept.
    pub(crate) folder: &'a Path,
    /// Accounts of the development chain, with the names of those who have one.
    pub(crate) accounts: Vec<(String, Address)>,
    /// The one product that it knows: the audience of its statements, and where it takes answers.
    pub(crate) audience: String,
    pub(crate) call_back: String,
    /// Tells the product's time, which a development world may move; without one it is the machine's.
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
    /// Reads its key and its people, or makes them.
    ///
    /// Refuses where the environment says that this is production.
    pub(crate) fn open(settings: Settings<'_>) -> anyhow::Result<Self> {
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

    /// Says of the person with an account what region and level they have, and their name.
    pub(crate) fn introduce(&self, account: Address, name: &str, region: &str, kyc: KycLevel) -> anyhow::Result<()> {
        let me_id = self.with_account(account)?.me_id;
        let said = Made { name: name.to_owned(), region: region.to_owned(), kyc: kyc.name().to_owned() };
        self.people.put(Some(&me_id), said).map(drop)
    }

    /// What its page does when the person with an account agrees to what an invitation asks: a signed statement.
    pub(crate) async fn agree(&self, account: Address, invitation: &str) -> anyhow::Result<String> {
        let invitation: Url = invitation.parse().context("the invitation is no address")?;
        let asks = |name: &str| {
            let found = invitation.query_pairs().find(|(known, _)| known == name).map(|(_, value)| value.into_owned());
            found.with_context(|| format!("the invitation names no {name}"))
        };
        let person = self.with_account(account)?;
        let asked = Asked {
            challenge: asks("challenge")?.parse().context("the challenge is no identifier")?,
            audience: asks("audience")?,
            callback: asks("callback")?,
            mode: Mode::Redirect,
            person: person.me_id.clone(),
            number: None,
        };
        self.state(&asked, &person, Decision::Approved).await
    }

    fn with_account(&self, account: Address) -> anyhow::Result<people::Person> {
        let all = self.people.all();
        all.into_iter().find(|person| person.address == account).context("the pass knows nobody with this account")
    }

    /// A signed statement about a person, for one challenge: what they decided, and the number that they picked.
    async fn state(&self, asked: &Asked, person: &people::Person, decision: Decision) -> anyhow::Result<String> {
        self.product.check(&asked.audience, &asked.callback)?;
        let now = self.now().await?.timestamp();
        Ok(self.keys.sign(&json!({
            "iss": &*self.issuer,
            "aud": asked.audience,
            "sub": person.me_id,
            "jti": hex::encode(rand::random::<[u8; 16]>()),
            "iat": now,
            "exp": now.saturating_add(STATEMENT_LIFE),
            "address": person.address,
            "region": person.region,
            "kyc": person.kyc,
            "challenge": asked.challenge,
            "decision": decision,
            "number": if asked.mode == Mode::Qr { asked.number } else { None },
        })))
    }

    /// Brings a statement to the product: ourselves for a QR, the browser by a redirect.
    async fn answer(&self, mode: Mode, statement: &str) -> anyhow::Result<Next> {
        let mut url = self.product.call_back.clone();
        url.query_pairs_mut().append_pair("statement", statement);
        if mode == Mode::Redirect {
            return Ok(Next { go: Some(url.to_string()) });
        }
        self.ask_product(url).await.map(|_| Next { go: None })
    }

    /// Asks the product something, and reads its envelope.
    async fn ask_product(&self, url: Url) -> anyhow::Result<Value> {
        let response = self.http.get(url).header("language", "en_US").send().await;
        let response = response.context("the product does not answer")?;
        let mut body: Value = response.json().await.context("the product's answer is no JSON")?;
        if body.get("code").and_then(Value::as_str) != Some("200") {
            let words = body.get("message").and_then(Value::as_str).unwrap_or("no reason given");
            bail!("the product refused: {words}");
        }
        Ok(body.get_mut("data").map(Value::take).unwrap_or_default())
    }

    /// What the product says of a challenge. The link or the QR may have been changed by whoever passed it on.
    async fn look(&self, challenge: Uuid) -> anyhow::Result<Value> {
        let url = self.product.call_back.join(&format!("challenge/{challenge}"))?;
        self.ask_product(url).await
    }
}

/// The product, as a pass registers it beforehand: answers go there and nowhere else, for whoever gets one is believed to
/// be the person.
struct Product {
    audience: String,
    call_back: Url,
}

impl Product {
    fn new(audience: String, call_back: &str) -> anyhow::Result<Self> {
        let url: Url = call_back.parse().context("the callback is no address")?;
        if !["http", "https"].contains(&url.scheme()) || !url.path().ends_with("/scan/callBack") {
            bail!("the callback is not one of the product");
        }
        Ok(Self { audience, call_back: url })
    }

    /// Refuses a request that names somebody else.
    fn check(&self, audience: &str, call_back: &str) -> anyhow::Result<()> {
        if audience != self.audience || call_back != self.call_back.as_str() {
            bail!("this pass does not know the site that asks");
        }
        Ok(())
    }
}

/// Whoever opens the emulator's page may be anybody, so it has no place beside real money.
fn refuse_production(mode: Option<&str>) -> anyhow::Result<()> {
    if mode.is_some_and(|mode| mode.eq_ignore_ascii_case("production")) {
        bail!("the pass emulator lets anybody be anybody: it does not run where MEC2C_MODE is production");
    }
    Ok(())
}

/// The page and its calls.
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

/// A call that could not be carried out, with the words for a person.
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
    /// By a scan from another device.
    #[default]
    Qr,
    /// In the browser that asks, or so the link says.
    Redirect,
}

/// What the person decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Decision {
    Approved,
    Declined,
}

/// What the product asks, as the page hands it on.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    challenge: Uuid,
    audience: String,
    callback: String,
    #[serde(default)]
    mode: Mode,
    /// Who answers.
    person: String,
    /// What they picked after a scan.
    #[serde(default)]
    number: Option<u8>,
}

/// A request that the page shows, before anybody answers it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Shown {
    challenge: Uuid,
    audience: String,
    callback: String,
}

/// Where the browser goes now, if anywhere.
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

/// Somebody new, or another region or level for somebody known.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Making {
    #[serde(default)]
    me_id: Option<String>,
    name: String,
    region: String,
    kyc: String,
}

async fn make(State(pass): State<PassEmulator>, Json(making): Json<Making>) -> Result<Json<people::Person>, Failure> {
    if making.name.trim().is_empty() || making.name.chars().count() > 40 {
        return Err(anyhow::anyhow!("a name has 1 to 40 characters").into());
    }
    let region = making.region.trim().to_ascii_uppercase();
    if region.len() != 2 || !region.bytes().all(|message| message.is_ascii_uppercase()) {
        return Err(anyhow::anyhow!("a region is two letters, as VN").into());
    }
    let kyc = KycLevel::of_name(&making.kyc).context("a level is none, basic or advanced")?;
    let made = Made { name: making.name.trim().to_owned(), region, kyc: kyc.name().to_owned() };
    Ok(Json(pass.people.put(making.me_id.as_deref(), made)?))
}

async fn request(State(pass): State<PassEmulator>, Json(shown): Json<Shown>) -> Result<Json<Value>, Failure> {
    pass.product.check(&shown.audience, &shown.callback)?;
    Ok(Json(pass.look(shown.challenge).await?))
}

async fn decide(pass: &PassEmulator, asked: &Asked, decision: Decision) -> anyhow::Result<Next> {
    let person = pass.people.get(&asked.person).context("there is no such person")?;
    let statement = pass.state(asked, &person, decision).await?;
    pass.answer(asked.mode, &statement).await
}

async fn approve(State(pass): State<PassEmulator>, Json(asked): Json<Asked>) -> Result<Json<Next>, Failure> {
    if asked.mode == Mode::Qr && asked.number.is_none() {
        return Err(anyhow::anyhow!("pick the number that the site shows").into());
    }
    Ok(Json(decide(&pass, &asked, Decision::Approved).await?))
}

async fn deny(State(pass): State<PassEmulator>, Json(asked): Json<Asked>) -> Result<Json<Next>, Failure> {
    Ok(Json(decide(&pass, &Asked { number: None, ..asked }, Decision::Declined).await?))
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
    fn answers_go_to_the_products_call_only() {
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
    async fn its_statement_is_believed_by_what_checks_a_pass() {
        use app::identity::ports::Pass;

        let folder = tempfile::tempdir().unwrap();
        let account = Address([7; 20]);
        let open = || {
            PassEmulator::open(Settings {
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
        let statement = pass.state(&asked, &amina, Decision::Approved).await.unwrap();
        let by_redirect = Asked { mode: Mode::Redirect, person: amina.me_id.clone(), ..asked };
        let unpicked = pass.state(&by_redirect, &amina, Decision::Approved).await.unwrap();
        let no = pass.state(&by_redirect, &amina, Decision::Declined).await.unwrap();
        // Started again, it has the same key and the same people.
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
        assert_eq!((credited.me_id, credited.address, credited.challenge.as_str()), (amina.me_id, account, challenge));
        assert_eq!(credited.decision, domain::identity::person::Decision::Approved { number: Some(42) });
        for (statement, decision) in [
            (unpicked, domain::identity::person::Decision::Approved { number: None }),
            (no, domain::identity::person::Decision::Declined),
        ] {
            assert_eq!(checker.verify(&statement, Utc::now()).await.unwrap().decision, decision);
        }
    }
}
