//! E-mail codes, the newest for each address and purpose.

use domain::clock::Moment;
use domain::identity::email::CodePurpose;

use crate::{Error, Result, Tx};

/// A code that was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Code {
    /// To whom.
    pub email: String,
    /// What for.
    pub purpose: CodePurpose,
    /// Hashed with the code.
    pub salt: Vec<u8>,
    /// The hash.
    pub hash: [u8; 32],
    /// When.
    pub sent_at: Moment,
    /// Until when it is good.
    pub expires_at: Moment,
    /// How often it may still be tried.
    pub tries_left: u32,
    /// Whether it has done its work.
    pub used: bool,
    /// How many were sent on the day of this one.
    pub sent_that_day: u32,
    /// The command that asked for it.
    pub asked_by: [u8; 32],
}

/// The newest code, locked until the transaction ends.
pub async fn lock(tx: &mut Tx, email: &str, purpose: CodePurpose) -> Result<Option<Code>> {
    let Some(row) = sqlx::query!(
        "select salt, code_hash, sent_at, expires_at, tries_left, used_at, sent, asked_by from email_codes
         where email = $1 and purpose = $2 for update",
        email,
        purpose.as_str()
    )
    .fetch_optional(tx.connection())
    .await?
    else {
        return Ok(None);
    };
    let wrong = |why| Error::row("email_codes", purpose.as_str(), why);
    Ok(Some(Code {
        email: email.to_owned(),
        purpose,
        salt: row.salt,
        hash: row.code_hash.try_into().map_err(|_| wrong("hash"))?,
        sent_at: row.sent_at,
        expires_at: row.expires_at,
        tries_left: u32::try_from(row.tries_left).map_err(|_| wrong("tries"))?,
        used: row.used_at.is_some(),
        sent_that_day: u32::try_from(row.sent).map_err(|_| wrong("count"))?,
        asked_by: row.asked_by.try_into().map_err(|_| wrong("command"))?,
    }))
}

/// Writes a code in the place of the one before it.
pub async fn put(tx: &mut Tx, code: &Code) -> Result<()> {
    sqlx::query!(
        "insert into email_codes (email, purpose, salt, code_hash, sent_at, expires_at, tries_left, used_at, day, sent,
                                  asked_by)
         values ($1, $2, $3, $4, $5, $6, $7, null, $8, $9, $10)
         on conflict (email, purpose) do update set salt = excluded.salt, code_hash = excluded.code_hash,
             sent_at = excluded.sent_at, expires_at = excluded.expires_at, tries_left = excluded.tries_left,
             used_at = null, day = excluded.day, sent = excluded.sent,
             asked_by = excluded.asked_by",
        code.email,
        code.purpose.as_str(),
        code.salt,
        &code.hash,
        code.sent_at,
        code.expires_at,
        i32::try_from(code.tries_left).unwrap_or(i32::MAX),
        code.sent_at.date_naive(),
        i32::try_from(code.sent_that_day).unwrap_or(i32::MAX),
        &code.asked_by
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Counts a wrong attempt.
pub async fn tried(tx: &mut Tx, email: &str, purpose: CodePurpose) -> Result<()> {
    sqlx::query!(
        "update email_codes set tries_left = tries_left - 1 where email = $1 and purpose = $2 and tries_left > 0",
        email,
        purpose.as_str()
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Marks the code as having done its work.
pub async fn spend(tx: &mut Tx, email: &str, purpose: CodePurpose, now: Moment) -> Result<()> {
    sqlx::query!("update email_codes set used_at = $3 where email = $1 and purpose = $2", email, purpose.as_str(), now)
        .execute(tx.connection())
        .await?;
    Ok(())
}

/// Forgets a code whose letter was not taken.
pub async fn forget(tx: &mut Tx, email: &str, purpose: CodePurpose) -> Result<()> {
    sqlx::query!("delete from email_codes where email = $1 and purpose = $2", email, purpose.as_str())
        .execute(tx.connection())
        .await?;
    Ok(())
}
