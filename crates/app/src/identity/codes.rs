//! Sends and checks email codes. Each code is bound to its requester and can be tried at most five times.
//!
//! Anyone who knows an email address can request codes for it. Their requests must not harm the address's owner: a
//! requester's wrong guesses count only for the requester's own code, and messages count only against the requester's
//! own rate limit. All strangers together share a second rate limit, so that no attacker can flood a mailbox or guess
//! many codes from many networks.
//!
//! The shared limit locks nobody out, because whoever needs a code has a way that strangers cannot use up:
//!
//! - Whoever registers has been identified by the pass, and the limit is that of the person.
//! - Whoever changes an account has a session, and the limit is that of the user.
//! - Whoever forgot the password comes from a device or network that the account knows, or resets it with the pass,
//!   without a code.

use chrono::Duration;
use domain::clock::{Timestamp, after};
use domain::identity::IdentityRefusal;
use domain::identity::email::{
    CODE_LIFETIME, CODE_PAUSE, CODE_TRIES, CODES_A_DAY, CODES_OF_STRANGERS_A_DAY, CodePurpose, Email, check_code_form,
    code_digits,
};
use domain::ids::UserId;
use domain::refusal::Refusal;
use sha2::{Digest, Sha256};
use store::Tx;
use store::identity::accounts;
use store::identity::codes::{self, Code};
use subtle::ConstantTimeEq;

use super::emails::{CodeUse, already_registered_message, code_message};
use super::known_devices::DeviceId;
use super::sessions::token_of;
use super::{Device, Identity, guesses};
use crate::engine::idempotency::IdempotencyKey;
use crate::engine::idempotency::digest;
use crate::mail::EmailMessage;
use crate::{Error, Result};

/// A request to send a code by email.
#[derive(Debug, Clone)]
pub struct SendCode {
    /// The recipient. Users with a session may leave it empty to use their own address.
    pub email: String,
    pub purpose: CodePurpose,
    /// The proof of a slide check; required without a session.
    pub slide_token: Option<String>,
    /// The ticket with which the requester is about to register, if there is one.
    pub ticket: Option<String>,
    /// The device's cookie, if the browser sent one.
    pub device_cookie: Option<String>,
    /// The requester's device, with the language of the message.
    pub device: Device,
}

/// The response. It does not reveal whether a message is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeSent {
    /// When the next code may be requested.
    pub resend_at: Timestamp,
    /// The client sends this ID back with the code, to prove that the same requester asked for the code.
    pub id: String,
}

/// The person who enters a code. Only the requester of a code may use it.
#[derive(Debug, Clone, Copy)]
pub enum Holder<'a> {
    /// Anyone who knows the ID from the response.
    Id(&'a str),
    /// A user with a session.
    User(UserId),
}

fn requester_of(user: UserId) -> [u8; 32] {
    digest(&[b"user", user.0.as_bytes()])
}

/// Whoever requests a code, for the rate limits.
#[derive(Debug, Clone, Copy)]
struct Requester {
    id: [u8; 32],
    /// Whether the request counts against the limit that all strangers share.
    stranger: bool,
}

fn of_network(network: &str) -> [u8; 32] {
    digest(&[b"network", network.as_bytes()])
}

