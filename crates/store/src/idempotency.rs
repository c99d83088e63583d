//! Responses to commands, by user and idempotency key.

use domain::clock::Timestamp;
use domain::ids::UserId;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::persisted::{decode, encode};
use crate::{Error, Result, Tx};

/// The response to a command, repeated if the client sends the command again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Response {
    /// The ID of the created or changed record, if any.
    pub id: Option<Uuid>,
    /// The version after the command; 0 if the record has no version.
    #[serde(default)]
    pub version: i64,
}

/// An executed command.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    pub user: UserId,
    pub key: String,
    pub request_hash: [u8; 32],
    pub response: Response,
}

/// Returns the records of idempotency keys. Omits unknown keys.
pub async fn find(tx: &mut Tx, keys: &[(UserId, &str)]) -> Result<Vec<Record>> {
    if keys.is_empty() {
        return Ok(Vec::new());
    }
    let users: Vec<_> = keys.iter().map(|(user, _)| user.0).collect();
    let texts: Vec<_> = keys.iter().map(|(_, key)| (*key).to_owned()).collect();
    let rows = sqlx::query!(
        "select user_id, key, request_hash, response from idempotency_keys
         where (user_id, key) in (select * from unnest($1::uuid[], $2::text[]))",
        &users,
        &texts
    )
    .fetch_all(tx.connection())
    .await?;
    rows.into_iter()
        .map(|row| {
            let wrong = |_| Error::row("idempotency_keys", &row.key, "request_hash");
            let request_hash = row.request_hash.as_slice().try_into().map_err(wrong)?;
            let response = decode("idempotency_keys", &row.key, row.response)?;
            Ok(Record { user: UserId(row.user_id), key: row.key, request_hash, response })
        })
        .collect()
}

/// Inserts records. Fails if another transaction has used one of the keys.
pub async fn insert(tx: &mut Tx, records: &[Record], at: Timestamp) -> Result<()> {
    if records.is_empty() {
        return Ok(());
    }
    let users: Vec<_> = records.iter().map(|record| record.user.0).collect();
    let keys: Vec<_> = records.iter().map(|record| record.key.clone()).collect();
    let hashes: Vec<_> = records.iter().map(|record| record.request_hash.to_vec()).collect();
    let responses = records
        .iter()
        .map(|record| encode("idempotency_keys", &record.key, &record.response))
        .collect::<Result<Vec<_>>>()?;
    sqlx::query!(
        "insert into idempotency_keys (user_id, key, request_hash, response, at)
         select *, $5 from unnest($1::uuid[], $2::text[], $3::bytea[], $4::jsonb[])",
        &users,
        &keys,
        &hashes,
        &responses,
        at
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Deletes the oldest records from before `before`, at most `limit`. Returns how many were deleted.
pub async fn delete_before(tx: &mut Tx, before: Timestamp, limit: i64) -> Result<u64> {
    let done = sqlx::query!(
        "delete from idempotency_keys where ctid = any(array(
             select ctid from idempotency_keys where at < $1 order by at limit $2 for update skip locked))",
        before,
        limit
    )
    .execute(tx.connection())
    .await?;
    Ok(done.rows_affected())
}
