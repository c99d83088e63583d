//! Changes a user's own account.

use domain::clock::{Timestamp, after};
use domain::identity::IdentityRefusal;
use domain::identity::email::{CodePurpose, Email};
use domain::identity::nickname::{self, Nickname};
use domain::identity::password;
use domain::ids::{SessionId, UserId};
use domain::notifications::AccountChange;
use domain::refusal::Refusal;
use domain::talk;
use domain::users::{ReceivingAddress, User};
use store::identity::accounts::{self, Account};
use store::identity::{challenges, codes, devices, sessions};
use store::{Tx, nicknames, users};

use super::codes::Holder;
use super::guesses::{Attempt, Secret};
use super::register::taken;
use super::{Device, Identity, PassPurpose, Profile, Sealed, guesses};
use crate::engine::idempotency::{IdempotencyKey, Response};
use crate::notifications::account_changed;
use crate::{Error, Result};

/// A change of an account. Omitted fields do not change.
#[derive(Debug, Clone, Default)]
pub struct Update {
    /// May change once a week.
    pub nickname: Option<String>,
    /// The user's description of themselves.
    pub remark: Option<String>,
    /// What takers read in the conversation of a new order; an empty text for nothing.
    pub automatic_reply: Option<String>,
    /// The receiving address for USDT, with its chain type.
    pub receiving: Option<(String, String)>,
    /// A new email address, to which the code was sent for [`CodePurpose::Security`].
    pub email: Option<String>,
    /// Requires the current login password.
    pub new_password: Option<Sealed>,
    /// The current login password. Required for a new login password. As long as the user has no security password,
    /// also required to set it and for a new email address: a session alone proves nothing, because it may be stolen.
    pub password: Option<Sealed>,
    pub new_security_code: Option<Sealed>,
    /// The current security password. If the user has one, required for a new email address, receiving address or
    /// security password.
    pub security_code: Option<Sealed>,
    /// Proves access to a mailbox. For a new email address, the new mailbox; otherwise the user's own, needed if neither the
    /// security password nor the pass proves the change. During a hold, the own mailbox proves nothing.
    pub email_code: Option<String>,
    /// The secret of a challenge for [`PassPurpose::Security`] that the user approved. Proves what the security password
    /// proves, except for a new email address of a user who has one.
    pub pass_ticket: Option<String>,
    pub device: Device,
}

impl Update {
    /// Returns whether the change affects data that protects money.
    fn is_sensitive(&self) -> bool {
        self.receiving.is_some() || self.email.is_some() || self.new_security_code.is_some()
    }

    fn is_nothing(&self) -> bool {
        !self.is_sensitive()
            && self.nickname.is_none()
            && self.remark.is_none()
            && self.automatic_reply.is_none()
            && self.new_password.is_none()
    }
}

/// The results of checks and hashing before the rows are locked.
#[derive(Default)]
struct Prepared {
    password_hash: Option<String>,
    security_hash: Option<String>,
    /// Whether the request contained the correct login password.
    knows_login: bool,
}

/// Puts the account of a user whose credentials have changed on hold ([`User::hold`]). `email` is the address before the
/// change. If the hold continues an earlier one, the account keeps the address that it had when that one began.
pub(super) fn start_hold(user: &mut User, account: &mut Account, email: String, now: Timestamp) {
    let earlier = user.hold(now).and(account.former_email.take());
    account.former_email = earlier.or(Some(email)).filter(|former| *former != account.email);
    user.held_until = user.held_until.max(Some(after(now, password::HOLD)));
}

fn password_missing() -> Error {
    Refusal::Invalid { field: "password", reason: "missing" }.into()
}

/// Gives a user a nickname, which administrators review. After a rejection, others do not see it before it is approved.
async fn choose_nickname(
    tx: &mut Tx,
    user: &mut User,
    account: &mut Account,
    nickname: &str,
    now: Timestamp,
) -> Result<()> {
    let review = nicknames::review(tx, account.user).await?;
    if review.proposed.as_deref().or(user.nickname.as_deref()) == Some(nickname) {
        return Ok(());
    }
    nickname::may_change(account.nickname_changed_at, now)?;
    if nicknames::was_rejected(tx, nickname).await? {
        return Err(Refusal::Unspeakable { field: "nickname", reason: "rejected" }.into());
    }
    if nicknames::is_taken(tx, account.user, nickname).await? {
        return Err(IdentityRefusal::NicknameTaken.into());
    }
    account.nickname_changed_at = Some(now);
    if review.is_neutral {
        return nicknames::propose(tx, account.user, nickname, now).await.map_err(taken);
    }
    user.nickname = Some(nickname.to_owned());
    Ok(nicknames::submit(tx, account.user, now).await?)
}

