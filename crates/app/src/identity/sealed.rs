//! Decrypts passwords that the browser has encrypted, together with a one-time nonce, to a published key.
//!
//! TLS already protects the transport. The additional encryption keeps passwords out of the logs and memory of
//! intermediaries.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

use aws_lc_rs::encoding::{AsDer, Pkcs8V1Der, PublicKeyX509Der};
use aws_lc_rs::rsa::{KeySize, OAEP_SHA256_MGF1SHA256, OaepPrivateDecryptingKey, PrivateDecryptingKey};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chrono::Duration;
use domain::clock::{Timestamp, after};
use domain::identity::IdentityRefusal;
use serde::Deserialize;
use sha2::{Digest, Sha256};
use store::Tx;
use store::identity::secrets::{self, NonceUse, Repeatable, SecretKey};
use uuid::Uuid;

use super::Identity;
use super::sessions::{Opening, REPEATABLE_FOR, text_of};
use crate::engine::idempotency::IdempotencyKey;
use crate::{Error, Result};

/// How long a key is valid: on the day of its creation and on the next day.
const KEY_LIFETIME: Duration = Duration::hours(48);
/// How long a nonce is valid.
const NONCE_LIFETIME: Duration = Duration::minutes(10);

/// The data that a browser needs to encrypt a password.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublishedKey {
    pub id: Uuid,
    /// A `SubjectPublicKeyInfo` in DER.
    pub public: Vec<u8>,
    /// The browser encrypts it together with the password. Valid once.
    pub nonce: String,
    /// When the nonce expires.
    pub expires_at: Timestamp,
}

/// An encrypted password: the JSON `{"secret", "nonce"}`, encrypted with RSA-OAEP and SHA-256.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sealed {
    pub key: Uuid,
    /// The ciphertext in base64.
    pub cipher: String,
}

/// The private keys that were used recently. A key never changes.
#[derive(Default)]
pub(super) struct OpeningKeys(RwLock<BTreeMap<Uuid, Arc<OpeningKey>>>);

struct OpeningKey {
    private: OaepPrivateDecryptingKey,
    expires_at: Timestamp,
}

impl OpeningKey {
    fn decrypt(&self, sealed: &Sealed, command: [u8; 32]) -> Result<Decrypted> {
        let cipher = STANDARD.decode(&sealed.cipher).map_err(|_| unreadable())?;
        let inside = self.inside(&cipher).ok_or_else(unreadable)?;
        let nonce_use = (Sha256::digest(&inside.nonce).into(), command);
        Ok(Decrypted { secret: inside.secret, nonce_use, key_expires_at: self.expires_at })
    }

    fn inside(&self, cipher: &[u8]) -> Option<Inside> {
        if cipher.len() != self.private.key_size_bytes() {
            return None;
        }
        let mut plain = vec![0; self.private.min_output_size()];
        let plain = self.private.decrypt(&OAEP_SHA256_MGF1SHA256, cipher, &mut plain, None).ok()?;
        serde_json::from_slice(plain).ok()
    }
}

/// A decrypted password.
pub(super) struct Decrypted {
    pub(super) secret: String,
    /// The use of its nonce for the command.
    nonce_use: NonceUse,
    key_expires_at: Timestamp,
}

impl Decrypted {
    /// Returns the nonce and command if the key is still valid.
    pub(super) fn nonce_use(&self, now: Timestamp) -> Option<NonceUse> {
        (now < self.key_expires_at).then_some(self.nonce_use)
    }
}

#[derive(Deserialize)]
struct Inside {
    secret: String,
    nonce: String,
}

impl Identity {
    /// Returns the key of the day, creating it if necessary, and a new nonce.
    pub async fn publish_key(&self) -> Result<PublishedKey> {
        let (mut tx, now) = self.context.begin().await?;
        let key = if let Some(key) = secrets::of_day(&mut tx, now).await? {
            key
        } else {
            tx.rollback().await?;
            let fresh = self.make_key(now).await?;
            (tx, _) = self.context.begin().await?;
            secrets::keep(&mut tx, &fresh, now).await?;
            secrets::of_day(&mut tx, now).await?.ok_or_else(|| Error::Internal("the key of the day".into()))?
        };
        // The nonce is short enough to fit in one RSA block together with a password of 32 characters of any script.
        let nonce = text_of(&self.secret::<16>());
        let expires_at = after(now, NONCE_LIFETIME);
        secrets::add_nonce(&mut tx, &Sha256::digest(&nonce).into(), expires_at).await?;
        tx.commit().await?;
        Ok(PublishedKey { id: key.id, public: key.public, nonce, expires_at })
    }

