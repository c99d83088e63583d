//! Planned maintenance: the officers' decisions, and the times in which they close the product.

use domain::clock::Timestamp;

use crate::{Error, Result, Tx};

/// A time in which the product is closed. The end is exclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Closing {
    /// The plan that closes it.
    pub plan: i64,
    pub from: Timestamp,
    pub until: Timestamp,
}

/// An officer's decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The time in which the product should be closed; `None` ends the previous plan.
    pub window: Option<(Timestamp, Timestamp)>,
    pub officer: String,
    pub reason: String,
    /// When the decision was made. It is effective from then on.
    pub at: Timestamp,
}

/// Locks the plans until the transaction ends, so that they follow one another in time.
pub async fn lock(tx: &mut Tx) -> Result<()> {
    sqlx::query!("lock table maintenance_plans in exclusive mode").execute(tx.connection()).await?;
    Ok(())
}

/// Inserts a decision, which replaces the previous one.
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

/// The times in which the product is closed and that are not recorded as outages yet: past, current or planned, in
/// order. A plan takes effect at the earliest when it is made, and ends at the latest when another plan replaces it.
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

/// Records a past closing as an outage, unless it is recorded already.
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
