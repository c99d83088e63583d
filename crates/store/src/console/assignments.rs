//! Which officer is responsible for which appeal.

use domain::clock::Timestamp;
use domain::console::Role;
use domain::ids::{AppealId, OfficerId};

use crate::columns::uuids;
use crate::{Error, Result, Tx};

/// The officer who is responsible for an appeal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assignment {
    pub appeal: AppealId,
    pub officer: OfficerId,
    pub name: String,
}

/// Assigns an appeal to an officer, or to nobody.
pub async fn assign(tx: &mut Tx, appeal: AppealId, officer: Option<OfficerId>, at: Timestamp) -> Result<()> {
    match officer {
        Some(officer) => {
            sqlx::query!(
                "insert into appeal_assignments (appeal_id, officer_id, at) values ($1, $2, $3)
                 on conflict (appeal_id) do update set officer_id = excluded.officer_id, at = excluded.at",
                appeal.0,
                officer.0,
                at
            )
            .execute(tx.connection())
            .await?;
        }
        None => {
            sqlx::query!("delete from appeal_assignments where appeal_id = $1", appeal.0)
                .execute(tx.connection())
                .await?;
        }
    }
    Ok(())
}

/// Returns the assignments of these appeals. An officer who can no longer sign in or decide appeals is responsible for none.
pub async fn of(tx: &mut Tx, appeals: &[AppealId]) -> Result<Vec<Assignment>> {
    let rows = sqlx::query!(
        "select a.appeal_id, a.officer_id, o.name from appeal_assignments a join officers o on o.id = a.officer_id
         where a.appeal_id = any($1) and o.disabled_at is null and o.role <> 'ADMINISTRATOR'",
        &uuids(appeals)
    )
    .fetch_all(tx.connection())
    .await?;
    let assignment = |appeal, officer, name| Assignment { appeal: AppealId(appeal), officer: OfficerId(officer), name };
    Ok(rows.into_iter().map(|row| assignment(row.appeal_id, row.officer_id, row.name)).collect())
}

/// An officer to whom appeals can be assigned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Colleague {
    pub id: OfficerId,
    pub name: String,
    pub role: Role,
    /// The appeals without a verdict that are assigned to the officer.
    pub open: i64,
}

/// Returns the officers who can sign in and work on appeals, by name.
pub async fn colleagues(tx: &mut Tx) -> Result<Vec<Colleague>> {
    let rows = sqlx::query!(
        r#"select o.id, o.name, o.role,
                  (select count(*) from appeal_assignments s join appeals a on a.id = s.appeal_id
                   where s.officer_id = o.id and a.status = 'PENDING') as "open!"
           from officers o
           where o.disabled_at is null and o.enrolled_at is not null and o.role <> 'ADMINISTRATOR'
           order by o.name, o.id limit 500"#
    )
    .fetch_all(tx.connection())
    .await?;
    rows.into_iter()
        .map(|row| {
            let role = row.role.parse().map_err(|_| Error::row("officers", row.id, "role"))?;
            Ok(Colleague { id: OfficerId(row.id), name: row.name, role, open: row.open })
        })
        .collect()
}
