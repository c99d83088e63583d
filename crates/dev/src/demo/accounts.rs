//! Opens the accounts of the demo world like real users: with the pass, an emailed code, and passwords.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, bail};
use app::Context;
use app::engine::idempotency::IdempotencyKey;
use app::identity::ports::{SystemRandom, Vaults};
use app::identity::{
    ChainType, Device, HashSettings, Hasher, Identity, IdentitySettings, PassPurpose, Ports, Register, Requester,
    Sealed, SendCode, SlideAnswer, TrailPoint, Update,
};
use app::payment_methods::{PaymentMethods, Typed};
use async_trait::async_trait;
use aws_lc_rs::rsa::{OAEP_SHA256_MGF1SHA256, OaepPublicEncryptingKey, PublicEncryptingKey};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use domain::chain::{Address, CustodyIndex};
use domain::identity::address::AddressForm;
use domain::identity::email::CodePurpose;
use domain::ids::{PaymentMethodId, UserId};
use gateways::fakes::BlankSlides;
use gateways::{KeySource, PassSettings, SignedPass, SmtpMail, SmtpSettings};
use serde_json::{Value, json};
use store::console::audit::{self, Entry, Subject};
use store::console::users;

use super::officers;
use super::people::{LOGIN_PASSWORD, SECURITY_PASSWORD, Who};
use crate::pass_emulator::PassEmulator;
use crate::product::{self, Surroundings};

/// The time limit of the mail server.
const PATIENCE: Duration = Duration::from_secs(10);
/// The chain type of receiving addresses on the development chain.
const CHAIN_TYPE: &str = "ERC20";

/// A person with an account.
#[derive(Debug, Clone)]
pub(super) struct Trader {
    pub(super) user: UserId,
    /// Their own account on the chain, which is both the bound and the receiving address.
    pub(super) account: Address,
    pub(super) vault: Address,
    /// Their payment methods, each with its currency.
    pub(super) methods: Vec<(&'static str, PaymentMethodId)>,
}

/// Opens accounts with the environment's mail server and pass.
pub(super) struct Desk<'a> {
    context: Context,
    identity: Identity,
    methods: PaymentMethods,
    pass: &'a PassEmulator,
    /// The URL of the mail sink's page.
    mails: String,
    http: reqwest::Client,
}

/// Computes the custody addresses of the Escrow.
struct Custody(chain::vaults::Vaults);

#[async_trait]
impl Vaults for Custody {
    async fn address(&self, index: CustodyIndex) -> app::Result<Address> {
        Ok(self.0.address(index))
    }
}

impl<'a> Desk<'a> {
    /// Connects to the environment's mail server and pass.
    pub(super) fn open(
        context: Context,
        pass: &'a PassEmulator,
        around: &Surroundings,
        mail_page: u16,
    ) -> anyhow::Result<Self> {
        let issuer = product::pass_url(around.pass_port);
        let mail = SmtpMail::new(&SmtpSettings {
            url: format!("smtp://127.0.0.1:{}", around.smtp_port),
            from: "MEC2C <no-reply@localhost>".to_owned(),
            patience: PATIENCE,
        })?;
        let pass_settings = PassSettings {
            keys: KeySource::Url(format!("{issuer}/jwks.json").parse()?),
            invite: format!("{issuer}/authorize").parse()?,
            issuer,
            audience: product::AUDIENCE.to_owned(),
            call_back: around.call_back().parse()?,
        };
        let ports = Ports {
            mail: Arc::new(mail),
            pass: Arc::new(SignedPass::new(pass_settings)?),
            vaults: Arc::new(Custody(chain::vaults::Vaults::of(around.deployment.escrow))),
            // The pictures are not needed: the answer is read from the database.
            art: Arc::new(BlankSlides),
            random: Arc::new(SystemRandom),
        };
        let settings = IdentitySettings {
            chain_types: vec![ChainType { name: CHAIN_TYPE.to_owned(), form: AddressForm::Evm }],
            proof_of_work: 1,
        };
        let identity = Identity::new(context.clone(), ports, settings, Hasher::new(HashSettings::default())?);
        Ok(Self {
            identity,
            methods: PaymentMethods::new(context.clone()),
            context,
            pass,
            mails: format!("http://127.0.0.1:{mail_page}/mails"),
            http: reqwest::Client::builder().no_proxy().timeout(PATIENCE).build()?,
        })
    }

    /// Creates the day's key, with which clients encrypt passwords.
    pub(super) async fn make_key(&self) -> anyhow::Result<()> {
        Ok(self.identity.publish_key().await.map(drop)?)
    }

    /// Creates the officers of the console.
    pub(super) async fn officers(&self, key_file: &Path) -> anyhow::Result<()> {
        officers::create(&self.context, &self.identity, key_file, async |password| self.seal(password).await).await
    }

