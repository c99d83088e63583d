//! Manages accounts: registration, login, sessions, the pass, passwords and profiles.
//!
//! A wrong password or code counts as a failed attempt although the command is refused: the count is committed before
//! the refusal. A command writes everything else in one transaction or not at all.

mod binding;
mod call_back;
mod challenges;
mod code_texts;
mod codes;
mod device;
mod emails;
pub(crate) mod guesses;
mod hashing;
mod known_devices;
mod login;
mod network;
mod nicknames;
pub mod ports;
mod profile;
pub(crate) mod register;
mod requester;
mod reset;
mod sealed;
mod security_password;
mod session_checks;
pub(crate) mod sessions;
mod slide;
mod update;

use std::sync::{Arc, OnceLock};

use domain::identity::IdentityRefusal;
use domain::identity::address::AddressForm;
use domain::identity::password::{DEVICE_KEPT, NETWORK_KEPT};
use domain::identity::words::ForbiddenWords;
use domain::ids::{SessionId, UserId};
use store::Tx;

pub use binding::{Binding, BindingChange, ChangeBinding};
pub use call_back::{Called, CalledBack};
pub use challenges::{NewChallenge, PassPurpose, PassResult, PendingChallenge};
pub use codes::{CodeSent, Holder, SendCode};
pub use device::Device;
pub use hashing::{HashSettings, Hasher};
use known_devices::DeviceKey;
pub use login::{LoggedIn, Login};
pub use network::network_of;
pub use nicknames::{RenewedSkeletons, renew_nickname_skeletons};
pub use profile::{Profile, is_held};
pub use register::Register;
pub use requester::Requester;
pub use reset::{ResetByEmail, ResetByPass};
use sealed::OpeningKeys;
pub use sealed::{PublishedKey, Sealed};
use security_password::SecurityPasswords;
use session_checks::SessionChecks;
pub use sessions::{Opened, SessionLine};
pub use slide::{SlideAnswer, SlideChallenge, TrailPoint, Work, WorkChallenge};
pub use update::Update;

use crate::mail::{Delivery, EmailMessage, Mail};
use crate::memory::feed::Change;
use crate::{Context, Error, Result};
use ports::{Pass, Random, SlideArt, Vaults};

/// A chain type of receiving addresses: its name in pairs and profiles, and its address format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChainType {
    /// Such as `ERC20`.
    pub name: String,
    pub form: AddressForm,
}

#[derive(Debug, Clone)]
pub struct IdentitySettings {
    /// The chain types that a receiving address may have.
    pub chain_types: Vec<ChainType>,
    /// The difficulty of a slide check's proof of work: an upper bound of the number to find.
    pub proof_of_work: u32,
}

/// The external services that accounts need.
#[derive(Clone)]
pub struct Ports {
    pub mail: Arc<dyn Mail>,
    pub pass: Arc<dyn Pass>,
    pub vaults: Arc<dyn Vaults>,
    pub art: Arc<dyn SlideArt>,
    pub random: Arc<dyn Random>,
}

#[derive(Clone)]
pub struct Identity {
    context: Context,
    ports: Ports,
    settings: Arc<IdentitySettings>,
    pub(crate) hasher: Hasher,
    session_checks: SessionChecks,
    security_passwords: Arc<SecurityPasswords>,
    opening_keys: Arc<OpeningKeys>,
    device_key: Arc<OnceLock<DeviceKey>>,
}

impl Identity {
    pub fn new(context: Context, ports: Ports, settings: IdentitySettings, hasher: Hasher) -> Self {
        let session_checks = SessionChecks::new(context.clone());
        let security_passwords = Arc::new(SecurityPasswords::new(&context));
        Self {
            context,
            ports,
            settings: Arc::new(settings),
            hasher,
            session_checks,
            security_passwords,
            opening_keys: Arc::default(),
            device_key: Arc::default(),
        }
    }

