//! Logs users in with email address and password.

use domain::clock::Timestamp;
use domain::identity::IdentityRefusal;
use domain::identity::email::Email;
use domain::refusal::{Refusal, RiskFlag};
use domain::users::{KycLevel, User};
use store::identity::accounts;
use store::{Tx, users};

use super::guesses::{self, Attempt, Guess, Secret};
use super::known_devices::{DeviceId, DeviceKey};
use super::sessions::Opening;
use super::{Device, Identity, Opened, Sealed};
use crate::Result;
use crate::engine::idempotency::IdempotencyKey;

#[derive(Debug, Clone)]
pub struct Login {
    pub email: String,
    pub password: Sealed,
    /// The proof of a slide check. Not needed on a device that the account knows.
    pub slide_token: Option<String>,
    /// The device's cookie, if the browser sent one.
    pub device_cookie: Option<String>,
    pub device: Device,
}

/// A new session, with the cookie of its device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedIn {
    pub session: Opened,
    pub device_cookie: String,
}

/// Returns the device of a login: that of its cookie, or else a new one.
fn device_of(key: &DeviceKey, sent: Option<DeviceId>, session: &Opened) -> DeviceId {
    sent.unwrap_or_else(|| key.fresh(&session.token))
}

/// Refuses users who may not log in.
fn may_log_in(user: &User) -> Result<()> {
    if user.forbidden.contains(&RiskFlag::Login) {
        return Err(Refusal::Risk(RiskFlag::Login).into());
    }
    if user.kyc < KycLevel::Basic {
        return Err(Refusal::KycMissing.into());
    }
    Ok(())
}

impl Identity {
    /// Opens a session, and makes the device known to the account. Counts the attempt as failed before checking the password and
    /// uncounts it if the password is right, so that concurrent attempts are counted one by one.
    pub async fn login(&self, key: &IdempotencyKey, login: &Login) -> Result<LoggedIn> {
        let device_key = self.device_key().await?;
        let sent = login.device_cookie.as_deref().and_then(|cookie| device_key.device(cookie));
        let session = self.open_with_password(key, login, (&device_key, sent)).await?;
        let device_cookie = device_key.cookie(device_of(&device_key, sent, &session));
        Ok(LoggedIn { session, device_cookie })
    }

    async fn open_with_password(
        &self,
        key: &IdempotencyKey,
        login: &Login,
        (device_key, sent): (&DeviceKey, Option<DeviceId>),
    ) -> Result<Opened> {
        let email = Email::parse(&login.email, "email")?;
        let scope = format!("login {email}");
        let device = &login.device;
        let opening = Opening { key, scope: &scope, device, spent: IdentityRefusal::SecretUnreadable };
        let (mut tx, now) = self.context.begin().await?;
        if let Some(opened) = self.opened_before(&mut tx, &opening, now).await? {
            return Ok(opened);
        }
        // The steps are the same for an email address without an account.
        let account = accounts::by_email_with_hash(&mut tx, email.as_str()).await?;
        let owner = account.as_ref().map(|(user, _)| *user);
        let known = Self::known_device(&mut tx, owner, sent, now).await?;
        let network = device.network();
        let attempt = Attempt { secret: Secret::Login(email.as_str()), owner, network: &network, device: known };
        match &login.slide_token {
            Some(token) => self.use_slide(&mut tx, token, &opening.command(), now).await?,
            None => {
                if let Err(refused) = Self::check_device(&mut tx, attempt, now).await {
                    tx.rollback().await?;
                    return Err(refused);
                }
            }
        }
        let tried = self.try_password(&mut tx, login, attempt, &opening, now).await;
        // Commit even on failure, so that the nonce is used up and the guess is counted.
        tx.commit().await?;
        let (password, guess) = tried?;

        let right = self.hasher.is(password, account.as_ref().map(|(_, hash)| hash.clone())).await?;
        let Some((user, hash)) = account.filter(|_| right) else {
            return Err(IdentityRefusal::WrongCredentials.into());
        };

        let (mut tx, now) = self.context.begin().await?;
        let row = users::lock(&mut tx, &[user]).await?.pop().ok_or(Refusal::SessionInvalid)?;
        let account = accounts::lock(&mut tx, user).await?.ok_or(Refusal::SessionInvalid)?;
        if account.password_hash != hash {
            // The password was changed while it was being checked.
            return Err(IdentityRefusal::WrongCredentials.into());
        }
        guesses::uncount(&mut tx, &[guess], now).await?;
        if let Err(error) = may_log_in(&row) {
            tx.commit().await?;
            return Err(error);
        }
        if let Some(opened) = self.opened_before(&mut tx, &opening, now).await? {
            tx.commit().await?;
            return Ok(opened);
        }
        let opened = self.open_session(&mut tx, user, &opening, now).await?;
        Self::remember_device(&mut tx, user, device_of(device_key, sent, &opened), now).await?;
        tx.commit().await?;
        Ok(opened)
    }

    /// Decrypts the password and counts the guess. The caller must commit, even on failure.
    async fn try_password(
        &self,
        tx: &mut Tx,
        login: &Login,
        attempt: Attempt<'_>,
        opening: &Opening<'_>,
        now: Timestamp,
    ) -> Result<(String, Guess)> {
        let password = self.open_secret_to_enter(tx, &login.password, opening, now).await?;
        if password.is_empty() {
            return Err(Refusal::Invalid { field: "password", reason: "empty" }.into());
        }
        Ok((password, guesses::count_one(tx, attempt, now).await?))
    }
}
