//! Planned maintenance: what officers decided, and the times in which the product was, is or will be closed by it.

use domain::clock::Timestamp;

use crate::{Error, Result, Tx};

/// A time in which the product is closed: from its first moment until it opens again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Closing {
    /// The plan that closes it.
    pub plan: i64,
    /// From when.
    pub from: Timestamp,
    /// Until when.
    pub until: Timestamp,
}

/// An officer's decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// From when until when the product is to be closed; nothing ends the plan before.
    pub window: Option<(Timestamp, Timestamp)>,
    /// Who decided.
    pub officer: String,
    /// Why.
    pub reason: String,
    /// When: it holds from then on.
    pub at: Timestamp,
}

/// Lets nobody else decide until the transaction ends: plans follow one another in the order of their moments.
pub async fn lock(tx: &mut Tx) -> Result<()> {
    sqlx::query!("lock table maintenance_plans in exclusive mode").execute(tx.connection()).await?;
    Ok(())
}

/// Writes a decision down; it replaces the one before.
pub async fn plan(tx: &mut Tx, plan: &Plan) -> Result<()> {
    let (starts, ends) = plan.window.unzip();
    sqlx::query!(
        "insert into maintenance_plans (starts_at, ends_at, officer, reason, at) values ($1, $2, $3, $4, $5)",
        starts,
        ends,
        plan.officer,
        plan.reason,
        plan.at
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Every decision, oldest first.
pub async fn plans(tx: &mut Tx) -> Result<Vec<Plan>> {
    let rows = sqlx::query!("select starts_at, ends_at, officer, reason, at from maintenance_plans order by id")
        .fetch_all(tx.connection())
        .await?;
    Ok(rows
        .into_iter()
        .map(|row| Plan {
            window: row.starts_at.zip(row.ends_at),
            officer: row.officer,
            reason: row.reason,
            at: row.at,
        })
        .collect())
}

/// The times in which the product is closed and that are no outage yet: over, under way or to come, in their order. A plan
/// closes it from when it was decided, at the earliest, and until another one replaces it, at the latest.
pub async fn closings(tx: &mut Tx) -> Result<Vec<Closing>> {
    let rows = sqlx::query!(
        r#"select p.id, greatest(p.starts_at, p.at) as "from!", least(p.ends_at, p.replaced_at) as "until!"
           from (select id, starts_at, ends_at, at, lead(at) over (order by id) as replaced_at from maintenance_plans) p
           where p.starts_at is not null and greatest(p.starts_at, p.at) < least(p.ends_at, p.replaced_at)
             and not exists (select from outages o where o.maintenance_plan = p.id)
           order by 2, 1"#
    )
    .fetch_all(tx.connection())
    .await?;
    Ok(rows.into_iter().map(|row| Closing { plan: row.id, from: row.from, until: row.until }).collect())
}

/// Makes an outage of a closing that is over; nothing if it is one already.
pub async fn record(tx: &mut Tx, closing: &Closing) -> Result<()> {
    if closing.until <= closing.from {
        return Err(Error::row("maintenance_plans", closing.plan, "ends before it starts"));
    }
    sqlx::query!(
        "insert into outages (part, began_at, ended_at, maintenance_plan) values ('maintenance', $1, $2, $3)
         on conflict (maintenance_plan) do nothing",
        closing.from,
        closing.until,
        closing.plan
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}
