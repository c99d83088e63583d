//! The console: officers sign in with a password and a second factor, and operate the platform.
//!
//! Everything that an officer does or views is recorded in the audit log, in the same transaction.

mod adverts;
mod appeals;
mod certifications;
mod dashboard;
mod enrollment;
mod log;
mod market;
mod nicknames;
mod officers;
mod payouts;
mod platform;
mod reports;
mod sign_in;
#[cfg(test)]
mod tests;
mod totp;
mod unlisted;
mod users;
mod waiting;

use std::sync::Arc;

use chrono::Duration;
use domain::clock::Timestamp;
use domain::console::Role;
use domain::ids::{OfficerId, SessionId};
use domain::refusal::Refusal;
use domain::text::is_blank;
use serde_json::Value;
use store::Tx;
use store::console::audit::{self, CommandId, Entry, Subject};
use store::console::{accounts, sessions};

pub use adverts::AdvertLine;
pub use appeals::*;
pub use certifications::PendingCertification;
pub use dashboard::{Completed, Dashboard, Decisions, Escrow, EscrowOf, Payouts, UndecidedAppeals, Volume};
pub use enrollment::{Enroll, Enrollment};
pub use log::{AuditFilter, AuditLine, AuditPage};
pub use market::{
    PairChange, PairDecision, PairSet, PairSettings, ReferenceChange, pair_history, set_pair, set_reference,
};
pub use nicknames::{MAX_NICKNAMES, ReviewedNicknames};
pub use officers::{NewOfficer, OfficerChange, OfficerLine, invite_officer};
pub use payouts::{AssetStop, FailingLeg, PayoutChain, PayoutOverview, VoidCall, resume};
pub use platform::{MaintenancePlan, MaintenanceState};
pub use reports::{
    FailingPayout, Stopped, StoppedVault, UncreditedTransfer, failing, stopped, stopped_vaults, uncredited,
};
pub use sign_in::{SignIn, SignedIn};
pub use store::console::audit::By;
pub use store::console::decisions::PairAct;
pub use totp::{TotpSecrets, base32, code_at, step_at};
pub use unlisted::{UNLISTED_AT_ONCE, UnlistedNft, into_vaults};
pub use users::{NicknameDecision, PendingNickname, UserChange, UserDetails, UserLine};
pub use waiting::{Waiting, WaitingCases, WaitingPlatform};

use crate::appeals::Rules;
use crate::engine::idempotency::{IdempotencyKey, digest};
use crate::identity::Identity;
use crate::{Context, Error, Result};

/// An officer with a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Acting {
    pub officer: OfficerId,
    pub name: String,
    pub role: Role,
    pub session: SessionId,
    /// When the session ends at the latest.
    pub expires_at: Timestamp,
    /// The network address of the request.
    pub address: String,
}

impl Acting {
    /// Returns the author of a view.
    pub fn viewing(&self) -> By {
        By { officer: Some(self.officer), name: self.name.clone(), address: self.address.clone(), command: None }
    }

    /// Returns the author of a command.
    pub fn commanding(&self, key: &IdempotencyKey) -> By {
        let command = CommandId { key: key.key.clone(), request_hash: key.request_hash, session: Some(self.session) };
        By { command: Some(command), ..self.viewing() }
    }
}

/// A decision of an officer: who, in which command, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    pub by: By,
    /// 1 to 500 characters, without surrounding spaces.
    pub reason: String,
    /// The version of the subject that the officer saw. If it has changed, the decision is refused.
    pub version: String,
}

impl Decision {
    /// Creates a decision. Refuses a reason that is empty or too long.
    pub fn new(by: By, reason: &str, version: &str) -> Result<Self> {
        Ok(Self { by, reason: checked_reason(reason)?, version: version.to_owned() })
    }

    fn check_version(&self, current: &str) -> Result<()> {
        if self.version == current { Ok(()) } else { Err(Refusal::Stale.into()) }
    }
}

/// Checks a reason, which may have several lines.
fn checked_reason(reason: &str) -> Result<String> {
    checked_text(reason, "reason", 500, |c| c.is_control() && c != '\n')
}

/// Checks what an officer searches for.
fn checked_query(query: &str) -> Result<&str> {
    let query = query.trim();
    if query.is_empty() {
        return Err(Refusal::Invalid { field: "query", reason: "empty" }.into());
    }
    if query.chars().count() > 254 {
        return Err(Refusal::Invalid { field: "query", reason: "too long" }.into());
    }
    Ok(query)
}

/// Hides most of an ID of a user from the audit log.
fn masked(id: &str) -> String {
    let shown: String = id.chars().take(4).collect();
    format!("{shown}***")
}

