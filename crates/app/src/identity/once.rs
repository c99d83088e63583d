//! A command that may be sent twice and is done once.

use domain::ids::UserId;
use domain::refusal::Refusal;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use store::{Tx, commands};

use crate::{Error, Result};

/// The name that the sender gave to a command, and a hash of what it asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Once {
    /// Chosen by the sender.
    pub key: String,
    /// The same key with another request is refused.
    pub fingerprint: [u8; 32],
}

impl Once {
    /// Names the command where no person does: of a log-in, with what it is about.
    pub(super) fn name(&self, scope: &str) -> [u8; 32] {
        digest(&[scope.as_bytes(), self.key.as_bytes()])
    }

    /// What was answered to the command, if it was carried out before.
    pub(crate) async fn before<T: DeserializeOwned>(&self, tx: &mut Tx, user: UserId) -> Result<Option<T>> {
        let Some(record) = commands::find(tx, &[(user, &self.key)]).await?.pop() else { return Ok(None) };
        if record.fingerprint != self.fingerprint {
            return Err(Refusal::KeyReused.into());
        }
        serde_json::from_value(record.answer).map(Some).map_err(|error| Error::Internal(error.to_string()))
    }

    /// Remembers the answer, in the transaction that carries the command out.
    pub(crate) async fn remember<T: Serialize>(
        &self,
        tx: &mut Tx,
        user: UserId,
        answer: &T,
        at: domain::clock::Timestamp,
    ) -> Result<()> {
        let answer = serde_json::to_value(answer).map_err(|error| Error::Internal(error.to_string()))?;
        let record = commands::Record { user, key: self.key.clone(), fingerprint: self.fingerprint, answer };
        Ok(commands::remember(tx, &[record], at).await?)
    }
}

/// One hash of several parts, each with its length, so that no two lists of parts are alike.
pub(super) fn digest(parts: &[&[u8]]) -> [u8; 32] {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part.len().to_be_bytes());
        hash.update(part);
    }
    hash.finalize().into()
}