impl Identity {
    /// Changes a user's account. A change of email address, receiving address or a password ends the other sessions and
    /// suspends withdrawals, adverts and orders for a day.
    pub async fn update(
        &self,
        key: &IdempotencyKey,
        user: UserId,
        session: SessionId,
        ask: &Update,
    ) -> Result<Profile> {
        if ask.is_nothing() {
            return Err(Refusal::Invalid { field: "body", reason: "nothing to change" }.into());
        }
        let (mut tx, _) = self.context.begin().await?;
        if key.response(&mut tx, user).await?.is_some() {
            drop(tx);
            return self.profile(user).await;
        }
        drop(tx);
        let prepared = self.prepare(key, user, ask).await?;

        let (mut tx, now) = self.context.begin().await?;
        let mut row = users::lock(&mut tx, &[user]).await?.pop().ok_or(Refusal::SessionInvalid)?;
        let mut account = accounts::lock(&mut tx, user).await?.ok_or(Refusal::SessionInvalid)?;
        if key.response(&mut tx, user).await?.is_some() {
            drop(tx);
            return self.profile(user).await;
        }
        let email = account.email.clone();
        let changes = self.change(&mut tx, &mut row, &mut account, ask, prepared, now).await?;
        let starts_hold = changes.iter().any(|change| change.starts_hold());
        if starts_hold {
            start_hold(&mut row, &mut account, email, now);
            sessions::end_others(&mut tx, user, Some(session), now).await?;
            devices::forget_all(&mut tx, user).await?;
        }
        accounts::update(&mut tx, &account).await.map_err(taken)?;
        accounts::update_profile(&mut tx, &row).await.map_err(taken)?;
        if starts_hold {
            crate::adverts::hold(&self.context, &mut tx, user, now).await?;
        }
        let events: Vec<_> = changes.iter().map(|change| account_changed(user, *change)).collect();
        store::outbox::write(&mut tx, &events, now).await?;
        key.remember(&mut tx, user, Response::default(), now).await?;
        tx.commit().await?;
        self.has_acted(user);
        self.profile(user).await
    }

    /// Decrypts, checks and hashes the passwords of a change. A wrong password counts as a failed attempt.
    async fn prepare(&self, key: &IdempotencyKey, user: UserId, ask: &Update) -> Result<Prepared> {
        let mut prepared = Prepared::default();
        if ask.new_password.is_some() && ask.password.is_none() {
            return Err(password_missing());
        }
        let old = match &ask.password {
            Some(old) => Some(self.open(key, user, old).await?),
            None => None,
        };
        let new = match &ask.new_password {
            Some(new) => Some(self.open(key, user, new).await?),
            None => None,
        };
        if let Some(new) = &new {
            password::check_login(new, "newPassword")?;
        }
        if let Some(old) = old {
            self.check_login_password(user, old, &ask.device).await?;
            prepared.knows_login = true;
        }
        if let Some(new) = new {
            prepared.password_hash = Some(self.hash_login_password(user, new, &ask.device, false).await?);
        }
        if !ask.is_sensitive() {
            return Ok(prepared);
        }
        if let Some(code) = &ask.email_code
            && (ask.email.is_some() || (ask.security_code.is_none() && ask.pass_ticket.is_none()))
        {
            // Runs in a separate transaction, so that a wrong code counts as a failed attempt although the change is
            // refused.
            self.verify_code(ask.email.as_deref(), CodePurpose::Security, Holder::User(user), code).await?;
        }
        if let Some(sealed) = &ask.security_code {
            self.check_security_password(key, user, sealed, &ask.device).await?;
        }
        if let Some(sealed) = &ask.new_security_code {
            let new = self.open(key, user, sealed).await?;
            password::check_security(&new)?;
            let field = "newSecurityCode";
            let (login, security) =
                (IdentityRefusal::SecurityEqualsLogin { field }, IdentityRefusal::SamePassword { field });
            prepared.security_hash = Some(self.hash_unlike(user, new, &ask.device, [login, security], false).await?);
        }
        Ok(prepared)
    }

