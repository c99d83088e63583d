//! The demo world has data for a visitor to explore, and its ledger agrees with the chain.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use app::identity::ports::SystemRandom;
use app::{Clock, Context, SystemTime};
use aws_lc_rs::rsa::{OAEP_SHA256_MGF1SHA256, OaepPublicEncryptingKey, PublicEncryptingKey};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chain::node::{At, Node as _};
use chain::rpc::RpcNode;
use domain::chain::{ChainId, Token};
use domain::money::Amount;
use rustix::process::Signal;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use store::{Options, Store};

use crate::started::{Started, client, finished, get, until};

const PAIRS: [(&str, &str); 5] = [("MEC", "USDT"), ("MEC", "CNY"), ("MEC", "KRW"), ("USDT", "EUR"), ("USDT", "NGN")];

/// An HTTP client that acts like a visitor's browser.
pub(super) struct Browser<'a> {
    pub(super) environment: &'a Started,
    pub(super) token: Option<String>,
}

impl Browser<'_> {
    fn url(&self, path: &str) -> String {
        format!("{}/api{path}", self.environment.address("MEC2C"))
    }

    pub(super) async fn get(&self, path: &str) -> Value {
        self.send(client().get(self.url(path))).await
    }

    pub(super) async fn post(&self, key: &str, path: &str, body: &Value) -> Value {
        self.send(client().post(self.url(path)).header("idempotency-key", key).json(body)).await
    }

    async fn send(&self, mut request: reqwest::RequestBuilder) -> Value {
        if let Some(token) = &self.token {
            request = request.header("authorization", token);
        }
        let answer: Value = request.send().await.unwrap().json().await.unwrap();
        assert_eq!(answer["code"], "200", "{answer}");
        answer["data"].clone()
    }

    /// Encrypts a password as a browser does.
    async fn seal(&self, secret: &str) -> Value {
        let key = self.get("/user/secretKey").await;
        let public = STANDARD.decode(key["publicKey"].as_str().unwrap()).unwrap();
        let public = OaepPublicEncryptingKey::new(PublicEncryptingKey::from_der(&public).unwrap()).unwrap();
        let plain = json!({ "secret": secret, "nonce": key["nonce"] }).to_string();
        let mut cipher = vec![0; public.ciphertext_size()];
        let cipher = public.encrypt(&OAEP_SHA256_MGF1SHA256, plain.as_bytes(), &mut cipher, None).unwrap();
        json!({ "keyId": key["keyId"], "cipher": STANDARD.encode(cipher) })
    }

    /// Solves a slide check with the answer from the clock's page.
    async fn slide(&self) -> Value {
        let slide = self.get("/slide").await;
        let control = self.environment.address("Clock").replace("/clock", "/slides");
        let (_, answer) = get(format!("{control}/{}", slide["id"].as_str().unwrap())).await;
        let x = answer["x"].as_u64().unwrap();
        let (salt, hash) = (slide["salt"].as_str().unwrap(), slide["hash"].as_str().unwrap());
        let most = slide["most"].as_u64().unwrap();
        let right = |number: &u64| hex::encode(Sha256::digest(format!("{salt}{number}"))) == hash;
        let number = (0..=most).find(right).unwrap();
        let trail =
            json!([{ "t": 0, "x": 0 }, { "t": 150, "x": x / 3 }, { "t": 260, "x": x / 2 }, { "t": 400, "x": x }]);
        let answer = json!({ "id": slide["id"], "x": x, "trail": trail, "number": number });
        self.post(&format!("slides-{}", slide["id"].as_str().unwrap()), "/slide/verify", &answer).await["token"].clone()
    }

    pub(super) async fn log_in(&mut self, email: &str, password: &str) -> Value {
        let slide = self.slide().await;
        let body = json!({ "email": email, "password": self.seal(password).await, "slideToken": slide });
        let opened = self.post(&hex::encode(Sha256::digest(slide.as_str().unwrap())), "/user/login", &body).await;
        self.token = Some(opened["token"].as_str().unwrap().to_owned());
        opened["userId"].clone()
    }
}

fn number(value: &Value) -> f64 {
    value.as_str().unwrap_or_else(|| panic!("{value}")).parse().unwrap()
}

/// Returns the password that was printed after these words.
pub(super) fn printed(environment: &Started, words: &str) -> String {
    let (_, rest) = environment.output.split_once(words).unwrap_or_else(|| panic!("{words}: {}", environment.output));
    rest.trim_start().split([' ', ':']).next().unwrap().to_owned()
}

/// Connects to the product's database.
pub(super) fn context(environment: &Started) -> Context {
    let configuration = environment.configuration();
    let database = |key: &str| configuration["database"][key].as_str().unwrap().to_owned();
    let password = std::fs::read_to_string(database("password_file")).unwrap();
    let url = database("url").replacen('@', &format!(":{}@", password.trim()), 1);
    let store =
        Store::connect(&Options { url, connections: 2, patience: Duration::from_secs(10), untested: Duration::ZERO })
            .unwrap();
    Context::new(store, Clock::Shared(Arc::new(SystemTime)), Arc::new(SystemRandom))
}

