//! What the console shows about users, and what officers change about them.

use domain::clock::Timestamp;
use domain::ids::UserId;
use domain::refusal::RiskFlag;
use domain::users::User;

use crate::columns::uuids;
use crate::{Result, Tx};

/// The part of a user's account that the console shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountFacts {
    pub user: UserId,
    pub email: String,
    pub created_at: Timestamp,
    pub has_security_password: bool,
    pub nickname_pending_since: Option<Timestamp>,
    /// The nickname under review, if others see a neutral name meanwhile.
    pub nickname_proposed: Option<String>,
    /// Why the last nickname was rejected; `None` once the user has chosen another one.
    pub nickname_refusal: Option<String>,
}

/// Returns facts about users, in the order of their IDs.
pub async fn accounts(tx: &mut Tx, users: &[UserId]) -> Result<Vec<AccountFacts>> {
    let rows = sqlx::query!(
        r#"select a.user_id, a.email, u.created_at, a.security_hash is not null as "has_security_password!",
                  a.nickname_pending_since, a.nickname_proposed, a.nickname_refusal
           from accounts a join users u on u.id = a.user_id where a.user_id = any($1) order by a.user_id"#,
        &uuids(users)
    )
    .fetch_all(tx.connection())
    .await?;
    let facts = rows.into_iter().map(|row| AccountFacts {
        user: UserId(row.user_id),
        email: row.email,
        created_at: row.created_at,
        has_security_password: row.has_security_password,
        nickname_pending_since: row.nickname_pending_since,
        nickname_proposed: row.nickname_proposed,
        nickname_refusal: row.nickname_refusal,
    });
    Ok(facts.collect())
}

/// What a user has open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Open {
    pub sessions: i64,
    pub adverts: i64,
    pub orders: i64,
}

/// Counts a user's active sessions, open adverts and open orders.
pub async fn open(tx: &mut Tx, user: UserId, now: Timestamp) -> Result<Open> {
    let row = sqlx::query!(
        r#"select (select count(*) from sessions where user_id = $1 and ended_at is null and expires_at > $2) as "sessions!",
                  (select count(*) from adverts where owner = $1 and is_open) as "adverts!",
                  (select count(*) from (select id from orders where advertiser = $1 and is_open
                                         union select id from orders where taker = $1 and is_open) o) as "orders!""#,
        user.0,
        now
    )
    .fetch_one(tx.connection())
    .await?;
    Ok(Open { sessions: row.sessions, adverts: row.adverts, orders: row.orders })
}

/// Stores the restrictions and badges of a user, whom the caller has locked.
pub async fn set_standing(tx: &mut Tx, user: &User) -> Result<()> {
    let forbidden = |flag| user.forbidden.contains(&flag);
    sqlx::query!(
        "update users set login_forbidden = $2, withdrawal_forbidden = $3, buy_forbidden = $4, sell_forbidden = $5,
                          certified = $6, verified = $7, held_until = $8
         where id = $1",
        user.id.0,
        forbidden(RiskFlag::Login),
        forbidden(RiskFlag::Withdrawal),
        forbidden(RiskFlag::Buy),
        forbidden(RiskFlag::Sell),
        user.certified,
        user.verified,
        user.held_until
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}
