//! What the hall shows besides adverts, which each server keeps in memory: their owners, and blocks between users.

use domain::ids::UserId;
use domain::refusal::RiskFlag;
use domain::users::Profile;
use uuid::Uuid;

use crate::columns::uuids;
use crate::{Result, Tx};

/// The owner of adverts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owner {
    pub profile: Profile,
    /// Set by the user, regardless of open connections.
    pub online: bool,
    /// Restrictions set by an officer.
    pub forbidden: Vec<RiskFlag>,
}

/// Returns users as owners of adverts.
pub async fn owners(tx: &mut Tx, ids: &[UserId]) -> Result<Vec<Owner>> {
    let rows = sqlx::query!(
        "select id, nickname, region, certified, verified, online, login_forbidden, buy_forbidden, sell_forbidden
         from users where id = any($1)",
        &uuids(ids)
    )
    .fetch_all(tx.connection())
    .await?;
    let owners = rows.into_iter().map(|row| {
        let flags = [
            (row.login_forbidden, RiskFlag::Login),
            (row.buy_forbidden, RiskFlag::Buy),
            (row.sell_forbidden, RiskFlag::Sell),
        ];
        Owner {
            profile: Profile {
                id: UserId(row.id),
                nickname: row.nickname,
                region: row.region,
                certified: row.certified,
                verified: row.verified,
            },
            online: row.online,
            forbidden: flags.into_iter().filter_map(|(set, flag)| set.then_some(flag)).collect(),
        }
    });
    Ok(owners.collect())
}

/// Two users of whom one has blocked the other, in either order.
pub type Blocked = (UserId, UserId);

/// Returns the blocks by or against these users.
pub async fn blocks_of(tx: &mut Tx, users: &[UserId]) -> Result<Vec<Blocked>> {
    let rows = sqlx::query!(
        r#"select blocker as "blocker!", blocked as "blocked!" from blocks_between where blocker = any($1)
           union all select blocker, blocked from blocks_between where blocked = any($1)"#,
        &uuids(users)
    )
    .fetch_all(tx.connection())
    .await?;
    Ok(rows.into_iter().map(|row| (UserId(row.blocker), UserId(row.blocked))).collect())
}

/// Returns a page of all blocks, the blocker first.
pub async fn blocks_after(tx: &mut Tx, after: Option<Blocked>, most: i64) -> Result<Vec<Blocked>> {
    let (blocker, blocked) = after.map_or((Uuid::nil(), Uuid::nil()), |(blocker, blocked)| (blocker.0, blocked.0));
    let rows = sqlx::query!(
        "select blocker, blocked from blocks_between where (blocker, blocked) > ($1, $2)
         order by blocker, blocked limit $3",
        blocker,
        blocked,
        most
    )
    .fetch_all(tx.connection())
    .await?;
    Ok(rows.into_iter().map(|row| (UserId(row.blocker), UserId(row.blocked))).collect())
}
