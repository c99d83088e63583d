//! Reads and writes appeals, and the decisions that wait for a second officer.

use domain::clock::Timestamp;
use domain::ids::{AppealId, OfficerId, OrderId, UserId};
use domain::orders::{Appeal, AppealStatus};
use domain::trade::Party;
use serde_json::Value;
use uuid::Uuid;

use crate::columns::{column, uuids};
use crate::persisted::{decode, encode};
use crate::{Error, Result, Tx};

/// An appeal with the order that it concerns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredAppeal {
    pub order: OrderId,
    pub appeal: Appeal,
}

fn stored((id, order, appeal): (Uuid, Uuid, Value)) -> Result<StoredAppeal> {
    Ok(StoredAppeal { order: OrderId(order), appeal: decode("appeals", id, appeal)? })
}

/// Writes new appeals and changes of appeals. Of several values of an appeal, the last one counts. Ends the proposals about
/// appeals that are no longer pending, or to which evidence was added that the proposing officer has not seen.
pub async fn save(tx: &mut Tx, appeals: &[(OrderId, Appeal)], at: Timestamp) -> Result<()> {
    if appeals.is_empty() {
        return Ok(());
    }
    let latest: std::collections::BTreeMap<_, _> =
        appeals.iter().map(|(order, appeal)| (appeal.id, (*order, appeal))).collect();
    let latest: Vec<_> = latest.into_values().collect();
    sqlx::query!(
        "update appeal_proposals p set ended_at = $4
         from unnest($1::uuid[], $2::bool[], $3::int[]) as a (id, pending, evidence) join appeals before on before.id = a.id
         where p.appeal_id = a.id and p.ended_at is null
           and (not a.pending or jsonb_array_length(before.appeal -> 'evidence') <> a.evidence)",
        &column(&latest, |(_, appeal)| appeal.id.0),
        &column(&latest, |(_, appeal)| appeal.status == AppealStatus::Pending),
        &column(&latest, |(_, appeal)| i32::try_from(appeal.evidence.len()).unwrap_or(i32::MAX)),
        at
    )
    .execute(tx.connection())
    .await?;
    let values = latest.iter().map(|(_, appeal)| encode("appeals", appeal.id, *appeal)).collect::<Result<Vec<_>>>()?;
    sqlx::query!(
        "insert into appeals (id, order_id, advertiser, taker, appeal, filed_at, filed_by, ended_at, decided_at)
         select a.id, o.id, o.advertiser, o.taker, a.appeal, a.filed_at,
                case when a.initiator is null then null
                     when (a.initiator = 'BUYER') = (o.side = 'SELL') then o.taker else o.advertiser end,
                a.ended_at, a.decided_at
         from unnest($1::uuid[], $2::uuid[], $3::jsonb[], $4::timestamptz[], $5::text[], $6::timestamptz[],
                     $7::timestamptz[]) as a (id, order_id, appeal, filed_at, initiator, ended_at, decided_at)
              join orders o on o.id = a.order_id
         on conflict (id) do update set appeal = excluded.appeal, filed_by = excluded.filed_by, ended_at = excluded.ended_at,
             decided_at = case when excluded.decided_at is not null then coalesce(appeals.decided_at, excluded.decided_at) end",
        &column(&latest, |(_, appeal)| appeal.id.0),
        &column(&latest, |(order, _)| order.0),
        &values,
        &column(&latest, |(_, appeal)| appeal.filed_at),
        &column(&latest, |(_, appeal)| appeal.initiator.map(|party| party.into_str().to_owned())) as _,
        &column(&latest, |(_, appeal)| appeal.status.ended_at()) as _,
        &column(&latest, |(_, appeal)| is_decided(&appeal.status).then_some(at)) as _
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Returns whether an officer has decided an appeal. A reopened appeal is pending again.
fn is_decided(status: &AppealStatus) -> bool {
    match status {
        AppealStatus::Pending | AppealStatus::Withdrawn { .. } => false,
        AppealStatus::Decided { .. } | AppealStatus::Rejected { .. } | AppealStatus::Executed { .. } => true,
    }
}

/// The appeals of a period, counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counted {
    pub filed: u32,
    pub for_buyer: u32,
    pub for_seller: u32,
    pub rejected: u32,
    pub withdrawn: u32,
    /// The appeals for which the time to the decision is known.
    pub timed: u32,
    /// Those of them that were decided quickly enough.
    pub in_time: u32,
    /// The appeals that wait for a decision, and can no longer be decided quickly enough.
    pub waiting: u32,
    /// The median and the 95th percentile of the time to the decision, in seconds. `waiting` appeals count with the time that
    /// they have waited so far.
    pub median: Option<u32>,
    pub ninety_fifth: Option<u32>,
}

/// Counts the appeals that were filed after a time, and those of them that were decided within a number of seconds.
pub async fn count(tx: &mut Tx, after: Timestamp, seconds: i64, now: Timestamp) -> Result<Counted> {
    let row = sqlx::query!(
        r#"with timed as (
               select status, appeal -> 'status' -> 'verdict' ->> 'winner' as winner,
                      extract(epoch from decided_at - filed_at)::bigint as seconds,
                      case when status = 'PENDING' then extract(epoch from $3 - filed_at)::bigint end as waited
               from appeals where filed_at > $1),
           counted as (
               select *, coalesce(seconds, case when waited > $2 then waited end) as known from timed)
           select count(*) as "filed!",
                  count(*) filter (where winner = 'BUYER') as "for_buyer!",
                  count(*) filter (where winner = 'SELLER') as "for_seller!",
                  count(*) filter (where status = 'REJECTED') as "rejected!",
                  count(*) filter (where status = 'WITHDRAWN') as "withdrawn!",
                  count(seconds) as "timed!",
                  count(*) filter (where seconds <= $2) as "in_time!",
                  count(*) filter (where waited > $2) as "waiting!",
                  percentile_disc(0.5) within group (order by known) as median,
                  percentile_disc(0.95) within group (order by known) as ninety_fifth
           from counted"#,
        after,
        seconds,
        now
    )
    .fetch_one(tx.connection())
    .await?;
    let number = |value: i64| u32::try_from(value).map_err(|_| Error::row("appeals", "count", "too many"));
    Ok(Counted {
        filed: number(row.filed)?,
        for_buyer: number(row.for_buyer)?,
        for_seller: number(row.for_seller)?,
        rejected: number(row.rejected)?,
        withdrawn: number(row.withdrawn)?,
        timed: number(row.timed)?,
        in_time: number(row.in_time)?,
        waiting: number(row.waiting)?,
        median: row.median.map(number).transpose()?,
        ninety_fifth: row.ninety_fifth.map(number).transpose()?,
    })
}

