//! Requests of officers for evidence. They never change, except that an unanswered one is closed once.

use domain::clock::Timestamp;
use domain::ids::{AppealId, OfficerId, UserId};
use domain::orders::{EvidenceRequest, NewEvidenceRequest};

use crate::columns::uuids;
use crate::{Error, Result, Tx};

/// Writes a request to a party of an appeal, whose evidence has a number of files now. Returns the ID.
pub async fn insert(
    tx: &mut Tx,
    (appeal, evidence, user): (AppealId, usize, UserId),
    new: &NewEvidenceRequest,
    (officer, name): (OfficerId, &str),
    (asked_at, due_at): (Timestamp, Timestamp),
) -> Result<i64> {
    let before = i32::try_from(evidence).map_err(|_| Error::row("appeals", appeal, "evidence"))?;
    let id = sqlx::query_scalar!(
        "insert into evidence_requests (appeal_id, party, user_id, kind, details, officer_id, officer, evidence_before,
                                        asked_at, due_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning id",
        appeal.0,
        new.party.into_str(),
        user.0,
        new.kind.into_str(),
        new.details,
        officer.0,
        name,
        before,
        asked_at,
        due_at
    )
    .fetch_one(tx.connection())
    .await?;
    Ok(id)
}

/// Closes requests.
pub async fn close(tx: &mut Tx, ids: &[i64], at: Timestamp) -> Result<()> {
    sqlx::query!("update evidence_requests set closed_at = $2 where id = any($1) and closed_at is null", ids, at)
        .execute(tx.connection())
        .await?;
    Ok(())
}

/// Returns the newest requests about each of these appeals, oldest first.
pub async fn of(tx: &mut Tx, appeals: &[AppealId], most: i64) -> Result<Vec<(AppealId, EvidenceRequest)>> {
    if appeals.is_empty() {
        return Ok(Vec::new());
    }
    let rows = sqlx::query!(
        r#"select r.appeal_id as "appeal_id!", r.id as "id!", party as "party!", kind as "kind!", details,
                  officer as "officer!", evidence_before as "evidence_before!", asked_at as "asked_at!", due_at as "due_at!",
                  closed_at
           from unnest($1::uuid[]) as a (id)
                cross join lateral (select * from evidence_requests where appeal_id = a.id order by id desc limit $2) r
           order by r.id"#,
        &uuids(appeals),
        most
    )
    .fetch_all(tx.connection())
    .await?;
    let request = rows.into_iter().map(|row| {
        let broken = |field| Error::row("evidence_requests", row.id, field);
        let request = EvidenceRequest {
            id: row.id,
            party: row.party.parse().map_err(|_| broken("party"))?,
            kind: row.kind.parse().map_err(|_| broken("kind"))?,
            details: row.details,
            officer: row.officer,
            evidence_before: usize::try_from(row.evidence_before).map_err(|_| broken("evidence_before"))?,
            asked_at: row.asked_at,
            due_at: row.due_at,
            closed_at: row.closed_at,
        };
        Ok((AppealId(row.appeal_id), request))
    });
    request.collect()
}
