//! Sessions: opened, checked, listed, ended.

use aws_lc_rs::hmac;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::Duration;
use domain::clock::{Timestamp, after};
use domain::identity::IdentityRefusal;
use domain::ids::{SessionId, UserId};
use domain::refusal::{Refusal, RiskFlag};
use sha2::{Digest, Sha256};
use store::Tx;
use store::identity::accounts;
use store::identity::sessions::{self, Session};

use super::{Device, Identity, guesses};
use crate::Result;
use crate::idempotency::IdempotencyKey;
use crate::trading::{self, Actor, Command, CommandKind};

/// How long a session lasts.
pub(super) const SESSION_LIFE: Duration = Duration::days(7);
/// For how long the command that opened a session is answered again with it: a browser that lost the answer asks at once.
pub(super) const REPEATABLE: Duration = Duration::minutes(1);

/// A session that was opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opened {
    /// Whose.
    pub user: UserId,
    /// What the browser sends from now on.
    pub token: String,
    /// When it ends by itself.
    pub expires_at: Timestamp,
}

/// A session in its owner's list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionLine {
    /// Its id.
    pub id: SessionId,
    /// When it began.
    pub opened_at: Timestamp,
    /// When it ends by itself.
    pub expires_at: Timestamp,
    /// From where.
    pub device: Device,
    /// Whether it is the one that asks.
    pub current: bool,
}

/// Bytes as text for URLs and headers.
pub(super) fn text_of(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// The token of a session: of its salt, which is kept, and of the opening command's key, which only its sender has.
fn token_of(salt: &[u8; 32], key: &str) -> String {
    text_of(hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, salt), key.as_bytes()).as_ref())
}

/// A command that opens a session.
#[derive(Debug, Clone)]
pub(super) struct Opening<'a> {
    /// Its name.
    pub(super) key: &'a IdempotencyKey,
    /// What it is about.
    pub(super) scope: &'a str,
    /// From where it comes.
    pub(super) device: &'a Device,
    /// What it is told when it comes again and may not have the session: what it carries is good once.
    pub(super) spent: IdentityRefusal,
}

impl Opening<'_> {
    /// Names the command.
    pub(super) fn command(&self) -> [u8; 32] {
        self.key.scoped(self.scope)
    }
}

impl Identity {
    /// The session that a command opened before, if it did and this is its sender again: within a minute, in the same network,
    /// while the session runs. Anybody else sends what they recorded, and is refused.
    pub(super) async fn opened_before(
        &self,
        tx: &mut Tx,
        opening: &Opening<'_>,
        now: Timestamp,
    ) -> Result<Option<Opened>> {
        let Some((session, ended)) = sessions::by_opening(tx, &opening.command()).await? else { return Ok(None) };
        if session.request_hash != opening.key.request_hash {
            return Err(Refusal::KeyReused.into());
        }
        let from = Device { address: session.address, ..Device::default() };
        let running = !ended && now < session.expires_at;
        let repeated = now < after(session.opened_at, REPEATABLE) && from.network() == opening.device.network();
        if !(running && repeated) {
            return Err(Refusal::from(opening.spent.clone()).into());
        }
        let token = token_of(&session.salt, &opening.key.key);
        Ok(Some(Opened { user: session.user, token, expires_at: session.expires_at }))
    }

    /// Opens a session for a command, whose network is a known one from now on.
    pub(super) async fn open_session(
        &self,
        tx: &mut Tx,
        user: UserId,
        opening: &Opening<'_>,
        now: Timestamp,
    ) -> Result<Opened> {
        let (key, device) = (opening.key, opening.device);
        let salt = self.secret();
        let token = token_of(&salt, &key.key);
        let expires_at = after(now, SESSION_LIFE);
        let session = Session {
            id: SessionId(self.context.fresh(now)),
            user,
            token_hash: Sha256::digest(&token).into(),
            salt,
            opened_by: opening.command(),
            request_hash: key.request_hash,
            opened_at: now,
            expires_at,
            agent: device.agent.clone(),
            address: device.address.clone(),
        };
        sessions::insert(tx, &session).await?;
        guesses::remember_network(tx, user, &device.network(), now).await?;
        if !device.language.is_empty() {
            accounts::set_language(tx, user, &device.language).await?;
        }
        Ok(Opened { user, token, expires_at })
    }

    /// Who a token speaks for.
    pub async fn who(&self, token: &str) -> Result<(UserId, SessionId)> {
        let (mut tx, now) = self.context.begin().await?;
        let found = sessions::by_token(&mut tx, &Sha256::digest(token).into(), now).await?;
        match found {
            Some((_, _, true)) => Err(Refusal::Risk(RiskFlag::Login).into()),
            Some((session, user, false)) => Ok((user, session)),
            None => Err(Refusal::SessionInvalid.into()),
        }
    }

    /// Turns its owner's switch off, with all adverts that follow it, and ends the session that asks. Stopped between the
    /// two, it goes on when asked again.
    pub async fn logout(&self, user: UserId, session: SessionId) -> Result<()> {
        let actor = Actor::Person { user, key: IdempotencyKey::derived(&["logout", &session.to_string()]) };
        let switch = Command { actor, what: CommandKind::Switch { online: false } };
        if let Some(Err(error)) = trading::execute(&self.context, &[switch]).await.pop() {
            return Err(error);
        }
        self.revoke(user, session).await
    }

    /// Somebody's sessions, the newest first.
    pub async fn sessions(&self, user: UserId, asking: SessionId) -> Result<Vec<SessionLine>> {
        let (mut tx, now) = self.context.begin().await?;
        let line = |session: Session| SessionLine {
            id: session.id,
            opened_at: session.opened_at,
            expires_at: session.expires_at,
            device: Device { agent: session.agent, address: session.address, language: String::new() },
            current: session.id == asking,
        };
        Ok(sessions::of_user(&mut tx, user, now).await?.into_iter().map(line).collect())
    }

    /// Ends one of somebody's own sessions; one that has ended stays ended.
    pub async fn revoke(&self, user: UserId, session: SessionId) -> Result<()> {
        let (mut tx, now) = self.context.begin().await?;
        if !sessions::end(&mut tx, user, session, now).await? {
            return Err(Refusal::NotFound.into());
        }
        Ok(tx.commit().await?)
    }
}