pub async fn find(tx: &mut Tx, id: AppealId) -> Result<Option<StoredAppeal>> {
    let row = sqlx::query!("select id, order_id, appeal from appeals where id = $1", id.0)
        .fetch_optional(tx.connection())
        .await?;
    row.map(|row| stored((row.id, row.order_id, row.appeal))).transpose()
}

/// Returns the appeals with these IDs that exist, in the order of their IDs.
pub async fn by_ids(tx: &mut Tx, ids: &[AppealId]) -> Result<Vec<StoredAppeal>> {
    let rows = sqlx::query!("select id, order_id, appeal from appeals where id = any($1) order by id", &uuids(ids))
        .fetch_all(tx.connection())
        .await?;
    rows.into_iter().map(|row| stored((row.id, row.order_id, row.appeal))).collect()
}

/// Returns a page of the appeals about a user's orders, newest first, and their total number.
pub async fn page_of(tx: &mut Tx, user: UserId, offset: i64, limit: i64) -> Result<(Vec<StoredAppeal>, i64)> {
    let total = sqlx::query_scalar!(
        r#"select (select count(*) from appeals where taker = $1) + (select count(*) from appeals where advertiser = $1) as "many!""#,
        user.0
    )
    .fetch_one(tx.connection())
    .await?;
    let rows = sqlx::query!(
        r#"select id as "id!", order_id as "order_id!", appeal as "appeal!" from (
               (select id, order_id, appeal from appeals where taker = $1 order by id desc limit $4)
               union all
               (select id, order_id, appeal from appeals where advertiser = $1 order by id desc limit $4)) own
           order by id desc offset $2 limit $3"#,
        user.0,
        offset,
        limit,
        offset.saturating_add(limit)
    )
    .fetch_all(tx.connection())
    .await?;
    let page = rows.into_iter().map(|row| stored((row.id, row.order_id, row.appeal))).collect::<Result<_>>()?;
    Ok((page, total))
}

/// A decision that waits for a second officer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    /// Increases with each proposal.
    pub id: i64,
    pub officer_id: OfficerId,
    pub officer: String,
    /// The party that would win; `None` if the appeal would be rejected.
    pub winner: Option<Party>,
    pub malicious: bool,
    pub note: String,
    /// The coins that the decision would move, as the officer saw them.
    pub movements: Value,
    pub at: Timestamp,
}

/// Returns the proposals that wait for a second officer.
pub async fn proposals(tx: &mut Tx, appeals: &[AppealId]) -> Result<Vec<(AppealId, Proposal)>> {
    let rows = sqlx::query!(
        r#"select id, appeal_id, officer_id, officer, winner, malicious, note, movements, at
           from appeal_proposals
           where appeal_id = any($1) and ended_at is null order by appeal_id"#,
        &uuids(appeals)
    )
    .fetch_all(tx.connection())
    .await?;
    rows.into_iter()
        .map(|row| {
            let wrong = || Error::row("appeal_proposals", row.appeal_id, "winner");
            let winner = row.winner.map(|name| name.parse().map_err(|_| wrong())).transpose()?;
            let (id, officer_id, officer) = (row.id, OfficerId(row.officer_id), row.officer);
            let (malicious, note, movements, at) = (row.malicious, row.note, row.movements, row.at);
            let proposal = Proposal { id, officer_id, officer, winner, malicious, note, movements, at };
            Ok((AppealId(row.appeal_id), proposal))
        })
        .collect()
}

/// Records a proposal, whose ID is ignored. An earlier proposal must be ended first.
pub async fn propose(tx: &mut Tx, appeal: AppealId, proposal: &Proposal) -> Result<()> {
    sqlx::query!(
        "insert into appeal_proposals (appeal_id, officer_id, officer, winner, malicious, note, movements, at)
         values ($1, $2, $3, $4, $5, $6, $7, $8)",
        appeal.0,
        proposal.officer_id.0,
        proposal.officer,
        proposal.winner.map(<&str>::from),
        proposal.malicious,
        proposal.note,
        proposal.movements,
        proposal.at
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Ends the proposals of an officer.
pub async fn end_proposals_of(tx: &mut Tx, officer: OfficerId, at: Timestamp) -> Result<()> {
    sqlx::query!("update appeal_proposals set ended_at = $2 where officer_id = $1 and ended_at is null", officer.0, at)
        .execute(tx.connection())
        .await?;
    Ok(())
}

/// Ends the proposal about an appeal, if there is one.
pub async fn end_proposal(tx: &mut Tx, appeal: AppealId, at: Timestamp) -> Result<()> {
    sqlx::query!("update appeal_proposals set ended_at = $2 where appeal_id = $1 and ended_at is null", appeal.0, at)
        .execute(tx.connection())
        .await?;
    Ok(())
}
