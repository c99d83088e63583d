//! Administrators create officers, change their roles, and disable them.

use std::collections::BTreeMap;

use domain::clock::Timestamp;
use domain::console::{
    Appointment, Officer, OfficerRefusal, Role, check_administrators, check_link, has_enough_administrators,
};
use domain::identity::email::Email;
use domain::ids::OfficerId;
use domain::refusal::Refusal;
use serde_json::json;
use store::Tx;
use store::console::accounts::{self, Account};
use store::console::audit::Subject;
use store::console::{appointments, sessions};

use super::By;
use super::enrollment::{discard_credentials, new_link};
use super::{Acting, Console, Decision, TotpSecrets, checked_name, executed, record};
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
    /// The name of the administrator who created the officer, or reset the officer since then; `None` for the command line.
    pub appointed_by: Option<String>,
    /// Why the administrator who asks cannot send a setup link; `None` if it is possible.
    pub link: Option<OfficerRefusal>,
}

/// A change of an officer. Omitted fields do not change.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OfficerChange {
    pub role: Option<Role>,
    pub disabled: Option<bool>,
}

/// Creates an officer for somebody who has access to the database and to the key, but no account: the first administrators.
/// Returns the officer and the token of the setup link. Returns `None` once there are enough administrators to create officers in
/// the console. Those whose second factor is encrypted with another key can't sign in and don't count, so a new key is the way
/// back if all of them are locked out.
pub async fn invite_officer(
    context: &Context,
    secrets: &TotpSecrets,
    new: &NewOfficer,
    by: &str,
    reason: &str,
) -> Result<Option<(Officer, String)>> {
    let decision = Decision::new(By::from(by), reason, "")?;
    let (mut tx, now) = context.begin().await?;
    accounts::lock_all(&mut tx).await?;
    let accounts = accounts::all(&mut tx).await?.into_iter();
    let officers: Vec<_> = accounts
        .filter(|account| secrets.open(account.officer.id, &account.totp_secret).is_ok())
        .map(|account| account.officer)
        .collect();
    if has_enough_administrators(&officers) {
        return Ok(None);
    }
    let mut account = new_account(secrets, OfficerId(context.fresh(now)), new, now)?;
    account.officer.approved_at = Some(now);
    let token = new_link(secrets, &mut account, now)?;
    insert(&mut tx, &account, &decision, now).await?;
    tx.commit().await?;
    Ok(Some((account.officer, token)))
}

fn new_account(secrets: &TotpSecrets, id: OfficerId, new: &NewOfficer, now: Timestamp) -> Result<Account> {
    let officer = Officer {
        id,
        name: checked_name(&new.name)?,
        email: Email::parse(&new.email, "email")?.as_str().to_owned(),
        role: new.role,
        appointed_by: None,
        approved_at: None,
        enrolled_at: None,
        enrollment_expires_at: None,
        disabled_at: None,
        created_at: now,
        version: 1,
    };
    let mut account =
        Account { officer, password_hash: None, totp_secret: Vec::new(), totp_step: None, enrollment_hash: None };
    discard_credentials(secrets, &mut account)?;
    Ok(account)
}

async fn insert(tx: &mut Tx, account: &Account, decision: &Decision, now: Timestamp) -> Result<()> {
    accounts::insert(tx, account).await.map_err(|error| {
        if error.is_refused_by(accounts::EMAIL_ONCE) {
            Refusal::from(OfficerRefusal::EmailTaken).into()
        } else {
            Error::from(error)
        }
    })?;
    let Officer { id, name, role, .. } = &account.officer;
    let details = json!({ "name": name, "role": role.into_str() });
    record(tx, decision, "create_officer", Subject::Officer(*id), details, now).await
}

/// Records that the author of a decision made an officer what the officer is now. Returns the author.
async fn appoint(tx: &mut Tx, officer: OfficerId, decision: &Decision, at: Timestamp) -> Result<Option<OfficerId>> {
    if let Some(administrator) = decision.by.officer {
        appointments::insert(tx, &Appointment { officer, administrator, at }).await?;
    }
    Ok(decision.by.officer)
}

impl Console {
    /// Returns all officers, as the one who asks sees them.
    pub async fn officers(&self, acting: &Acting) -> Result<Vec<OfficerLine>> {
        let (mut tx, now) = self.view(&acting.viewing(), "view_officers", Subject::Platform, json!({})).await?;
        let lines = lines(&mut tx, acting.officer, now).await?;
        tx.commit().await?;
        Ok(lines)
    }

    /// Creates an officer, who cannot do anything until another administrator [approves it](Self::send_link).
    pub async fn create_officer(&self, new: &NewOfficer, decision: &Decision) -> Result<OfficerLine> {
        let secrets = self.secrets()?;
        let (mut tx, now) = self.context.begin().await?;
        if let Some(subject) = executed(&mut tx, &decision.by).await? {
            return line(&mut tx, subject.parse().map_err(Error::internal)?, &decision.by, now).await;
        }
        let mut account = new_account(secrets, OfficerId(self.context.fresh(now)), new, now)?;
        account.officer.appointed_by = decision.by.officer;
        insert(&mut tx, &account, decision, now).await?;
        appoint(&mut tx, account.officer.id, decision, now).await?;
        let created = line(&mut tx, account.officer.id, &decision.by, now).await?;
        tx.commit().await?;
        Ok(created)
    }

