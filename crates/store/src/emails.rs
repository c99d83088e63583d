//! Emails about notifications and about holds. Each is written in the transaction of its cause and sent afterwards, at least once.

use domain::clock::Timestamp;
use domain::ids::{OrderId, UserId};
use domain::notifications::Category;

use crate::columns::column;
use crate::outbox::{self, StoredEvent};
use crate::{Error, Result, Tx};

/// An email about an automatic order whose coins were released during a hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HoldEmail {
    pub order: OrderId,
    /// The advertiser.
    pub user: UserId,
}

/// What an email is about.
#[derive(Debug, Clone, PartialEq)]
pub enum Cause {
    ReleasedDuringHold(OrderId),
    Notification(Box<StoredEvent>),
}

/// An email to send.
#[derive(Debug, Clone, PartialEq)]
pub struct ClaimedEmail {
    pub id: i64,
    pub user: UserId,
    pub cause: Cause,
    /// The addresses for which the mail server has accepted the email before.
    pub accepted: Vec<String>,
    pub written_at: Timestamp,
    /// The number of tries, this one included.
    pub tries: u32,
    /// Whether it is about the security of the account or about a hold.
    pub urgent: bool,
}

/// Inserts emails about holds that can be sent from `now` on. An order has at most one.
pub async fn insert(tx: &mut Tx, emails: &[HoldEmail], now: Timestamp) -> Result<()> {
    if emails.is_empty() {
        return Ok(());
    }
    sqlx::query!(
        "insert into emails (order_id, user_id, written_at, due_at)
         select e.order_id, e.user_id, $3, $3 from unnest($1::uuid[], $2::uuid[]) as e (order_id, user_id)
         on conflict (order_id) do nothing",
        &column(emails, |email| email.order.0),
        &column(emails, |email| email.user.0),
        now
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Returns the next email that is due, urgent ones first, and makes it due again later: after a minute, and twice as long after each
/// further try, at most an hour. Whoever has not called [`sent`] until then, because the mail server or the process failed, tries again.
pub async fn claim(tx: &mut Tx, now: Timestamp) -> Result<Option<ClaimedEmail>> {
    let row = sqlx::query!(
        r#"update emails
         set tries = tries + 1, due_at = $1::timestamptz + least(power(2, least(tries, 6)), 60) * interval '1 minute'
         where id = (select id from emails where sent_at is null and due_at <= $1
                     order by urgent desc, due_at, id limit 1 for update skip locked)
         returning id, user_id, event, order_id, accepted, written_at, tries, urgent as "urgent!""#,
        now
    )
    .fetch_optional(tx.connection())
    .await?;
    let Some(row) = row else { return Ok(None) };
    let user = UserId(row.user_id);
    let cause = match (row.order_id, row.event) {
        (Some(order), _) => Some(Cause::ReleasedDuringHold(OrderId(order))),
        (None, Some(event)) => outbox::one(tx, user, event).await?.map(|event| Cause::Notification(Box::new(event))),
        (None, None) => None,
    };
    let tries = u32::try_from(row.tries).map_err(|_| Error::row("emails", row.id, "tries"))?;
    let (id, accepted, written_at, urgent) = (row.id, row.accepted, row.written_at, row.urgent);
    Ok(cause.map(|cause| ClaimedEmail { id, user, cause, accepted, written_at, tries, urgent }))
}

/// Counts the emails to a user in a category that were written after a timestamp and were tried, except one; at most `most`.
pub async fn tried_since(
    tx: &mut Tx,
    (user, category): (UserId, Category),
    since: Timestamp,
    except: i64,
    most: i64,
) -> Result<i64> {
    let count = sqlx::query_scalar!(
        r#"select count(*) as "count!" from (
               select from emails
               where user_id = $1 and category = $2 and written_at > $3 and tries > 0 and id <> $4 limit $5
           ) tried"#,
        user.0,
        category.into_str(),
        since,
        except,
        most
    )
    .fetch_one(tx.connection())
    .await?;
    Ok(count)
}

/// Deletes an email that is not sent.
pub async fn delete(tx: &mut Tx, id: i64) -> Result<()> {
    sqlx::query!("delete from emails where id = $1", id).execute(tx.connection()).await?;
    Ok(())
}

/// Records that the mail server has accepted an email for one of its addresses.
pub async fn accepted(tx: &mut Tx, id: i64, address: &str) -> Result<()> {
    sqlx::query!("update emails set accepted = array_append(accepted, $2) where id = $1", id, address)
        .execute(tx.connection())
        .await?;
    Ok(())
}

/// Records that the mail server has accepted an email for all its addresses.
pub async fn sent(tx: &mut Tx, id: i64, now: Timestamp) -> Result<()> {
    sqlx::query!("update emails set sent_at = $2 where id = $1 and sent_at is null", id, now)
        .execute(tx.connection())
        .await?;
    Ok(())
}

/// Deletes emails that were written before a timestamp, and former email addresses of accounts whose hold ended before another
/// one. Returns the number of changed rows.
pub async fn sweep(tx: &mut Tx, written_before: Timestamp, held_before: Timestamp) -> Result<u64> {
    let emails =
        sqlx::query!("delete from emails where written_at < $1", written_before).execute(tx.connection()).await?;
    let former = sqlx::query!(
        "update accounts a set former_email = null from users u
         where u.id = a.user_id and a.former_email is not null and coalesce(u.held_until, $1) <= $1",
        held_before
    )
    .execute(tx.connection())
    .await?;
    Ok(emails.rows_affected().saturating_add(former.rows_affected()))
}
