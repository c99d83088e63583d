//! The pass: a challenge is shown as a QR or by redirect, the pass answers with a statement, and the browser that asked
//! fetches what came of it.
//!
//! The QR holds the challenge's name, which everybody may see. The result is fetched under a secret that only the asking
//! browser has: who photographs the QR gets nothing.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::Duration;
use domain::clock::{Moment, after};
use domain::identity::IdentityRefusal;
use domain::identity::email::Email;
use domain::identity::person::Proven;
use domain::ids::UserId;
use domain::people::KycLevel;
use domain::refusal::{Refusal, RiskFlag};
use sha2::{Digest, Sha256};
use store::identity::accounts;
use store::identity::challenges::{self, Challenge, Outcome, STATEMENT_ONCE};
use store::{Tx, people};
use uuid::Uuid;

use super::ports::{Invitation, PassError};
use super::sessions::text_of;
use super::{Device, Identity, Once, Opened};
use crate::{Error, Result};

/// How long a challenge waits for its answer.
const CHALLENGE_LIFE: Duration = Duration::minutes(3);
/// How long an answer may be used: to fetch the session, or to fill the form of registration.
const ANSWER_LIFE: Duration = Duration::minutes(30);

/// What a challenge is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PassPurpose {
    /// Logging in.
    Login,
    /// Opening an account.
    Register,
    /// A new login password.
    Reset,
}

impl PassPurpose {
    /// The name in requests and rows.
    pub fn name(self) -> &'static str {
        match self {
            Self::Login => "login",
            Self::Register => "register",
            Self::Reset => "reset",
        }
    }
}

/// A fresh challenge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewChallenge {
    /// The secret under which the result is fetched.
    pub secret: String,
    /// Where the person answers.
    pub invitation: Invitation,
    /// Until when.
    pub expires_at: Moment,
}

/// What the pass calls back with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CallBack {
    /// A signed statement.
    Statement(String),
    /// The person said no to a challenge.
    Denied(Uuid),
}

/// What came of a challenge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PassResult {
    /// The person, as the pass stated them.
    pub proven: Proven,
    /// The session, when they have an account; else they may register with the challenge's secret as ticket.
    pub session: Option<Opened>,
}

/// Where a browser goes after the pass sent it back, if the challenge said so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScanAnswer {
    /// A path of ours.
    pub return_to: Option<String>,
}

impl Identity {
    /// Makes a challenge. `return_to` is a path of ours to which the redirect leads back.
    pub async fn challenge(&self, purpose: PassPurpose, return_to: Option<String>) -> Result<NewChallenge> {
        if return_to.as_deref().is_some_and(|path| !is_own_path(path)) {
            return Err(Refusal::Invalid { field: "returnTo", reason: "not a path of this site" }.into());
        }
        let (mut tx, now) = self.context.begin().await?;
        let made = self.make_challenge(&mut tx, purpose, None, return_to, now).await?;
        tx.commit().await?;
        Ok(made)
    }

    /// Makes a challenge for somebody who forgot the login password. The answer is the same for an address without an
    /// account; its challenge proves nothing.
    pub async fn challenge_for_reset(&self, email: &str) -> Result<NewChallenge> {
        let email = Email::parse(email, "email")?;
        let (mut tx, now) = self.context.begin().await?;
        let user = accounts::by_email(&mut tx, email.as_str()).await?;
        let made = self.make_challenge(&mut tx, PassPurpose::Reset, user, None, now).await?;
        tx.commit().await?;
        Ok(made)
    }

