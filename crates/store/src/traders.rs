//! Favorite and blocked traders.

use domain::clock::Timestamp;
use domain::ids::UserId;
use domain::users::Profile;
use uuid::Uuid;

use crate::{Result, Tx};

/// What a user keeps about another user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Relation {
    pub favorite: bool,
    pub blocked: bool,
}

/// Returns what a user keeps about another user.
pub async fn relation(tx: &mut Tx, user: UserId, trader: UserId) -> Result<Relation> {
    let row = sqlx::query!(
        r#"select exists (select from favorites where user_id = $1 and trader = $2) as "favorite!",
                  exists (select from blocks_between where blocker = $1 and blocked = $2) as "blocked!""#,
        user.0,
        trader.0
    )
    .fetch_one(tx.connection())
    .await?;
    Ok(Relation { favorite: row.favorite, blocked: row.blocked })
}

pub async fn add_favorite(tx: &mut Tx, user: UserId, trader: UserId, at: Timestamp) -> Result<()> {
    sqlx::query!(
        "insert into favorites (user_id, trader, added_at) values ($1, $2, $3) on conflict do nothing",
        user.0,
        trader.0,
        at
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

pub async fn remove_favorite(tx: &mut Tx, user: UserId, trader: UserId) -> Result<()> {
    sqlx::query!("delete from favorites where user_id = $1 and trader = $2", user.0, trader.0)
        .execute(tx.connection())
        .await?;
    Ok(())
}

pub async fn block(tx: &mut Tx, user: UserId, trader: UserId) -> Result<()> {
    sqlx::query!(
        "insert into blocks_between (blocker, blocked) values ($1, $2) on conflict do nothing",
        user.0,
        trader.0
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

pub async fn unblock(tx: &mut Tx, user: UserId, trader: UserId) -> Result<()> {
    sqlx::query!("delete from blocks_between where blocker = $1 and blocked = $2", user.0, trader.0)
        .execute(tx.connection())
        .await?;
    Ok(())
}

pub async fn count_favorites(tx: &mut Tx, user: UserId) -> Result<i64> {
    let many = sqlx::query_scalar!(r#"select count(*) as "many!" from favorites where user_id = $1"#, user.0);
    Ok(many.fetch_one(tx.connection()).await?)
}

pub async fn count_blocked(tx: &mut Tx, user: UserId) -> Result<i64> {
    let many = sqlx::query_scalar!(r#"select count(*) as "many!" from blocks_between where blocker = $1"#, user.0);
    Ok(many.fetch_one(tx.connection()).await?)
}

struct Row {
    id: Uuid,
    nickname: Option<String>,
    region: String,
    certified: bool,
    verified: bool,
}

impl From<Row> for Profile {
    fn from(row: Row) -> Self {
        Self {
            id: UserId(row.id),
            nickname: row.nickname,
            region: row.region,
            certified: row.certified,
            verified: row.verified,
        }
    }
}

/// Returns a page of a user's favorites, newest first.
pub async fn favorites_of(tx: &mut Tx, user: UserId, offset: i64, limit: i64) -> Result<Vec<Profile>> {
    let rows = sqlx::query_as!(
        Row,
        "select u.id, u.nickname, u.region, u.certified, u.verified
         from (select trader, added_at from favorites where user_id = $1
               order by added_at desc, trader offset $2 limit $3) f
         join users u on u.id = f.trader order by f.added_at desc, f.trader",
        user.0,
        offset,
        limit
    )
    .fetch_all(tx.connection())
    .await?;
    Ok(rows.into_iter().map(Profile::from).collect())
}

/// Returns a page of the users whom a user has blocked.
pub async fn blocked_by(tx: &mut Tx, user: UserId, offset: i64, limit: i64) -> Result<Vec<Profile>> {
    let rows = sqlx::query_as!(
        Row,
        "select u.id, u.nickname, u.region, u.certified, u.verified
         from (select blocked from blocks_between where blocker = $1 order by blocked offset $2 limit $3) b
         join users u on u.id = b.blocked order by b.blocked",
        user.0,
        offset,
        limit
    )
    .fetch_all(tx.connection())
    .await?;
    Ok(rows.into_iter().map(Profile::from).collect())
}

/// The public facts about a trader that are in no other table of trading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct About {
    pub joined_at: Timestamp,
    /// The user's description of themselves; empty without one.
    pub remark: String,
}

/// Returns public facts about a trader.
pub async fn about(tx: &mut Tx, trader: UserId) -> Result<Option<About>> {
    let row = sqlx::query_as!(
        About,
        r#"select u.created_at as joined_at, coalesce(a.remark, '') as "remark!"
           from users u left join accounts a on a.user_id = u.id where u.id = $1"#,
        trader.0
    );
    Ok(row.fetch_optional(tx.connection()).await?)
}

/// The number of orders of which the average payment time is made.
const PAID_ORDERS: i64 = 50;

/// Returns how long a buyer took to pay on average, in seconds, in the newest completed orders since a timestamp that the buyer
/// marked as paid; `None` without any.
pub async fn average_payment(tx: &mut Tx, buyer: UserId, since: Timestamp) -> Result<Option<i64>> {
    let average = sqlx::query_scalar!(
        r#"select floor(avg(extract(epoch from paid - due)))::bigint as "average"
           from (
               select (progress -> 'paid' ->> 'at')::timestamptz as paid,
                      coalesce(progress ->> 'deposited_at', progress ->> 'accepted_at')::timestamptz as due
               from (
                   (select progress, ended_at from orders
                    where advertiser = $1 and ended_at >= $2 and side = 'BUY' and state = 'COMPLETED' and payment <> 'AUTOMATIC'
                    order by ended_at desc limit $3)
                   union all
                   (select progress, ended_at from orders
                    where taker = $1 and ended_at >= $2 and side = 'SELL' and state = 'COMPLETED' and payment <> 'AUTOMATIC'
                    order by ended_at desc limit $3)
               ) bought
               order by ended_at desc limit $3
           ) times
           where paid >= due"#,
        buyer.0,
        since,
        PAID_ORDERS
    );
    Ok(average.fetch_one(tx.connection()).await?)
}