impl Identity {
    /// Sends a code.
    ///
    /// The response does not reveal whether an address has an account. If someone tries to register an address that
    /// already has an account, the address gets a notice instead of a code. If someone tries to reset the password of
    /// an address without an account, no message is sent.
    pub async fn send_code(&self, key: &IdempotencyKey, session: Option<UserId>, ask: &SendCode) -> Result<CodeSent> {
        if ask.purpose == CodePurpose::Security && session.is_none() {
            return Err(Refusal::SessionInvalid.into());
        }
        if ask.purpose != CodePurpose::Register && ask.ticket.is_some() {
            return Err(Refusal::Invalid { field: "ticket", reason: "only to register" }.into());
        }
        let device = match &ask.device_cookie {
            Some(cookie) => self.device_key().await?.device(cookie),
            None => None,
        };
        let network = ask.device.network();
        let (mut tx, now) = self.context.begin().await?;
        let email = match (session, ask.email.trim()) {
            (Some(user), "") => {
                let account = accounts::read(&mut tx, user).await?.ok_or(Refusal::SessionInvalid)?;
                Email::parse(&account.email, "email")?
            }
            (_, typed) => Email::parse(typed, "email")?,
        };
        let sender = session.map_or_else(|| of_network(&network), requester_of);
        // The sender is part of the hash: the same key from another sender identifies another command.
        let command = digest(&[b"email", &sender, key.key.as_bytes()]);
        if session.is_none() {
            let token = ask.slide_token.as_deref().unwrap_or_default();
            self.use_slide(&mut tx, token, &command, now).await?;
        }
        let (owner, owners_language) = accounts::by_email_with_language(&mut tx, email.as_str()).await?.unzip();
        codes::lock_mailbox(&mut tx, email.as_str(), ask.purpose).await?;
        if let Some(code) = codes::by_command(&mut tx, &command).await? {
            let is_same = code.email == email.as_str() && code.purpose == ask.purpose;
            return if is_same { Ok(answer(&code, key)) } else { Err(Refusal::KeyReused.into()) };
        }
        let Requester { id: requester, stranger } =
            self.requester(&mut tx, ask, (session, owner), (&network, device), now).await?;
        within_allowance(&mut tx, &email, ask.purpose, &requester, stranger, now).await?;

        let text = code_digits(u64::from_be_bytes(self.secret()));
        let salt = self.secret();
        let code = Code {
            id: Sha256::digest(token_of(&salt, key)).into(),
            email: email.as_str().to_owned(),
            purpose: ask.purpose,
            requester,
            stranger,
            hash: digest(&[&salt, text.as_bytes()]),
            salt,
            sent_at: now,
            expires_at: after(now, CODE_LIFETIME),
            tries_left: CODE_TRIES,
            used: false,
            asked_by: command,
        };
        codes::insert(&mut tx, &code).await.map_err(|error| {
            // Sent at the same time for another mailbox.
            if error.is_refused_by(codes::COMMAND_ONCE) { Refusal::KeyReused.into() } else { Error::from(error) }
        })?;
        tx.commit().await?;
        let answer = answer(&code, key);
        let reader = ask.device.language.as_str();
        let used_for = match ask.purpose {
            CodePurpose::Register => CodeUse::Registration,
            CodePurpose::Reset => CodeUse::LoginPassword,
            CodePurpose::Security if owner == session => CodeUse::SecuritySettings,
            CodePurpose::Security => CodeUse::NewEmail,
        };
        match (ask.purpose, owner) {
            // Sends no message, but the response and the waiting time are the same.
            (CodePurpose::Reset, None) => {}
            (CodePurpose::Reset, Some(_)) => {
                let (identity, message) = (self.clone(), code_message(email.as_str(), &text, used_for, reader));
                // Do not await the delivery or revert on failure: either would reveal that the address has an account.
                tokio::spawn(async move {
                    if let Err(error) = identity.ports.mail.send(message).await {
                        tracing::warn!(%error, "the mail server did not accept a message");
                    }
                });
            }
            (CodePurpose::Register, Some(_)) => {
                let language = owners_language.flatten();
                let message = already_registered_message(email.as_str(), language.as_deref().unwrap_or(reader));
                self.deliver(message, code.id).await?;
            }
            (CodePurpose::Register | CodePurpose::Security, _) => {
                self.deliver(code_message(email.as_str(), &text, used_for, reader), code.id).await?;
            }
        }
        Ok(answer)
    }

    /// Returns who requests a code for a mailbox, and whether they share the limit of strangers. Refuses a ticket with which
    /// no one can register.
    async fn requester(
        &self,
        tx: &mut Tx,
        ask: &SendCode,
        (session, owner): (Option<UserId>, Option<UserId>),
        (network, device): (&str, Option<DeviceId>),
        now: Timestamp,
    ) -> Result<Requester> {
        let known_network = guesses::is_known(tx, owner, network).await?;
        let known_device = Self::known_device(tx, owner, device, now).await?;
        if let Some(ticket) = &ask.ticket {
            let (_, person) = self.may_register(tx, ticket, now).await?;
            return Ok(Requester { id: digest(&[b"person", person.me_id.as_bytes()]), stranger: false });
        }
        if let Some(user) = session {
            let is_owner = owner == session;
            let stranger = !(known_network || is_owner || ask.purpose == CodePurpose::Security);
            return Ok(Requester { id: requester_of(user), stranger });
        }
        // A neighbor in the network cannot use up the limit of the owner's device.
        let id = known_device.map_or_else(|| of_network(network), |device| digest(&[b"device", &device]));
        Ok(Requester { id, stranger: !known_network && known_device.is_none() })
    }