    /// Applies a change to the locked rows. Returns what of it protects the account.
    async fn change(
        &self,
        tx: &mut Tx,
        user: &mut User,
        account: &mut Account,
        ask: &Update,
        prepared: Prepared,
        now: Timestamp,
    ) -> Result<Vec<AccountChange>> {
        let mut changes = Vec::new();
        if let Some(text) = &ask.nickname {
            let words = self.words(tx).await?;
            let nickname = Nickname::parse(text, &words)?;
            choose_nickname(tx, user, account, nickname.as_str(), now).await?;
        }
        if let Some(remark) = &ask.remark {
            let remark = remark.trim();
            domain::checks::public_text("remark", remark, &self.words(tx).await?)?;
            remark.clone_into(&mut account.remark);
        }
        if let Some(text) = &ask.automatic_reply {
            let warning_words = &self.context.reference_data(tx).await?.data.warning_words;
            user.automatic_reply = talk::check_automatic_reply(text, &self.words(tx).await?, warning_words)?;
        }
        let security_proved = account.security_hash.is_none() || ask.security_code.is_some();
        if let Some(text) = &ask.email {
            let email = Email::parse(text, "email")?;
            if !security_proved {
                return Err(Refusal::Invalid { field: "securityCode", reason: "missing" }.into());
            }
            if account.security_hash.is_none() {
                if !prepared.knows_login {
                    return Err(password_missing());
                }
                self.prove_during_hold(tx, user, account, ask, now).await?;
            }
            self.spend_code(tx, account, &email, ask, now).await?;
            if account.email != email.as_str() {
                if accounts::by_email(tx, email.as_str()).await?.is_some() {
                    return Err(IdentityRefusal::EmailRegistered.into());
                }
                email.as_str().clone_into(&mut account.email);
                changes.push(AccountChange::EmailAddress);
            }
        }
        if let Some((text, chain_type)) = &ask.receiving {
            let receiving: ReceivingAddress = self.receiving(tx, text, chain_type).await?;
            if user.receiving.as_ref() != Some(&receiving) {
                self.prove(tx, (user, account), ask, security_proved, now).await?;
                // A first receiving address replaces nothing, so it needs no hold.
                changes.extend(user.receiving.as_ref().map(|_| AccountChange::ReceivingAddress));
                user.receiving = Some(receiving);
            }
        }
        if let Some(hash) = prepared.security_hash {
            if account.security_hash.is_some() {
                self.prove(tx, (user, account), ask, security_proved, now).await?;
                changes.push(AccountChange::SecurityPassword);
            } else if prepared.knows_login {
                self.prove_during_hold(tx, user, account, ask, now).await?;
            } else {
                return Err(password_missing());
            }
            if account.security_hash.replace(hash).is_none() {
                changes.push(AccountChange::SecurityPasswordSet);
            }
            guesses::forget(tx, Secret::Security(account.user)).await?;
        }
        if let Some(hash) = prepared.password_hash {
            account.password_hash = hash;
            guesses::forget(tx, Secret::Login(&account.email)).await?;
            changes.push(AccountChange::LoginPassword);
        }
        Ok(changes)
    }

    /// Refuses a change that is proved neither by the security password, nor by the pass, nor by a code sent to the user's own
    /// mailbox. During a hold, the mailbox proves nothing, because whoever caused the hold may have stolen it.
    async fn prove(
        &self,
        tx: &mut Tx,
        (user, account): (&User, &Account),
        ask: &Update,
        proved: bool,
        now: Timestamp,
    ) -> Result<()> {
        if proved && account.security_hash.is_some() {
            return Ok(());
        }
        if let Some(ticket) = &ask.pass_ticket {
            return self.prove_with_pass(tx, account, ticket, now).await;
        }
        if account.security_hash.is_some() && ask.email_code.is_none() {
            return Err(Refusal::Invalid { field: "securityCode", reason: "missing" }.into());
        }
        domain::checks::hold(user, now)?;
        self.spend_code(tx, account, &Email::parse(&account.email, "email")?, ask, now).await
    }