/// Asserts that every vault holds the amounts in the ledger.
async fn ledger_and_chain_agree(environment: &Started) {
    let chain = RpcNode::new(&environment.address("Node"), Duration::from_secs(10)).unwrap();
    let custody = app::chain::custody(&context(environment), ChainId(31_337), None).await.unwrap().unwrap().custody;
    for vault in &custody {
        let held = chain.holding(vault.token, vault.vault, At::Latest).await.unwrap();
        assert_eq!(i128::try_from(held).unwrap(), vault.held.units(), "{vault:?}");
    }
    let full = custody.iter().filter(|vault| !vault.held.is_zero()).count();
    assert!(full >= 10, "only {full} vaults hold coins");
}

#[tokio::test]
async fn a_new_environment_has_the_demo_world_and_keeps_it() {
    let folder = tempfile::tempdir().unwrap();
    let first = Started::with_demo(folder.path()).await;
    let mut visitor = Browser { environment: &first, token: None };

    // Several users have adverts in several pairs, at least one of them automatic.
    let (mut sellers, mut kinds, mut fast) = (BTreeSet::new(), BTreeSet::new(), false);
    let (login, security) = (printed(&first, "login password"), printed(&first, "security password"));
    assert_ne!(login, security);
    let user = visitor.log_in("minjun@demo.test", &login).await;
    for (base, quote) in PAIRS {
        let page = visitor.get(&format!("/c2c/advert/page?side=SELL&base={base}&quote={quote}")).await;
        let adverts = page["records"].as_array().unwrap();
        assert!(!adverts.is_empty(), "no one sells {base} for {quote}");
        for advert in adverts {
            sellers.insert(advert["advertiser"]["nickname"].to_string());
            kinds.insert(advert["kind"].to_string());
            fast |= advert["advertiser"]["fast"] == true;
        }
    }
    assert!(sellers.len() >= 6 && kinds.len() == 2 && fast, "{sellers:?} {kinds:?} {fast}");
    // Others buy, one of them automatically.
    for (quote, kinds) in [("KRW", vec!["MANUAL"]), ("CNY", vec!["MANUAL"]), ("USDT", vec!["AUTOMATIC", "MANUAL"])] {
        let page = visitor.get(&format!("/c2c/advert/page?side=BUY&base=MEC&quote={quote}")).await;
        let mut found: Vec<_> = page["records"].as_array().unwrap().iter().map(|advert| &advert["kind"]).collect();
        found.sort_by_key(ToString::to_string);
        assert_eq!(found, kinds, "{page}");
    }

    // Statistics of the day and of the year.
    let today = visitor.get("/market/stats?base=MEC&quote=USDT").await;
    assert!(number(&today["low24h"]) <= number(&today["latest"]) && number(&today["volume24h"]) > 0.0, "{today}");
    let year = visitor.get("/order/price/thread/new/page?base=MEC&quote=USDT&range=1Y").await;
    let days: Vec<_> = year["records"].as_array().unwrap().iter().map(|bucket| bucket["at"].to_string()).collect();
    let months: BTreeSet<_> = days.iter().map(|day| day[1..8].to_owned()).collect();
    assert!(days.len() >= 40 && months.len() >= 12, "{days:?}");

    // A logged-in user finds their orders, balances and records.
    let info = visitor.get(&format!("/user/info/{}", user.as_str().unwrap())).await;
    assert_eq!(info["nickname"], "MinjunBusan");
    let orders = visitor.get("/c2c/deal/order/page?finish=false").await;
    assert_eq!(orders["records"][0]["state"], "AWAITING_CONFIRMATION", "{orders}");
    let chats = visitor.get("/user/fiat/talk/talkList").await;
    assert_eq!((&chats["total"], &chats["records"][0]["last"]["author"]), (&1.into(), &"BUYER".into()), "{chats}");
    ledger_and_chain_agree(&first).await;

    let token = visitor.token;
    let people = first.output.matches("@demo.test ").count();
    first.signal(Signal::TERM);
    assert!(finished(first.child).await.0.success());
    let second = Started::with_demo(folder.path()).await;
    assert!(!second.output.contains("people have accounts"), "it was seeded twice: {}", second.output);
    assert_eq!(second.output.matches("@demo.test ").count(), people);
    let visitor = Browser { environment: &second, token };
    assert_eq!(visitor.get("/c2c/deal/order/page?finish=false").await["total"], orders["total"]);
    hana_confirms(&second, &login, &security).await;
    ada_signs_in(&second, &login).await;
    ledger_and_chain_agree(&second).await;
    records_add_up(&second, &login).await;
    second.signal(Signal::TERM);
    assert!(finished(second.child).await.0.success());
}