    /// Changes the role of an officer, or whether the officer is disabled. Ends the officer's sessions and proposals. Another
    /// administrator [approves](Self::send_link) a role that decides more, or manages officers; nobody changes the own role.
    pub async fn change_officer(
        &self,
        id: OfficerId,
        change: &OfficerChange,
        decision: &Decision,
    ) -> Result<OfficerLine> {
        let (mut tx, now) = self.context.begin().await?;
        accounts::lock_all(&mut tx).await?;
        if executed(&mut tx, &decision.by).await?.is_some() {
            return line(&mut tx, id, &decision.by, now).await;
        }
        let officers: Vec<_> = accounts::all(&mut tx).await?;
        let mut account = officers.iter().find(|account| account.officer.id == id).cloned().ok_or(Refusal::NotFound)?;
        decision.check_version(&account.officer.version.to_string())?;
        let earlier = account.officer.clone();
        account.officer.role = change.role.unwrap_or(earlier.role);
        match change.disabled {
            Some(true) => account.officer.disabled_at = earlier.disabled_at.or(Some(now)),
            Some(false) => account.officer.disabled_at = None,
            None => {}
        }
        if account.officer == earlier {
            return Err(Refusal::Invalid { field: "body", reason: "nothing to change" }.into());
        }
        let is_promoted = account.officer.role != earlier.role && account.officer.role != Role::CustomerService;
        if is_promoted {
            discard_credentials(self.secrets()?, &mut account)?;
            account.officer.appointed_by = decision.by.officer;
            account.officer.approved_at = None;
        }
        let officers: Vec<_> = officers.into_iter().map(|account| account.officer).collect();
        check_administrators(&officers, &account.officer).map_err(Refusal::from)?;
        if decision.by.officer == Some(id) && account.officer.role != earlier.role {
            return Err(Refusal::from(OfficerRefusal::NotAllowed).into());
        }
        if !accounts::update(&mut tx, &account).await? {
            return Err(Refusal::Stale.into());
        }
        sessions::end_all(&mut tx, id, now).await?;
        store::appeals::end_proposals_of(&mut tx, id, now).await?;
        let enabled = earlier.disabled_at.is_some() && account.officer.disabled_at.is_none();
        if enabled || account.officer.role != earlier.role {
            appoint(&mut tx, id, decision, now).await?;
        }
        let details = json!({
            "name": earlier.name,
            "role": [earlier.role.into_str(), account.officer.role.into_str()],
            "disabled": [earlier.disabled_at.is_some(), account.officer.disabled_at.is_some()],
        });
        record(&mut tx, decision, "change_officer", Subject::Officer(id), details, now).await?;
        let changed = line(&mut tx, id, &decision.by, now).await?;
        tx.commit().await?;
        Ok(changed)
    }

    /// Takes the password and the second factor of an officer away, and ends the officer's sessions and proposals. The officer
    /// gets a setup link when another administrator [approves it](Self::send_link).
    pub async fn reset_officer(&self, id: OfficerId, decision: &Decision) -> Result<OfficerLine> {
        let secrets = self.secrets()?;
        let (mut tx, now) = self.context.begin().await?;
        accounts::lock_all(&mut tx).await?;
        if executed(&mut tx, &decision.by).await?.is_some() {
            return line(&mut tx, id, &decision.by, now).await;
        }
        let officers = accounts::all(&mut tx).await?;
        let mut account = officers.iter().find(|account| account.officer.id == id).cloned().ok_or(Refusal::NotFound)?;
        decision.check_version(&account.officer.version.to_string())?;
        discard_credentials(secrets, &mut account)?;
        account.officer.appointed_by = appoint(&mut tx, id, decision, now).await?;
        account.officer.approved_at = None;
        let officers: Vec<_> = officers.into_iter().map(|account| account.officer).collect();
        check_administrators(&officers, &account.officer).map_err(Refusal::from)?;
        if !accounts::update(&mut tx, &account).await? {
            return Err(Refusal::Stale.into());
        }
        sessions::end_all(&mut tx, id, now).await?;
        store::appeals::end_proposals_of(&mut tx, id, now).await?;
        let details = json!({ "name": account.officer.name });
        record(&mut tx, decision, "reset_officer", Subject::Officer(id), details, now).await?;
        let reset = line(&mut tx, id, &decision.by, now).await?;
        tx.commit().await?;
        Ok(reset)
    }
}

/// Returns all officers in the order of their names, as this officer sees them.
async fn lines(tx: &mut Tx, viewer: OfficerId, now: Timestamp) -> Result<Vec<OfficerLine>> {
    let seen: BTreeMap<_, _> = sessions::last_seen(tx).await?.into_iter().collect();
    let appointments = appointments::recent(tx, now).await?;
    let officers: Vec<_> = accounts::all(tx).await?.into_iter().map(|account| account.officer).collect();
    let names: BTreeMap<_, _> = officers.iter().map(|officer| (officer.id, officer.name.clone())).collect();
    let lines = officers.into_iter().map(|officer| OfficerLine {
        seen_at: seen.get(&officer.id).copied(),
        appointed_by: officer.appointed_by.and_then(|by| names.get(&by).cloned()),
        link: check_link(&officer, viewer, &appointments, now).err(),
        officer,
    });
    Ok(lines.collect())
}

/// Returns an officer, as the author of a decision sees it.
pub(super) async fn line(tx: &mut Tx, id: OfficerId, by: &By, now: Timestamp) -> Result<OfficerLine> {
    let lines = lines(tx, viewer(by)?, now).await?;
    Ok(lines.into_iter().find(|line| line.officer.id == id).ok_or(Refusal::NotFound)?)
}

/// Returns the officer who is the author of a command in the console.
pub(super) fn viewer(by: &By) -> Result<OfficerId> {
    by.officer.ok_or_else(|| Error::Internal("a command without an officer".to_owned()))
}
