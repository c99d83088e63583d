//! Resets a forgotten login password.

use domain::clock::Timestamp;
use domain::identity::IdentityRefusal;
use domain::identity::email::{CodePurpose, Email};
use domain::identity::password;
use domain::ids::UserId;
use domain::notifications::AccountChange;
use domain::refusal::Refusal;
use store::identity::accounts;
use store::identity::challenges::{self, ChallengeOutcome};
use store::identity::{codes, devices, sessions};
use store::{Tx, users};

use super::codes::Holder;
use super::guesses::Secret;
use super::update::start_hold;
use super::{Device, Identity, Sealed, guesses};
use crate::Result;
use crate::engine::idempotency::{IdempotencyKey, Response};
use crate::notifications::account_changed;

/// A reset with an email code.
#[derive(Debug, Clone)]
pub struct ResetByEmail {
    pub email: String,
    pub email_code: String,
    /// The ID in the response of [`Identity::send_code`].
    pub email_code_id: String,
    pub new_password: Sealed,
    pub device: Device,
}

/// A reset through the pass, for users who have lost access to their mailbox.
#[derive(Debug, Clone)]
pub struct ResetByPass {
    /// The secret of the challenge that the user answered through the pass.
    pub ticket: String,
    pub new_password: Sealed,
    pub device: Device,
}

impl Identity {
    /// Sets a new login password with an email code. Ends all sessions and holds the account for a day.
    pub async fn reset_by_email(&self, key: &IdempotencyKey, ask: &ResetByEmail) -> Result<()> {
        let email = Email::parse(&ask.email, "email")?;
        let (mut tx, now) = self.context.begin().await?;
        let user = accounts::by_email(&mut tx, email.as_str()).await?;
        if let Some(user) = user
            && key.response(&mut tx, user).await?.is_some()
        {
            return Ok(());
        }
        let holder = Holder::Id(&ask.email_code_id);
        let checked = self.check_code(&mut tx, &email, CodePurpose::Reset, holder, &ask.email_code, now).await;
        tx.commit().await?;
        checked?;
        let user = user.ok_or(IdentityRefusal::EmailCodeWrong { left: 0 })?;
        let hash = self.hash_new_password(key, user, &ask.new_password, &ask.device).await?;

        let (mut tx, now) = self.context.begin().await?;
        users::lock(&mut tx, &[user]).await?;
        let code = self.check_code(&mut tx, &email, CodePurpose::Reset, holder, &ask.email_code, now).await?;
        codes::spend(&mut tx, &code, now).await?;
        self.replace_password(&mut tx, key, user, hash, now).await?;
        tx.commit().await?;
        self.has_acted(user);
        Ok(())
    }

    /// Sets a new login password through the pass. Ends all sessions and holds the account for a day.
    pub async fn reset_by_pass(&self, key: &IdempotencyKey, ask: &ResetByPass) -> Result<()> {
        let (mut tx, now) = self.context.begin().await?;
        let (challenge, user) = self.proven_for_reset(&mut tx, &ask.ticket, now).await?;
        if key.response(&mut tx, user).await?.is_some() {
            return Ok(());
        }
        let Some(_) = challenge else { return Err(IdentityRefusal::ScanExpired.into()) };
        drop(tx);
        let hash = self.hash_new_password(key, user, &ask.new_password, &ask.device).await?;

        let (mut tx, now) = self.context.begin().await?;
        let (challenge, user) = self.proven_for_reset(&mut tx, &ask.ticket, now).await?;
        let challenge = challenge.ok_or(IdentityRefusal::ScanExpired)?;
        users::lock(&mut tx, &[user]).await?;
        challenges::spend(&mut tx, challenge, now).await?;
        self.replace_password(&mut tx, key, user, hash, now).await?;
        tx.commit().await?;
        self.has_acted(user);
        Ok(())
    }

    /// Returns the ticket's challenge, unless it is already spent, and the user whose password the ticket may change.
    async fn proven_for_reset(
        &self,
        tx: &mut Tx,
        ticket: &str,
        now: Timestamp,
    ) -> Result<(Option<uuid::Uuid>, UserId)> {
        let challenge = self.answered(tx, ticket, now).await?;
        let (unspent, proven) = match challenge.outcome {
            ChallengeOutcome::Proven(proven) => (Some(challenge.id), proven),
            ChallengeOutcome::Spent(proven) => (None, proven),
            ChallengeOutcome::Waiting | ChallengeOutcome::Denied | ChallengeOutcome::WrongNumber => {
                return Err(IdentityRefusal::ScanInvalid.into());
            }
        };
        if challenge.purpose != "reset" {
            return Err(IdentityRefusal::ScanInvalid.into());
        }
        let user = accounts::by_me_id(tx, &proven.me_id).await?.ok_or(IdentityRefusal::NotRegistered)?;
        // The challenge was created for the account of an email address: only that account's owner may answer it.
        if challenge.user.is_none_or(|meant| meant != user) {
            return Err(IdentityRefusal::BoundMismatch.into());
        }
        Ok((unspent, user))
    }

    async fn hash_new_password(
        &self,
        key: &IdempotencyKey,
        user: UserId,
        sealed: &Sealed,
        device: &Device,
    ) -> Result<String> {
        let new = self.open(key, user, sealed).await?;
        password::check_login(&new, "newPassword")?;
        self.hash_login_password(user, new, device, true).await
    }

    async fn replace_password(
        &self,
        tx: &mut Tx,
        key: &IdempotencyKey,
        user: UserId,
        hash: String,
        now: Timestamp,
    ) -> Result<()> {
        let mut account = accounts::lock(tx, user).await?.ok_or(Refusal::NotFound)?;
        account.password_hash = hash;
        guesses::forget(tx, Secret::Login(&account.email)).await?;
        let mut row = users::read(tx, &[user]).await?.pop().ok_or(Refusal::NotFound)?;
        let email = account.email.clone();
        start_hold(&mut row, &mut account, email, now);
        accounts::update(tx, &account).await?;
        accounts::update_profile(tx, &row).await?;
        crate::adverts::hold(&self.context, tx, user, now).await?;
        sessions::end_others(tx, user, None, now).await?;
        devices::forget_all(tx, user).await?;
        store::outbox::write(tx, &[account_changed(user, AccountChange::LoginPassword)], now).await?;
        key.remember(tx, user, Response::default(), now).await
    }
}
