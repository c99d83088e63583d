//! The devices from which users have logged in with their passwords, and whose logins need no slide check.
//!
//! A device is a browser with a cookie that contains the device's ID, signed with a key of the platform. It is known to an account
//! if the account has logged in from it. Nothing else decides: neither the email address nor anything that a browser claims.

use aws_lc_rs::hmac;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::clock::Timestamp;
use domain::identity::IdentityRefusal;
use domain::identity::password::{DEVICE_KEPT, DEVICES_KEPT, GUESSES_BEFORE_CHECK};
use domain::ids::UserId;
use sha2::{Digest, Sha256};
use store::Tx;
use store::identity::devices;

use super::Identity;
use super::guesses::{self, Attempt};
use super::sessions::text_of;
use crate::{Error, Result};

/// The ID of a device. Only the device's cookie contains it; the database has its hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DeviceId([u8; 32]);

impl DeviceId {
    fn hash(self) -> [u8; 32] {
        Sha256::digest(self.0).into()
    }
}

/// Signs the cookies of devices. All processes use the same key.
#[derive(Debug, Clone)]
pub(super) struct DeviceKey(hmac::Key);

impl DeviceKey {
    fn new(bytes: &[u8; 32]) -> Self {
        Self(hmac::Key::new(hmac::HMAC_SHA256, bytes))
    }

    fn mac(&self, purpose: &[u8], data: &[u8]) -> hmac::Tag {
        hmac::sign(&self.0, &[purpose, data].concat())
    }

    /// Returns the cookie of a device.
    pub(super) fn cookie(&self, id: DeviceId) -> String {
        format!("{}.{}", text_of(&id.0), text_of(self.mac(COOKIE, &id.0).as_ref()))
    }

    /// Returns the device of a cookie that the platform has signed.
    pub(super) fn device(&self, cookie: &str) -> Option<DeviceId> {
        let (id, signature) = cookie.split_once('.')?;
        let id: [u8; 32] = URL_SAFE_NO_PAD.decode(id).ok()?.try_into().ok()?;
        let signature = URL_SAFE_NO_PAD.decode(signature).ok()?;
        hmac::verify(&self.0, &[COOKIE, &id].concat(), &signature).ok()?;
        Some(DeviceId(id))
    }

    /// Returns the ID of a new device, which a session was opened from: always the same, so that a repeated login has the same
    /// cookie.
    pub(super) fn fresh(&self, session_token: &str) -> DeviceId {
        let mut id = [0; 32];
        id.copy_from_slice(self.mac(FRESH_COOKIE, session_token.as_bytes()).as_ref());
        DeviceId(id)
    }
}

// Different and of the same length, so that no signature is also an ID.
const COOKIE: &[u8] = b"mec2c device cookie";
const FRESH_COOKIE: &[u8] = b"mec2c device fresh-";

impl Identity {
    /// Returns the key that signs the cookies of devices. It is created once and never changes.
    pub(super) async fn device_key(&self) -> Result<DeviceKey> {
        if let Some(key) = self.device_key.get() {
            return Ok(key.clone());
        }
        let (mut tx, _) = self.context.begin().await?;
        if devices::key(&mut tx).await?.is_none() {
            devices::put_key(&mut tx, &self.secret()).await?;
            tx.commit().await?;
            (tx, _) = self.context.begin().await?;
        }
        let key = devices::key(&mut tx).await?;
        tx.rollback().await?;
        let key = key.ok_or_else(|| Error::Internal("no key for devices".to_owned()))?;
        Ok(self.device_key.get_or_init(|| DeviceKey::new(&key)).clone())
    }

    /// Refuses a login without a slide check, unless it comes from a device that the account knows, and few passwords were wrong.
    /// Looks at no password. The refusal is the same for an email address without an account, so it reveals to whoever tries
    /// only whether their own device knows the account. The caller must roll back after a refusal.
    pub(super) async fn check_device(tx: &mut Tx, attempt: Attempt<'_>, now: Timestamp) -> Result<()> {
        if attempt.device.is_none() || guesses::wrong(tx, attempt, now).await? >= GUESSES_BEFORE_CHECK {
            return Err(IdentityRefusal::SlideNeeded.into());
        }
        Ok(())
    }

    /// Returns the hash of a device if the account knows the device.
    pub(super) async fn known_device(
        tx: &mut Tx,
        owner: Option<UserId>,
        id: Option<DeviceId>,
        now: Timestamp,
    ) -> Result<Option<[u8; 32]>> {
        // The query runs even without a device or an account, so that the response takes the same time.
        let since = now.checked_sub_signed(DEVICE_KEPT).unwrap_or(now);
        let hash = id.map_or([0; 32], DeviceId::hash);
        let known = devices::is_known(tx, owner.unwrap_or(guesses::NOBODY), &hash, since).await?;
        Ok(known.then_some(hash))
    }

    /// Records that a user, whom the caller has locked, has logged in from a device.
    pub(super) async fn remember_device(tx: &mut Tx, user: UserId, id: DeviceId, now: Timestamp) -> Result<()> {
        Ok(devices::remember(tx, user, &id.hash(), now, DEVICES_KEPT).await?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cookie_is_accepted_only_as_it_was_signed() {
        let (key, other) = (DeviceKey::new(&[7; 32]), DeviceKey::new(&[8; 32]));
        let id = key.fresh("token");
        let cookie = key.cookie(id);
        assert_eq!(key.device(&cookie), Some(id));
        assert_eq!(other.device(&cookie), None);
        let (text, signature) = cookie.split_once('.').unwrap();
        let another = key.cookie(key.fresh("another token"));
        let (another, _) = another.split_once('.').unwrap();
        for wrong in [
            "",
            ".",
            text,
            &format!("{text}."),
            &format!(".{signature}"),
            &format!("{another}.{signature}"),
            &format!("{signature}.{text}"),
            &format!("{signature}.{signature}"),
            &format!("{cookie}="),
            &cookie[1..],
            &cookie[..cookie.len() - 1],
            &cookie.to_uppercase(),
        ] {
            assert_eq!(key.device(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_new_device_has_one_id_per_session() {
        let key = DeviceKey::new(&[7; 32]);
        assert_eq!(key.fresh("token"), key.fresh("token"));
        assert_ne!(key.fresh("token"), key.fresh("another token"));
        assert_ne!(key.fresh("token"), DeviceKey::new(&[8; 32]).fresh("token"));
    }
}
