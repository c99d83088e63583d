//! The audit log: everything that officers did and viewed. The database refuses to change or delete its rows.

use domain::assets::{AssetId, PairId};
use domain::clock::Timestamp;
use domain::ids::{AdvertId, AppealId, OfficerId, OrderId, SessionId, UserId};
use serde_json::Value;
use uuid::Uuid;

use crate::{Error, Result, Tx};

/// A command of the console. If it is sent again, it does not run again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandId {
    /// The idempotency key.
    pub key: String,
    pub request_hash: [u8; 32],
    /// The session of the command; `None` for a command that needs none.
    pub session: Option<SessionId>,
}

/// Who acts: an officer in the console, or a person with access to `mec2c officer`, who has only a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct By {
    /// `None` for `mec2c officer`.
    pub officer: Option<OfficerId>,
    /// 1 to 100 characters.
    pub name: String,
    /// The network address; empty for `mec2c officer`.
    pub address: String,
    /// The command; `None` if the officer only views something, and for `mec2c officer`.
    pub command: Option<CommandId>,
}

impl From<String> for By {
    /// Names a person who uses `mec2c officer`.
    fn from(name: String) -> Self {
        Self { officer: None, name, address: String::new(), command: None }
    }
}

impl From<&String> for By {
    fn from(name: &String) -> Self {
        name.clone().into()
    }
}

impl From<&str> for By {
    fn from(name: &str) -> Self {
        name.to_owned().into()
    }
}

/// What an action concerns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    User(UserId),
    Asset(AssetId),
    Order(OrderId),
    Appeal(AppealId),
    Pair(PairId),
    Advert(AdvertId),
    Officer(OfficerId),
    Platform,
}

impl Subject {
    /// The kinds of subjects.
    pub const KINDS: [&'static str; 8] = ["user", "asset", "order", "appeal", "pair", "advert", "officer", "platform"];

    pub fn kind(self) -> &'static str {
        match self {
            Self::User(_) => "user",
            Self::Asset(_) => "asset",
            Self::Order(_) => "order",
            Self::Appeal(_) => "appeal",
            Self::Pair(_) => "pair",
            Self::Advert(_) => "advert",
            Self::Officer(_) => "officer",
            Self::Platform => "platform",
        }
    }

    pub fn id(self) -> String {
        match self {
            Self::User(id) => id.to_string(),
            Self::Asset(id) => id.0.to_string(),
            Self::Order(id) => id.to_string(),
            Self::Appeal(id) => id.to_string(),
            Self::Pair(id) => id.0.to_string(),
            Self::Advert(id) => id.to_string(),
            Self::Officer(id) => id.to_string(),
            Self::Platform => String::new(),
        }
    }
}

/// An action to record.
#[derive(Debug, Clone)]
pub struct Entry<'a> {
    /// Lowercase words, such as `set_flags`.
    pub action: &'a str,
    pub subject: Subject,
    /// A JSON object.
    pub details: Value,
    /// 1 to 500 characters; `None` if nothing was decided.
    pub reason: Option<&'a str>,
}

/// Appends an action to the log.
pub async fn record(tx: &mut Tx, by: &By, entry: Entry<'_>, at: Timestamp) -> Result<()> {
    let (key, hash) = by.command.as_ref().map(|command| (&command.key, command.request_hash.as_slice())).unzip();
    sqlx::query!(
        "insert into audit_log (officer_id, officer, action, subject_kind, subject_id, details, reason, address, at, command_key,
                                request_hash)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
        by.officer.map(|officer| officer.0),
        by.name,
        entry.action,
        entry.subject.kind(),
        entry.subject.id(),
        entry.details,
        entry.reason,
        by.address,
        at,
        key,
        hash
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Returns whether one of an officer's last fifty actions is the same view, from the same address, and not older than a time.
pub async fn viewed_since(tx: &mut Tx, by: &By, entry: &Entry<'_>, since: Timestamp) -> Result<bool> {
    let viewed = sqlx::query_scalar!(
        r#"select exists (
               select from (select * from audit_log where officer_id = $1 order by id desc limit 50) latest
               where action = $2 and subject_kind = $3 and subject_id = $4 and details = $5 and address = $6 and at >= $7
           ) as "viewed!""#,
        by.officer.map(|officer| officer.0),
        entry.action,
        entry.subject.kind(),
        entry.subject.id(),
        entry.details,
        by.address,
        since
    )
    .fetch_one(tx.connection())
    .await?;
    Ok(viewed)
}

