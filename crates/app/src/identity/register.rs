//! Opens accounts for users who have proved their identity through the pass and their email address by a code.

use domain::chain::Address;
use domain::clock::Timestamp;
use domain::identity::email::{CodePurpose, Email};
use domain::identity::password;
use domain::identity::statement::Proven;
use domain::identity::{IdentityRefusal, address};
use domain::ids::UserId;
use domain::refusal::Refusal;
use domain::reputation::MissedAcceptances;
use domain::users::{ReceivingAddress, User};
use store::identity::accounts::{self, Account};
use store::identity::challenges::{self, ChallengeOutcome};
use store::identity::{codes, regions};
use store::{Tx, nicknames, users};

use super::codes::Holder;
use super::sessions::Opening;
use super::{Device, Identity, Opened, Sealed};
use crate::engine::idempotency::IdempotencyKey;
use crate::{Error, Result};

#[derive(Debug, Clone)]
pub struct Register {
    /// The secret of the challenge that the user answered through the pass.
    pub ticket: String,
    /// The email address, proved by a code.
    pub email: String,
    pub email_code: String,
    /// The ID in the response of [`Identity::send_code`].
    pub email_code_id: String,
    pub password: Sealed,
    /// The address at which the user is paid in USDT.
    pub receiving_address: String,
    pub chain_type: String,
    pub terms_accepted: bool,
    pub device: Device,
}

impl Register {
    fn holder(&self) -> Holder<'_> {
        Holder::Id(&self.email_code_id)
    }
}

impl Identity {
    /// Opens an account and its first session.
    pub async fn register(&self, key: &IdempotencyKey, ask: &Register) -> Result<Opened> {
        let email = Email::parse(&ask.email, "email")?;
        let scope = format!("register {email}");
        let device = &ask.device;
        let opening = Opening { key, scope: &scope, device, spent: IdentityRefusal::SecretUnreadable };
        let (mut tx, now) = self.context.begin().await?;
        if let Some(opened) = self.opened_before(&mut tx, &opening, now).await? {
            return Ok(opened);
        }
        if !ask.terms_accepted {
            return Err(Refusal::Invalid { field: "termsAccepted", reason: "the terms must be accepted" }.into());
        }
        let receiving = self.receiving(&mut tx, &ask.receiving_address, &ask.chain_type).await?;
        // Of two concurrent requests, the second waits for the ticket's lock and then finds the session that the first
        // has opened.
        let admitted = self.may_register(&mut tx, &ask.ticket, now).await;
        if let Some(opened) = self.opened_before(&mut tx, &opening, now).await? {
            return Ok(opened);
        }
        admitted?;
        let checked = self.open_and_check(&mut tx, ask, &email, &opening, now).await;
        // Commit even on failure, so that the nonce is used up and a wrong code is counted.
        tx.commit().await?;
        let password = checked?;

        let password_hash = self.hasher.hash(password, self.secret()).await?;

        let (mut tx, now) = self.context.begin().await?;
        let admitted = self.may_register(&mut tx, &ask.ticket, now).await;
        if let Some(opened) = self.opened_before(&mut tx, &opening, now).await? {
            return Ok(opened);
        }
        let (challenge, proven) = admitted?;
        let code = self.check_code(&mut tx, &email, CodePurpose::Register, ask.holder(), &ask.email_code, now).await?;
        // The code is already checked: only someone who can read the mailbox learns that the address has an account.
        if accounts::by_email(&mut tx, email.as_str()).await?.is_some() {
            return Err(IdentityRefusal::EmailRegistered.into());
        }
        codes::spend(&mut tx, &code, now).await?;
        challenges::spend(&mut tx, challenge, now).await?;

        let custody_index = users::next_custody_index(&mut tx).await?;
        let user = User {
            id: UserId(self.context.fresh(now)),
            custody_index,
            vault: self.ports.vaults.address(custody_index).await?,
            bound: Some(proven.address),
            region: proven.region,
            kyc: proven.kyc,
            nickname: None,
            automatic_reply: None,
            receiving: Some(receiving),
            online: false,
            offline_cause: None,
            missed_acceptances: MissedAcceptances::default(),
            reputation: 100,
            certified: false,
            verified: false,
            forbidden: Vec::new(),
            held_until: None,
        };
        users::insert(&mut tx, &user, now).await.map_err(taken)?;
        let account = Account {
            user: user.id,
            email: email.as_str().to_owned(),
            former_email: None,
            me_id: proven.me_id,
            password_hash,
            security_hash: None,
            nickname_changed_at: None,
            remark: String::new(),
        };
        accounts::insert(&mut tx, &account, now).await.map_err(taken)?;
        let opened = self.open_session(&mut tx, user.id, &opening, now).await?;
        tx.commit().await?;
        tracing::info!(user = %user.id, "a user registered");
        Ok(opened)
    }

