//! Setup links: with one, a new officer sets a password and a second factor.

use chrono::Duration;
use domain::clock::{Timestamp, after};
use domain::console::{Appointment, Officer, OfficerRefusal, check_link};
use domain::identity::password;
use domain::ids::OfficerId;
use domain::refusal::Refusal;
use serde_json::json;
use sha2::{Digest, Sha256};
use store::Tx;
use store::console::accounts::{self, Account};
use store::console::appointments;
use store::console::audit::{self, CommandId, Entry, Subject};

use super::By;
use super::officers::{line, viewer};
use super::{Console, Decision, OfficerLine, TotpSecrets, executed, record, totp};
use crate::engine::idempotency::IdempotencyKey;
use crate::identity::guesses::{self, Secret};
use crate::identity::{Device, Sealed};
use crate::mail::EmailMessage;
use crate::{Error, Result};

/// How long a setup link is valid.
const LINK_LIFETIME: Duration = Duration::hours(24);

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

/// Takes an account's password and authenticator app away.
pub(super) fn discard_credentials(secrets: &TotpSecrets, account: &mut Account) -> Result<()> {
    account.totp_secret = secrets.seal(account.officer.id, &secrets.generate())?;
    account.totp_step = None;
    account.password_hash = None;
    account.enrollment_hash = None;
    account.officer.enrolled_at = None;
    account.officer.enrollment_expires_at = None;
    Ok(())
}

/// Gives an account without credentials a new secret and a new setup link. Returns the link's token, which is stored nowhere.
pub(super) fn new_link(secrets: &TotpSecrets, account: &mut Account, now: Timestamp) -> Result<String> {
    discard_credentials(secrets, account)?;
    let token = hex::encode(secrets.bytes::<32>());
    account.enrollment_hash = Some(Sha256::digest(&token).into());
    account.officer.enrollment_expires_at = Some(after(now, LINK_LIFETIME));
    Ok(token)
}

/// Writes the email with a setup link. The officer's language is unknown, so it is in both languages of the console.
fn link_message(officer: &Officer, url: &str, token: &str) -> EmailMessage {
    let link = format!("{url}/console/setup#{token}");
    EmailMessage {
        to: officer.email.clone(),
        subject: "MEC2C: set up your officer account / 设置您的工作人员账户".to_owned(),
        text: format!(
            "Hello {name},\n\n\
             Set a password and an authenticator app for the MEC2C console. The link works once and for 24 hours:\n\n    \
             {link}\n\n\
             Don’t share it with anyone, not even an administrator. If you didn’t expect this email, tell an administrator.\n\n\
             —\n\n\
             {name}，您好：\n\n\
             请为 MEC2C 控制台设置密码和身份验证器。链接只能使用一次，24 小时内有效（见上）。\n\n\
             请勿告诉任何人，包括管理员。如果您没有预料到此邮件，请告知管理员。\n",
            name = officer.name,
        ),
    }
}

/// Returns the officer whose setup link has this token, if the link is valid.
async fn invited(tx: &mut Tx, token: &str, now: Timestamp) -> Result<Account> {
    let account = accounts::by_enrollment(tx, &Sha256::digest(token).into()).await?.ok_or_else(invalid)?;
    let officer = &account.officer;
    let valid = officer.disabled_at.is_none() && officer.enrollment_expires_at.is_some_and(|until| now < until);
    if valid { Ok(account) } else { Err(invalid()) }
}

impl Console {
    /// Sends an officer a setup link, which replaces an earlier one. For a new officer, or one who was reset, this is the
    /// approval of another administrator.
    ///
    /// The link reaches only the officer's mailbox: no administrator sees it. Sending the same command again sends another
    /// link, unless the officer has enrolled.
    pub async fn send_link(&self, id: OfficerId, decision: &Decision) -> Result<OfficerLine> {
        let secrets = self.secrets()?;
        let (mut tx, now) = self.context.begin().await?;
        accounts::lock_all(&mut tx).await?;
        let repeated = executed(&mut tx, &decision.by).await?.is_some();
        let mut account = accounts::lock(&mut tx, id).await?.ok_or(Refusal::NotFound)?;
        if repeated && account.officer.enrolled_at.is_some() {
            return line(&mut tx, id, &decision.by, now).await;
        }
        if repeated && account.officer.approved_at.is_none() {
            // The officer was reset after the approval that this command made.
            return Err(Refusal::Stale.into());
        }
        if !repeated {
            decision.check_version(&account.officer.version.to_string())?;
        }
        let appointments = appointments::recent(&mut tx, now).await?;
        check_link(&account.officer, viewer(&decision.by)?, &appointments, now).map_err(Refusal::from)?;
        let approves = account.officer.approved_at.is_none();
        account.officer.approved_at.get_or_insert(now);
        let token = new_link(secrets, &mut account, now)?;
        if !accounts::update(&mut tx, &account).await? {
            return Err(Refusal::Stale.into());
        }
        if let Some(by) = account.officer.appointed_by {
            // The time in which the two do not count as two people begins when the officer can begin.
            appointments::insert(&mut tx, &Appointment { officer: id, administrator: by, at: now }).await?;
        }
        if !repeated {
            let action = if approves { "approve_officer" } else { "send_setup_link" };
            let details = json!({ "name": account.officer.name, "email": account.officer.email });
            record(&mut tx, decision, action, Subject::Officer(id), details, now).await?;
        }
        let sent = line(&mut tx, id, &decision.by, now).await?;
        tx.commit().await?;
        let message = link_message(&sent.officer, &self.public_url, &token);
        self.identity.send_mail(message).await?;
        Ok(sent)
    }

    /// Returns what the setup link with this token shows.
    pub async fn enrollment(&self, token: &str) -> Result<Enrollment> {
        let (mut tx, now) = self.context.begin().await?;
        let account = invited(&mut tx, token, now).await?;
        let secret = self.secrets()?.open(account.officer.id, &account.totp_secret)?;
        let uri = totp::uri(&account.officer.email, &secret)?;
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
