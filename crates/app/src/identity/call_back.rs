//! Accepts the pass's answer to a challenge: a signed assertion, which is valid once, while the challenge is pending.

use chrono::Duration;
use domain::clock::after;
use domain::identity::IdentityRefusal;
use domain::identity::statement::Answer;
use sha2::{Digest as _, Sha256};
use store::identity::challenges::{self, Challenge, ChallengeOutcome, STATEMENT_ONCE, Way};
use uuid::Uuid;

use super::Identity;
use super::challenges::{ANSWER_LIFETIME, PassPurpose};
use super::ports::PassError;
use super::sessions::text_of;
use crate::engine::idempotency::digest;
use crate::{Error, Result};

/// How long the browser that created the challenge may take to return with the one-time code.
const RETURN_LIFETIME: Duration = Duration::minutes(5);

/// The effect of an assertion on its challenge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Called {
    Approved {
        /// After a redirect: the one-time code that the returning browser sends in addition to the challenge's secret.
        code: Option<String>,
    },
    Declined,
    /// The user picked a number that the page with the QR code does not show. The challenge is closed.
    WrongNumber,
    /// The challenge has expired, or another assertion has answered it.
    Expired,
}

/// The effect of an assertion, and the page to which the browser is redirected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CalledBack {
    pub challenge: Uuid,
    /// The path of the page on this site that created the challenge.
    pub return_to: String,
    pub called: Called,
}

impl Identity {
    /// Accepts an assertion from the pass, or from a browser that the pass redirects back.
    pub async fn call_back(&self, statement: &str) -> Result<CalledBack> {
        self.take_statement(statement, None).await
    }

    /// Accepts an assertion that the pass returned to the page itself. Only the browser that created the challenge may
    /// send it.
    pub async fn authorize(&self, secret: &str, statement: &str) -> Result<()> {
        match self.take_statement(statement, Some(Sha256::digest(secret).into())).await?.called {
            Called::Approved { .. } => Ok(()),
            Called::Declined => Err(IdentityRefusal::ScanDenied.into()),
            Called::WrongNumber => Err(IdentityRefusal::ScanInvalid.into()),
            Called::Expired => Err(IdentityRefusal::ScanExpired.into()),
        }
    }

    async fn take_statement(&self, text: &str, secret: Option<[u8; 32]>) -> Result<CalledBack> {
        let now = self.context.now().await?;
        let statement = self.ports.pass.verify(text, now).await.map_err(|error| match error {
            PassError::NotOurs(why) => {
                tracing::warn!(why, "an assertion was not accepted");
                IdentityRefusal::StatementInvalid.into()
            }
            PassError::Unavailable(why) => {
                tracing::warn!(why, "the keys of the pass are not available");
                Error::Unavailable { what: "the pass" }
            }
        })?;
        let id = Uuid::try_parse(&statement.challenge).map_err(|_| IdentityRefusal::ScanInvalid)?;
        let (mut tx, now) = self.context.begin().await?;
        let challenge = challenges::lock(&mut tx, id).await?.ok_or(IdentityRefusal::ScanInvalid)?;
        if secret.is_some_and(|secret| secret != challenge.secret_hash)
            || after(statement.issued_at, Duration::seconds(60)) < challenge.created_at
        {
            return Err(IdentityRefusal::ScanInvalid.into());
        }
        let code = return_code(text);
        let back = |called| CalledBack { challenge: id, return_to: path_back(&challenge), called };
        if challenge.statement.as_ref() == Some(&statement.id) {
            return Ok(back(called_before(&challenge, code)));
        }
        if challenge.outcome != ChallengeOutcome::Waiting || now >= challenge.expires_at {
            return Ok(back(Called::Expired));
        }
        let name = statement.id.clone();
        let picked = match statement.answer {
            Answer::Approved { number } => number,
            Answer::Declined => None,
        };
        let (written, called) = match statement.answer {
            Answer::Declined => (challenges::refuse(&mut tx, id, &name, false, now).await, Called::Declined),
            Answer::Approved { .. } if picked.is_some_and(|number| number != challenge.matching.number) => {
                tracing::warn!(challenge = %id, "the user picked a number that the page does not show");
                (challenges::refuse(&mut tx, id, &name, true, now).await, Called::WrongNumber)
            }
            Answer::Approved { .. } => {
                let proven = statement.proven()?;
                let code_hash = Sha256::digest(&code).into();
                let (way, life, code) = match (picked, secret) {
                    (Some(_), _) => (Way::Fetched, ANSWER_LIFETIME, None),
                    (None, None) => (Way::Returning { code_hash }, RETURN_LIFETIME, Some(code)),
                    // The browser that created the challenge sends the assertion itself, so it has returned.
                    (None, Some(_)) => (Way::Returned { code_hash }, ANSWER_LIFETIME, None),
                };
                let until = after(now, life);
                (challenges::approve(&mut tx, id, &name, &proven, way, now, until).await, Called::Approved { code })
            }
        };
        match written {
            Err(error) if error.is_refused_by(STATEMENT_ONCE) => return Err(IdentityRefusal::ScanInvalid.into()),
            other => other?,
        }
        tx.commit().await?;
        Ok(back(called))
    }
}

/// Returns the effect of an assertion that is sent again: by a pass that did not receive the response, or by a browser
/// that reloads the page.
fn called_before(challenge: &Challenge, code: String) -> Called {
    let hash: [u8; 32] = Sha256::digest(&code).into();
    match (&challenge.outcome, challenge.way) {
        (ChallengeOutcome::Denied, _) => Called::Declined,
        (ChallengeOutcome::WrongNumber, _) => Called::WrongNumber,
        (ChallengeOutcome::Proven(_) | ChallengeOutcome::Spent(_), Way::Fetched) => Called::Approved { code: None },
        (
            ChallengeOutcome::Proven(_) | ChallengeOutcome::Spent(_),
            Way::Returning { code_hash } | Way::Returned { code_hash },
        ) if code_hash == hash => Called::Approved { code: Some(code) },
        (ChallengeOutcome::Waiting | ChallengeOutcome::Proven(_) | ChallengeOutcome::Spent(_), _) => Called::Expired,
    }
}

/// Derives the one-time code from an assertion. Only the returning browser sends the assertion, so only that browser
/// knows the code. A repeated assertion yields the same code.
fn return_code(statement: &str) -> String {
    text_of(&digest(&[b"the code with which the pass sends a browser back", statement.as_bytes()]))
}

/// Returns the path of the page that created the challenge, or the default path for its purpose.
fn path_back(challenge: &Challenge) -> String {
    challenge.return_to.clone().unwrap_or_else(|| {
        let purposes = [(PassPurpose::Register, "/register"), (PassPurpose::Reset, "/resetPassword")];
        let found = purposes.into_iter().find(|(purpose, _)| purpose.name() == challenge.purpose);
        found.map_or("/login", |(_, path)| path).to_owned()
    })
}