/// Asserts that each user's fund records add up to temporary balance and escrow minus debts.
async fn records_add_up(environment: &Started, login: &str) {
    let emails: BTreeSet<_> =
        environment.output.split_whitespace().filter(|word| word.ends_with("@demo.test")).collect();
    assert!(emails.len() >= 11, "{emails:?}");
    let mut kinds = BTreeSet::new();
    for email in emails {
        let mut person = Browser { environment, token: None };
        person.log_in(email, login).await;
        let mut sums: BTreeMap<String, i128> = BTreeMap::new();
        let mut read = 0;
        for page in 1.. {
            let records = person.get(&format!("/balance/detail?page={page}&size=100")).await;
            for record in records["records"].as_array().unwrap() {
                let (asset, effect) = (record["asset"].as_str().unwrap(), record["effect"].as_str().unwrap());
                let units = Amount::parse(effect.trim_start_matches('-'), 18).unwrap().units();
                *sums.entry(asset.to_owned()).or_default() += if effect.starts_with('-') { -units } else { units };
                kinds.insert(format!("{} {}", record["type"], record["direction"]));
                read += 1;
            }
            if records["records"].as_array().unwrap().is_empty() {
                assert_eq!(records["total"], read);
                break;
            }
        }
        let balance = person.get("/balance").await;
        for line in balance["lines"].as_array().unwrap() {
            let units = |part: &str| Amount::parse(line[part].as_str().unwrap(), 18).unwrap().units();
            let has = units("temporary") + units("inAdverts") + units("inOrders") - units("debt");
            let sum = sums.get(line["asset"].as_str().unwrap()).copied().unwrap_or(0);
            assert_eq!(sum, has, "{email}: {line}");
        }
    }
    for kind in ["RELEASE", "PAYMENT"] {
        for direction in ["OUT", "DIRECT"] {
            assert!(kinds.contains(&format!("\"{kind}\" \"{direction}\"")), "{kind} {direction}: {kinds:?}");
        }
    }
}

/// Follows the first printed suggestion: confirms the waiting order, whose coins then arrive on the chain.
async fn hana_confirms(environment: &Started, login: &str, security: &str) {
    let mut hana = Browser { environment, token: None };
    hana.log_in("hana@demo.test", login).await;
    let order = hana.get("/c2c/deal/order/page?finish=false").await["records"][0].clone();
    let (id, receives) = (order["id"].as_str().unwrap(), order["receives"].as_str().unwrap());
    let chain = RpcNode::new(&environment.address("Node"), Duration::from_secs(10)).unwrap();
    let minjun = order["receivingAddress"].as_str().unwrap().to_lowercase().parse().unwrap();
    let balance = async || i128::try_from(chain.holding(Token::Native, minjun, At::Latest).await.unwrap()).unwrap();
    let before = balance().await;
    let body = json!({ "version": order["version"], "securityCode": hana.seal(security).await });
    hana.post("hana-confirms", &format!("/c2c/deal/order/confirm/{id}"), &body).await;
    until("the order is completed", async || hana.get(&format!("/c2c/deal/order/{id}")).await["state"] == "COMPLETED")
        .await;
    assert_eq!(balance().await - before, Amount::parse(receives, 18).unwrap().units());
    assert!(number(&order["receives"]) > 59.0, "{order}");
}

/// Signs in to the console with the printed password and secret.
async fn ada_signs_in(environment: &Started, password: &str) {
    let (_, after) = environment.output.split_once("in their authenticator app:").unwrap();
    let secret = b"demo-officer-secret!";
    assert_eq!(after.split_whitespace().next(), Some(app::console::base32(secret).as_str()));
    let ada = Browser { environment, token: None };
    // The next code, because the current one may be the one with which the officer enrolled.
    let code = app::console::code_at(secret, app::console::step_at(chrono::Utc::now()) + 1);
    let body = json!({ "email": "ada@officers.test", "password": ada.seal(password).await, "code": code });
    let opened = ada.post("ada-signs-in", "/console/sign-in", &body).await;
    assert!(opened["expiresAt"].is_string(), "{opened}");
}

#[tokio::test]
async fn an_interrupted_seed_starts_over() {
    let folder = tempfile::tempdir().unwrap();
    let killed = Started::start(folder.path(), &[], "people have accounts").await;
    killed.signal(Signal::KILL);
    finished(killed.child).await;

    let restarted = Started::new(folder.path()).await;
    assert!(restarted.output.contains("starting over"), "{}", restarted.output);
    let mut tx = context(&restarted).store.begin().await.unwrap();
    let native = store::catalog::assets(&mut tx).await.unwrap()[0].id;
    let vaults = store::ledger::custody_page(&mut tx, Some(native), None, 1).await.unwrap();
    assert_eq!(vaults, [], "an empty environment has no users");
    drop(tx);
    restarted.signal(Signal::TERM);
    assert!(finished(restarted.child).await.0.success());
}
