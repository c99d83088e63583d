//! Administrators create officers, change their roles, and disable them.

use domain::clock::Timestamp;
use domain::identity::email::Email;
use domain::ids::OfficerId;
use domain::officers::{Officer, OfficerRefusal, Role, check_administrators};
use domain::refusal::Refusal;
use serde_json::json;
use sha2::{Digest, Sha256};
use store::Tx;
use store::audit::Subject;
use store::officers::accounts::{self, Account};
use store::officers::sessions;

use super::enrollment::prepare;
use super::{Console, Decision, TotpSecrets, checked_name, executed, record};
use crate::idempotency::IdempotencyKey;
use crate::identity::sessions::token_of;
use crate::officers::By;
use crate::{Context, Error, Result};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewOfficer {
    /// 1 to 100 characters.
    pub name: String,
    pub email: String,
    pub role: Role,
}

/// An officer in the list of all officers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OfficerLine {
    pub officer: Officer,
    /// When the officer last used the console, if known.
    pub seen_at: Option<Timestamp>,
}

/// An officer and the token of the setup link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invitation {
    pub officer: Officer,
    /// `None` if the command was repeated after another link replaced this one.
    pub token: Option<String>,
}

/// A change of an officer. Omitted fields do not change.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OfficerChange {
    pub role: Option<Role>,
    pub disabled: Option<bool>,
}

/// Creates an officer for somebody who has access to the database and to the key, but no account: the first administrator.
pub async fn invite_officer(
    context: &Context,
    secrets: &TotpSecrets,
    new: &NewOfficer,
    by: &str,
    reason: &str,
) -> Result<Invitation> {
    let decision = Decision::new(By::from(by), reason, "")?;
    let key: [u8; 32] = secrets.bytes();
    let key = IdempotencyKey { key: hex::encode(key), request_hash: [0; 32] };
    let (mut tx, now) = context.begin().await?;
    let id = OfficerId(context.fresh(now));
    let invitation = create(&mut tx, secrets, id, new, &decision, &key, now).await?;
    tx.commit().await?;
    Ok(invitation)
}

async fn create(
    tx: &mut Tx,
    secrets: &TotpSecrets,
    id: OfficerId,
    new: &NewOfficer,
    decision: &Decision,
    key: &IdempotencyKey,
    now: Timestamp,
) -> Result<Invitation> {
    let officer = Officer {
        id,
        name: checked_name(&new.name)?,
        email: Email::parse(&new.email, "email")?.as_str().to_owned(),
        role: new.role,
        enrolled_at: None,
        enrollment_expires_at: None,
        disabled_at: None,
        created_at: now,
        version: 1,
    };
    let mut account =
        Account { officer, password_hash: None, totp_secret: Vec::new(), totp_step: None, enrollment: None };
    let token = prepare(secrets, &mut account, key, now)?;
    accounts::insert(tx, &account).await.map_err(|error| {
        if error.is_refused_by(accounts::EMAIL_ONCE) {
            Refusal::from(OfficerRefusal::EmailTaken).into()
        } else {
            Error::from(error)
        }
    })?;
    let details = json!({ "name": account.officer.name, "role": new.role.name() });
    record(tx, decision, "create_officer", Subject::Officer(id), details, now).await?;
    Ok(Invitation { officer: account.officer, token: Some(token) })
}

/// Returns the setup link that a repeated command has created, unless another link has replaced it.
fn repeated(account: Account, key: &IdempotencyKey) -> Invitation {
    let token = account.enrollment.and_then(|(hash, salt)| {
        let token = token_of(&salt, key);
        (Sha256::digest(&token).as_slice() == hash).then_some(token)
    });
    Invitation { officer: account.officer, token }
}

impl Console {
    pub async fn officers(&self, by: &By) -> Result<Vec<OfficerLine>> {
        let (mut tx, _) = self.view(by, "view_officers", Subject::Platform, json!({})).await?;
        let seen = sessions::last_seen(&mut tx).await?;
        let lines = accounts::all(&mut tx).await?.into_iter().map(|account| {
            let seen_at = seen.iter().find(|(officer, _)| *officer == account.officer.id).map(|(_, at)| *at);
            OfficerLine { officer: account.officer, seen_at }
        });
        let lines = lines.collect();
        tx.commit().await?;
        Ok(lines)
    }

