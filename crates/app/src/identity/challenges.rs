//! Challenges to the pass. A browser creates a challenge and shows it as a QR code or opens it by redirect, the pass
//! answers with an assertion, and the browser fetches the result.
//!
//! The QR code contains only the challenge's public ID. To fetch the result, the browser must send a secret that no one
//! else knows, so a photograph of the QR code is useless.
//!
//! This does not stop phishing: an attacker can create a challenge and persuade the victim to approve it. Therefore a
//! user who scans a QR code must pick the number that the page with the QR code shows, and a redirect gives a one-time
//! code to the browser in which the user approved. To fetch the result after a redirect, a browser needs both the code
//! and the secret, so the same browser must have created the challenge and received the answer.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::Duration;
use domain::clock::{Timestamp, after};
use domain::identity::IdentityRefusal;
use domain::identity::email::Email;
use domain::identity::matching::Matching;
use domain::identity::statement::Proven;
use domain::ids::{OrderId, UserId};
use domain::refusal::{Refusal, RiskFlag};
use domain::users::KycLevel;
use sha2::{Digest, Sha256};
use store::identity::accounts;
use store::identity::challenges::{self, Challenge, ChallengeOutcome, Way};
use store::{Tx, users};
use uuid::Uuid;

use super::ports::Invitation;
use super::requester::Requester;
use super::sessions::{Opening, text_of};
use super::{Device, Identity, Opened};
use crate::Result;
use crate::engine::idempotency::IdempotencyKey;

/// How long a challenge waits for its answer.
const CHALLENGE_LIFETIME: Duration = Duration::minutes(3);
/// How long after the answer the browser can fetch the session or complete the registration.
pub(super) const ANSWER_LIFETIME: Duration = Duration::minutes(30);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PassPurpose {
    Login,
    /// To open an account.
    Register,
    /// To set a new login password.
    Reset,
    /// To change what protects the user's money, without the security password.
    Security,
    /// To bind the address that the pass states.
    Bind,
    /// To remove the bound address.
    Unbind,
    /// To release the escrow of an order during a hold on the account.
    Confirm(OrderId),
}

