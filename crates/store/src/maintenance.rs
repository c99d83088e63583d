//! Planned maintenance: the officers' plans, and the closings that result from them.

use domain::clock::Timestamp;

use crate::{Error, Result, Tx};

/// A time in which the product is closed, excluding its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Closing {
    /// The ID of the plan that closes the product.
    pub plan: i64,
    pub from: Timestamp,
    pub until: Timestamp,
}

/// An officer's plan to close the product, or to end a closing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// When the product should be closed; `None` ends the previous plan.
    pub window: Option<(Timestamp, Timestamp)>,
    pub officer: String,
    pub reason: String,
    /// When the plan was made. It has no effect before this time.
    pub at: Timestamp,
}

/// Locks the plans until the transaction ends, so that later plans get later timestamps.
pub async fn lock(tx: &mut Tx) -> Result<()> {
    sqlx::query!("lock table maintenance_plans in exclusive mode").execute(tx.connection()).await?;
    Ok(())
}

/// Inserts a plan, which replaces the previous one.
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

/// Returns the past, current and planned closings that are not recorded as outages yet, in order of time. A plan takes
/// effect no earlier than it is made, and ends no later than another plan replaces it.
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

/// Records a past closing as an outage, unless it is already recorded.
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
