//! Setup links: with one, a new officer sets a password and a second factor.

use chrono::Duration;
use domain::clock::{Timestamp, after};
use domain::identity::password;
use domain::officers::{Officer, OfficerRefusal};
use domain::refusal::Refusal;
use serde_json::json;
use sha2::{Digest, Sha256};
use store::Tx;
use store::audit::{self, CommandId, Entry, Subject};
use store::officers::accounts::{self, Account};

use super::{Console, TotpSecrets, totp};
use crate::idempotency::IdempotencyKey;
use crate::identity::guesses::{self, Secret};
use crate::identity::sessions::token_of;
use crate::identity::{Device, Sealed};
use crate::officers::By;
use crate::{Error, Result};

/// How long a setup link is valid.
const LINK_LIFE: Duration = Duration::hours(24);

/// What a setup link shows to the officer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Enrollment {
    pub officer: Officer,
    /// The secret for the authenticator app, in base32.
    pub secret: String,
    /// The same as a URI, for a QR code.
    pub uri: String,
}

/// The officer's password and the proof that the authenticator app is set up.
#[derive(Debug, Clone)]
pub struct Enroll {
    /// The token in the setup link.
    pub token: String,
    pub password: Sealed,
    /// The current code of the authenticator app. Spaces are ignored.
    pub code: String,
    pub device: Device,
}

fn invalid() -> Error {
    Refusal::from(OfficerRefusal::EnrollmentInvalid).into()
}

/// Gives an account a new secret and a new setup link. Returns the link's token, which only the sender of the command can
/// derive again.
pub(super) fn prepare(
    secrets: &TotpSecrets,
    account: &mut Account,
    key: &IdempotencyKey,
    now: Timestamp,
) -> Result<String> {
    let salt = secrets.bytes();
    let token = token_of(&salt, key);
    account.totp_secret = secrets.seal(account.officer.id, &secrets.generate())?;
    account.totp_step = None;
    account.password_hash = None;
    account.enrollment = Some((Sha256::digest(&token).into(), salt));
    account.officer.enrolled_at = None;
    account.officer.enrollment_expires_at = Some(after(now, LINK_LIFE));
    Ok(token)
}

/// Returns the officer whose setup link has this token, if the link is valid.
async fn invited(tx: &mut Tx, token: &str, now: Timestamp) -> Result<Account> {
    let account = accounts::by_enrollment(tx, &Sha256::digest(token).into()).await?.ok_or_else(invalid)?;
    let officer = &account.officer;
    let valid = officer.disabled_at.is_none() && officer.enrollment_expires_at.is_some_and(|until| now < until);
    if valid { Ok(account) } else { Err(invalid()) }
}

impl Console {
    /// Returns what the setup link with this token shows.
    pub async fn enrollment(&self, token: &str) -> Result<Enrollment> {
        let (mut tx, now) = self.context.begin().await?;
        let account = invited(&mut tx, token, now).await?;
        let secret = self.secrets()?.open(account.officer.id, &account.totp_secret)?;
        let uri = totp::uri(&account.officer.email, &secret);
        Ok(Enrollment { officer: account.officer, secret: totp::base32(&secret), uri })
    }

    /// Sets the password of an officer, who can then sign in. Uses up the setup link and the code.
    pub async fn enroll(&self, key: &IdempotencyKey, ask: &Enroll) -> Result<()> {
        let (mut tx, now) = self.context.begin().await?;
        if was_enrolled_by(&mut tx, key, &ask.token).await? {
            return Ok(());
        }
        let invited_officer = invited(&mut tx, &ask.token, now).await?.officer.id;
        drop(tx);
        let password = self.identity.open(key, invited_officer, &ask.password).await?;
        password::check_login(&password, "newPassword")?;
        let hash = self.identity.hasher.hash(password, self.identity.secret()).await?;

        let (mut tx, now) = self.context.begin().await?;
        let id = invited(&mut tx, &ask.token, now).await?.officer.id;
        accounts::lock(&mut tx, id).await?;
        if was_enrolled_by(&mut tx, key, &ask.token).await? {
            return Ok(());
        }
        let mut account = invited(&mut tx, &ask.token, now).await?;
        let secret = self.secrets()?.open(id, &account.totp_secret)?;
        let code: String = ask.code.chars().filter(|character| !character.is_whitespace()).collect();
        let step = totp::step_of(&secret, &code, self.context.machine_now());
        account.totp_step = Some(step.ok_or_else(|| Refusal::from(OfficerRefusal::CodeWrong))?);
        account.password_hash = Some(hash);
        account.officer.enrolled_at = Some(now);
        account.officer.enrollment_expires_at = None;
        if !accounts::update(&mut tx, &account).await? {
            return Err(Refusal::Stale.into());
        }
        guesses::forget(&mut tx, Secret::Officer(&account.officer.email)).await?;
        let by = By {
            officer: Some(id),
            name: account.officer.name,
            address: ask.device.address.clone(),
            command: Some(CommandId { key: key.key.clone(), request_hash: key.request_hash, session: None }),
        };
        let entry = Entry { action: "enroll", subject: Subject::Officer(id), details: json!({}), reason: None };
        audit::record(&mut tx, &by, entry, now).await?;
        Ok(tx.commit().await?)
    }
}

/// Returns whether this command has already used the setup link.
async fn was_enrolled_by(tx: &mut Tx, key: &IdempotencyKey, token: &str) -> Result<bool> {
    let account = accounts::by_enrollment(tx, &Sha256::digest(token).into()).await?.ok_or_else(invalid)?;
    match audit::command(tx, account.officer.id, &key.key).await? {
        Some((hash, _)) if hash == key.request_hash => Ok(true),
        Some(_) => Err(Refusal::KeyReused.into()),
        None => Ok(false),
    }
}
