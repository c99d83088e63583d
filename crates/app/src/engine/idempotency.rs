//! Makes commands idempotent: a command that the client sends again does not run again and gets the first response.
//!
//! The response is recorded under the idempotency key in the transaction that executes the command. Failed commands
//! record nothing, so that clients can retry them with the same key.

use chrono::Duration;
use domain::clock::Timestamp;
use domain::ids::UserId;
use domain::refusal::Refusal;
use sha2::{Digest, Sha256};
use store::Tx;
use store::idempotency::{self, Record};
use uuid::Uuid;

pub use store::idempotency::Response;

use crate::{Context, Result};

/// How long a response is kept.
pub const RETENTION: Duration = Duration::days(7);
/// The maximum number of responses that one transaction deletes.
const BATCH: i64 = 1_000;

/// Identifies a command of one user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotencyKey {
    /// The idempotency key, which the client chooses.
    pub key: String,
    /// Hash of the canonical request. A command with the same key but another hash is refused.
    pub request_hash: [u8; 32],
}

impl IdempotencyKey {
    /// Derives the key of a command that has no request of its own from the parts that identify it.
    pub fn derived(parts: &[&str]) -> Self {
        let bytes: Vec<_> = parts.iter().map(|part| part.as_bytes()).collect();
        Self { key: parts.join(" "), request_hash: digest(&bytes) }
    }

    /// Hashes the key together with a scope, to identify a command without a known user.
    pub(crate) fn scoped(&self, scope: &str) -> [u8; 32] {
        digest(&[scope.as_bytes(), self.key.as_bytes()])
    }

    /// Hashes everything that identifies a command of a known user or officer: who sends it, its key and its request.
    pub(crate) fn command_of(&self, actor: Uuid) -> [u8; 32] {
        digest(&[b"command", actor.as_bytes(), self.key.as_bytes(), &self.request_hash])
    }

    /// Returns the response to this command if it was executed before.
    pub(crate) async fn response(&self, tx: &mut Tx, user: UserId) -> Result<Option<Response>> {
        let record = idempotency::find(tx, &[(user, &self.key)]).await?.pop();
        Ok(record.map(|record| self.replay(&record)).transpose()?)
    }

    /// Returns whether the user has executed any command under this key.
    pub(crate) async fn is_used(&self, tx: &mut Tx, user: UserId) -> Result<bool> {
        Ok(!idempotency::find(tx, &[(user, &self.key)]).await?.is_empty())
    }

    /// Returns the response in `record`, which has this key. Refuses a different request hash.
    pub(crate) fn replay(&self, record: &Record) -> std::result::Result<Response, Refusal> {
        if record.request_hash == self.request_hash { Ok(record.response) } else { Err(Refusal::KeyReused) }
    }

    /// Returns the record to insert when the command is executed.
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

/// Deletes responses older than [`RETENTION`], in batches. Returns the number of deleted responses.
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