impl PassPurpose {
    /// Returns the name of the purpose in requests and database rows.
    pub fn name(self) -> &'static str {
        match self {
            Self::Login => "login",
            Self::Register => "register",
            Self::Reset => "reset",
            Self::Security => "security",
            Self::Bind => "bind",
            Self::Unbind => "unbind",
            Self::Confirm(_) => "confirm",
        }
    }

    fn order(self) -> Option<OrderId> {
        match self {
            Self::Confirm(order) => Some(order),
            _ => None,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewChallenge {
    /// The secret for fetching the result.
    pub secret: String,
    pub id: Uuid,
    /// The QR code and the link with which the user opens the challenge in the pass.
    pub invitation: Invitation,
    /// The number that the page shows next to the QR code.
    pub number: u8,
    /// The browser that created the challenge, as the pass describes it to the user.
    pub requester: Requester,
    pub expires_at: Timestamp,
}

/// A challenge as the pass shows it to the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingChallenge {
    /// See [`PassPurpose::name`].
    pub purpose: String,
    /// The order to confirm.
    pub order: Option<OrderId>,
    /// The browser that created the challenge.
    pub requester: Requester,
    /// The numbers that the pass offers. The user picks the number that the page with the QR code shows.
    pub choices: Vec<u8>,
    /// The deadline for an answer.
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
        self.challenge_to(None, purpose, return_to, requester).await
    }

    /// Creates a challenge that only this user can answer, to prove a command that the user is about to send.
    pub async fn challenge_for_proof(
        &self,
        user: UserId,
        purpose: PassPurpose,
        return_to: Option<String>,
        requester: Requester,
    ) -> Result<NewChallenge> {
        if let PassPurpose::Confirm(order) = purpose {
            crate::orders::order(&self.context, user, order).await?;
        }
        self.challenge_to(Some(user), purpose, return_to, requester).await
    }

    async fn challenge_to(
        &self,
        user: Option<UserId>,
        purpose: PassPurpose,
        return_to: Option<String>,
        requester: Requester,
    ) -> Result<NewChallenge> {
        check_own_path(return_to.as_deref())?;
        let (mut tx, now) = self.context.begin().await?;
        let made = self.make_challenge(&mut tx, purpose, user, return_to, requester, now).await?;
        tx.commit().await?;
        Ok(made)
    }

    /// Creates a challenge for a user who forgot the login password. An email address without an account gets the same
    /// response, but its challenge cannot be used to reset a password.
    pub async fn challenge_for_reset(
        &self,
        email: &str,
        return_to: Option<String>,
        requester: Requester,
    ) -> Result<NewChallenge> {
        let email = Email::parse(email, "email")?;
        check_own_path(return_to.as_deref())?;
        let (mut tx, now) = self.context.begin().await?;
        let user = accounts::by_email(&mut tx, email.as_str()).await?;
        let made = self.make_challenge(&mut tx, PassPurpose::Reset, user, return_to, requester, now).await?;
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
            order: purpose.order(),
            return_to,
            created_at: now,
            expires_at: after(now, CHALLENGE_LIFETIME),
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

    /// Returns a pending challenge for the pass to show. An attacker can alter the link or QR code, but not this data.
    pub async fn pending_challenge(&self, id: Uuid) -> Result<PendingChallenge> {
        let (mut tx, now) = self.context.begin().await?;
        let challenge = challenges::lock(&mut tx, id).await?.ok_or(IdentityRefusal::ScanInvalid)?;
        if challenge.outcome != ChallengeOutcome::Waiting || now >= challenge.expires_at {
            return Err(IdentityRefusal::ScanExpired.into());
        }
        let [browser, system, region] = challenge.requester;
        Ok(PendingChallenge {
            purpose: challenge.purpose,
            order: challenge.order,
            requester: Requester { browser, system, region },
            choices: challenge.matching.choices,
            expires_at: challenge.expires_at,
        })
    }

    /// Returns the result of a challenge to the browser that created it. The browser sends the secret and, after a
    /// redirect, the one-time code. For login and registration, logs the user in if they have an account.
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
        let logs_in =
            [PassPurpose::Login, PassPurpose::Register].map(PassPurpose::name).contains(&challenge.purpose.as_str());
        let user = if logs_in { accounts::by_me_id(&mut tx, &proven.me_id).await? } else { None };
        let Some(user) = user else {
            tx.commit().await?;
            return Ok(PassResult { proven, session: None });
        };
        let row = users::lock(&mut tx, &[user]).await?.pop().ok_or(Refusal::SessionInvalid)?;
        if row.forbidden.contains(&RiskFlag::Login) {
            return Err(Refusal::Risk(RiskFlag::Login).into());
        }
        if row.bound.is_some_and(|bound| bound != proven.address) {
            return Err(IdentityRefusal::BoundMismatch.into());
        }
        if row.kyc != proven.kyc && proven.kyc >= KycLevel::Basic {
            accounts::update_kyc(&mut tx, user, proven.kyc).await?;
        }
        let session = self.open_session(&mut tx, user, &opening, now).await?;
        challenges::spend(&mut tx, challenge.id, now).await?;
        tx.commit().await?;
        Ok(PassResult { proven, session: Some(session) })
    }

    /// Refuses a ticket with which this user has not approved the confirmation of this order.
    ///
    /// Does not use the ticket up: an order can be confirmed only once, and a refused confirmation may be repeated.
    pub async fn check_confirmation(&self, user: UserId, order: OrderId, ticket: &str) -> Result<()> {
        let (mut tx, now) = self.context.begin().await?;
        self.approved(&mut tx, ticket, user, PassPurpose::Confirm(order), now).await?;
        Ok(())
    }

    /// Returns the unspent challenge of a ticket that this user has approved for this purpose, and what the pass stated.
    pub(super) async fn approved(
        &self,
        tx: &mut Tx,
        ticket: &str,
        user: UserId,
        purpose: PassPurpose,
        now: Timestamp,
    ) -> Result<(Uuid, Proven)> {
        let challenge = self.answered(tx, ticket, now).await?;
        let ChallengeOutcome::Proven(proven) = challenge.outcome else {
            return Err(IdentityRefusal::ScanExpired.into());
        };
        if challenge.purpose != purpose.name() || challenge.order != purpose.order() || challenge.user != Some(user) {
            return Err(IdentityRefusal::ScanInvalid.into());
        }
        if accounts::by_me_id(tx, &proven.me_id).await? != Some(user) {
            return Err(IdentityRefusal::BoundMismatch.into());
        }
        Ok((challenge.id, proven))
    }

    /// Returns the challenge of a secret if the user approved it and the answer reached the browser that holds the
    /// secret.
    pub(super) async fn answered(&self, tx: &mut Tx, secret: &str, now: Timestamp) -> Result<Challenge> {
        let challenge = of_secret(tx, secret).await?;
        match (&challenge.outcome, challenge.way) {
            (ChallengeOutcome::Denied, _) => Err(IdentityRefusal::ScanDenied.into()),
            (ChallengeOutcome::WrongNumber, _) => Err(IdentityRefusal::ScanInvalid.into()),
            _ if now >= challenge.expires_at => Err(IdentityRefusal::ScanExpired.into()),
            // Without the one-time code, this browser has no answer yet: the user approved in another browser.
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

/// Accepts the one-time code with which the pass redirected the browser back. Refuses a code of another challenge;
/// otherwise, an attacker's link could log the victim in to the attacker's account.
async fn bring_back(tx: &mut Tx, secret: &str, code: &str, now: Timestamp) -> Result<()> {
    let challenge = of_secret(tx, secret).await?;
    let presented: [u8; 32] = Sha256::digest(code).into();
    match challenge.way {
        Way::Returning { code_hash } if code_hash == presented && now < challenge.expires_at => {
            Ok(challenges::bring_back(tx, challenge.id, now, after(now, ANSWER_LIFETIME)).await?)
        }
        // A browser may send its code again. Whether the challenge has expired is checked when the result is fetched.
        Way::Returning { code_hash } | Way::Returned { code_hash } if code_hash == presented => Ok(()),
        Way::Fetched | Way::Returning { .. } | Way::Returned { .. } => Err(IdentityRefusal::ScanInvalid.into()),
    }
}

fn check_own_path(path: Option<&str>) -> Result<()> {
    if path.is_some_and(|path| !is_own_path(path)) {
        return Err(Refusal::Invalid { field: "returnTo", reason: "not a path of this site" }.into());
    }
    Ok(())
}

/// Returns whether a path stays on this site: it starts with a single slash, and no later character leads to another
/// site or prevents adding parameters.
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