    /// Decrypts and checks the password, and checks the code. The caller must commit, even on failure.
    async fn open_and_check(
        &self,
        tx: &mut Tx,
        ask: &Register,
        email: &Email,
        opening: &Opening<'_>,
        now: Timestamp,
    ) -> Result<String> {
        let password = self.open_secret_to_enter(tx, &ask.password, opening, now).await?;
        password::check_login(&password, "password")?;
        self.check_code(tx, email, CodePurpose::Register, ask.holder(), &ask.email_code, now).await?;
        Ok(password)
    }

    /// Returns the ticket's challenge and the identity that it proves. Refuses anyone who may not open an account.
    pub(super) async fn may_register(&self, tx: &mut Tx, ticket: &str, now: Timestamp) -> Result<(uuid::Uuid, Proven)> {
        if ticket.is_empty() {
            return Err(Refusal::Invalid { field: "ticket", reason: "empty" }.into());
        }
        let challenge = self.answered(tx, ticket, now).await?;
        let ChallengeOutcome::Proven(proven) = challenge.outcome else {
            return Err(IdentityRefusal::ScanExpired.into());
        };
        if regions::enabled(tx, &proven.region).await? != Some(true) {
            return Err(Refusal::RegionUnsupported.into());
        }
        payable(tx, proven.address, "boundAddress").await?;
        if accounts::by_me_id(tx, &proven.me_id).await?.is_some() {
            return Err(IdentityRefusal::BoundElsewhere.into());
        }
        Ok((challenge.id, proven))
    }

    /// Checks a receiving address of a chain type and normalizes its notation.
    pub(super) async fn receiving(&self, tx: &mut Tx, text: &str, chain_type: &str) -> Result<ReceivingAddress> {
        if chain_type.trim().is_empty() {
            return Err(Refusal::Invalid { field: "chainType", reason: "empty" }.into());
        }
        let known = self.settings.chain_types.iter().find(|known| known.name == chain_type);
        let known = known.ok_or(Refusal::Invalid { field: "chainType", reason: "unknown" })?;
        let address = address::canonical(text, known.form)?;
        if let Some(to) = address::payload(&address) {
            payable(tx, to, "receivingAddress").await?;
        }
        Ok(ReceivingAddress { address, chain_type: known.name.clone() })
    }
}

/// Refuses an address that cannot be paid because the protocol reserves it or it belongs to the product.
pub(super) async fn payable(tx: &mut Tx, to: Address, field: &'static str) -> Result<()> {
    if address::reserved(to) || !store::catalog::own_addresses(tx, &[to]).await?.is_empty() {
        return Err(Refusal::AddressUnpayable { field }.into());
    }
    Ok(())
}

/// Converts the violation of a unique constraint, which a concurrent request has caused, to a refusal.
pub(crate) fn taken(error: store::Error) -> Error {
    let refusals = [
        (accounts::EMAIL_ONCE, IdentityRefusal::EmailRegistered),
        (accounts::ME_ID_ONCE, IdentityRefusal::BoundElsewhere),
        (accounts::BOUND_ONCE, IdentityRefusal::BoundElsewhere),
        (accounts::RECEIVING_ONCE, IdentityRefusal::ReceivingAddressTaken),
        (accounts::NICKNAME_ONCE, IdentityRefusal::NicknameTaken),
        (accounts::NICKNAME_SKELETON_UNIQUE, IdentityRefusal::NicknameTaken),
        (nicknames::PROPOSED_ONCE, IdentityRefusal::NicknameTaken),
        (nicknames::PROPOSED_SKELETON_ONCE, IdentityRefusal::NicknameTaken),
    ];
    match refusals.into_iter().find(|(constraint, _)| error.is_refused_by(constraint)) {
        Some((_, refusal)) => refusal.into(),
        None => error.into(),
    }
}
