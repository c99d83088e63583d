//! The list of a user's notifications, which are events of the outbox, and the channels that users have chosen.

use domain::clock::Timestamp;
use domain::ids::UserId;
use domain::notifications::{Category, Channel};

use crate::outbox::StoredEvent;
use crate::{Result, Tx};

/// Which notifications to read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Filter {
    pub category: Option<Category>,
    pub unread: bool,
    /// Only those with smaller numbers.
    pub before: Option<i64>,
}

/// Returns a user's notifications, newest first, and whether each is unread.
pub async fn page(tx: &mut Tx, user: UserId, filter: Filter, most: i64) -> Result<Vec<(StoredEvent, bool)>> {
    let rows = sqlx::query!(
        r#"select e.number, e.kind, e.body, e.at, e.category as "category!",
                  e.number > a.notifications_read as "unread!"
           from outbox_events e join accounts a on a.user_id = e.user_id
           where e.user_id = $1 and e.category is not null and ($2::text is null or e.category = $2)
             and ($3::bigint is null or e.number < $3) and (not $4 or e.number > a.notifications_read)
           order by e.number desc limit $5"#,
        user.0,
        filter.category.map(|category| category.into_str()),
        filter.before,
        filter.unread,
        most
    )
    .fetch_all(tx.connection())
    .await?;
    let stored = rows.into_iter().map(|row| {
        let category = row.category.parse().ok();
        (StoredEvent { user, number: row.number, kind: row.kind, body: row.body, at: row.at, category }, row.unread)
    });
    Ok(stored.collect())
}

/// Counts a user's unread notifications, up to `most`.
pub async fn unread(tx: &mut Tx, user: UserId, most: i64) -> Result<i64> {
    let count = sqlx::query_scalar!(
        r#"select count(*) as "count!" from (
               select from outbox_events e join accounts a on a.user_id = e.user_id
               where e.user_id = $1 and e.category is not null and e.number > a.notifications_read limit $2
           ) newer"#,
        user.0,
        most
    )
    .fetch_one(tx.connection())
    .await?;
    Ok(count)
}

/// Records that the user has read the notifications up to a number, at most that of the newest event. A smaller number than before
/// changes nothing.
pub async fn mark_read(tx: &mut Tx, user: UserId, up_to: i64) -> Result<()> {
    sqlx::query!(
        "update accounts a set notifications_read = greatest(a.notifications_read, least($2, u.last_event))
         from users u where u.id = a.user_id and a.user_id = $1",
        user.0,
        up_to
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// A channel of a category that a user has turned on or off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Preference {
    pub category: Category,
    pub channel: Channel,
    pub enabled: bool,
    pub changed_at: Timestamp,
}

/// Returns the channels that the user has turned on or off.
pub async fn preferences(tx: &mut Tx, user: UserId) -> Result<Vec<Preference>> {
    let rows = sqlx::query!(
        "select category, channel, enabled, changed_at from notification_preferences where user_id = $1",
        user.0
    )
    .fetch_all(tx.connection())
    .await?;
    let parsed = rows.into_iter().filter_map(|row| {
        let (category, channel) = (row.category.parse().ok()?, row.channel.parse().ok()?);
        Some(Preference { category, channel, enabled: row.enabled, changed_at: row.changed_at })
    });
    Ok(parsed.collect())
}

/// Turns a channel of a category on or off.
pub async fn set_preference(
    tx: &mut Tx,
    user: UserId,
    (category, channel): (Category, Channel),
    enabled: bool,
    now: Timestamp,
) -> Result<()> {
    sqlx::query!(
        "insert into notification_preferences (user_id, category, channel, enabled, changed_at) values ($1, $2, $3, $4, $5)
         on conflict (user_id, category, channel) do update
             set enabled = excluded.enabled, changed_at = excluded.changed_at",
        user.0,
        category.into_str(),
        channel.into_str(),
        enabled,
        now
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}
