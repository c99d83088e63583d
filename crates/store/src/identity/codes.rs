//! Codes sent by email, and their requesters.

use domain::clock::Timestamp;
use domain::identity::email::CodePurpose;

use crate::{Error, Result, Tx};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Code {
    /// The hash of the code's ID. Only the requester knows the ID.
    pub id: [u8; 32],
    pub email: String,
    pub purpose: CodePurpose,
    /// A hash that identifies the requester.
    pub requester: [u8; 32],
    /// Whether the requester is a stranger to the mailbox.
    pub stranger: bool,
    /// A random salt for the code's hash. The ID is derived from the salt and the command's idempotency key.
    pub salt: [u8; 32],
    pub hash: [u8; 32],
    pub sent_at: Timestamp,
    pub expires_at: Timestamp,
    /// The number of attempts left.
    pub tries_left: u32,
    pub used: bool,
    /// The hash of the command that requested the code.
    pub asked_by: [u8; 32],
}

struct Row {
    id_hash: Vec<u8>,
    email: String,
    purpose: String,
    requester: Vec<u8>,
    stranger: bool,
    salt: Vec<u8>,
    code_hash: Vec<u8>,
    sent_at: Timestamp,
    expires_at: Timestamp,
    tries_left: i32,
    used_at: Option<Timestamp>,
    asked_by: Vec<u8>,
}

impl TryFrom<Row> for Code {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self> {
        let purpose = row.purpose;
        let wrong = |why| Error::row("email_codes", &purpose, why);
        let hash = |bytes: Vec<u8>| <[u8; 32]>::try_from(bytes).map_err(|_| wrong("32 bytes"));
        Ok(Self {
            id: hash(row.id_hash)?,
            email: row.email,
            purpose: purpose.parse().map_err(|_| wrong("purpose"))?,
            requester: hash(row.requester)?,
            stranger: row.stranger,
            salt: hash(row.salt)?,
            hash: hash(row.code_hash)?,
            sent_at: row.sent_at,
            expires_at: row.expires_at,
            tries_left: u32::try_from(row.tries_left).map_err(|_| wrong("tries"))?,
            used: row.used_at.is_some(),
            asked_by: hash(row.asked_by)?,
        })
    }
}

/// Counts of the messages sent to a mailbox for a purpose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sent {
    /// The number of messages for this requester.
    pub to_requester: i64,
    /// When the newest message for this requester was sent, even if it is not counted.
    pub last_to_requester: Option<Timestamp>,
    /// The number of messages for all strangers together.
    pub to_strangers: i64,
}

/// Locks a mailbox and purpose until the transaction ends, so that concurrent requests cannot exceed the limits.
pub async fn lock_mailbox(tx: &mut Tx, email: &str, purpose: CodePurpose) -> Result<()> {
    sqlx::query!(
        "select pg_advisory_xact_lock(hashtext('email_codes'), hashtext($1))",
        format!("{} {email}", purpose.into_str())
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Counts the messages sent to a mailbox for a purpose since a timestamp.
pub async fn sent(
    tx: &mut Tx,
    email: &str,
    purpose: CodePurpose,
    requester: &[u8; 32],
    since: Timestamp,
) -> Result<Sent> {
    Ok(sqlx::query_as!(
        Sent,
        r#"select count(*) filter (where requester = $3 and sent_at >= $4) as "to_requester!",
                  max(sent_at) filter (where requester = $3) as "last_to_requester",
                  count(*) filter (where stranger and sent_at >= $4) as "to_strangers!"
           from email_codes where email = $1 and purpose = $2"#,
        email,
        purpose.into_str(),
        requester.as_slice(),
        since
    )
    .fetch_one(tx.connection())
    .await?)
}

macro_rules! select {
    ($tx:expr, $rest:literal $(, $argument:expr)*) => {
        sqlx::query_as!(
            Row,
            "select id_hash, email, purpose, requester, stranger, salt, code_hash, sent_at, expires_at, tries_left, used_at, asked_by
             from email_codes where " + $rest
            $(, $argument)*
        )
        .fetch_optional($tx.connection())
        .await?
        .map(Code::try_from)
        .transpose()
    };
}

/// Returns the code that a command requested.
pub async fn by_command(tx: &mut Tx, asked_by: &[u8; 32]) -> Result<Option<Code>> {
    select!(tx, "asked_by = $1", asked_by.as_slice())
}

/// Locks and returns the code with an ID.
pub async fn lock_by_id(tx: &mut Tx, id: &[u8; 32]) -> Result<Option<Code>> {
    select!(tx, "id_hash = $1 for update", id.as_slice())
}

/// Locks and returns the newest code of a requester.
pub async fn lock_newest(tx: &mut Tx, email: &str, purpose: CodePurpose, requester: &[u8; 32]) -> Result<Option<Code>> {
    select!(
        tx,
        "email = $1 and purpose = $2 and requester = $3 order by sent_at desc limit 1 for update",
        email,
        purpose.into_str(),
        requester.as_slice()
    )
}

/// The constraint that refuses a second code of the same command.
pub const COMMAND_ONCE: &str = "email_codes_asked_by_key";

pub async fn insert(tx: &mut Tx, code: &Code) -> Result<()> {
    sqlx::query!(
        "insert into email_codes (id_hash, email, purpose, requester, stranger, salt, code_hash, sent_at, expires_at, tries_left,
                                  asked_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
        code.id.as_slice(),
        code.email,
        code.purpose.into_str(),
        code.requester.as_slice(),
        code.stranger,
        code.salt.as_slice(),
        code.hash.as_slice(),
        code.sent_at,
        code.expires_at,
        i32::try_from(code.tries_left).unwrap_or(i32::MAX),
        code.asked_by.as_slice()
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Counts a wrong attempt.
pub async fn tried(tx: &mut Tx, id: &[u8; 32]) -> Result<()> {
    sqlx::query!(
        "update email_codes set tries_left = tries_left - 1 where id_hash = $1 and tries_left > 0",
        id.as_slice()
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

pub async fn spend(tx: &mut Tx, id: &[u8; 32], now: Timestamp) -> Result<()> {
    sqlx::query!("update email_codes set used_at = $2 where id_hash = $1", id.as_slice(), now)
        .execute(tx.connection())
        .await?;
    Ok(())
}

/// Deletes a code whose message the mail server did not accept.
pub async fn delete(tx: &mut Tx, id: &[u8; 32]) -> Result<()> {
    sqlx::query!("delete from email_codes where id_hash = $1", id.as_slice()).execute(tx.connection()).await?;
    Ok(())
}
