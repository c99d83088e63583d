//! The complete product, with fakes of its external services.

#![allow(dead_code, reason = "each test file uses its own part")]

use std::sync::Arc;
use std::time::Duration;

use api::middleware::{Limits, MaintenanceCheck, Middleware, Rate, RateLimitSettings, Window};
use api::realtime::Hub;
use api::{AccountSessions, ApiState, HallRows, Services};
use app::Context;
use app::appeals::AppealFigures;
use app::console::{Console, PayoutChain, TotpSecrets, UnlistedNft, VoidCall};
use app::files::{FileSettings, Files};
use app::identity::ports::SystemRandom;
use app::identity::{ChainType, HashSettings, Hasher, Identity, IdentitySettings, Ports};
use app::market::hall::Hall;
use app::memory::feed::{Feed, Follower};
use app::order_record::{OrderRecords, RecordKeys};
use app::payment_methods::PaymentMethods;
use async_trait::async_trait;
use aws_lc_rs::rsa::{OAEP_SHA256_MGF1SHA256, OaepPublicEncryptingKey, PublicEncryptingKey};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use domain::assets::AssetId;
use domain::chain::{Address, Reference, TxHash};
use domain::ids::UserId;
use domain::nfts::TokenId;
use gateways::fakes::{BlankSlides, CountedVaults, KeptMail};
use gateways::{CleanedPictures, KeySource, ObjectFiles, PassSettings, SignedPass};
use serde_json::{Value, json};
use tokio::sync::Mutex;
use uuid::Uuid;

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
    Identity::new(context.clone(), ports, IdentitySettings { chain_types, proof_of_work: 50 }, hasher)
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
        upload_time_out: Duration::from_hours(1),
    }
}

/// The key of the console.
pub(crate) const CONSOLE_KEY: &str = "5c0ffee05c0ffee05c0ffee05c0ffee05c0ffee05c0ffee05c0ffee05c0ffee0";

/// The product's address in emails.
pub(crate) const PUBLIC_URL: &str = "https://mec2c.test/";

/// The key that signs the records of orders.
pub(crate) const RECORD_KEY: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

/// Finds these differences between ledger and chain, encodes a call as its reference, and finds one NFT to return in each transaction.
/// The real comparison, encoding and search are tested in the worker.
#[derive(Default)]
pub(crate) struct Differences(pub(crate) Vec<String>);

#[async_trait]
impl PayoutChain for Differences {
    async fn differences(&self, _: AssetId) -> app::Result<Vec<String>> {
        Ok(self.0.clone())
    }

    fn void_call(&self, reference: Reference) -> app::Result<VoidCall> {
        let data = reference.0.to_be_bytes().to_vec();
        Ok(VoidCall { reference, escrow: Address([0xe5; 20]), data })
    }

    async fn unlisted_nfts(&self, tx: TxHash) -> app::Result<Vec<UnlistedNft>> {
        Ok(vec![UnlistedNft {
            user: UserId(Uuid::from_u128(7)),
            vault: Address([0x7a; 20]),
            collection: Address([0xc0; 20]),
            token_id: TokenId([0xff; 32]),
            recipient: Address([0x5e; 20]),
            call: (Address([0xe5; 20]), tx.0.to_vec()),
        }])
    }
}

pub(crate) fn console(context: &Context, identity: &Identity, differences: Differences) -> Console {
    let secrets = TotpSecrets::new(CONSOLE_KEY, Arc::new(SystemRandom));
    Console::new(
        context.clone(),
        identity.clone(),
        secrets,
        Arc::new(differences),
        app::appeals::Rules::default(),
        PUBLIC_URL,
    )
}

pub(crate) fn state(context: &Context, identity: Identity, middleware: Middleware, hub: &Arc<Hub>) -> ApiState {
    services(context, identity, middleware, hub).into()
}

/// Returns the uploads of the product, with small limits.
pub(crate) fn files(context: &Context, store: ObjectFiles) -> Files {
    let settings = FileSettings { most_video_bytes: 2 * 1024 * 1024, most_video_seconds: 180, decodes_at_once: 2 };
    Files::new(context.clone(), Arc::new(store), Arc::new(CleanedPictures), settings)
}

pub(crate) fn with_files(
    context: &Context,
    identity: Identity,
    middleware: Middleware,
    hub: &Arc<Hub>,
    files: Files,
) -> ApiState {
    Services { files, ..services(context, identity, middleware, hub) }.into()
}

pub(crate) fn services(context: &Context, identity: Identity, middleware: Middleware, hub: &Arc<Hub>) -> Services {
    Services {
        files: files(context, ObjectFiles::memory()),
        middleware: Arc::new(middleware),
        context: context.clone(),
        executor: app::commands::Executor::new(context.clone()),
        hall: Arc::new(Hall::new(context.clone(), Arc::new(HallRows))),
        console: console(context, &identity, Differences::default()),
        secure_cookies: true,
        identity,
        methods: PaymentMethods::new(context.clone()),
        talk: app::talk::Talk::new(context.clone(), app::talk::KEPT_OPEN),
        records: OrderRecords::new(context.clone(), RecordKeys::new(RECORD_KEY, Vec::new())),
        appeal_figures: AppealFigures::new(context.clone()),
        hub: Arc::clone(hub),
        polls: Arc::new(api::Polls::new(context.clone())),
        explorers: api::Explorers {
            escrow: api::Explorer::at("https://explorer.example/"),
            receiving: Arc::new(
                [("TRC20".to_owned(), api::Explorer::at("https://tron.example").unwrap())].into_iter().collect(),
            ),
        },
    }
}

/// Returns the product's state, without rate limits.
pub(crate) fn unlimited(context: &Context, hub: &Arc<Hub>) -> ApiState {
    let keys = KeySource::Url(format!("{ISSUER}/keys").parse().unwrap());
    unlimited_with(context, hub, KeptMail::default(), keys)
}

/// Does the same as [`unlimited`], with this mail server and these keys of the pass.
pub(crate) fn unlimited_with(context: &Context, hub: &Arc<Hub>, mail: KeptMail, keys: KeySource) -> ApiState {
    let identity = identity(context, mail, keys, Vec::new());
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

/// The hall of a process, which tests bring up to date when they need it.
pub(crate) struct FollowedHall {
    context: Context,
    pub(crate) hall: Arc<Hall>,
    feed: Mutex<Option<Feed>>,
}

impl FollowedHall {
    pub(crate) fn new(context: &Context, hall: &Arc<Hall>) -> Self {
        Self { context: context.clone(), hall: Arc::clone(hall), feed: Mutex::default() }
    }

    /// Reads the change feed to its end before a request that asks the hall.
    pub(crate) async fn follow_before(&self, path: &str) {
        if path.starts_with("/api/c2c/advert/") || path.starts_with("/api/market/") {
            self.follow().await;
        }
    }

    /// Reads the change feed to its end.
    pub(crate) async fn follow(&self) {
        let mut feed = self.feed.lock().await;
        let reader = if let Some(reader) = feed.take() {
            reader
        } else {
            self.hall.reset().await.unwrap();
            Feed::begin(&self.context).await.unwrap()
        };
        let changes = feed.insert(reader).next().await.unwrap().expect("no change is missed");
        self.hall.apply(&changes).await.unwrap();
        self.hall.catch_up().await.unwrap();
        self.hall.start_day().await.unwrap();
    }
}
