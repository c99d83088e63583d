//! Signs officers in with password and code, and finds the officer of a session.

use chrono::Duration;
use domain::clock::Timestamp;
use domain::console::OfficerRefusal;
use domain::identity::IdentityRefusal;
use domain::identity::email::Email;
use domain::ids::{OfficerId, SessionId, UserId};
use domain::refusal::Refusal;
use serde_json::json;
use sha2::{Digest, Sha256};
use store::Tx;
use store::console::accounts::{self, Account};
use store::console::audit::{self, Entry, Subject};
use store::console::sessions;

use super::By;
use super::{Acting, Console, totp};
use crate::Result;
use crate::engine::idempotency::IdempotencyKey;
use crate::identity::guesses::{self, Attempt, Secret};
use crate::identity::sessions::Opening;
use crate::identity::{Device, Sealed};

/// A session ends at this age.
const SESSION_LIFETIME: Duration = Duration::hours(12);
/// A session ends if it is not used for this long.
const IDLE: Duration = Duration::minutes(30);
/// The precision with which the last use of a session is stored.
const SEEN_EVERY: Duration = Duration::minutes(1);

#[derive(Debug, Clone)]
pub struct SignIn {
    pub email: String,
    pub password: Sealed,
    /// The current code of the authenticator app. Spaces are ignored.
    pub code: String,
    pub device: Device,
}

/// A new session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedIn {
    /// Sent with each request of the session.
    pub token: String,
    pub expires_at: Timestamp,
}

/// Returns an officer's ID as one of a user. Counters of guesses and known networks work the same for both.
fn as_account(officer: OfficerId) -> UserId {
    UserId(officer.0)
}

fn wrong() -> crate::Error {
    Refusal::from(OfficerRefusal::SignInWrong).into()
}

impl Console {
    /// Opens a session. The attempt counts as a wrong guess until both password and code have proved to be right. A code
    /// is valid once.
    pub async fn sign_in(&self, key: &IdempotencyKey, ask: &SignIn) -> Result<SignedIn> {
        let secrets = self.secrets()?;
        let email = Email::parse(&ask.email, "email")?;
        let code: String = ask.code.chars().filter(|character| !character.is_whitespace()).collect();
        let scope = format!("officer {email}");
        let opening = Opening { key, scope: &scope, device: &ask.device, spent: IdentityRefusal::SecretUnreadable };
        let context = &self.context;

        let (mut tx, now) = context.begin().await?;
        if let Some(opened) = opened_before(&mut tx, &opening, now).await? {
            return Ok(opened);
        }
        let network = ask.device.network();
        let tried = async {
            let password = self.identity.open_secret_to_enter(&mut tx, &ask.password, &opening, now).await?;
            let account = accounts::by_email(&mut tx, email.as_str()).await?;
            let owner = account.as_ref().map(|account| as_account(account.officer.id));
            let attempt = Attempt { secret: Secret::Officer(email.as_str()), owner, network: &network, device: None };
            let guess = guesses::count_one(&mut tx, attempt, now).await?;
            Ok::<_, crate::Error>((password, account, guess))
        };
        let tried = tried.await;
        // Commit even on failure, so that the nonce is used up and the guess is counted.
        tx.commit().await?;
        let (password, account, guess) = tried?;

        let hash = account.as_ref().and_then(|account| account.password_hash.clone());
        let right = self.identity.hasher.is(password, hash.clone()).await?;
        let Some(Account { officer, .. }) = account else { return Err(wrong()) };
        let by =
            By { officer: Some(officer.id), name: officer.name, address: ask.device.address.clone(), command: None };

        let (mut tx, now) = context.begin().await?;
        let account = accounts::lock(&mut tx, officer.id).await?.ok_or_else(wrong)?;
        if let Some(opened) = opened_before(&mut tx, &opening, now).await? {
            return Ok(opened);
        }
        let unchanged = right && account.password_hash == hash && account.officer.is_active();
        // Authenticator apps follow the real time, so this does not use the product's clock, which tests can move.
        let secret = secrets.open(officer.id, &account.totp_secret)?;
        let step = totp::step_of(&secret, &code, context.machine_now()).filter(|_| unchanged);
        let fresh = match step {
            Some(step) => accounts::use_code(&mut tx, officer.id, step).await?,
            None => false,
        };
        let action = if fresh { "sign_in" } else { "sign_in_refused" };
        let entry = Entry { action, subject: Subject::Officer(officer.id), details: json!({}), reason: None };
        audit::record(&mut tx, &by, entry, now).await?;
        if !fresh {
            tx.commit().await?;
            return Err(wrong());
        }
        guesses::uncount(&mut tx, &[guess], now).await?;
        guesses::remember_network(&mut tx, as_account(officer.id), &network, now).await?;
        let new = (SessionId(context.fresh(now)), secrets.bytes());
        let (session, token) = opening.session(officer.id, new, now, SESSION_LIFETIME);
        sessions::insert(&mut tx, &session).await?;
        tx.commit().await?;
        Ok(SignedIn { token, expires_at: session.expires_at })
    }

    /// Returns the officer of a session token, and notes that the session is in use. `address` is the network address of
    /// the request.
    pub async fn who(&self, token: &str, address: &str) -> Result<Acting> {
        let (mut tx, now) = self.context.alone().await?;
        let idle_since = now.checked_sub_signed(IDLE).unwrap_or(now);
        let hash = Sha256::digest(token).into();
        let session = sessions::by_token(&mut tx, &hash, now, idle_since).await?.ok_or(Refusal::SessionInvalid)?;
        if now.signed_duration_since(session.seen_at) >= SEEN_EVERY {
            sessions::touch(&mut tx, session.id, now).await?;
        }
        Ok(Acting {
            officer: session.officer,
            name: session.name,
            role: session.role,
            session: session.id,
            expires_at: session.expires_at,
            address: address.to_owned(),
        })
    }

    /// Ends the session. Safe to repeat.
    pub async fn sign_out(&self, acting: &Acting) -> Result<()> {
        let subject = Subject::Officer(acting.officer);
        let (mut tx, now) = self.view(&acting.viewing(), "sign_out", subject, json!({})).await?;
        sessions::end(&mut tx, acting.session, now).await?;
        Ok(tx.commit().await?)
    }
}

/// Returns the session that the command has already opened. See [`Opening::token_again`].
async fn opened_before(tx: &mut Tx, opening: &Opening<'_>, now: Timestamp) -> Result<Option<SignedIn>> {
    let Some(earlier) = sessions::by_opening(tx, &opening.command()).await? else { return Ok(None) };
    let token = opening.token_again(&earlier, now)?;
    Ok(Some(SignedIn { token, expires_at: earlier.0.expires_at }))
}
