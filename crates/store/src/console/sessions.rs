//! The sessions of officers.

use domain::clock::Timestamp;
use domain::console::Role;
use domain::ids::{OfficerId, SessionId};
use uuid::Uuid;

use crate::sessions::{Row, Session};
use crate::{Error, Result, Tx};

pub async fn insert(tx: &mut Tx, session: &Session<OfficerId>) -> Result<()> {
    sqlx::query!(
        "insert into officer_sessions (id, officer_id, token_hash, salt, opened_by, request_hash, opened_at, seen_at, expires_at,
                                       agent, address)
         values ($1, $2, $3, $4, $5, $6, $7, $7, $8, $9, $10)",
        session.id.0,
        session.owner.0,
        &session.token_hash,
        &session.salt,
        &session.opened_by,
        &session.request_hash,
        session.opened_at,
        session.expires_at,
        session.agent,
        session.address
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Returns the session that a command opened, and whether it has ended.
pub async fn by_opening(tx: &mut Tx, opened_by: &[u8; 32]) -> Result<Option<(Session<OfficerId>, bool)>> {
    let row = sqlx::query_as!(
        Row,
        "select id, officer_id as owner, token_hash, salt, opened_by, request_hash, opened_at, expires_at, ended_at, agent, address
         from officer_sessions where opened_by = $1",
        opened_by.as_slice()
    )
    .fetch_optional(tx.connection())
    .await?;
    row.map(|row| row.session("officer_sessions", OfficerId)).transpose()
}

/// Returns whether a session has not been ended. It may have expired.
pub async fn is_open(tx: &mut Tx, id: SessionId) -> Result<bool> {
    let open = sqlx::query_scalar!(
        r#"select exists(select from officer_sessions where id = $1 and ended_at is null) as "open!""#,
        id.0
    )
    .fetch_one(tx.connection())
    .await?;
    Ok(open)
}

/// A session of an officer who may use it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActiveSession {
    pub id: SessionId,
    pub officer: OfficerId,
    pub name: String,
    pub role: Role,
    /// When the session was last used, to the minute.
    pub seen_at: Timestamp,
    pub expires_at: Timestamp,
}

/// Returns the session with a token, unless it has ended, has expired or was last used before `idle_since`, or the officer
/// is disabled.
pub async fn by_token(
    tx: &mut Tx,
    token_hash: &[u8; 32],
    now: Timestamp,
    idle_since: Timestamp,
) -> Result<Option<ActiveSession>> {
    let row = sqlx::query!(
        "select s.id, s.officer_id, o.name, o.role, s.seen_at, s.expires_at
         from officer_sessions s join officers o on o.id = s.officer_id
         where s.token_hash = $1 and s.ended_at is null and s.expires_at > $2 and s.seen_at > $3 and o.disabled_at is null",
        token_hash.as_slice(),
        now,
        idle_since
    )
    .fetch_optional(tx.connection())
    .await?;
    row.map(|row| {
        Ok(ActiveSession {
            id: SessionId(row.id),
            officer: OfficerId(row.officer_id),
            name: row.name,
            role: row.role.parse().map_err(|_| Error::row("officers", row.officer_id, "role"))?,
            seen_at: row.seen_at,
            expires_at: row.expires_at,
        })
    })
    .transpose()
}

/// Notes that a session is in use.
pub async fn touch(tx: &mut Tx, session: SessionId, now: Timestamp) -> Result<()> {
    sqlx::query!("update officer_sessions set seen_at = greatest(seen_at, $2) where id = $1", session.0, now)
        .execute(tx.connection())
        .await?;
    Ok(())
}

/// Ends a session, unless it has already ended.
pub async fn end(tx: &mut Tx, session: SessionId, now: Timestamp) -> Result<()> {
    sqlx::query!("update officer_sessions set ended_at = coalesce(ended_at, $2) where id = $1", session.0, now)
        .execute(tx.connection())
        .await?;
    Ok(())
}

/// Ends all sessions of an officer.
pub async fn end_all(tx: &mut Tx, officer: OfficerId, now: Timestamp) -> Result<()> {
    sqlx::query!(
        "update officer_sessions set ended_at = $2 where officer_id = $1 and ended_at is null",
        officer.0,
        now
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Deletes sessions that ended or expired before a timestamp. Returns the number of deleted sessions.
pub async fn sweep(tx: &mut Tx, before: Timestamp) -> Result<u64> {
    let done = sqlx::query!("delete from officer_sessions where expires_at < $1 or ended_at < $1", before)
        .execute(tx.connection())
        .await?;
    Ok(done.rows_affected())
}

/// Returns when each officer last used a session that is still stored.
pub async fn last_seen(tx: &mut Tx) -> Result<Vec<(OfficerId, Timestamp)>> {
    let rows = sqlx::query!(
        r#"select officer_id as "officer!: Uuid", max(seen_at) as "seen_at!" from officer_sessions group by officer_id"#
    )
    .fetch_all(tx.connection())
    .await?;
    Ok(rows.into_iter().map(|row| (OfficerId(row.officer), row.seen_at)).collect())
}
