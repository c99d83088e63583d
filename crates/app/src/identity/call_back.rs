//! What the pass answers: a signed statement, believed once, for the challenge that it names, while that waits.

use chrono::Duration;
use domain::clock::after;
use domain::identity::IdentityRefusal;
use domain::identity::person::Decision;
use sha2::{Digest as _, Sha256};
use store::identity::challenges::{self, Challenge, ChallengeOutcome, STATEMENT_ONCE, Way};
use uuid::Uuid;

use super::Identity;
use super::challenges::{ANSWER_LIFE, PassPurpose, refuse};
use super::ports::PassError;
use super::sessions::text_of;
use crate::idempotency::digest;
use crate::{Error, Result};

/// How long the browser that asked may take to come back with its code.
const RETURN_LIFE: Duration = Duration::minutes(5);

/// What a statement did to its challenge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Called {
    /// The person approved.
    Approved {
        /// By redirect: what the returning browser needs beside the challenge's secret.
        code: Option<String>,
    },
    /// The person said no.
    Declined,
    /// The person picked a number that the asking page does not show. The challenge is over.
    WrongNumber,
    /// The challenge has expired, or another statement answered it.
    Expired,
}

/// What a browser that brings a statement is told, and where it goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CalledBack {
    /// The challenge.
    pub challenge: Uuid,
    /// The path of ours that asked.
    pub return_to: String,
    /// What came of it.
    pub called: Called,
}

impl Identity {
    /// Takes a statement from the pass, or from a browser that the pass sends back.
    pub async fn call_back(&self, statement: &str) -> Result<CalledBack> {
        self.take_statement(statement, None).await
    }

    /// Takes a statement that the pass handed to the page itself: only the browser that asked may bring it.
    pub async fn authorize(&self, secret: &str, statement: &str) -> Result<()> {
        match self.take_statement(statement, Some(Sha256::digest(secret).into())).await?.called {
            Called::Approved { .. } => Ok(()),
            Called::Declined => Err(refuse(IdentityRefusal::ScanDenied)),
            Called::WrongNumber => Err(refuse(IdentityRefusal::ScanInvalid)),
            Called::Expired => Err(refuse(IdentityRefusal::ScanExpired)),
        }
    }

    async fn take_statement(&self, text: &str, secret: Option<[u8; 32]>) -> Result<CalledBack> {
        let now = self.context.now().await?;
        let statement = self.ports.pass.verify(text, now).await.map_err(|error| match error {
            PassError::NotOurs(why) => {
                tracing::warn!(why, "a statement is not accepted");
                refuse(IdentityRefusal::StatementInvalid)
            }
            PassError::Unavailable(why) => {
                tracing::warn!(why, "the pass does not answer");
                Error::Unavailable { what: "the pass" }
            }
        })?;
        let invalid = || refuse(IdentityRefusal::ScanInvalid);
        let id = Uuid::try_parse(&statement.challenge).map_err(|_| invalid())?;
        let (mut tx, now) = self.context.begin().await?;
        let challenge = challenges::lock(&mut tx, id).await?.ok_or_else(invalid)?;
        if secret.is_some_and(|secret| secret != challenge.secret_hash)
            || after(statement.issued_at, Duration::seconds(60)) < challenge.created_at
        {
            return Err(invalid());
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
        let picked = match statement.decision {
            Decision::Approved { number } => number,
            Decision::Declined => None,
        };
        let (written, called) = match statement.decision {
            Decision::Declined => (challenges::refuse(&mut tx, id, &name, false, now).await, Called::Declined),
            Decision::Approved { .. } if picked.is_some_and(|number| number != challenge.matching.number) => {
                tracing::warn!(challenge = %id, "the number that was picked is not the one that the page shows");
                (challenges::refuse(&mut tx, id, &name, true, now).await, Called::WrongNumber)
            }
            Decision::Approved { .. } => {
                let proven = statement.proven()?;
                let code_hash = Sha256::digest(&code).into();
                let (way, life, code) = match (picked, secret) {
                    (Some(_), _) => (Way::Fetched, ANSWER_LIFE, None),
                    (None, None) => (Way::Returning { code_hash }, RETURN_LIFE, Some(code)),
                    // The browser that asked brings the statement itself: it has come back.
                    (None, Some(_)) => (Way::Returned { code_hash }, ANSWER_LIFE, None),
                };
                let until = after(now, life);
                (challenges::approve(&mut tx, id, &name, &proven, way, now, until).await, Called::Approved { code })
            }
        };
        match written {
            Err(error) if error.is_refused_by(STATEMENT_ONCE) => return Err(invalid()),
            other => other?,
        }
        tx.commit().await?;
        Ok(back(called))
    }
}

/// What was answered to a statement that is brought again: by a pass that did not hear the answer, or a browser that loads
/// the address again.
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

/// The one-time code of a statement. Only the returning browser brings the statement to us, so nobody else can know the
/// code; and the same statement brought again has the same code.
fn return_code(statement: &str) -> String {
    text_of(&digest(&[b"the code with which the pass sends a browser back", statement.as_bytes()]))
}

/// The page that asked, or the one that asks for this purpose.
fn path_back(challenge: &Challenge) -> String {
    challenge.return_to.clone().unwrap_or_else(|| {
        let purposes = [(PassPurpose::Register, "/register"), (PassPurpose::Reset, "/forgot")];
        let found = purposes.into_iter().find(|(purpose, _)| purpose.name() == challenge.purpose);
        found.map_or("/login", |(_, path)| path).to_owned()
    })
}
