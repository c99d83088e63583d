//! Logs users in with email address and password.

use domain::clock::Timestamp;
use domain::identity::IdentityRefusal;
use domain::identity::email::Email;
use domain::ids::UserId;
use domain::people::{KycLevel, Person};
use domain::refusal::{Refusal, RiskFlag};
use store::identity::accounts;
use store::{Tx, people};

use super::guesses::{self, Attempt, Guess, Secret};
use super::sessions::Opening;
use super::{Device, Identity, Opened, Sealed};
use crate::Result;
use crate::idempotency::IdempotencyKey;

#[derive(Debug, Clone)]
pub struct Login {
    pub email: String,
    pub password: Sealed,
    /// The proof of a slide check.
    pub slide_token: String,
    pub device: Device,
}

/// Refuses users who may not log in.
fn may_log_in(person: &Person) -> Result<()> {
    if person.forbidden.contains(&RiskFlag::Login) {
        return Err(Refusal::Risk(RiskFlag::Login).into());
    }
    if person.kyc < KycLevel::Basic {
        return Err(Refusal::KycMissing.into());
    }
    Ok(())
}

impl Identity {
    /// Opens a session. Counts the attempt as failed before checking the password and uncounts it if the password is
    /// right, so that concurrent attempts are counted one by one.
    pub async fn login(&self, key: &IdempotencyKey, login: &Login) -> Result<Opened> {
        let email = Email::parse(&login.email, "email")?;
        let scope = format!("login {email}");
        let device = &login.device;
        let opening = Opening { key, scope: &scope, device, spent: IdentityRefusal::SecretUnreadable };
        let (mut tx, now) = self.context.begin().await?;
        if let Some(opened) = self.opened_before(&mut tx, &opening, now).await? {
            return Ok(opened);
        }
        self.use_slide(&mut tx, &login.slide_token, &opening.command(), now).await?;
        let tried = self.try_password(&mut tx, &email, login, &opening, now).await;
        // Commit even on failure, so that the nonce is used up and the guess is counted.
        tx.commit().await?;
        let (password, account, guess) = tried?;

        let right = self.hasher.is(password, account.as_ref().map(|(_, hash)| hash.clone())).await?;
        let Some((user, hash)) = account.filter(|_| right) else {
            return Err(IdentityRefusal::WrongCredentials.into());
        };

        let (mut tx, now) = self.context.begin().await?;
        let person = people::lock(&mut tx, &[user]).await?.pop().ok_or(Refusal::SessionInvalid)?;
        let account = accounts::lock(&mut tx, user).await?.ok_or(Refusal::SessionInvalid)?;
        if account.password_hash != hash {
            // The password was changed while it was being checked.
            return Err(IdentityRefusal::WrongCredentials.into());
        }
        guesses::uncount(&mut tx, &[guess], now).await?;
        if let Err(error) = may_log_in(&person) {
            tx.commit().await?;
            return Err(error);
        }
        let opened = match self.opened_before(&mut tx, &opening, now).await? {
            Some(opened) => opened,
            None => self.open_session(&mut tx, user, &opening, now).await?,
        };
        tx.commit().await?;
        Ok(opened)
    }

    /// Decrypts the password, finds the account with its hash, and counts the guess. The caller must commit, even on
    /// failure. Takes the same steps for an email address without an account.
    async fn try_password(
        &self,
        tx: &mut Tx,
        email: &Email,
        login: &Login,
        opening: &Opening<'_>,
        now: Timestamp,
    ) -> Result<(String, Option<(UserId, String)>, Guess)> {
        let password = self.open_secret_to_enter(tx, &login.password, opening, now).await?;
        if password.is_empty() {
            return Err(Refusal::Invalid { field: "password", reason: "empty" }.into());
        }
        let account = accounts::by_email_with_hash(tx, email.as_str()).await?;
        let owner = account.as_ref().map(|(user, _)| *user);
        let network = opening.device.network();
        let attempt = Attempt { secret: Secret::Login(email.as_str()), owner, network: &network };
        let guess = guesses::count_one(tx, attempt, now).await?;
        Ok((password, account, guess))
    }
}
