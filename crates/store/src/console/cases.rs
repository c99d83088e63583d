//! The work of officers on appeals: the queue, who is on a case, and what is known about its parties.

use domain::clock::Timestamp;
use domain::files::{Attachment, StoredFile};
use domain::ids::{AppealId, OfficerId, OrderId, UserId};
use domain::reputation::Cause;
use uuid::Uuid;

use crate::columns::uuids;
use crate::{Error, Result, Tx};

/// Which appeals a queue shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Queue {
    /// Without a verdict, oldest first.
    Open,
    /// Open ones that the officer has joined or that are assigned to the officer, oldest first.
    Mine(OfficerId),
    /// Without a verdict, and with nobody on the case who still works on appeals, and assigned to nobody, oldest first. Only the oldest 1,000 are considered.
    Free,
    /// With a verdict that is not executed yet, oldest first.
    Decided,
    /// Ended ones, those that ended last first.
    Ended,
}

/// The number of appeals among which free ones are looked for.
const MAX_FREE: i64 = 1_000;

/// Returns the first appeals of a queue.
pub async fn queue(tx: &mut Tx, queue: Queue, most: i64) -> Result<Vec<AppealId>> {
    let ids = match queue {
        Queue::Open => {
            sqlx::query_scalar!(
                "select id from appeals where status = 'PENDING'
                 order by filed_at, id limit $1",
                most
            )
            .fetch_all(tx.connection())
            .await?
        }
        Queue::Mine(officer) => {
            sqlx::query_scalar!(
                "select id from appeals a
                      cross join lateral (
                          select from case_officers c where c.appeal_id = a.id and c.officer_id = $1
                          union all select from appeal_assignments s where s.appeal_id = a.id and s.officer_id = $1
                          limit 1) mine
                 where status in ('PENDING', 'DECIDED') order by filed_at, id limit $2",
                officer.0,
                most
            )
            .fetch_all(tx.connection())
            .await?
        }
        Queue::Free => {
            sqlx::query_scalar!(
                "select id from (select id, filed_at from appeals where status = 'PENDING' order by filed_at, id limit $2) a
                 where not exists (select from case_officers c join officers o on o.id = c.officer_id
                                   where c.appeal_id = a.id and o.disabled_at is null and o.role <> 'ADMINISTRATOR')
                   and not exists (select from appeal_assignments s join officers o on o.id = s.officer_id
                                   where s.appeal_id = a.id and o.disabled_at is null and o.role <> 'ADMINISTRATOR')
                 order by filed_at, id limit $1",
                most,
                MAX_FREE
            )
            .fetch_all(tx.connection())
            .await?
        }
        Queue::Decided => {
            sqlx::query_scalar!(
                "select id from appeals where status = 'DECIDED'
                 order by filed_at, id limit $1",
                most
            )
            .fetch_all(tx.connection())
            .await?
        }
        Queue::Ended => {
            sqlx::query_scalar!(
                "select id from appeals where ended_at is not null order by ended_at desc, id desc limit $1",
                most
            )
            .fetch_all(tx.connection())
            .await?
        }
    };
    Ok(ids.into_iter().map(AppealId).collect())
}

/// Puts an officer on a case. Returns `false` if the officer was on it already.
pub async fn join(tx: &mut Tx, appeal: AppealId, officer: OfficerId, at: Timestamp) -> Result<bool> {
    let done = sqlx::query!(
        "insert into case_officers (appeal_id, officer_id, joined_at) values ($1, $2, $3) on conflict do nothing",
        appeal.0,
        officer.0,
        at
    )
    .execute(tx.connection())
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Takes an officer off a case. Returns `false` if the officer was not on it.
pub async fn leave(tx: &mut Tx, appeal: AppealId, officer: OfficerId) -> Result<bool> {
    let done = sqlx::query!("delete from case_officers where appeal_id = $1 and officer_id = $2", appeal.0, officer.0)
        .execute(tx.connection())
        .await?;
    Ok(done.rows_affected() > 0)
}

/// Returns whether an officer is on a case.
pub async fn is_on(tx: &mut Tx, appeal: AppealId, officer: OfficerId) -> Result<bool> {
    let found = sqlx::query_scalar!(
        r#"select exists(select from case_officers where appeal_id = $1 and officer_id = $2) as "found!""#,
        appeal.0,
        officer.0
    )
    .fetch_one(tx.connection())
    .await?;
    Ok(found)
}

/// An officer on a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseOfficer {
    pub appeal: AppealId,
    pub id: OfficerId,
    pub name: String,
}