    /// During a hold, refuses a first security password and a new email address without the pass: the login password proves nothing,
    /// because a stolen mailbox resets it.
    async fn prove_during_hold(
        &self,
        tx: &mut Tx,
        user: &User,
        account: &Account,
        ask: &Update,
        now: Timestamp,
    ) -> Result<()> {
        match (user.hold(now), &ask.pass_ticket) {
            (None, _) => Ok(()),
            (Some(_), Some(ticket)) => self.prove_with_pass(tx, account, ticket, now).await,
            (Some(until), None) => Err(Refusal::HeldUntil { until }.into()),
        }
    }

    async fn prove_with_pass(&self, tx: &mut Tx, account: &Account, ticket: &str, now: Timestamp) -> Result<()> {
        let (challenge, _) = self.approved(tx, ticket, account.user, PassPurpose::Security, now).await?;
        Ok(challenges::spend(tx, challenge, now).await?)
    }

    async fn spend_code(&self, tx: &mut Tx, account: &Account, to: &Email, ask: &Update, now: Timestamp) -> Result<()> {
        let typed = ask.email_code.as_deref().unwrap_or_default();
        let code = self.check_code(tx, to, CodePurpose::Security, Holder::User(account.user), typed, now).await?;
        Ok(codes::spend(tx, &code, now).await?)
    }

    /// Hashes a new login password, which must differ from the user's current passwords. `forgotten` is whether the user need not know
    /// the current one: then a lockout after wrong guesses at it does not prevent its replacement.
    pub(super) async fn hash_login_password(
        &self,
        user: UserId,
        new: String,
        device: &Device,
        forgotten: bool,
    ) -> Result<String> {
        let field = "newPassword";
        let same = [IdentityRefusal::SamePassword { field }, IdentityRefusal::SecurityEqualsLogin { field }];
        self.hash_unlike(user, new, device, same, forgotten).await
    }

    /// Hashes a new password. If it equals the current login or security password, fails with the first or the second refusal.
    ///
    /// Each comparison tells the caller something about a current password, also one that finds a difference. So it counts as a wrong
    /// guess until the password is replaced or entered.
    async fn hash_unlike(
        &self,
        user: UserId,
        new: String,
        device: &Device,
        same: [IdentityRefusal; 2],
        forgotten: bool,
    ) -> Result<String> {
        let (mut tx, now) = self.context.begin().await?;
        let account = accounts::read(&mut tx, user).await?.ok_or(Refusal::SessionInvalid)?;
        let network = device.network();
        let secrets = [
            (Some(account.password_hash), Secret::Login(&account.email)),
            (account.security_hash, Secret::Security(user)),
        ];
        let set = || secrets.iter().zip(&same).filter(|((hash, _), _)| hash.is_some());
        let attempts: Vec<_> = set()
            .filter(|((_, secret), _)| !(forgotten && matches!(secret, Secret::Login(_))))
            .map(|((_, secret), _)| Attempt { secret: *secret, owner: Some(user), network: &network, device: None })
            .collect();
        let counted = guesses::count(&mut tx, &attempts, now).await?;
        tx.commit().await?;
        counted.into_iter().collect::<std::result::Result<Vec<_>, _>>()?;
        for ((hash, _), refusal) in set() {
            if self.hasher.is(new.clone(), hash.clone()).await? {
                return Err(refusal.clone().into());
            }
        }
        self.hasher.hash(new, self.secret()).await
    }

    async fn check_login_password(&self, user: UserId, typed: String, device: &Device) -> Result<()> {
        let (mut tx, now) = self.context.begin().await?;
        let account = accounts::read(&mut tx, user).await?.ok_or(Refusal::SessionInvalid)?;
        let secret = Secret::Login(&account.email);
        let attempt = Attempt { secret, owner: Some(user), network: &device.network(), device: None };
        let guess = guesses::count_one(&mut tx, attempt, now).await?;
        tx.commit().await?;
        if !self.hasher.is(typed, Some(account.password_hash)).await? {
            return Err(IdentityRefusal::WrongCredentials.into());
        }
        let (mut tx, now) = self.context.begin().await?;
        guesses::uncount(&mut tx, &[guess], now).await?;
        Ok(tx.commit().await?)
    }
}
