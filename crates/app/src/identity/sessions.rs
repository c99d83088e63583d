//! Opens, lists and ends sessions.

use aws_lc_rs::hmac;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::Duration;
use domain::clock::{Timestamp, after};
use domain::identity::IdentityRefusal;
use domain::ids::{SessionId, UserId};
use domain::refusal::Refusal;
use sha2::{Digest, Sha256};
use store::Tx;
use store::identity::accounts;
use store::identity::sessions;
use store::sessions::Session;

use super::{Device, Identity, guesses};
use crate::Result;
use crate::commands::{self, Actor, Command, CommandKind};
use crate::engine::idempotency::IdempotencyKey;
use crate::memory::feed::Change;

const SESSION_LIFETIME: Duration = Duration::days(7);
/// How long a repeated command gets the session that it opened. A browser that lost the response repeats its command at
/// once.
pub(crate) const REPEATABLE_FOR: Duration = Duration::minutes(1);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opened {
    pub user: UserId,
    /// The browser sends this token with each request of the session.
    pub token: String,
    pub expires_at: Timestamp,
}

/// A session in the list of its owner's sessions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionLine {
    pub id: SessionId,
    pub opened_at: Timestamp,
    pub expires_at: Timestamp,
    pub device: Device,
    /// Whether the current request belongs to this session.
    pub current: bool,
}

/// Encodes bytes for URLs and headers.
pub(crate) fn text_of(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// Derives the token of a session, or the ID of a code, from its stored salt and the command's idempotency key, which
/// only the sender knows.
pub(crate) fn token_of(salt: &[u8; 32], key: &IdempotencyKey) -> String {
    text_of(hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, salt), key.key.as_bytes()).as_ref())
}

/// A command that opens a session.
#[derive(Debug, Clone)]
pub(crate) struct Opening<'a> {
    pub(crate) key: &'a IdempotencyKey,
    /// The subject of the command, which is hashed together with the key.
    pub(crate) scope: &'a str,
    pub(crate) device: &'a Device,
    /// The refusal if the command is repeated but may not get the session again, because its credentials are valid
    /// once.
    pub(crate) spent: IdentityRefusal,
}

impl Opening<'_> {
    /// Returns the hash that identifies the command.
    pub(crate) fn command(&self) -> [u8; 32] {
        self.key.scoped(self.scope)
    }

    /// Returns the token of the session that the command has already opened. Refuses the command unless it is repeated
    /// within a minute, from the same network, and while the session is active: anything else is a replay.
    pub(crate) fn token_again<Owner>(
        &self,
        (earlier, ended): &(Session<Owner>, bool),
        now: Timestamp,
    ) -> Result<String> {
        if earlier.request_hash != self.key.request_hash {
            return Err(Refusal::KeyReused.into());
        }
        let from = Device { address: earlier.address.clone(), ..Device::default() };
        let running = !ended && now < earlier.expires_at;
        let repeated = now < after(earlier.opened_at, REPEATABLE_FOR) && from.network() == self.device.network();
        if !(running && repeated) {
            return Err(self.spent.clone().into());
        }
        Ok(token_of(&earlier.salt, self.key))
    }

    /// Returns the session that the command opens, and its token.
    pub(crate) fn session<Owner>(
        &self,
        owner: Owner,
        (id, salt): (SessionId, [u8; 32]),
        now: Timestamp,
        life: Duration,
    ) -> (Session<Owner>, String) {
        let token = token_of(&salt, self.key);
        let session = Session {
            id,
            owner,
            token_hash: Sha256::digest(&token).into(),
            salt,
            opened_by: self.command(),
            request_hash: self.key.request_hash,
            opened_at: now,
            expires_at: after(now, life),
            agent: self.device.agent.clone(),
            address: self.device.address.clone(),
        };
        (session, token)
    }
}

impl Identity {
    /// Returns the session that the command has already opened. See [`Opening::token_again`].
    pub(super) async fn opened_before(
        &self,
        tx: &mut Tx,
        opening: &Opening<'_>,
        now: Timestamp,
    ) -> Result<Option<Opened>> {
        let Some(earlier) = sessions::by_opening(tx, &opening.command()).await? else { return Ok(None) };
        let token = opening.token_again(&earlier, now)?;
        let (session, _) = earlier;
        Ok(Some(Opened { user: session.owner, token, expires_at: session.expires_at }))
    }

    /// Opens a session for a command. Records the requester's network as known.
    pub(super) async fn open_session(
        &self,
        tx: &mut Tx,
        user: UserId,
        opening: &Opening<'_>,
        now: Timestamp,
    ) -> Result<Opened> {
        let device = opening.device;
        let new = (SessionId(self.context.fresh(now)), self.secret());
        let (session, token) = opening.session(user, new, now, SESSION_LIFETIME);
        sessions::insert(tx, &session).await?;
        guesses::remember_network(tx, user, &device.network(), now).await?;
        if !device.language.is_empty() {
            accounts::set_language(tx, user, &device.language).await?;
        }
        Ok(Opened { user, token, expires_at: session.expires_at })
    }

    /// Sets the user and all their adverts offline, then ends the session of the request. If the call is interrupted in
    /// between, repeating it completes it.
    pub async fn logout(&self, user: UserId, session: SessionId) -> Result<()> {
        let actor = Actor::User { user, key: IdempotencyKey::derived(&["logout", &session.to_string()]) };
        let switch = Command { actor, what: CommandKind::Switch { online: false } };
        if let Some(Err(error)) = commands::execute(&self.context, &[switch]).await.pop() {
            return Err(error);
        }
        self.revoke(user, session).await
    }

    /// Returns a user's sessions, newest first.
    pub async fn sessions(&self, user: UserId, asking: SessionId) -> Result<Vec<SessionLine>> {
        let (mut tx, now) = self.context.begin().await?;
        let line = |session: Session<UserId>| SessionLine {
            id: session.id,
            opened_at: session.opened_at,
            expires_at: session.expires_at,
            device: Device { agent: session.agent, address: session.address, language: String::new() },
            current: session.id == asking,
        };
        Ok(sessions::of_user(&mut tx, user, now).await?.into_iter().map(line).collect())
    }

    /// Ends one of the user's sessions. Safe to repeat.
    pub async fn revoke(&self, user: UserId, session: SessionId) -> Result<()> {
        let (mut tx, now) = self.context.begin().await?;
        if !sessions::end(&mut tx, user, session, now).await? {
            return Err(Refusal::NotFound.into());
        }
        tx.commit().await?;
        self.context.changed(&[Change::Session(user)]);
        Ok(())
    }

    /// Ends all sessions of a user except one. Safe to repeat.
    pub async fn revoke_others(&self, user: UserId, keep: SessionId) -> Result<()> {
        let (mut tx, now) = self.context.begin().await?;
        sessions::end_others(&mut tx, user, Some(keep), now).await?;
        tx.commit().await?;
        self.context.changed(&[Change::Session(user)]);
        Ok(())
    }
}
