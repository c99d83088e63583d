//! The notes of the officers on a case, which never change.

use domain::clock::Timestamp;
use domain::ids::{AppealId, OfficerId};

use crate::{Result, Tx};

/// A note that the officers on a case see, and the parties do not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    pub id: i64,
    pub officer_id: OfficerId,
    /// The name at that time.
    pub officer: String,
    /// 1 to 1,000 characters.
    pub text: String,
    pub at: Timestamp,
}

/// Writes a note. Returns its ID.
pub async fn insert(
    tx: &mut Tx,
    appeal: AppealId,
    (officer, name): (OfficerId, &str),
    text: &str,
    at: Timestamp,
) -> Result<i64> {
    let id = sqlx::query_scalar!(
        "insert into case_notes (appeal_id, officer_id, officer, text, at) values ($1, $2, $3, $4, $5) returning id",
        appeal.0,
        officer.0,
        name,
        text,
        at
    )
    .fetch_one(tx.connection())
    .await?;
    Ok(id)
}

/// Returns the newest notes about a case, oldest first.
pub async fn of(tx: &mut Tx, appeal: AppealId, most: i64) -> Result<Vec<Note>> {
    let rows = sqlx::query!(
        "select id, officer_id, officer, text, at from case_notes where appeal_id = $1 order by id desc limit $2",
        appeal.0,
        most
    )
    .fetch_all(tx.connection())
    .await?;
    Ok(rows
        .into_iter()
        .rev()
        .map(|row| Note {
            id: row.id,
            officer_id: OfficerId(row.officer_id),
            officer: row.officer,
            text: row.text,
            at: row.at,
        })
        .collect())
}
