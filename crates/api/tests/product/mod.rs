//! The complete product, with fakes of its external services.

#![allow(dead_code, reason = "each test file uses its own part")]

use std::sync::Arc;
use std::time::Duration;

use api::middleware::{Limits, MaintenanceCheck, Middleware, Rate, RateLimitSettings, Window};
use api::realtime::Hub;
use api::{AccountSessions, ApiState};
use app::Context;
use app::identity::ports::SystemRandom;
use app::identity::{ChainType, HashSettings, Hasher, Identity, Ports, Settings};
use app::payment_methods::PaymentMethods;
use async_trait::async_trait;
use aws_lc_rs::rsa::{OAEP_SHA256_MGF1SHA256, OaepPublicEncryptingKey, PublicEncryptingKey};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use gateways::fakes::{BlankSlides, CountedVaults, KeptMail};
use gateways::{KeySource, PassSettings, SignedPass};
use serde_json::{Value, json};

/// The issuer of the pass.
pub(crate) const ISSUER: &str = "https://pass.example";

struct Open;

#[async_trait]
impl MaintenanceCheck for Open {
    async fn current(&self) -> Option<Window> {
        None
    }
}

pub(crate) fn identity(context: &Context, mail: KeptMail, keys: KeySource, chain_types: Vec<ChainType>) -> Identity {
    let pass = SignedPass::new(PassSettings {
        issuer: ISSUER.into(),
        audience: "mec2c".into(),
        keys,
        invite: format!("{ISSUER}/approve").parse().unwrap(),
        call_back: "https://mec2c.example/api/scan/callBack".parse().unwrap(),
    })
    .unwrap();
    let ports = Ports {
        mail: Arc::new(mail),
        pass: Arc::new(pass),
        vaults: Arc::new(CountedVaults),
        art: Arc::new(BlankSlides),
        random: Arc::new(SystemRandom),
    };
    let hasher = Hasher::new(HashSettings { memory: 8, passes: 1, at_once: 2, waiting: 64 }).unwrap();
    Identity::new(context.clone(), ports, Settings { chain_types, proof_of_work: 50 }, hasher)
}

pub(crate) fn middleware(identity: &Identity, limits: Limits) -> Middleware {
    Middleware {
        sessions: Arc::new(AccountSessions(identity.clone())),
        maintenance: Arc::new(Open),
        limits,
        web_root: None,
        proxies: Vec::new(),
        region_header: None,
        // A slow machine must not fail a test.
        time_out: Duration::from_hours(1),
    }
}

pub(crate) fn state(context: &Context, identity: Identity, middleware: Middleware, hub: &Arc<Hub>) -> ApiState {
    ApiState {
        middleware: Arc::new(middleware),
        context: context.clone(),
        executor: app::trading::Executor::new(context.clone()),
        identity,
        methods: PaymentMethods::new(context.clone()),
        hub: Arc::clone(hub),
        polls: Arc::new(api::Polls::new(context.clone())),
    }
}

/// Returns the product's state, without rate limits.
pub(crate) fn unlimited(context: &Context, hub: &Arc<Hub>) -> ApiState {
    let keys = KeySource::Url(format!("{ISSUER}/keys").parse().unwrap());
    let identity = identity(context, KeptMail::default(), keys, Vec::new());
    let free = RateLimitSettings::all(Rate { burst: 1_000_000, every: Duration::ZERO });
    let middleware = middleware(&identity, Limits::new(free, Arc::new(|| Duration::ZERO)));
    state(context, identity, middleware, hub)
}

/// Encrypts a password with a published key, as a browser does.
pub(crate) fn sealed(key: &Value, secret: &str) -> Value {
    let public = STANDARD.decode(key["publicKey"].as_str().unwrap()).unwrap();
    let public = OaepPublicEncryptingKey::new(PublicEncryptingKey::from_der(&public).unwrap()).unwrap();
    let plain = json!({"secret": secret, "nonce": key["nonce"]}).to_string();
    let mut cipher = vec![0; public.ciphertext_size()];
    let cipher = public.encrypt(&OAEP_SHA256_MGF1SHA256, plain.as_bytes(), &mut cipher, None).unwrap();
    json!({"keyId": key["keyId"], "cipher": STANDARD.encode(cipher)})
}
