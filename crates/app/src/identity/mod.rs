//! Accounts: registration, log-in, sessions, the pass, passwords, the profile.
//!
//! A wrong password or code is counted although the command is refused: what guards against guessing is committed
//! before the refusal. Everything else is written in one transaction or not at all.

mod call_back;
mod challenges;
mod codes;
mod device;
mod emails;
mod guesses;
mod hashing;
mod login;
mod network;
mod nicknames;
pub mod ports;
mod profile;
mod register;
mod requester;
mod reset;
mod sealed;
mod sessions;
mod slide;
mod update;

use std::sync::Arc;

use domain::identity::address::AddressForm;
use domain::identity::password::NETWORK_KEPT;
use domain::identity::words::ForbiddenWords;
use store::Tx;

pub use call_back::{Called, CalledBack};
pub use challenges::{NewChallenge, PassPurpose, PassResult, PendingChallenge};
pub use codes::{CodeSent, Holder, SendCode};
pub use device::Device;
pub use hashing::{HashSettings, Hasher};
pub use login::Login;
pub use network::network_of;
pub use nicknames::{RenewedSkeletons, renew_nickname_skeletons};
pub use profile::Profile;
pub use register::Register;
pub use requester::Requester;
pub use reset::{ResetByEmail, ResetByPass};
pub use sealed::{PublishedKey, Sealed};
pub use sessions::{Opened, SessionLine};
pub use slide::{SlideAnswer, SlideChallenge, TrailPoint, Work, WorkChallenge};
pub use update::Update;

use crate::{Context, Result};
use ports::{Mail, Pass, Random, SlideArt, Vaults};

/// A chain type of receiving addresses: its name in pairs and profiles, and the form of its addresses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChainType {
    /// Its name, such as `ERC20`.
    pub name: String,
    /// What its addresses look like.
    pub form: AddressForm,
}

/// What configuration says of accounts.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The chain types that a receiving address may have.
    pub chain_types: Vec<ChainType>,
    /// The bits of work that a slide check asks for: the largest number to be found.
    pub proof_of_work: u32,
}

/// The outside parts on which accounts stand.
#[derive(Clone)]
pub struct Ports {
    /// Sends letters.
    pub mail: Arc<dyn Mail>,
    /// The identity app.
    pub pass: Arc<dyn Pass>,
    /// Custody addresses.
    pub vaults: Arc<dyn Vaults>,
    /// Draws slide checks.
    pub art: Arc<dyn SlideArt>,
    /// Randomness for secrets.
    pub random: Arc<dyn Random>,
}

/// The use cases of accounts.
#[derive(Clone)]
pub struct Identity {
    context: Context,
    ports: Ports,
    settings: Arc<Settings>,
    hasher: Hasher,
}

impl Identity {
    /// Puts the parts together.
    pub fn new(context: Context, ports: Ports, settings: Settings, hasher: Hasher) -> Self {
        Self { context, ports, settings: Arc::new(settings), hasher }
    }

    /// 32 fresh random bytes.
    fn secret(&self) -> [u8; 32] {
        let mut bytes = [0; 32];
        self.ports.random.fill(&mut bytes);
        bytes
    }

    async fn words(&self, tx: &mut Tx) -> Result<ForbiddenWords> {
        let words = store::identity::accounts::forbidden_words(tx).await?;
        Ok(ForbiddenWords::new(words.iter().map(String::as_str)))
    }

    /// Whether a text may be public.
    pub async fn words_valid(&self, text: &str) -> Result<bool> {
        let (mut tx, _) = self.context.begin().await?;
        Ok(!self.words(&mut tx).await?.found_in(text))
    }

    /// The regions of the world, by name.
    pub async fn regions(&self) -> Result<Vec<store::identity::regions::Region>> {
        let (mut tx, _) = self.context.begin().await?;
        Ok(store::identity::regions::all(&mut tx).await?)
    }

    /// The chain types that a receiving address may have.
    pub fn chain_types(&self) -> &[ChainType] {
        &self.settings.chain_types
    }
}

/// Sessions that ended, and codes of which no day is counted any more, are forgotten after so long.
const KEPT: chrono::Duration = chrono::Duration::days(1);

/// Forgets what has expired: sessions, codes, challenges, slide checks, keys, counters of wrong guesses, known networks. Called from time to time; doing it twice does
/// no harm. Says how many rows went.
pub async fn sweep(context: &Context) -> Result<u64> {
    let (mut tx, now) = context.begin().await?;
    let before = now.checked_sub_signed(KEPT).unwrap_or(now);
    let secrets = store::identity::secrets::sweep(&mut tx, now, before).await?;
    let sessions = store::identity::sessions::sweep(&mut tx, before).await?;
    let networks_before = now.checked_sub_signed(NETWORK_KEPT).unwrap_or(now);
    let guesses = store::identity::guesses::sweep(&mut tx, now, networks_before).await?;
    tx.commit().await?;
    Ok(secrets.saturating_add(sessions).saturating_add(guesses))
}

/// Which of some sessions have ended: logged out, revoked, expired, or of somebody who may not log in any more.
pub async fn ended_sessions(
    context: &Context,
    sessions: &[domain::ids::SessionId],
) -> Result<Vec<domain::ids::SessionId>> {
    let (mut tx, now) = context.begin().await?;
    let alive = store::identity::sessions::alive(&mut tx, sessions, now).await?;
    tx.rollback().await?;
    Ok(sessions.iter().copied().filter(|session| !alive.contains(session)).collect())
}
