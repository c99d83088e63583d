//! Challenges to the pass. A challenge is shown as a QR code or opened by redirect, the pass answers with an assertion,
//! and the browser that asked fetches the result.
//!
//! The QR code contains only the challenge's public ID. The result is fetched with a secret that only the asking
//! browser has, so a photograph of the QR code is useless.
//!
//! That does not stop someone who asks in their own browser and persuades someone else to approve. Therefore a user who
//! scans a QR code picks the number that the asking page shows, and a redirect brings a one-time code to the browser in
//! which the user approved. The result requires both the code and the secret, and only a browser that asked and was
//! answered has both.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::Duration;
use domain::clock::{Timestamp, after};
use domain::identity::IdentityRefusal;
use domain::identity::email::Email;
use domain::identity::matching::Matching;
use domain::identity::person::Proven;
use domain::ids::UserId;
use domain::people::KycLevel;
use domain::refusal::{Refusal, RiskFlag};
use sha2::{Digest, Sha256};
use store::identity::accounts;
use store::identity::challenges::{self, Challenge, ChallengeOutcome, Way};
use store::{Tx, people};
use uuid::Uuid;

use super::ports::Invitation;
use super::requester::Requester;
use super::sessions::{Opening, text_of};
use super::{Device, Identity, Opened};
use crate::Result;
use crate::idempotency::IdempotencyKey;

