//! Log-in with e-mail and password.

use domain::identity::IdentityRefusal;
use domain::identity::email::Email;
use domain::identity::password::Attempts;
use domain::people::{KycLevel, Person};
use domain::refusal::{Refusal, RiskFlag};
use store::identity::accounts;
use store::people;

use super::{Device, Identity, Once, Opened, Sealed};
use crate::Result;

/// A log-in.
#[derive(Debug, Clone)]
pub struct Login {
    /// The account's e-mail.
    pub email: String,
    /// The login password.
    pub password: Sealed,
    /// Proves a person behind the screen.
    pub slide_token: String,
    /// From where.
    pub device: Device,
}

/// Refuses who may not log in.
pub(super) fn may_log_in(person: &Person) -> Result<()> {
    if person.forbidden.contains(&RiskFlag::Login) {
        return Err(Refusal::Risk(RiskFlag::Login).into());
    }
    if person.kyc < KycLevel::Basic {
        return Err(Refusal::KycMissing.into());
    }
    Ok(())
}

impl Identity {
    /// Opens a session. The attempt counts as wrong before the password is looked at, and right is what takes it back:
    /// many attempts at once are counted one by one.
    pub async fn login(&self, once: &Once, login: &Login) -> Result<Opened> {
        let email = Email::parse(&login.email, "email")?;
        let scope = format!("login {email}");
        let command = once.name(&scope);
        let (mut tx, now) = self.context.begin().await?;
        if let Some(opened) = self.opened_before(&mut tx, once, &scope, now).await? {
            return Ok(opened);
        }
        self.use_slide(&mut tx, &login.slide_token, &command, now).await?;
        let password = match self.open_secret(&mut tx, &login.password, &command, now).await {
            Ok(password) => password,
            Err(error) => {
                tx.commit().await?;
                return Err(error);
            }
        };
        if password.is_empty() {
            return Err(Refusal::Invalid { field: "password", reason: "empty" }.into());
        }
        let user = accounts::by_email(&mut tx, email.as_str()).await?;
        let account = match user {
            Some(user) => accounts::lock(&mut tx, user).await?,
            None => None,
        };
        let hash = match account {
            Some(mut account) => {
                account.password_attempts.check(now)?;
                account.password_attempts = account.password_attempts.wrong(now);
                accounts::update(&mut tx, &account).await?;
                Some((account.user, account.password_hash))
            }
            None => None,
        };
        tx.commit().await?;

        let right = self.hasher.is(password, hash.as_ref().map(|(_, hash)| hash.clone())).await?;
        let Some((user, hash)) = hash.filter(|_| right) else {
            return Err(Refusal::from(IdentityRefusal::WrongCredentials).into());
        };

        let (mut tx, now) = self.context.begin().await?;
        let person = people::lock(&mut tx, &[user]).await?.pop().ok_or(Refusal::SessionInvalid)?;
        let mut account = accounts::lock(&mut tx, user).await?.ok_or(Refusal::SessionInvalid)?;
        if account.password_hash != hash {
            // It was changed meanwhile: what was right is not any more.
            return Err(Refusal::from(IdentityRefusal::WrongCredentials).into());
        }
        account.password_attempts = Attempts::default();
        accounts::update(&mut tx, &account).await?;
        if let Err(error) = may_log_in(&person) {
            tx.commit().await?;
            return Err(error);
        }
        let opened = match self.opened_before(&mut tx, once, &scope, now).await? {
            Some(opened) => opened,
            None => self.open_session(&mut tx, user, once, &scope, &login.device, now).await?,
        };
        tx.commit().await?;
        Ok(opened)
    }
}
