//! Counts what waits for officers.

use domain::ids::OfficerId;

use crate::{Result, Tx};

/// Counting stops here.
pub const MAX_COUNT: i64 = 1_000;

/// Appeals by what they wait for, each counted up to [`MAX_COUNT`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cases {
    /// Without a verdict.
    pub open: i64,
    /// Without a verdict, of which the officer has joined the case, or which are assigned to the officer.
    pub mine: i64,
    /// With a verdict that is not executed yet.
    pub decided: i64,
}

/// Counts the appeals that have not ended.
pub async fn cases(tx: &mut Tx, officer: OfficerId) -> Result<Cases> {
    let row = sqlx::query!(
        r#"select (select count(*) from (select from appeals where status = 'PENDING' limit $2) a) as "open!",
                  (select count(*) from (
                      select from appeals a
                           cross join lateral (
                               select from case_officers c where c.appeal_id = a.id and c.officer_id = $1
                               union all select from appeal_assignments s where s.appeal_id = a.id and s.officer_id = $1
                               limit 1) mine
                      where status = 'PENDING' limit $2) a) as "mine!",
                  (select count(*) from (select from appeals where status = 'DECIDED' limit $2) a) as "decided!""#,
        officer.0,
        MAX_COUNT
    )
    .fetch_one(tx.connection())
    .await?;
    Ok(Cases { open: row.open, mine: row.mine, decided: row.decided })
}

/// Counts the nicknames under review, up to [`MAX_COUNT`].
pub async fn nicknames(tx: &mut Tx) -> Result<i64> {
    let count = sqlx::query_scalar!(
        r#"select count(*) as "count!"
           from (select from accounts where nickname_pending_since is not null limit $1) a"#,
        MAX_COUNT
    )
    .fetch_one(tx.connection())
    .await?;
    Ok(count)
}

/// Counts the applications for certification that wait for an officer, up to [`MAX_COUNT`].
pub async fn certifications(tx: &mut Tx) -> Result<i64> {
    let count = sqlx::query_scalar!(
        r#"select count(*) as "count!"
           from (select from certification_applications where decided_at is null limit $1) a"#,
        MAX_COUNT
    )
    .fetch_one(tx.connection())
    .await?;
    Ok(count)
}