    /// Passes a message to the mail server. On failure, deletes the code, so that the user can request another code at
    /// once and the previous code, whose message may have arrived, becomes valid again.
    async fn deliver(&self, message: EmailMessage, code: [u8; 32]) -> Result<()> {
        let identity = self.clone();
        // Runs in a separate task, so that the message is sent or the code deleted even if the requester disconnects.
        let delivery = tokio::spawn(async move {
            let Err(error) = identity.send_mail(message).await else { return Ok(()) };
            let (mut tx, _) = identity.context.begin().await?;
            codes::delete(&mut tx, &code).await?;
            tx.commit().await?;
            Err(error)
        });
        delivery.await.map_err(Error::internal)?
    }

    /// Checks a code without using it up. A wrong code counts as a failed attempt. `email` defaults to the holder's own
    /// address.
    pub async fn verify_code(
        &self,
        email: Option<&str>,
        purpose: CodePurpose,
        holder: Holder<'_>,
        code: &str,
    ) -> Result<()> {
        let (mut tx, now) = self.context.begin().await?;
        let email = match (email, holder) {
            (None, Holder::User(user)) => {
                let account = accounts::read(&mut tx, user).await?.ok_or(Refusal::SessionInvalid)?;
                Email::parse(&account.email, "email")?
            }
            (typed, _) => Email::parse(typed.unwrap_or_default(), "email")?,
        };
        let checked = self.check_code(&mut tx, &email, purpose, holder, code, now).await;
        tx.commit().await?;
        checked.map(drop)
    }

    /// Checks a code. A wrong code counts as a failed attempt. If the code is right, returns its ID, so that the caller
    /// can spend it. The caller must commit, even on failure.
    pub(super) async fn check_code(
        &self,
        tx: &mut Tx,
        email: &Email,
        purpose: CodePurpose,
        holder: Holder<'_>,
        code: &str,
        now: Timestamp,
    ) -> Result<[u8; 32]> {
        let code = code.trim();
        if code.is_empty() {
            return Err(Refusal::Invalid { field: "emailCode", reason: "empty" }.into());
        }
        if !check_code_form(code) {
            return Err(IdentityRefusal::CodeFormat.into());
        }
        let wrong = |left| Error::from(IdentityRefusal::EmailCodeWrong { left });
        let known = match holder {
            Holder::Id(id) => codes::lock_by_id(tx, &Sha256::digest(id).into()).await?,
            Holder::User(user) => codes::lock_newest(tx, email.as_str(), purpose, &requester_of(user)).await?,
        };
        let known = known.filter(|known| known.email == email.as_str() && known.purpose == purpose);
        let Some(known) = known else { return Err(wrong(0)) };
        if known.used || known.tries_left == 0 || now >= known.expires_at {
            return Err(wrong(0));
        }
        if bool::from(digest(&[&known.salt, code.as_bytes()]).ct_eq(&known.hash)) {
            return Ok(known.id);
        }
        codes::tried(tx, &known.id).await?;
        Err(wrong(known.tries_left.saturating_sub(1)))
    }
}

fn answer(code: &Code, key: &IdempotencyKey) -> CodeSent {
    CodeSent { resend_at: after(code.sent_at, CODE_PAUSE), id: token_of(&code.salt, key) }
}

/// Refuses a message that comes too soon after the requester's previous message, or exceeds the limit per UTC day of
/// the requester or of all strangers together.
async fn within_allowance(
    tx: &mut Tx,
    email: &Email,
    purpose: CodePurpose,
    requester: &[u8; 32],
    stranger: bool,
    now: Timestamp,
) -> Result<()> {
    let midnight = now.date_naive().and_hms_opt(0, 0, 0).map_or(now, |at| at.and_utc());
    let sent = codes::sent(tx, email.as_str(), purpose, requester, midnight).await?;
    let wait = |until: Timestamp| Error::from(Refusal::TooMany { retry_after: until.signed_duration_since(now) });
    if let Some(next) = sent.last_to_requester.map(|last| after(last, CODE_PAUSE))
        && now < next
    {
        return Err(wait(next));
    }
    if sent.to_requester >= CODES_A_DAY || stranger && sent.to_strangers >= CODES_OF_STRANGERS_A_DAY {
        return Err(wait(after(midnight, Duration::days(1))));
    }
    Ok(())
}
