//! The history of each user's reputation.

use domain::clock::Timestamp;
use domain::ids::{AppealId, OrderId, UserId};
use domain::reputation::Cause;
use uuid::Uuid;

use crate::{Error, Result, Tx};

/// A change of a user's reputation as it is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoredChange {
    /// Negative for a deduction, zero for a free cancellation.
    pub points: i32,
    /// The reputation after the change.
    pub reputation: i32,
    pub cause: Cause,
    pub order: Option<OrderId>,
    /// The appeal whose decision caused the change.
    pub appeal: Option<AppealId>,
    pub at: Timestamp,
}

struct Row {
    id: i64,
    change: i32,
    reputation: i32,
    cause: String,
    order_id: Option<Uuid>,
    appeal_id: Option<Uuid>,
    at: Timestamp,
}

impl TryFrom<Row> for StoredChange {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self> {
        let cause = row.cause.parse().map_err(|_| Error::row("reputation_changes", row.id, "an unknown cause"))?;
        Ok(Self {
            points: row.change,
            reputation: row.reputation,
            cause,
            order: row.order_id.map(OrderId),
            appeal: row.appeal_id.map(AppealId),
            at: row.at,
        })
    }
}

/// Returns a page of a user's changes, newest first, and their total number.
pub async fn page_of(tx: &mut Tx, user: UserId, offset: i64, limit: i64) -> Result<(Vec<StoredChange>, i64)> {
    let total = sqlx::query_scalar!(r#"select count(*) as "many!" from reputation_changes where user_id = $1"#, user.0)
        .fetch_one(tx.connection())
        .await?;
    let rows = sqlx::query_as!(
        Row,
        "select id, change, reputation, cause, order_id, appeal_id, at from reputation_changes
         where user_id = $1 order by id desc offset $2 limit $3",
        user.0,
        offset,
        limit
    )
    .fetch_all(tx.connection())
    .await?;
    let changes = rows.into_iter().map(StoredChange::try_from).collect::<Result<_>>()?;
    Ok((changes, total))
}