    async fn make_key(&self, now: Timestamp) -> Result<SecretKey> {
        let made = tokio::task::spawn_blocking(|| {
            let private = PrivateDecryptingKey::generate(KeySize::Rsa2048)?;
            let public = AsDer::<PublicKeyX509Der<'_>>::as_der(&private.public_key())?.as_ref().to_vec();
            let private = AsDer::<Pkcs8V1Der<'_>>::as_der(&private)?.as_ref().to_vec();
            Ok::<_, aws_lc_rs::error::Unspecified>((public, private))
        });
        let (public, private) = made.await.map_err(Error::internal)?.map_err(Error::internal)?;
        Ok(SecretKey { id: self.context.fresh(now), public, private, expires_at: after(now, KEY_LIFETIME) })
    }

    /// Returns the private key with an ID if it was used recently.
    fn kept_key(&self, id: Uuid) -> Option<Arc<OpeningKey>> {
        self.opening_keys.0.read().unwrap_or_else(PoisonError::into_inner).get(&id).cloned()
    }

    async fn opening_key(&self, tx: &mut Tx, id: Uuid) -> Result<Arc<OpeningKey>> {
        if let Some(key) = self.kept_key(id) {
            return Ok(key);
        }
        let SecretKey { private, expires_at, .. } = secrets::key(tx, id).await?.ok_or_else(unreadable)?;
        let private = PrivateDecryptingKey::from_pkcs8(&private).map_err(Error::internal)?;
        let private = OaepPrivateDecryptingKey::new(private).map_err(Error::internal)?;
        let key = Arc::new(OpeningKey { private, expires_at });
        let mut keys = self.opening_keys.0.write().unwrap_or_else(PoisonError::into_inner);
        // Forget keys that expired before this one was created.
        keys.retain(|_, known| expires_at < after(known.expires_at, KEY_LIFETIME));
        keys.insert(id, Arc::clone(&key));
        Ok(key)
    }

    /// Decrypts a password. The caller must use up its nonce before relying on it.
    pub(super) async fn decrypt(&self, sealed: &Sealed, command: [u8; 32]) -> Result<Decrypted> {
        let key = match self.kept_key(sealed.key) {
            Some(key) => key,
            None => self.opening_key(&mut self.context.store.alone().await?, sealed.key).await?,
        };
        key.decrypt(sealed, command)
    }

    /// Decrypts a password and uses up its nonce for the command. The same command may use the nonce again, within the
    /// given bounds if any. The caller must commit, even on failure.
    async fn open_secret(
        &self,
        tx: &mut Tx,
        sealed: &Sealed,
        command: [u8; 32],
        now: Timestamp,
        bounds: Option<Repeatable<'_>>,
    ) -> Result<String> {
        let decrypted = self.opening_key(tx, sealed.key).await?.decrypt(sealed, command)?;
        let nonce_use = decrypted.nonce_use(now).ok_or_else(unreadable)?;
        let used = secrets::use_nonces(tx, &[nonce_use], now, bounds).await?;
        if used.is_empty() { Err(unreadable()) } else { Ok(decrypted.secret) }
    }

    /// Decrypts a password like [`Self::open_secret`], for a command that opens a session. Prevents replay: an attacker
    /// who recorded the command cannot repeat it, even if it was refused the first time.
    pub(crate) async fn open_secret_to_enter(
        &self,
        tx: &mut Tx,
        sealed: &Sealed,
        opening: &Opening<'_>,
        now: Timestamp,
    ) -> Result<String> {
        let network = opening.device.network();
        let since = now.checked_sub_signed(REPEATABLE_FOR).unwrap_or(now);
        let bounds = Repeatable { network: &network, since };
        self.open_secret(tx, sealed, opening.command(), now, Some(bounds)).await
    }

    /// Decrypts a password in a separate transaction, for a command of a known user or officer. No other command of
    /// anybody can use the same ciphertext, even under the same idempotency key.
    pub(crate) async fn open(&self, key: &IdempotencyKey, actor: impl Into<Uuid>, sealed: &Sealed) -> Result<String> {
        let (mut tx, now) = self.context.begin().await?;
        let opened = self.open_secret(&mut tx, sealed, key.command_of(actor.into()), now, None).await;
        tx.commit().await?;
        opened
    }
}

pub(super) fn unreadable() -> Error {
    IdentityRefusal::SecretUnreadable.into()
}
