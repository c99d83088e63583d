//! Idempotent commands: a command that is sent again runs once and gets the first response.
//!
//! The response is recorded under the key in the transaction that carries out the command. Failed commands record
//! nothing, so that they can be retried under the same key.

use chrono::Duration;
use domain::clock::Timestamp;
use domain::ids::UserId;
use domain::refusal::Refusal;
use sha2::{Digest, Sha256};
use store::Tx;
use store::idempotency::{self, Record};

pub use store::idempotency::Response;

use crate::{Context, Result};

/// How long a response is kept.
pub const RETENTION: Duration = Duration::days(7);
/// How many responses one transaction deletes.
const BATCH: i64 = 1_000;

/// Identifies a command of one user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotencyKey {
    /// Chosen by the client.
    pub key: String,
    /// Hash of the canonical request. The same key with another hash is refused.
    pub request_hash: [u8; 32],
}

impl IdempotencyKey {
    /// A key for a command without its own request, derived from what identifies the command.
    pub fn derived(parts: &[&str]) -> Self {
        let bytes: Vec<_> = parts.iter().map(|part| part.as_bytes()).collect();
        Self { key: parts.join(" "), request_hash: digest(&bytes) }
    }

    /// Identifies a command where no user is known: hashes the key together with a scope.
    pub(crate) fn scoped(&self, scope: &str) -> [u8; 32] {
        digest(&[scope.as_bytes(), self.key.as_bytes()])
    }

    /// The response to this command, if it was executed before.
    pub(crate) async fn response(&self, tx: &mut Tx, user: UserId) -> Result<Option<Response>> {
        let record = idempotency::find(tx, &[(user, &self.key)]).await?.pop();
        Ok(record.map(|record| self.replay(&record)).transpose()?)
    }

    /// The response in `record`, which has this key.
    pub(crate) fn replay(&self, record: &Record) -> std::result::Result<Response, Refusal> {
        if record.request_hash == self.request_hash { Ok(record.response) } else { Err(Refusal::KeyReused) }
    }

    /// The record to insert when the command is executed.
    pub(crate) fn record(&self, user: UserId, response: Response) -> Record {
        Record { user, key: self.key.clone(), request_hash: self.request_hash, response }
    }

    /// Records the response in the transaction that executes the command.
    pub(crate) async fn remember(&self, tx: &mut Tx, user: UserId, response: Response, at: Timestamp) -> Result<()> {
        Ok(idempotency::insert(tx, &[self.record(user, response)], at).await?)
    }
}

/// Hashes several parts, each with its length, so that no two lists of parts collide.
pub(crate) fn digest(parts: &[&[u8]]) -> [u8; 32] {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part.len().to_be_bytes());
        hash.update(part);
    }
    hash.finalize().into()
}

/// Deletes responses older than [`RETENTION`], in batches. Returns how many.
pub async fn expire(context: &Context) -> Result<u64> {
    let mut deleted = 0_u64;
    loop {
        let (mut tx, now) = context.begin().await?;
        let before = now.checked_sub_signed(RETENTION).unwrap_or(now);
        let batch = idempotency::delete_before(&mut tx, before, BATCH).await?;
        tx.commit().await?;
        deleted = deleted.saturating_add(batch);
        if i64::try_from(batch).is_ok_and(|batch| batch < BATCH) {
            return Ok(deleted);
        }
    }
}