/// How long a challenge waits for its answer.
const CHALLENGE_LIFE: Duration = Duration::minutes(3);
/// How long an answer may be used to fetch the session or to complete the registration.
pub(super) const ANSWER_LIFE: Duration = Duration::minutes(30);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PassPurpose {
    Login,
    /// Opening an account.
    Register,
    /// Setting a new login password.
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

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewChallenge {
    /// The secret with which the result is fetched.
    pub secret: String,
    pub id: Uuid,
    /// Where the user answers.
    pub invitation: Invitation,
    /// The number that the asking page shows.
    pub number: u8,
    /// The asking browser, as the pass shows it.
    pub requester: Requester,
    pub expires_at: Timestamp,
}

/// A challenge as the pass shows it to the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingChallenge {
    /// `login`, `register` or `reset`.
    pub purpose: String,
    /// The browser that asks.
    pub requester: Requester,
    /// The numbers from which the user picks the one that the asking page shows.
    pub choices: Vec<u8>,
    /// Until when it may be answered.
    pub expires_at: Timestamp,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PassResult {
    /// The identity that the pass asserted.
    pub proven: Proven,
    /// The session, if the user has an account. Otherwise they can register with the challenge's secret as the ticket.
    pub session: Option<Opened>,
}

impl Identity {
    /// Creates a challenge for a browser. `return_to` is the path on this site to which the redirect leads back.
    pub async fn challenge(
        &self,
        purpose: PassPurpose,
        return_to: Option<String>,
        requester: Requester,
    ) -> Result<NewChallenge> {
        if return_to.as_deref().is_some_and(|path| !is_own_path(path)) {
            return Err(Refusal::Invalid { field: "returnTo", reason: "not a path of this site" }.into());
        }
        let (mut tx, now) = self.context.begin().await?;
        let made = self.make_challenge(&mut tx, purpose, None, return_to, requester, now).await?;
        tx.commit().await?;
        Ok(made)
    }

    /// Creates a challenge for a user who forgot the login password. An address without an account gets the same
    /// response, but its challenge proves nothing.
    pub async fn challenge_for_reset(&self, email: &str, requester: Requester) -> Result<NewChallenge> {
        let email = Email::parse(email, "email")?;
        let (mut tx, now) = self.context.begin().await?;
        let user = accounts::by_email(&mut tx, email.as_str()).await?;
        let made = self.make_challenge(&mut tx, PassPurpose::Reset, user, None, requester, now).await?;
        tx.commit().await?;
        Ok(made)
    }

    async fn make_challenge(
        &self,
        tx: &mut Tx,
        purpose: PassPurpose,
        user: Option<UserId>,
        return_to: Option<String>,
        requester: Requester,
        now: Timestamp,
    ) -> Result<NewChallenge> {
        let secret = text_of(&self.secret::<32>());
        let matching = Matching::draw(self.secret());
        let Requester { browser, system, region } = requester.clone();
        let challenge = Challenge {
            id: self.context.fresh(now),
            secret_hash: Sha256::digest(&secret).into(),
            purpose: purpose.name().to_owned(),
            user,
            return_to,
            created_at: now,
            expires_at: after(now, CHALLENGE_LIFE),
            requester: [browser, system, region],
            matching,
            statement: None,
            way: Way::Fetched,
            outcome: ChallengeOutcome::Waiting,
        };
        challenges::insert(tx, &challenge).await?;
        let invitation = self.ports.pass.invite(challenge.id, purpose.name());
        let Challenge { id, matching: Matching { number, .. }, expires_at, .. } = challenge;
        Ok(NewChallenge { secret, id, invitation, number, requester, expires_at })
    }

    /// Returns a pending challenge for the pass to show. The link or QR code may have been tampered with; this data
    /// cannot be.
    pub async fn pending_challenge(&self, id: Uuid) -> Result<PendingChallenge> {
        let (mut tx, now) = self.context.begin().await?;
        let challenge = challenges::lock(&mut tx, id).await?.ok_or(IdentityRefusal::ScanInvalid)?;
        if challenge.outcome != ChallengeOutcome::Waiting || now >= challenge.expires_at {
            return Err(IdentityRefusal::ScanExpired.into());
        }
        let [browser, system, region] = challenge.requester;
        Ok(PendingChallenge {
            purpose: challenge.purpose,
            requester: Requester { browser, system, region },
            choices: challenge.matching.choices,
            expires_at: challenge.expires_at,
        })
    }

    /// Returns the result of a challenge to the browser that made it. The browser sends the secret and, after a
    /// redirect, the one-time code. A user with an account is logged in, for either purpose.
    pub async fn scan_result(&self, secret: &str, code: Option<&str>, device: &Device) -> Result<PassResult> {
        let key = IdempotencyKey::derived(&[secret]);
        let opening = Opening { key: &key, scope: "scan", device, spent: IdentityRefusal::ScanExpired };
        let (mut tx, now) = self.context.begin().await?;
        if let Some(code) = code {
            bring_back(&mut tx, secret, code, now).await?;
        }
        let challenge = self.answered(&mut tx, secret, now).await?;
        if let Some(session) = self.opened_before(&mut tx, &opening, now).await? {
            let (ChallengeOutcome::Proven(proven) | ChallengeOutcome::Spent(proven)) = challenge.outcome else {
                return Err(IdentityRefusal::ScanInvalid.into());
            };
            return Ok(PassResult { proven, session: Some(session) });
        }
        let ChallengeOutcome::Proven(proven) = challenge.outcome else {
            return Err(IdentityRefusal::ScanExpired.into());
        };
        let user = if challenge.purpose == PassPurpose::Reset.name() {
            None
        } else {
            accounts::by_me_id(&mut tx, &proven.me_id).await?
        };
        let Some(user) = user else {
            tx.commit().await?;
            return Ok(PassResult { proven, session: None });
        };
        let person = people::lock(&mut tx, &[user]).await?.pop().ok_or(Refusal::SessionInvalid)?;
        if person.forbidden.contains(&RiskFlag::Login) {
            return Err(Refusal::Risk(RiskFlag::Login).into());
        }
        if person.bound != Some(proven.address) {
            return Err(IdentityRefusal::BoundMismatch.into());
        }
        if person.kyc != proven.kyc && proven.kyc >= KycLevel::Basic {
            accounts::update_kyc(&mut tx, user, proven.kyc).await?;
        }
        let session = self.open_session(&mut tx, user, &opening, now).await?;
        challenges::spend(&mut tx, challenge.id, now).await?;
        tx.commit().await?;
        Ok(PassResult { proven, session: Some(session) })
    }

    /// The challenge of a secret, if it was approved and the answer came back to the browser with the secret.
    pub(super) async fn answered(&self, tx: &mut Tx, secret: &str, now: Timestamp) -> Result<Challenge> {
        let challenge = of_secret(tx, secret).await?;
        match (&challenge.outcome, challenge.way) {
            (ChallengeOutcome::Denied, _) => Err(IdentityRefusal::ScanDenied.into()),
            (ChallengeOutcome::WrongNumber, _) => Err(IdentityRefusal::ScanInvalid.into()),
            _ if now >= challenge.expires_at => Err(IdentityRefusal::ScanExpired.into()),
            // A browser without the code was not answered: the user approved in another one.
            (ChallengeOutcome::Waiting, _) | (_, Way::Returning { .. }) => Err(IdentityRefusal::ScanPending.into()),
            (ChallengeOutcome::Proven(_) | ChallengeOutcome::Spent(_), Way::Fetched | Way::Returned { .. }) => {
                Ok(challenge)
            }
        }
    }
}

async fn of_secret(tx: &mut Tx, secret: &str) -> Result<Challenge> {
    // A challenge's secret always has 32 bytes.
    if URL_SAFE_NO_PAD.decode(secret).map_or(0, |bytes| bytes.len()) != 32 {
        return Err(IdentityRefusal::ScanInvalid.into());
    }
    let found = challenges::lock_by_secret(tx, &Sha256::digest(secret).into()).await?;
    Ok(found.ok_or(IdentityRefusal::ScanInvalid)?)
}

/// Accepts the code with which the pass redirected the asking browser back. A code of another challenge is refused;
/// otherwise a link could log someone in to another person's account.
async fn bring_back(tx: &mut Tx, secret: &str, code: &str, now: Timestamp) -> Result<()> {
    let challenge = of_secret(tx, secret).await?;
    let presented: [u8; 32] = Sha256::digest(code).into();
    match challenge.way {
        Way::Returning { code_hash } if code_hash == presented && now < challenge.expires_at => {
            Ok(challenges::bring_back(tx, challenge.id, now, after(now, ANSWER_LIFE)).await?)
        }
        // The result reports an expired challenge; a returned code may be sent again.
        Way::Returning { code_hash } | Way::Returned { code_hash } if code_hash == presented => Ok(()),
        Way::Fetched | Way::Returning { .. } | Way::Returned { .. } => Err(IdentityRefusal::ScanInvalid.into()),
    }
}

/// Whether a path stays on this site: one slash, then nothing that leads to another site or prevents adding parameters.
fn is_own_path(path: &str) -> bool {
    path.len() <= 200
        && path.starts_with('/')
        && !path.starts_with("//")
        && path.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\' && byte != b'#')
}

#[cfg(test)]
mod tests {
    use super::is_own_path;

    #[test]
    fn only_a_path_of_ours_is_returned_to() {
        for path in ["/", "/register", "/login?next=%2Forder"] {
            assert!(is_own_path(path), "{path}");
        }
        for path in
            ["", "register", "//evil.example", "/\\evil.example", "https://evil.example", "/a b", "/\r\nx", "/login#x"]
        {
            assert!(!is_own_path(path), "{path:?}");
        }
    }
}
