//! The ended orders of a user, by what the user looks for.

use domain::assets::PairId;
use domain::ids::{IdRange, OrderId, UserId};
use uuid::Uuid;

use crate::{Result, Tx};

/// What a user looks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    pub ids: IdRange,
    /// The other party; `None` for any.
    pub counterparty: Option<UserId>,
    /// `None` for all pairs.
    pub pairs: Option<Vec<PairId>>,
}

impl Wanted {
    fn pairs(&self) -> Option<Vec<i64>> {
        self.pairs.as_ref().map(|pairs| pairs.iter().map(|pair| pair.0).collect())
    }
}

/// Returns the number of the orders.
pub async fn count(tx: &mut Tx, user: UserId, wanted: &Wanted) -> Result<i64> {
    let IdRange { first, last } = wanted.ids;
    let many = match (wanted.counterparty, wanted.pairs()) {
        (Some(other), pairs) => {
            sqlx::query_scalar!(
                r#"select (select count(*) from orders
                           where advertiser = $1 and taker = $4 and not is_open and id between $2 and $3
                             and ($5::bigint[] is null or pair_id = any($5)))
                        + (select count(*) from orders
                           where advertiser = $4 and taker = $1 and not is_open and id between $2 and $3
                             and ($5::bigint[] is null or pair_id = any($5))) as "many!""#,
                user.0,
                first,
                last,
                other.0,
                pairs.as_deref()
            )
            .fetch_one(tx.connection())
            .await?
        }
        (None, Some(pairs)) => {
            sqlx::query_scalar!(
                r#"select count(*) as "many!" from unnest($4::bigint[]) p (pair) cross join lateral (
                       select from orders where advertiser = $1 and pair_id = p.pair and not is_open and id between $2 and $3
                       union all
                       select from orders where taker = $1 and pair_id = p.pair and not is_open and id between $2 and $3) o"#,
                user.0,
                first,
                last,
                &pairs
            )
            .fetch_one(tx.connection())
            .await?
        }
        (None, None) => {
            sqlx::query_scalar!(
                r#"select (select count(*) from orders where advertiser = $1 and not is_open and id between $2 and $3)
                        + (select count(*) from orders where taker = $1 and not is_open and id between $2 and $3) as "many!""#,
                user.0,
                first,
                last
            )
            .fetch_one(tx.connection())
            .await?
        }
    };
    Ok(many)
}

/// Returns a page of the orders, newest first. Reads each side up to the end of the page.
pub async fn page_of(tx: &mut Tx, user: UserId, wanted: &Wanted, offset: i64, limit: i64) -> Result<Vec<OrderId>> {
    let IdRange { first, last } = wanted.ids;
    let end = offset.saturating_add(limit);
    let ids: Vec<Uuid> = match (wanted.counterparty, wanted.pairs()) {
        (Some(other), pairs) => {
            sqlx::query_scalar!(
                r#"select id as "id!" from (
                       (select id from orders
                        where advertiser = $1 and taker = $7 and not is_open and id between $2 and $3
                          and ($8::bigint[] is null or pair_id = any($8))
                        order by id desc limit $6)
                       union all
                       (select id from orders
                        where advertiser = $7 and taker = $1 and not is_open and id between $2 and $3
                          and ($8::bigint[] is null or pair_id = any($8))
                        order by id desc limit $6)) o
                   order by id desc offset $4 limit $5"#,
                user.0,
                first,
                last,
                offset,
                limit,
                end,
                other.0,
                pairs.as_deref()
            )
            .fetch_all(tx.connection())
            .await?
        }
        (None, Some(pairs)) => {
            sqlx::query_scalar!(
                r#"select id as "id!" from unnest($7::bigint[]) p (pair) cross join lateral (
                       (select id from orders
                        where advertiser = $1 and pair_id = p.pair and not is_open and id between $2 and $3
                        order by id desc limit $6)
                       union all
                       (select id from orders
                        where taker = $1 and pair_id = p.pair and not is_open and id between $2 and $3
                        order by id desc limit $6)) o
                   order by id desc offset $4 limit $5"#,
                user.0,
                first,
                last,
                offset,
                limit,
                end,
                &pairs
            )
            .fetch_all(tx.connection())
            .await?
        }
        (None, None) => {
            sqlx::query_scalar!(
                r#"select id as "id!" from (
                       (select id from orders where advertiser = $1 and not is_open and id between $2 and $3
                        order by id desc limit $6)
                       union all
                       (select id from orders where taker = $1 and not is_open and id between $2 and $3
                        order by id desc limit $6)) o
                   order by id desc offset $4 limit $5"#,
                user.0,
                first,
                last,
                offset,
                limit,
                end
            )
            .fetch_all(tx.connection())
            .await?
        }
    };
    Ok(ids.into_iter().map(OrderId).collect())
}
