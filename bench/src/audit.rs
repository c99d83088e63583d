//! Checks the invariants after a run. A run that breaks one is void.

use anyhow::bail;
use chrono::{DateTime, Utc};
use sqlx::{AssertSqlSafe, PgPool};
use uuid::Uuid;

/// What a client knows of an order: the version in the last response about it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Acknowledged {
    pub(crate) order: Uuid,
    pub(crate) version: i64,
}

/// Each query counts what must not exist.
const CHECKS: &[(&str, &str)] = &[
    ("ledger balances that differ from their entries", "select count(*) from ledger_disagreements"),
    ("vaults that owe more or less than they hold", "select count(*) from ledger_unbacked"),
    (
        "adverts whose escrow differs from the ledger",
        "select count(*) from adverts a left join ledger_accounts l on l.kind = 'advert_escrow' and l.owner = a.id
         where a.escrow <> coalesce(l.balance, 0)",
    ),
    (
        "orders whose escrow differs from the ledger",
        "select count(*) from orders o left join ledger_accounts l on l.kind = 'order_escrow' and l.owner = o.id
         where coalesce(l.balance, 0) <> case when o.state in ('AWAITING_ACCEPTANCE', 'AWAITING_PAYMENT', 'AWAITING_CONFIRMATION')
                                              then o.quantity else 0 end",
    ),
    (
        // The `history` does not care for the quantities of its own adverts.
        "adverts of the load that sold more or less than their orders say",
        "select count(*) from adverts a
         left join (select advert_id, sum(quantity) as taken from orders where state not in ('CANCELLED', 'REJECTED')
                    group by advert_id) o on o.advert_id = a.id
         where a.id = any(array(select bench_id(1, n) from bench_world w, generate_series(1, w.adverts) n))
           and a.quantity - a.remaining <> coalesce(o.taken, 0)",
    ),
    (
        "adverts that count their running orders wrongly",
        "select count(*) from adverts a
         left join (select advert_id, count(*) as running from orders where is_open group by advert_id) o on o.advert_id = a.id
         where a.running <> coalesce(o.running, 0)",
    ),
    (
        "releases without exactly one payout of what the buyer receives",
        "select count(*) from orders o
         where (o.state in ('RELEASING', 'COMPLETED')) <> (1 = (
             select count(*) from payouts p join payout_legs l on l.payout_id = p.id
             where p.subject = o.id and p.purpose = 'release' and l.amount = o.quantity - o.fee and l.recipient = o.buyer_bound))",
    ),
    (
        "users whose events are not numbered without gaps",
        "select count(*) from users u join (select user_id, count(*) as events, max(number) as last from outbox_events
                                            group by user_id) e on e.user_id = u.id
         where e.events <> e.last or u.last_event <> e.last",
    ),
];

/// Fails if an invariant is broken, if an acknowledged command is not committed, or if more than `unanswered` commands
/// were executed without an acknowledgment. Looks at the orders that were placed since a time.
pub(crate) async fn check(
    pool: &PgPool,
    since: DateTime<Utc>,
    acknowledged: &[Acknowledged],
    unanswered: usize,
) -> anyhow::Result<()> {
    for (what, query) in CHECKS {
        let count: i64 = sqlx::query_scalar(AssertSqlSafe((*query).to_owned())).fetch_one(pool).await?;
        if count != 0 {
            bail!("the run is void: {count} {what}");
        }
    }
    let ids: Vec<_> = acknowledged.iter().map(|one| one.order).collect();
    let versions: Vec<_> = acknowledged.iter().map(|one| one.version).collect();
    let lost: i64 = sqlx::query_scalar(
        "select count(*) from unnest($1::uuid[], $2::bigint[]) as a (id, version) left join orders o on o.id = a.id
         where o.id is null or o.version < a.version",
    )
    .bind(&ids)
    .bind(&versions)
    .fetch_one(pool)
    .await?;
    if lost != 0 {
        bail!("the run is void: {lost} acknowledged commands are lost");
    }
    // Each command of these lives adds one to the version of its order.
    let executed: i64 =
        sqlx::query_scalar("select coalesce(sum(version), 0)::bigint from orders where created_at >= $1")
            .bind(since)
            .fetch_one(pool)
            .await?;
    let known: i64 = versions.iter().sum();
    let extra = usize::try_from(executed.saturating_sub(known))?;
    if extra > unanswered {
        bail!("the run is void: {extra} commands were executed more than once, or without an answer");
    }
    Ok(())
}
