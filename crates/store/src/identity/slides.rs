//! Slide checks: their solutions, and the tokens issued for correct answers.

use domain::clock::Timestamp;
use uuid::Uuid;

use crate::{Error, Result, Tx};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slide {
    pub id: Uuid,
    /// The correct position of the piece, in pixels of the picture; `None` if the check is only a proof of work.
    pub x: Option<u32>,
    /// The solution of the proof of work.
    pub pow_number: u32,
    /// When the check expires; once it is solved, when its token expires.
    pub expires_at: Timestamp,
    /// The number of attempts left.
    pub tries_left: u32,
}

pub async fn insert(tx: &mut Tx, slide: &Slide) -> Result<()> {
    let small = |number: u32| i32::try_from(number).map_err(|_| Error::row("slide_checks", slide.id, "number"));
    sqlx::query!(
        "insert into slide_checks (id, x, pow_number, expires_at, tries_left) values ($1, $2, $3, $4, $5)",
        slide.id,
        slide.x.map(small).transpose()?,
        small(slide.pow_number)?,
        slide.expires_at,
        small(slide.tries_left)?
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Locks and returns a check that has neither been solved nor expired.
pub async fn lock(tx: &mut Tx, id: Uuid, now: Timestamp) -> Result<Option<Slide>> {
    let row = sqlx::query!(
        "select x, pow_number, expires_at, tries_left from slide_checks
         where id = $1 and expires_at > $2 and token_hash is null and tries_left > 0 for update",
        id,
        now
    )
    .fetch_optional(tx.connection())
    .await?;
    row.map(|row| {
        let large = |number: i32| u32::try_from(number).map_err(|_| Error::row("slide_checks", id, "negative"));
        Ok(Slide {
            id,
            x: row.x.map(large).transpose()?,
            pow_number: large(row.pow_number)?,
            expires_at: row.expires_at,
            tries_left: large(row.tries_left)?,
        })
    })
    .transpose()
}

/// Counts a wrong attempt.
pub async fn tried(tx: &mut Tx, id: Uuid) -> Result<()> {
    sqlx::query!("update slide_checks set tries_left = tries_left - 1 where id = $1", id)
        .execute(tx.connection())
        .await?;
    Ok(())
}

/// Stores the token of a solved check.
pub async fn solve(tx: &mut Tx, id: Uuid, token_hash: &[u8; 32], expires_at: Timestamp) -> Result<()> {
    sqlx::query!(
        "update slide_checks set token_hash = $2, expires_at = $3 where id = $1",
        id,
        token_hash.as_slice(),
        expires_at
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Uses a token for a command. Returns whether the token is valid and no other command has used it.
pub async fn use_token(tx: &mut Tx, token_hash: &[u8; 32], command: &[u8; 32], now: Timestamp) -> Result<bool> {
    let used = sqlx::query!(
        "update slide_checks set used_by = $2
         where token_hash = $1 and expires_at > $3 and (used_by is null or used_by = $2)",
        token_hash.as_slice(),
        command.as_slice(),
        now
    )
    .execute(tx.connection())
    .await?;
    Ok(used.rows_affected() > 0)
}

/// Returns the solution of a check, for programs of the development environment.
pub async fn answer(tx: &mut Tx, id: Uuid) -> Result<Option<u32>> {
    let x = sqlx::query_scalar!("select x from slide_checks where id = $1", id).fetch_optional(tx.connection()).await?;
    x.flatten().map(|x| u32::try_from(x).map_err(|_| Error::row("slide_checks", id, "negative"))).transpose()
}