    /// Opens an account and sets everything that trading requires.
    pub(super) async fn register(&self, who: &Who, account: Address) -> anyhow::Result<Trader> {
        let email = who.email();
        let device = Device::new("demo world", "127.0.0.1", "en_US");
        let challenge = self.identity.challenge(PassPurpose::Register, None, Requester::default()).await?;
        let statement = self.pass.agree(account, &challenge.invitation.qr).await?;
        self.identity.authorize(&challenge.secret, &statement).await?;
        if self.identity.scan_result(&challenge.secret, None, &device).await?.session.is_some() {
            bail!("{email} already has an account");
        }
        let slide_token = self.slide().await?;
        let code = SendCode {
            email: email.clone(),
            purpose: CodePurpose::Register,
            slide_token: Some(slide_token),
            ticket: Some(challenge.secret.clone()),
            device_cookie: None,
            device: device.clone(),
        };
        let sent = self.identity.send_code(&key(who, "code"), None, &code).await?;
        let register = Register {
            ticket: challenge.secret,
            email_code: self.code(&email).await?,
            email_code_id: sent.id,
            email: email.clone(),
            password: self.seal(LOGIN_PASSWORD).await?,
            receiving_address: account.to_string(),
            chain_type: CHAIN_TYPE.to_owned(),
            terms_accepted: true,
            device,
        };
        let opened = self.identity.register(&key(who, "register"), &register).await?;
        let (user, session) = self.identity.who(&opened.token).await?;
        let update = Update {
            nickname: Some(who.nickname.to_owned()),
            remark: (!who.remark.is_empty()).then(|| who.remark.to_owned()),
            password: Some(self.seal(LOGIN_PASSWORD).await?),
            new_security_code: Some(self.seal(SECURITY_PASSWORD).await?),
            ..Update::default()
        };
        let profile = self.identity.update(&key(who, "profile"), user, session, &update).await?;
        if who.certified {
            self.certify(user).await?;
        }
        let methods = self.payment_methods(who, user).await?;
        Ok(Trader { user, account, vault: profile.user.vault, methods })
    }

    /// Certifies a user as an officer would. The officers of the demo world come later.
    async fn certify(&self, user: UserId) -> anyhow::Result<()> {
        let (mut tx, now) = self.context.begin().await?;
        let mut row = store::users::lock(&mut tx, &[user]).await?.pop().context("no such user")?;
        row.certified = true;
        users::set_standing(&mut tx, &row).await?;
        let details = json!({ "after": { "certified": true, "verified": row.verified } });
        let reason = Some("a trader of the demo world");
        let entry = Entry { action: "set_badges", subject: Subject::User(user), details, reason };
        audit::record(&mut tx, &"demo world".into(), entry, now).await?;
        Ok(tx.commit().await?)
    }

    /// Solves a slide check by reading its answer from the database.
    async fn slide(&self) -> anyhow::Result<String> {
        let challenge = self.identity.slide().await?;
        let mut tx = self.context.store.begin().await?;
        let x =
            store::identity::slides::answer(&mut tx, challenge.id).await?.context("the slide check has no answer")?;
        tx.rollback().await?;
        let point = |t, x| TrailPoint { t, x };
        let trail = vec![point(0, 0), point(130, x / 3), point(270, x / 2), point(460, x)];
        let answer = SlideAnswer { id: challenge.id, x, trail, number: 0 };
        Ok(self.identity.verify_slide(&answer).await?)
    }

    /// Returns the code in the newest email.
    async fn code(&self, to: &str) -> anyhow::Result<String> {
        let mails: Vec<Value> = self.http.get(format!("{}?to={to}", self.mails)).send().await?.json().await?;
        let text = mails.first().and_then(|mail| mail.get("text")).and_then(Value::as_str);
        let is_code = |word: &&str| word.len() == 6 && word.bytes().all(|byte| byte.is_ascii_digit());
        let code = text.and_then(|text| text.split_whitespace().find(is_code));
        Ok(code.with_context(|| format!("no code was sent to {to}"))?.to_owned())
    }

    /// Encrypts a password as a browser does.
    async fn seal(&self, password: &str) -> anyhow::Result<Sealed> {
        let key = self.identity.publish_key().await?;
        let plain = json!({ "secret": password, "nonce": key.nonce }).to_string();
        let unusable = |_| anyhow::anyhow!("the published key is unusable");
        let public = OaepPublicEncryptingKey::new(
            PublicEncryptingKey::from_der(&key.public)
                .map_err(|error| anyhow::anyhow!("the published key is invalid: {error}"))?,
        )
        .map_err(unusable)?;
        let mut cipher = vec![0; public.ciphertext_size()];
        let cipher = public.encrypt(&OAEP_SHA256_MGF1SHA256, plain.as_bytes(), &mut cipher, None).map_err(unusable)?;
        Ok(Sealed { key: key.id, cipher: STANDARD.encode(cipher) })
    }

    async fn payment_methods(&self, who: &Who, user: UserId) -> anyhow::Result<Vec<(&'static str, PaymentMethodId)>> {
        let mut kept = Vec::new();
        for (kind, currency, fields) in who.methods {
            let fields: BTreeMap<_, _> =
                fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
            let typed = Typed { kind: (*kind).to_owned(), currency: (*currency).to_owned(), fields };
            let listed = self.methods.create(&key(who, &format!("method {kind}")), user, &typed).await?;
            kept.push((*currency, listed.method.id));
        }
        Ok(kept)
    }
}

/// Returns a fixed idempotency key, because each command runs only once in an environment.
fn key(who: &Who, what: &str) -> IdempotencyKey {
    IdempotencyKey::derived(&["demo", who.nickname, what])
}
