//! The sessions of users.

use domain::clock::Timestamp;
use domain::ids::{SessionId, UserId};

use crate::columns::uuids;
use crate::sessions::{Row, Session};
use crate::{Error, Result, Tx};

macro_rules! select {
    ($rest:literal $(, $argument:expr)*) => {
        sqlx::query_as!(
            Row,
            "select id, user_id as owner, token_hash, salt, opened_by, request_hash, opened_at, expires_at, agent, address, ended_at
             from sessions where " + $rest
            $(, $argument)*
        )
    };
}

pub async fn insert(tx: &mut Tx, session: &Session<UserId>) -> Result<()> {
    sqlx::query!(
        "insert into sessions (id, user_id, token_hash, salt, opened_by, request_hash, opened_at, expires_at, agent, address)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
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

/// An active session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ActiveSession {
    pub token_hash: [u8; 32],
    pub id: SessionId,
    pub user: UserId,
    pub expires_at: Timestamp,
    /// Whether the user may not log in.
    pub login_forbidden: bool,
}

/// Returns the active sessions with these tokens.
pub async fn by_tokens(tx: &mut Tx, token_hashes: &[[u8; 32]], now: Timestamp) -> Result<Vec<ActiveSession>> {
    let hashes: Vec<_> = token_hashes.iter().map(|hash| hash.to_vec()).collect();
    let rows = sqlx::query!(
        "select s.token_hash, s.id, s.user_id, s.expires_at, u.login_forbidden
         from sessions s join users u on u.id = s.user_id
         where s.token_hash = any($1) and s.ended_at is null and s.expires_at > $2",
        &hashes,
        now
    )
    .fetch_all(tx.connection())
    .await?;
    rows.into_iter()
        .map(|row| {
            Ok(ActiveSession {
                token_hash: row.token_hash.try_into().map_err(|_| Error::row("sessions", row.id, "token hash"))?,
                id: SessionId(row.id),
                user: UserId(row.user_id),
                expires_at: row.expires_at,
                login_forbidden: row.login_forbidden,
            })
        })
        .collect()
}

/// Returns the session that a command opened, and whether the session has ended.
pub async fn by_opening(tx: &mut Tx, opened_by: &[u8; 32]) -> Result<Option<(Session<UserId>, bool)>> {
    let row = select!("opened_by = $1", opened_by.as_slice()).fetch_optional(tx.connection()).await?;
    row.map(|row| row.session("sessions", UserId)).transpose()
}

/// Returns a user's active sessions, newest first.
pub async fn of_user(tx: &mut Tx, user: UserId, now: Timestamp) -> Result<Vec<Session<UserId>>> {
    select!("user_id = $1 and ended_at is null and expires_at > $2 order by opened_at desc, id desc", user.0, now)
        .fetch_all(tx.connection())
        .await?
        .into_iter()
        .map(|row| Ok(row.session("sessions", UserId)?.0))
        .collect()
}

/// Ends a user's session, unless it has already ended. Returns whether the session belongs to the user.
pub async fn end(tx: &mut Tx, user: UserId, session: SessionId, now: Timestamp) -> Result<bool> {
    let done = sqlx::query!(
        "update sessions set ended_at = coalesce(ended_at, $3) where id = $1 and user_id = $2",
        session.0,
        user.0,
        now
    )
    .execute(tx.connection())
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Ends all sessions of a user except `keep`.
pub async fn end_others(tx: &mut Tx, user: UserId, keep: Option<SessionId>, now: Timestamp) -> Result<()> {
    sqlx::query!(
        "update sessions set ended_at = $3 where user_id = $1 and id is distinct from $2 and ended_at is null",
        user.0,
        keep.map(|session| session.0),
        now
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Deletes sessions that ended or expired before a timestamp. Returns the number of deleted sessions.
pub async fn sweep(tx: &mut Tx, before: Timestamp) -> Result<u64> {
    let done = sqlx::query!("delete from sessions where expires_at < $1 or ended_at < $1", before)
        .execute(tx.connection())
        .await?;
    Ok(done.rows_affected())
}

/// Returns those of the given sessions that are active and belong to users who may log in.
pub async fn alive(tx: &mut Tx, sessions: &[SessionId], now: Timestamp) -> Result<Vec<SessionId>> {
    let rows = sqlx::query_scalar!(
        "select s.id from sessions s join users u on u.id = s.user_id
         where s.id = any($1) and s.ended_at is null and s.expires_at > $2 and not u.login_forbidden",
        &uuids(sessions),
        now
    )
    .fetch_all(tx.connection())
    .await?;
    Ok(rows.into_iter().map(SessionId).collect())
}