    async fn make_challenge(
        &self,
        tx: &mut Tx,
        purpose: PassPurpose,
        user: Option<UserId>,
        return_to: Option<String>,
        now: Moment,
    ) -> Result<NewChallenge> {
        let secret = text_of(&self.secret());
        let challenge = Challenge {
            id: self.context.fresh(now),
            secret_hash: Sha256::digest(&secret).into(),
            purpose: purpose.name().to_owned(),
            user,
            return_to,
            created_at: now,
            expires_at: after(now, CHALLENGE_LIFE),
            outcome: Outcome::Waiting,
        };
        challenges::insert(tx, &challenge).await?;
        let invitation = self.ports.pass.invite(challenge.id, purpose.name());
        Ok(NewChallenge { secret, invitation, expires_at: challenge.expires_at })
    }

    /// Takes the pass's answer. A statement is believed once, for the challenge that it names, while that waits.
    pub async fn call_back(&self, call: CallBack) -> Result<ScanAnswer> {
        match call {
            CallBack::Denied(id) => {
                let (mut tx, now) = self.context.begin().await?;
                let challenge = waiting(&mut tx, id, now).await?;
                challenges::deny(&mut tx, id, now).await?;
                tx.commit().await?;
                Ok(ScanAnswer { return_to: challenge.return_to })
            }
            CallBack::Statement(text) => self.take_statement(&text, None).await,
        }
    }

    /// As [`Self::call_back`], for a pass that hands the statement to the page: only the browser that asked may bring it.
    pub async fn authorize(&self, secret: &str, statement: &str) -> Result<()> {
        self.take_statement(statement, Some(Sha256::digest(secret).into())).await.map(|_| ())
    }

    async fn take_statement(&self, text: &str, secret: Option<[u8; 32]>) -> Result<ScanAnswer> {
        let now = self.context.now().await?;
        let statement = self.ports.pass.verify(text, now).await.map_err(|error| match error {
            PassError::NotOurs(why) => {
                tracing::warn!(why, "a statement is not believed");
                Error::from(Refusal::from(IdentityRefusal::StatementInvalid))
            }
            PassError::Unavailable(why) => {
                tracing::warn!(why, "the pass does not answer");
                Error::Unavailable { what: "the pass" }
            }
        })?;
        let invalid = || Error::from(Refusal::from(IdentityRefusal::ScanInvalid));
        let id = Uuid::try_parse(&statement.challenge).map_err(|_| invalid())?;
        let (mut tx, now) = self.context.begin().await?;
        let challenge = match waiting(&mut tx, id, now).await {
            // The pass called twice with the same statement: it has been taken.
            Err(Error::Refused(Refusal::Identity(IdentityRefusal::ScanExpired))) => {
                let Some(known) = challenges::lock(&mut tx, id).await? else { return Err(invalid()) };
                return match known.outcome {
                    Outcome::Proven(proven) | Outcome::Spent(proven) if proven.me_id == statement.me_id => {
                        Ok(ScanAnswer { return_to: known.return_to })
                    }
                    _ => Err(Refusal::from(IdentityRefusal::ScanExpired).into()),
                };
            }
            other => other?,
        };
        if secret.is_some_and(|secret| secret != challenge.secret_hash)
            || after(statement.issued_at, Duration::seconds(60)) < challenge.created_at
        {
            return Err(invalid());
        }
        let name = statement.id.clone();
        let proven = statement.proven()?;
        match challenges::answer(&mut tx, id, &name, &proven, now, after(now, ANSWER_LIFE)).await {
            Err(error) if error.is_refused_by(STATEMENT_ONCE) => return Err(invalid()),
            other => other?,
        }
        tx.commit().await?;
        Ok(ScanAnswer { return_to: challenge.return_to })
    }

