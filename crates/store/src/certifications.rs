//! Applications for certification.

use domain::certification::{Application, CertificationDecision};
use domain::clock::Timestamp;
use domain::ids::{CertificationId, UserId};
use uuid::Uuid;

use crate::{Error, Result, Tx};

struct Row {
    id: Uuid,
    user_id: Uuid,
    applied_at: Timestamp,
    decided_at: Option<Timestamp>,
    approved: Option<bool>,
    reason: Option<String>,
}

/// A stored application.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredApplication {
    pub id: CertificationId,
    pub user: UserId,
    pub application: Application,
}

impl TryFrom<Row> for StoredApplication {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self> {
        let decision = match (row.decided_at, row.approved, row.reason) {
            (None, None, None) => None,
            (Some(at), Some(approved), Some(reason)) => Some(CertificationDecision { at, approved, reason }),
            _ => return Err(Error::row("certification_applications", row.id, "a part of a decision")),
        };
        let application = Application { applied_at: row.applied_at, decision };
        Ok(Self { id: CertificationId(row.id), user: UserId(row.user_id), application })
    }
}

/// Returns the latest application of a user.
pub async fn latest(tx: &mut Tx, user: UserId) -> Result<Option<StoredApplication>> {
    let row = sqlx::query_as!(
        Row,
        "select id, user_id, applied_at, decided_at, approved, reason from certification_applications
         where user_id = $1 order by applied_at desc limit 1",
        user.0
    )
    .fetch_optional(tx.connection())
    .await?;
    row.map(StoredApplication::try_from).transpose()
}

/// Returns the application with this ID. The caller locks its user before changing it.
pub async fn read(tx: &mut Tx, id: CertificationId) -> Result<Option<StoredApplication>> {
    let row = sqlx::query_as!(
        Row,
        "select id, user_id, applied_at, decided_at, approved, reason from certification_applications where id = $1",
        id.0
    )
    .fetch_optional(tx.connection())
    .await?;
    row.map(StoredApplication::try_from).transpose()
}

pub async fn insert(tx: &mut Tx, id: CertificationId, user: UserId, at: Timestamp) -> Result<()> {
    sqlx::query!(
        "insert into certification_applications (id, user_id, applied_at) values ($1, $2, $3)",
        id.0,
        user.0,
        at
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Stores the decision about an application that waits for one. Returns whether it did.
pub async fn decide(tx: &mut Tx, id: CertificationId, decision: &CertificationDecision) -> Result<bool> {
    let done = sqlx::query!(
        "update certification_applications set decided_at = $2, approved = $3, reason = $4
         where id = $1 and decided_at is null",
        id.0,
        decision.at,
        decision.approved,
        decision.reason
    )
    .execute(tx.connection())
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Returns the applications that wait for an officer, oldest first, after an application.
pub async fn pending(
    tx: &mut Tx,
    after: Option<(Timestamp, CertificationId)>,
    most: i64,
) -> Result<Vec<StoredApplication>> {
    let (applied_at, id) = after.unzip();
    let rows = sqlx::query_as!(
        Row,
        "select id, user_id, applied_at, decided_at, approved, reason from certification_applications
         where decided_at is null and ($1::timestamptz is null or (applied_at, id) > ($1, $2::uuid))
         order by applied_at, id limit $3",
        applied_at,
        id.map(|id: CertificationId| id.0),
        most
    )
    .fetch_all(tx.connection())
    .await?;
    rows.into_iter().map(StoredApplication::try_from).collect()
}