/// Returns the officers on these cases, those who joined first first.
pub async fn officers_on(tx: &mut Tx, appeals: &[AppealId]) -> Result<Vec<CaseOfficer>> {
    let rows = sqlx::query!(
        "select c.appeal_id, c.officer_id, o.name from case_officers c join officers o on o.id = c.officer_id
         where c.appeal_id = any($1) order by c.joined_at, c.officer_id",
        &uuids(appeals)
    )
    .fetch_all(tx.connection())
    .await?;
    let officer = |appeal, officer, name| CaseOfficer { appeal: AppealId(appeal), id: OfficerId(officer), name };
    Ok(rows.into_iter().map(|row| officer(row.appeal_id, row.officer_id, row.name)).collect())
}

/// Returns the newest case of an officer to which a file belongs: an appeal about the order to which it is attached, or about
/// an order of its owner that is paid with the payment method that it shows. Omits appeals that ended at `ended_after` or
/// earlier, and those that ended before the file was attached.
pub async fn case_of_file(
    tx: &mut Tx,
    officer: OfficerId,
    file: &StoredFile,
    attached: Attachment,
    ended_after: Timestamp,
) -> Result<Option<AppealId>> {
    let (order, method) = match attached {
        Attachment::Order { order, .. } => (Some(order.0), None),
        Attachment::PaymentMethod(method) => (None, Some(method.0)),
    };
    let id = sqlx::query_scalar!(
        r#"select id as "id!" from (
               select id, ended_at from appeals where order_id = $2
               union all
               select a.id, a.ended_at from appeals a join orders o on o.id = a.order_id
               where a.advertiser = $3 and o.method_id = $4
               union all
               select a.id, a.ended_at from appeals a join orders o on o.id = a.order_id
               where a.taker = $3 and o.method_id = $4) found
           where exists (select from case_officers where appeal_id = found.id and officer_id = $1)
             and (ended_at is null
                  or ended_at > $5 and ended_at >= (select attached_at from files where id = $6))
           order by id desc limit 1"#,
        officer.0,
        order,
        file.owner.0,
        method,
        ended_after,
        file.id.0
    )
    .fetch_optional(tx.connection())
    .await?;
    Ok(id.map(AppealId))
}

/// What is known about a user from appeals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AppealFacts {
    pub user: UserId,
    pub joined_at: Timestamp,
    /// 0 to 100.
    pub reputation: i32,
    /// The appeals that the user has filed.
    pub filed: u32,
    /// The appeals about the user's orders that are open or were filed since a timestamp.
    pub recent: u32,
    /// The appeals that cost the user reputation.
    pub lost: u32,
    /// Those of them that were malicious.
    pub malicious: u32,
}

/// Returns what is known about users from appeals, in the order of their IDs.
pub async fn facts(tx: &mut Tx, users: &[UserId], since: Timestamp) -> Result<Vec<AppealFacts>> {
    if users.is_empty() {
        return Ok(Vec::new());
    }
    let rows = sqlx::query!(
        r#"select u.id, u.created_at, u.reputation,
                  (select count(*) from appeals where filed_by = u.id) as "filed!",
                  (select count(*) from appeals where advertiser = u.id and (ended_at is null or filed_at >= $2))
                  + (select count(*) from appeals where taker = u.id and (ended_at is null or filed_at >= $2)) as "recent!",
                  (select count(*) from reputation_changes where user_id = u.id and appeal_id is not null) as "lost!",
                  (select count(*) from reputation_changes
                   where user_id = u.id and appeal_id is not null and cause = $3) as "malicious!"
           from users u where u.id = any($1) order by u.id"#,
        &uuids(users),
        since,
        Cause::AppealMalicious.into_str()
    )
    .fetch_all(tx.connection())
    .await?;
    rows.into_iter()
        .map(|row| {
            let count = |many: i64| u32::try_from(many).map_err(|_| Error::row("appeals", row.id, "count"));
            Ok(AppealFacts {
                user: UserId(row.id),
                joined_at: row.created_at,
                reputation: row.reputation,
                filed: count(row.filed)?,
                recent: count(row.recent)?,
                lost: count(row.lost)?,
                malicious: count(row.malicious)?,
            })
        })
        .collect()
}

/// Returns those of these orders that have a proof that was attached to another order before, or a reported transaction
/// that was reported for another order, too. References are often the same by chance, such as names.
pub async fn with_used_proofs(tx: &mut Tx, orders: &[OrderId]) -> Result<Vec<OrderId>> {
    let ids = sqlx::query_scalar!(
        r#"select o as "id!" from unnest($1::uuid[]) o
           where exists (select from files where order_id = o and used_before and purpose in ('receipt', 'evidence'))
              or exists (select from payment_reports r join payment_reports other on other.order_id <> r.order_id
                                and other.hash = r.hash where r.order_id = o)"#,
        &uuids(orders)
    )
    .fetch_all(tx.connection())
    .await?;
    Ok(ids.into_iter().map(|id: Uuid| OrderId(id)).collect())
}
