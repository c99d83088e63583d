//! What was answered to each command, so that sending it again does nothing and answers the same.

use domain::clock::Timestamp;
use domain::ids::UserId;
use serde_json::Value;

use crate::{Error, Result, Tx};

/// The constraint that refuses the second of two equal commands that run at once.
pub const ONCE: &str = "commands_pkey";

/// A command that was carried out.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// Whose.
    pub user: UserId,
    /// The key that its sender chose.
    pub key: String,
    /// A hash of the request.
    pub fingerprint: [u8; 32],
    /// What was answered.
    pub answer: Value,
}

/// What was answered to some commands, by person and key; those never seen are left out.
pub async fn find(tx: &mut Tx, keys: &[(UserId, &str)]) -> Result<Vec<Record>> {
    let users: Vec<_> = keys.iter().map(|(user, _)| user.0).collect();
    let texts: Vec<_> = keys.iter().map(|(_, key)| (*key).to_owned()).collect();
    let rows = sqlx::query!(
        "select user_id, key, fingerprint, answer from commands
         where (user_id, key) in (select * from unnest($1::uuid[], $2::text[]))",
        &users,
        &texts
    )
    .fetch_all(tx.connection())
    .await?;
    rows.into_iter()
        .map(|row| {
            let fingerprint =
                row.fingerprint.as_slice().try_into().map_err(|_| Error::row("commands", &row.key, "fingerprint"))?;
            Ok(Record { user: UserId(row.user_id), key: row.key, fingerprint, answer: row.answer })
        })
        .collect()
}

/// Remembers answers. Refused by [`ONCE`] if one of the keys was used meanwhile.
pub async fn remember(tx: &mut Tx, records: &[Record], at: Timestamp) -> Result<()> {
    let users: Vec<_> = records.iter().map(|record| record.user.0).collect();
    let keys: Vec<_> = records.iter().map(|record| record.key.clone()).collect();
    let fingerprints: Vec<_> = records.iter().map(|record| record.fingerprint.to_vec()).collect();
    let answers: Vec<_> = records.iter().map(|record| record.answer.clone()).collect();
    sqlx::query!(
        "insert into commands (user_id, key, fingerprint, answer, at)
         select *, $5 from unnest($1::uuid[], $2::text[], $3::bytea[], $4::jsonb[])",
        &users,
        &keys,
        &fingerprints,
        &answers,
        at
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Forgets the oldest answers of before a moment, at most so many. Says how many it forgot.
pub async fn forget(tx: &mut Tx, before: Timestamp, most: i64) -> Result<u64> {
    let done = sqlx::query!(
        "delete from commands where (user_id, key) in
             (select user_id, key from commands where at < $1 order by at limit $2 for update skip locked)",
        before,
        most
    )
    .execute(tx.connection())
    .await?;
    Ok(done.rows_affected())
}