/// Returns the request hash of an executed command, and the ID of its subject.
pub async fn command(tx: &mut Tx, officer: OfficerId, key: &str) -> Result<Option<([u8; 32], String)>> {
    let row = sqlx::query!(
        r#"select id, request_hash as "request_hash!", subject_id from audit_log
           where officer_id = $1 and command_key = $2 and request_hash is not null order by id limit 1"#,
        officer.0,
        key
    )
    .fetch_optional(tx.connection())
    .await?;
    row.map(|row| {
        let hash = row.request_hash.try_into().map_err(|_| Error::row("audit_log", row.id, "request hash"))?;
        Ok((hash, row.subject_id))
    })
    .transpose()
}

/// Returns the row of an executed command.
pub async fn line_of(tx: &mut Tx, officer: OfficerId, key: &str) -> Result<Option<Line>> {
    let row = sqlx::query_as!(
        Row,
        "select id, officer_id, officer, action, subject_kind, subject_id, details, reason, address, at from audit_log
         where officer_id = $1 and command_key = $2 order by id limit 1",
        officer.0,
        key
    )
    .fetch_optional(tx.connection())
    .await?;
    Ok(row.map(Line::from))
}

/// A row of the log.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    pub id: i64,
    pub officer: Option<OfficerId>,
    /// The officer's name at that time.
    pub name: String,
    pub action: String,
    pub subject_kind: String,
    pub subject_id: String,
    pub details: Value,
    pub reason: Option<String>,
    pub address: String,
    pub at: Timestamp,
}

struct Row {
    id: i64,
    officer_id: Option<Uuid>,
    officer: String,
    action: String,
    subject_kind: String,
    subject_id: String,
    details: Value,
    reason: Option<String>,
    address: String,
    at: Timestamp,
}

impl From<Row> for Line {
    fn from(row: Row) -> Self {
        Self {
            id: row.id,
            officer: row.officer_id.map(OfficerId),
            name: row.officer,
            action: row.action,
            subject_kind: row.subject_kind,
            subject_id: row.subject_id,
            details: row.details,
            reason: row.reason,
            address: row.address,
            at: row.at,
        }
    }
}

/// Selects rows of the log. Omitted conditions select all rows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    pub officer: Option<OfficerId>,
    pub action: Option<String>,
    /// The kind and ID of the subject. An empty ID selects all subjects of the kind.
    pub subject: Option<(String, String)>,
    pub from: Option<Timestamp>,
    /// Exclusive.
    pub until: Option<Timestamp>,
    /// Whether rows without a reason are omitted, which only view something.
    pub only_decisions: bool,
}

/// Returns the newest rows before an ID.
pub async fn page(tx: &mut Tx, filter: &Filter, before: Option<i64>, most: i64) -> Result<Vec<Line>> {
    let (kind, subject) = filter.subject.clone().unzip();
    let subject = subject.filter(|id| !id.is_empty());
    let rows = sqlx::query_as!(
        Row,
        "select id, officer_id, officer, action, subject_kind, subject_id, details, reason, address, at from audit_log
         where id < $1 and ($2::uuid is null or officer_id = $2) and ($3::text is null or action = $3)
           and ($4::text is null or subject_kind = $4) and ($5::text is null or subject_id = $5)
           and ($6::timestamptz is null or at >= $6) and ($7::timestamptz is null or at < $7)
           and (not $8::boolean or reason is not null)
         order by id desc limit $9",
        before.unwrap_or(i64::MAX),
        filter.officer.map(|officer| officer.0),
        filter.action,
        kind,
        subject,
        filter.from,
        filter.until,
        filter.only_decisions,
        most
    )
    .fetch_all(tx.connection())
    .await?;
    Ok(rows.into_iter().map(Line::from).collect())
}

/// Returns all decisions on a subject, oldest first. Omits views.
pub async fn decisions_on(tx: &mut Tx, subject: Subject) -> Result<Vec<Line>> {
    let rows = sqlx::query_as!(
        Row,
        "select id, officer_id, officer, action, subject_kind, subject_id, details, reason, address, at from audit_log
         where subject_kind = $1 and subject_id = $2 and reason is not null order by id",
        subject.kind(),
        subject.id()
    )
    .fetch_all(tx.connection())
    .await?;
    Ok(rows.into_iter().map(Line::from).collect())
}
