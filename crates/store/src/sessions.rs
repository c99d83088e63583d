//! The rows of sessions. Those of users and those of officers are in tables of their own. Tokens are not stored, only their
//! hashes.

use domain::clock::Timestamp;
use domain::ids::SessionId;
use uuid::Uuid;

use crate::{Error, Result};

/// A session of a user or an officer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session<Owner> {
    /// Identifies the session when sessions are listed or ended.
    pub id: SessionId,
    pub owner: Owner,
    pub token_hash: [u8; 32],
    /// A random salt. The token is derived from the salt and the command's idempotency key.
    pub salt: [u8; 32],
    /// The hash of the idempotency key of the command that opened the session.
    pub opened_by: [u8; 32],
    /// The request hash of that command.
    pub request_hash: [u8; 32],
    pub opened_at: Timestamp,
    pub expires_at: Timestamp,
    /// The `User-Agent` header.
    pub agent: String,
    pub address: String,
}

pub(crate) struct Row {
    pub(crate) id: Uuid,
    pub(crate) owner: Uuid,
    pub(crate) token_hash: Vec<u8>,
    pub(crate) salt: Vec<u8>,
    pub(crate) opened_by: Vec<u8>,
    pub(crate) request_hash: Vec<u8>,
    pub(crate) opened_at: Timestamp,
    pub(crate) expires_at: Timestamp,
    pub(crate) agent: String,
    pub(crate) address: String,
    pub(crate) ended_at: Option<Timestamp>,
}

impl Row {
    /// Returns the session, and whether it has ended.
    pub(crate) fn session<Owner>(
        self,
        table: &'static str,
        owner: fn(Uuid) -> Owner,
    ) -> Result<(Session<Owner>, bool)> {
        let bytes = |bytes: Vec<u8>| <[u8; 32]>::try_from(bytes).map_err(|_| Error::row(table, self.id, "32 bytes"));
        let session = Session {
            id: SessionId(self.id),
            owner: owner(self.owner),
            token_hash: bytes(self.token_hash)?,
            salt: bytes(self.salt)?,
            opened_by: bytes(self.opened_by)?,
            request_hash: bytes(self.request_hash)?,
            opened_at: self.opened_at,
            expires_at: self.expires_at,
            agent: self.agent,
            address: self.address,
        };
        Ok((session, self.ended_at.is_some()))
    }
}
