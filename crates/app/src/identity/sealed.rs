//! Decrypts passwords that the browser has encrypted, together with a one-time nonce, to a published key.
//!
//! TLS already protects the transport. The additional encryption keeps passwords out of the logs and memory of
//! intermediaries.

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
use store::identity::secrets::{self, Repeatable, SecretKey};
use uuid::Uuid;

use super::Identity;
use super::sessions::{Opening, REPEATABLE, text_of};
use crate::idempotency::IdempotencyKey;
use crate::{Error, Result};

/// How long a key is valid: on the day of its creation and on the next day.
const KEY_LIFE: Duration = Duration::hours(48);
/// How long a nonce is valid.
const NONCE_LIFE: Duration = Duration::minutes(10);

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
        let expires_at = after(now, NONCE_LIFE);
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
        Ok(SecretKey { id: self.context.fresh(now), public, private, expires_at: after(now, KEY_LIFE) })
    }

    /// Decrypts a password and uses up its nonce for the command. The same command may use the nonce again, within the
    /// given bounds if any. The caller must commit, even on failure.
    pub(super) async fn open_secret(
        &self,
        tx: &mut Tx,
        sealed: &Sealed,
        command: &[u8; 32],
        now: Timestamp,
        bounds: Option<Repeatable<'_>>,
    ) -> Result<String> {
        let unreadable = || Error::from(IdentityRefusal::SecretUnreadable);
        let key = secrets::key(tx, sealed.key, now).await?.ok_or_else(unreadable)?;
        let cipher = STANDARD.decode(&sealed.cipher).map_err(|_| unreadable())?;
        let inside = decrypt(&key.private, &cipher).ok_or_else(unreadable)?;
        let nonce = Sha256::digest(&inside.nonce).into();
        if !secrets::use_nonce(tx, &nonce, command, now, bounds).await? {
            return Err(unreadable());
        }
        Ok(inside.secret)
    }

    /// Decrypts a password like [`Self::open_secret`], for a command that opens a session. Prevents replay: an attacker
    /// who recorded the command cannot repeat it, even if it was refused the first time.
    pub(super) async fn open_secret_to_enter(
        &self,
        tx: &mut Tx,
        sealed: &Sealed,
        opening: &Opening<'_>,
        now: Timestamp,
    ) -> Result<String> {
        let network = opening.device.network();
        let since = now.checked_sub_signed(REPEATABLE).unwrap_or(now);
        let bounds = Repeatable { network: &network, since };
        self.open_secret(tx, sealed, &opening.command(), now, Some(bounds)).await
    }

    /// Decrypts a password in a separate transaction, for a command of a logged-in user.
    pub(super) async fn open(&self, key: &IdempotencyKey, sealed: &Sealed) -> Result<String> {
        let (mut tx, now) = self.context.begin().await?;
        let opened = self.open_secret(&mut tx, sealed, &key.scoped("secret"), now, None).await;
        tx.commit().await?;
        opened
    }
}

fn decrypt(private: &[u8], cipher: &[u8]) -> Option<Inside> {
    let key = OaepPrivateDecryptingKey::new(PrivateDecryptingKey::from_pkcs8(private).ok()?).ok()?;
    if cipher.len() != key.key_size_bytes() {
        return None;
    }
    let mut plain = vec![0; key.min_output_size()];
    let plain = key.decrypt(&OAEP_SHA256_MGF1SHA256, cipher, &mut plain, None).ok()?;
    serde_json::from_slice(plain).ok()
}
