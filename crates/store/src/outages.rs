//! The platform's last heartbeat, and its outages.

use domain::clock::Timestamp;

use crate::{Result, Tx};

/// The worker that reads the chain, the only part of the platform with a heartbeat.
const PART: &str = "watcher";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Heartbeat {
    /// The product's time.
    pub at: Timestamp,
    /// The machine's time.
    pub machine_at: Timestamp,
}

/// A period during which the platform was down, measured by the product's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outage {
    pub id: i64,
    pub from: Timestamp,
    pub until: Timestamp,
}

/// Returns the last heartbeat, if any.
pub async fn heartbeat(tx: &mut Tx) -> Result<Option<Heartbeat>> {
    Ok(sqlx::query_as!(Heartbeat, "select at, machine_at from heartbeats where part = $1", PART)
        .fetch_optional(tx.connection())
        .await?)
}

/// Locks and returns the last heartbeat, so that only one process reacts to an outdated heartbeat.
pub async fn lock_heartbeat(tx: &mut Tx) -> Result<Option<Heartbeat>> {
    Ok(sqlx::query_as!(Heartbeat, "select at, machine_at from heartbeats where part = $1 for update", PART)
        .fetch_optional(tx.connection())
        .await?)
}

pub async fn beat(tx: &mut Tx, beat: Heartbeat) -> Result<()> {
    sqlx::query!(
        "insert into heartbeats (part, at, machine_at) values ($1, $2, $3)
         on conflict (part) do update set at = excluded.at, machine_at = excluded.machine_at",
        PART,
        beat.at,
        beat.machine_at
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Returns whether a deadline is due, an outage was not applied to the deadlines yet, or a plan for maintenance is not
/// recorded as an outage yet.
pub async fn has_work(tx: &mut Tx, now: Timestamp) -> Result<bool> {
    Ok(sqlx::query_scalar!(
        r#"select exists (select from orders where due_at <= $1) or exists (select from adverts where due_at <= $1)
               or exists (select from outages where moved_at is null)
               or exists (select from maintenance_plans p where starts_at is not null
                          and not exists (select from outages o where o.maintenance_plan = p.id)) as "work!""#,
        now
    )
    .fetch_one(tx.connection())
    .await?)
}

/// Records a time in which the platform was down.
pub async fn record(tx: &mut Tx, from: Timestamp, until: Timestamp) -> Result<()> {
    sqlx::query!("insert into outages (part, began_at, ended_at) values ($1, $2, $3)", PART, from, until)
        .execute(tx.connection())
        .await?;
    Ok(())
}

/// Returns the outages that have not been applied to all deadlines yet, oldest first. In this order, overlapping
/// outages do not extend a deadline twice.
pub async fn unmoved(tx: &mut Tx) -> Result<Vec<Outage>> {
    Ok(sqlx::query_as!(
        Outage,
        r#"select id, began_at as "from", ended_at as until from outages where moved_at is null order by began_at, id"#
    )
    .fetch_all(tx.connection())
    .await?)
}

/// Records that an outage was applied to every deadline.
pub async fn set_moved(tx: &mut Tx, id: i64, at: Timestamp) -> Result<()> {
    sqlx::query!("update outages set moved_at = $2 where id = $1 and moved_at is null", id, at)
        .execute(tx.connection())
        .await?;
    Ok(())
}