    /// Passes an email to the mail server, or tells the requester to try again.
    pub(crate) async fn send_mail(&self, message: EmailMessage) -> Result<()> {
        match self.ports.mail.send(message).await {
            Err(Error::Unavailable { what }) => {
                tracing::warn!(what, "the mail server did not accept a message");
                Err(IdentityRefusal::MailUnavailable.into())
            }
            Ok(Delivery::Refused) => Err(IdentityRefusal::MailUnavailable.into()),
            sent => sent.map(|_| ()),
        }
    }

    /// Returns new random bytes.
    pub(crate) fn secret<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        self.ports.random.fill(&mut bytes);
        bytes
    }

    /// Returns the user and session of a token, for a request that only reads: usually without asking the database, so the
    /// session may have ended in another process up to half a second ago.
    pub async fn who_recently(&self, token: &str) -> Result<(UserId, SessionId)> {
        self.session_checks.who_recently(token).await
    }

    /// Returns the user and session of a token.
    pub async fn who(&self, token: &str) -> Result<(UserId, SessionId)> {
        self.session_checks.who(token).await
    }

    /// Tells this process that a user has sent a request that may have changed what the user sees, or ended a session.
    pub fn has_acted(&self, user: UserId) {
        self.context.changed(&[Change::User(user), Change::Profile(user), Change::Session(user)]);
    }

    async fn words(&self, tx: &mut Tx) -> Result<ForbiddenWords> {
        let words = store::identity::accounts::forbidden_words(tx).await?;
        Ok(ForbiddenWords::new(words.iter().map(String::as_str)))
    }

    /// Returns why strangers may not read a text, if they may not.
    pub async fn unspeakable(&self, text: &str) -> Result<Option<&'static str>> {
        let (mut tx, _) = self.context.begin().await?;
        Ok(domain::checks::unspeakable(text, &self.words(&mut tx).await?))
    }

    /// Returns all regions, sorted by name.
    pub async fn regions(&self) -> Result<Vec<store::identity::regions::Region>> {
        let (mut tx, _) = self.context.begin().await?;
        Ok(store::identity::regions::all(&mut tx).await?)
    }

    pub fn chain_types(&self) -> &[ChainType] {
        &self.settings.chain_types
    }
}

/// How long ended sessions and old codes are kept.
const RETENTION: chrono::Duration = chrono::Duration::days(1);

/// How long an email that the mail server does not accept is tried again.
const EMAILS_TRIED: chrono::Duration = chrono::Duration::days(7);

/// Deletes expired sessions of users and officers, codes, challenges, slide checks, keys, counters of wrong guesses, known networks
/// and devices, and old emails.
/// Returns the number of deleted rows. Must be called periodically.
pub async fn sweep(context: &Context) -> Result<u64> {
    let (mut tx, now) = context.begin().await?;
    let before = now.checked_sub_signed(RETENTION).unwrap_or(now);
    let secrets = store::identity::secrets::sweep(&mut tx, now, before).await?;
    let sessions = store::identity::sessions::sweep(&mut tx, before).await?;
    let networks_before = now.checked_sub_signed(NETWORK_KEPT).unwrap_or(now);
    let guesses = store::identity::guesses::sweep(&mut tx, now, networks_before).await?;
    let devices_before = now.checked_sub_signed(DEVICE_KEPT).unwrap_or(now);
    let devices = store::identity::devices::sweep(&mut tx, devices_before).await?;
    let officers = store::console::sessions::sweep(&mut tx, before).await?;
    let emails_before = now.checked_sub_signed(EMAILS_TRIED).unwrap_or(now);
    let emails = store::emails::sweep(&mut tx, emails_before, before).await?;
    tx.commit().await?;
    Ok([secrets, sessions, guesses, devices, officers, emails].into_iter().fold(0, u64::saturating_add))
}

/// Returns which of the sessions have ended: by logout, revocation or expiry, or because the user may no longer log in.
pub async fn ended_sessions(context: &Context, sessions: &[SessionId]) -> Result<Vec<SessionId>> {
    let (mut tx, now) = context.begin().await?;
    let alive = store::identity::sessions::alive(&mut tx, sessions, now).await?;
    tx.rollback().await?;
    Ok(sessions.iter().copied().filter(|session| !alive.contains(session)).collect())
}
