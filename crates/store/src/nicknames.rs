//! Nicknames and their review by administrators.

use domain::clock::Timestamp;
use domain::identity::nickname::{neutral, skeleton};
use domain::ids::UserId;

use crate::{Error, Result, Tx};

/// The constraint that refuses a second proposal of the same nickname.
pub const PROPOSED_ONCE: &str = "accounts_nickname_proposed";
/// The constraint that refuses a second proposal of a lookalike nickname.
pub const PROPOSED_SKELETON_ONCE: &str = "accounts_nickname_proposed_skeleton";

/// The review of a user's nickname.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Review {
    pub is_pending: bool,
    /// Why the last nickname was rejected; `None` once the user has chosen another one.
    pub refusal: Option<String>,
    /// Whether others see a neutral name, because the last nickname was rejected and no other one is approved yet.
    pub is_neutral: bool,
    /// The nickname that the user has chosen since then.
    pub proposed: Option<String>,
}

pub async fn review(tx: &mut Tx, user: UserId) -> Result<Review> {
    let row = sqlx::query_as!(
        Review,
        r#"select nickname_pending_since is not null as "is_pending!", nickname_refusal as refusal,
                  nickname_is_neutral as is_neutral, nickname_proposed as proposed
           from accounts where user_id = $1"#,
        user.0
    );
    Ok(row.fetch_optional(tx.connection()).await?.unwrap_or_default())
}

/// Returns whether officers have rejected a nickname, or one that looks like it, for any user.
pub async fn was_rejected(tx: &mut Tx, nickname: &str) -> Result<bool> {
    let found = sqlx::query_scalar!(
        r#"select exists (select from rejected_nicknames where nickname = lower($1)
                          union all select from rejected_nicknames where skeleton = $2) as "found!""#,
        nickname,
        skeleton(nickname)
    );
    Ok(found.fetch_one(tx.connection()).await?)
}

/// Returns the user whom others see under a nickname, regardless of case.
pub async fn owner(tx: &mut Tx, nickname: &str) -> Result<Option<UserId>> {
    let found = sqlx::query_scalar!("select id from users where lower(nickname) = lower($1)", nickname);
    Ok(found.fetch_optional(tx.connection()).await?.map(UserId))
}

/// Returns whether another user has a nickname or one that looks like it, or has proposed it.
pub async fn is_taken(tx: &mut Tx, user: UserId, nickname: &str) -> Result<bool> {
    let others = with_nickname(tx, nickname).await?;
    Ok(others.into_iter().any(|other| other != user))
}

/// Returns the users who have or have proposed a nickname, regardless of case, or one that looks like it.
pub async fn with_nickname(tx: &mut Tx, nickname: &str) -> Result<Vec<UserId>> {
    let rows = sqlx::query_scalar!(
        r#"select id as "id!" from users where lower(nickname) = lower($1)
           union select id from users where nickname_skeleton = $2
           union select user_id from accounts where lower(nickname_proposed) = lower($1)
           union select user_id from accounts where nickname_proposed_skeleton = $2"#,
        nickname,
        skeleton(nickname)
    );
    Ok(rows.fetch_all(tx.connection()).await?.into_iter().map(UserId).collect())
}

/// Puts the nickname that a user has just chosen under review. Everybody sees it meanwhile.
pub async fn submit(tx: &mut Tx, user: UserId, now: Timestamp) -> Result<()> {
    sqlx::query!(
        "update accounts set nickname_pending_since = $2, nickname_refusal = null where user_id = $1",
        user.0,
        now
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Puts a nickname under review that a user has chosen after a rejection. Others see the neutral name meanwhile.
pub async fn propose(tx: &mut Tx, user: UserId, nickname: &str, now: Timestamp) -> Result<()> {
    sqlx::query!(
        "update accounts set nickname_pending_since = $2, nickname_refusal = null, nickname_proposed = $3,
                             nickname_proposed_skeleton = $4
         where user_id = $1",
        user.0,
        now,
        nickname,
        skeleton(nickname)
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Ends the review of a nickname, which everybody sees from now on.
pub async fn approve(tx: &mut Tx, user: UserId) -> Result<()> {
    if let Some(nickname) = review(tx, user).await?.proposed {
        set(tx, user, &nickname).await?;
    }
    sqlx::query!(
        "update accounts set nickname_pending_since = null, nickname_is_neutral = false, nickname_proposed = null,
                             nickname_proposed_skeleton = null
         where user_id = $1",
        user.0
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Ends the review of a nickname, which stays refused. Others see a neutral name, and the user may choose another nickname at
/// once.
pub async fn reject(tx: &mut Tx, user: UserId, nickname: &str, reason: &str, now: Timestamp) -> Result<()> {
    sqlx::query!(
        "insert into rejected_nicknames (nickname, skeleton, rejected_at) values (lower($1), $2, $3)
         on conflict (nickname) do nothing",
        nickname,
        skeleton(nickname),
        now
    )
    .execute(tx.connection())
    .await?;
    if !review(tx, user).await?.is_neutral {
        let name = free_name(tx, user).await?;
        set(tx, user, &name).await?;
    }
    sqlx::query!(
        "update accounts set nickname_pending_since = null, nickname_changed_at = null, nickname_refusal = $2,
                             nickname_is_neutral = true, nickname_proposed = null, nickname_proposed_skeleton = null
         where user_id = $1",
        user.0,
        reason
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Returns a neutral name that nobody has.
async fn free_name(tx: &mut Tx, user: UserId) -> Result<String> {
    for attempt in 0..100 {
        let name = neutral(user, attempt);
        if !is_taken(tx, user, &name).await? {
            return Ok(name);
        }
    }
    Err(Error::row("users", user, "a neutral name"))
}

async fn set(tx: &mut Tx, user: UserId, nickname: &str) -> Result<()> {
    sqlx::query!(
        "update users set nickname = $2, nickname_skeleton = $3 where id = $1",
        user.0,
        nickname,
        skeleton(nickname)
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Returns the users whose nicknames are under review, oldest first, after a user.
pub async fn pending(tx: &mut Tx, after: Option<(Timestamp, UserId)>, most: i64) -> Result<Vec<(UserId, Timestamp)>> {
    let (since, user) = after.unzip();
    let rows = sqlx::query!(
        r#"select user_id, nickname_pending_since as "since!" from accounts
           where nickname_pending_since is not null
             and ($1::timestamptz is null or (nickname_pending_since, user_id) > ($1, $2::uuid))
           order by nickname_pending_since, user_id limit $3"#,
        since,
        user.map(|user: UserId| user.0),
        most
    )
    .fetch_all(tx.connection())
    .await?;
    Ok(rows.into_iter().map(|row| (UserId(row.user_id), row.since)).collect())
}