/// Checks a name.
fn checked_name(name: &str) -> Result<String> {
    checked_text(name, "name", 100, char::is_control)
}

fn checked_text(text: &str, field: &'static str, most: usize, forbidden: fn(char) -> bool) -> Result<String> {
    let text = text.trim();
    if is_blank(text) {
        return Err(Refusal::Invalid { field, reason: "empty" }.into());
    }
    if text.chars().count() > most || text.chars().any(forbidden) {
        return Err(Refusal::Invalid { field, reason: "too long, or with a control character" }.into());
    }
    Ok(text.to_owned())
}

/// Derives a version from everything that an officer can change about a subject.
fn version_of(parts: &[String]) -> String {
    let parts: Vec<_> = parts.iter().map(String::as_bytes).collect();
    let hash = digest(&parts);
    hex::encode(hash.get(..16).unwrap_or_default())
}

/// The time during which refreshes of a view are not recorded again.
const SAME_VIEW: Duration = Duration::minutes(5);

#[derive(Clone)]
pub struct Console {
    context: Context,
    identity: Identity,
    /// `None` if no key is configured: then nobody can sign in.
    secrets: Option<Arc<TotpSecrets>>,
    payout_chain: Arc<dyn PayoutChain>,
    /// The settings of appeals.
    rules: Rules,
    /// The product's address, for links in emails. Without a slash at the end.
    public_url: String,
}

impl Console {
    pub fn new(
        context: Context,
        identity: Identity,
        secrets: Option<TotpSecrets>,
        payout_chain: Arc<dyn PayoutChain>,
        rules: Rules,
        public_url: &str,
    ) -> Self {
        let public_url = public_url.trim_end_matches('/').to_owned();
        Self { context, identity, secrets: secrets.map(Arc::new), payout_chain, rules, public_url }
    }

    /// Returns the settings of appeals.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    fn secrets(&self) -> Result<&TotpSecrets> {
        Ok(self.secrets.as_deref().ok_or(Refusal::NotAvailable)?)
    }

    /// Begins a transaction and records that an officer views something. The caller must commit.
    async fn view(&self, by: &By, action: &str, subject: Subject, details: Value) -> Result<(Tx, Timestamp)> {
        let (mut tx, now) = self.context.begin().await?;
        audit::record(&mut tx, by, Entry { action, subject, details, reason: None }, now).await?;
        Ok((tx, now))
    }

    /// Begins a transaction for a view that the console refreshes by itself. Records the view unless the officer has had
    /// it for less than [`SAME_VIEW`]. The caller must commit.
    async fn refreshed_view(&self, by: &By, action: &str, subject: Subject, details: Value) -> Result<(Tx, Timestamp)> {
        let (mut tx, now) = self.context.begin().await?;
        let entry = Entry { action, subject, details, reason: None };
        let since = now.checked_sub_signed(SAME_VIEW).unwrap_or(now);
        if !audit::viewed_since(&mut tx, by, &entry, since).await? {
            audit::record(&mut tx, by, entry, now).await?;
        }
        Ok((tx, now))
    }

    /// Begins the transaction of a command. Returns `None` if the command was executed before.
    async fn begin(&self, by: &By) -> Result<Option<(Tx, Timestamp)>> {
        let (mut tx, now) = self.context.begin().await?;
        Ok(if executed(&mut tx, by).await?.is_some() { None } else { Some((tx, now)) })
    }
}

/// Locks the officer, so that the same command cannot run concurrently. Returns the ID of the command's subject if the
/// command was executed before. Refuses a command whose session has ended meanwhile, for example because the officer was
/// disabled.
async fn executed(tx: &mut Tx, by: &By) -> Result<Option<String>> {
    let (Some(officer), Some(command)) = (by.officer, by.command.as_ref()) else {
        return Err(Error::Internal("a command without an officer".to_owned()));
    };
    accounts::lock(tx, officer).await?.ok_or(Refusal::SessionInvalid)?;
    if let Some(session) = command.session
        && !sessions::is_open(tx, session).await?
    {
        return Err(Refusal::SessionInvalid.into());
    }
    match audit::command(tx, officer, &command.key).await? {
        None => Ok(None),
        Some((hash, subject)) if hash == command.request_hash => Ok(Some(subject)),
        Some(_) => Err(Refusal::KeyReused.into()),
    }
}

/// Records a decision.
async fn record(
    tx: &mut Tx,
    decision: &Decision,
    action: &str,
    subject: Subject,
    details: Value,
    now: Timestamp,
) -> Result<()> {
    let entry = Entry { action, subject, details, reason: Some(&decision.reason) };
    Ok(audit::record(tx, &decision.by, entry, now).await?)
}