    pub async fn create_officer(
        &self,
        key: &IdempotencyKey,
        new: &NewOfficer,
        decision: &Decision,
    ) -> Result<Invitation> {
        let secrets = self.secrets()?;
        let (mut tx, now) = self.context.begin().await?;
        if let Some(subject) = executed(&mut tx, &decision.by).await? {
            return Ok(repeated(created(&mut tx, &subject).await?, key));
        }
        let id = OfficerId(self.context.fresh(now));
        let invitation = create(&mut tx, secrets, id, new, decision, key, now).await?;
        tx.commit().await?;
        Ok(invitation)
    }

    /// Changes the role of an officer, or whether the officer is disabled. Ends the officer's sessions and proposals.
    pub async fn change_officer(&self, id: OfficerId, change: &OfficerChange, decision: &Decision) -> Result<Officer> {
        let (mut tx, now) = self.context.begin().await?;
        accounts::lock_all(&mut tx).await?;
        if executed(&mut tx, &decision.by).await?.is_some() {
            return Ok(found(&mut tx, id).await?.officer);
        }
        let officers: Vec<_> = accounts::all(&mut tx).await?;
        let mut account = officers.iter().find(|account| account.officer.id == id).cloned().ok_or(Refusal::NotFound)?;
        decision.check_version(&account.officer.version.to_string())?;
        let before = account.officer.clone();
        account.officer.role = change.role.unwrap_or(before.role);
        match change.disabled {
            Some(true) => account.officer.disabled_at = before.disabled_at.or(Some(now)),
            Some(false) => account.officer.disabled_at = None,
            None => {}
        }
        if account.officer == before {
            return Err(Refusal::Invalid { field: "body", reason: "nothing to change" }.into());
        }
        let officers: Vec<_> = officers.into_iter().map(|account| account.officer).collect();
        check_administrators(&officers, &account.officer).map_err(Refusal::from)?;
        if !accounts::update(&mut tx, &account).await? {
            return Err(Refusal::Stale.into());
        }
        sessions::end_all(&mut tx, id, now).await?;
        store::appeals::end_proposals_of(&mut tx, id, now).await?;
        let details = json!({
            "name": before.name,
            "role": [before.role.name(), account.officer.role.name()],
            "disabled": [before.disabled_at.is_some(), account.officer.disabled_at.is_some()],
        });
        record(&mut tx, decision, "change_officer", Subject::Officer(id), details, now).await?;
        let changed = found(&mut tx, id).await?.officer;
        tx.commit().await?;
        Ok(changed)
    }

    /// Replaces the password and the second factor of an officer with a new setup link, and ends the officer's sessions and
    /// proposals.
    pub async fn reset_officer(&self, key: &IdempotencyKey, id: OfficerId, decision: &Decision) -> Result<Invitation> {
        let secrets = self.secrets()?;
        let (mut tx, now) = self.context.begin().await?;
        accounts::lock_all(&mut tx).await?;
        if executed(&mut tx, &decision.by).await?.is_some() {
            return Ok(repeated(found(&mut tx, id).await?, key));
        }
        let officers = accounts::all(&mut tx).await?;
        let mut account = officers.iter().find(|account| account.officer.id == id).cloned().ok_or(Refusal::NotFound)?;
        decision.check_version(&account.officer.version.to_string())?;
        let token = prepare(secrets, &mut account, key, now)?;
        let officers: Vec<_> = officers.into_iter().map(|account| account.officer).collect();
        check_administrators(&officers, &account.officer).map_err(Refusal::from)?;
        if !accounts::update(&mut tx, &account).await? {
            return Err(Refusal::Stale.into());
        }
        sessions::end_all(&mut tx, id, now).await?;
        store::appeals::end_proposals_of(&mut tx, id, now).await?;
        let details = json!({ "name": account.officer.name });
        record(&mut tx, decision, "reset_officer", Subject::Officer(id), details, now).await?;
        let officer = found(&mut tx, id).await?.officer;
        tx.commit().await?;
        Ok(Invitation { officer, token: Some(token) })
    }
}

async fn found(tx: &mut Tx, id: OfficerId) -> Result<Account> {
    Ok(accounts::lock(tx, id).await?.ok_or(Refusal::NotFound)?)
}

/// Returns the officer that a repeated command has created.
async fn created(tx: &mut Tx, subject: &str) -> Result<Account> {
    found(tx, subject.parse().map_err(Error::internal)?).await
}