    /// What came of a challenge, asked by the browser that made it. Somebody with an account is logged in, whether they
    /// came to log in or to register.
    pub async fn scan_result(&self, secret: &str, device: &Device) -> Result<PassResult> {
        let once = Once { key: secret.to_owned(), fingerprint: Sha256::digest(secret).into() };
        let (mut tx, now) = self.context.begin().await?;
        let challenge = self.answered(&mut tx, secret, now).await?;
        if let Some(session) = self.opened_before(&mut tx, &once, "scan", now).await? {
            let (Outcome::Proven(proven) | Outcome::Spent(proven)) = challenge.outcome else {
                return Err(Refusal::from(IdentityRefusal::ScanInvalid).into());
            };
            return Ok(PassResult { proven, session: Some(session) });
        }
        let Outcome::Proven(proven) = challenge.outcome else {
            return Err(Refusal::from(IdentityRefusal::ScanExpired).into());
        };
        if challenge.purpose == PassPurpose::Reset.name() {
            return Ok(PassResult { proven, session: None });
        }
        let Some(user) = accounts::by_me_id(&mut tx, &proven.me_id).await? else {
            return Ok(PassResult { proven, session: None });
        };
        let person = people::lock(&mut tx, &[user]).await?.pop().ok_or(Refusal::SessionInvalid)?;
        if person.forbidden.contains(&RiskFlag::Login) {
            return Err(Refusal::Risk(RiskFlag::Login).into());
        }
        if person.bound != Some(proven.address) {
            return Err(Refusal::from(IdentityRefusal::BoundMismatch).into());
        }
        if person.kyc != proven.kyc && proven.kyc >= KycLevel::Basic {
            accounts::update_kyc(&mut tx, user, proven.kyc).await?;
        }
        let session = self.open_session(&mut tx, user, &once, "scan", device, now).await?;
        challenges::spend(&mut tx, challenge.id, now).await?;
        tx.commit().await?;
        Ok(PassResult { proven, session: Some(session) })
    }

    /// The challenge of a secret, once it has been answered with yes.
    pub(super) async fn answered(&self, tx: &mut Tx, secret: &str, now: Moment) -> Result<Challenge> {
        let refuse = |refusal: IdentityRefusal| Error::from(Refusal::from(refusal));
        // Anything that is not 32 bytes of ours cannot be the secret of a challenge.
        if URL_SAFE_NO_PAD.decode(secret).map_or(0, |bytes| bytes.len()) != 32 {
            return Err(refuse(IdentityRefusal::ScanInvalid));
        }
        let challenge = challenges::lock_by_secret(tx, &Sha256::digest(secret).into())
            .await?
            .ok_or_else(|| refuse(IdentityRefusal::ScanInvalid))?;
        match challenge.outcome {
            Outcome::Denied => Err(refuse(IdentityRefusal::ScanDenied)),
            _ if now >= challenge.expires_at => Err(refuse(IdentityRefusal::ScanExpired)),
            Outcome::Waiting => Err(refuse(IdentityRefusal::ScanPending)),
            Outcome::Proven(_) | Outcome::Spent(_) => Ok(challenge),
        }
    }
}

/// A challenge that still waits for its answer.
async fn waiting(tx: &mut Tx, id: Uuid, now: Moment) -> Result<Challenge> {
    let refuse = |refusal: IdentityRefusal| Error::from(Refusal::from(refusal));
    let challenge = challenges::lock(tx, id).await?.ok_or_else(|| refuse(IdentityRefusal::ScanInvalid))?;
    if challenge.outcome != Outcome::Waiting || now >= challenge.expires_at {
        return Err(refuse(IdentityRefusal::ScanExpired));
    }
    Ok(challenge)
}

/// A path of this site: one slash, then nothing by which a browser could leave it.
fn is_own_path(path: &str) -> bool {
    path.len() <= 200
        && path.starts_with('/')
        && !path.starts_with("//")
        && path.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\')
}

#[cfg(test)]
mod tests {
    use super::is_own_path;

    #[test]
    fn only_a_path_of_ours_is_returned_to() {
        for path in ["/", "/register?step=2", "/login#x"] {
            assert!(is_own_path(path), "{path}");
        }
        for path in ["", "register", "//evil.example", "/\\evil.example", "https://evil.example", "/a b", "/\r\nx"] {
            assert!(!is_own_path(path), "{path:?}");
        }
    }
}
