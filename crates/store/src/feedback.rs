//! What the parties of completed orders say about each other.

use domain::clock::Timestamp;
use domain::ids::{OrderId, UserId};
use uuid::Uuid;

use crate::{Result, Tx};

/// A party's mark and line about the other party of an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Feedback {
    pub order: OrderId,
    pub author: UserId,
    pub subject: UserId,
    pub positive: bool,
    /// Empty without a line.
    pub line: String,
    pub given_at: Timestamp,
}

struct Row {
    order_id: Uuid,
    author: Uuid,
    subject: Uuid,
    positive: bool,
    line: String,
    given_at: Timestamp,
    /// That of the author, where it is read.
    nickname: Option<String>,
}

impl From<Row> for Feedback {
    fn from(row: Row) -> Self {
        Self {
            order: OrderId(row.order_id),
            author: UserId(row.author),
            subject: UserId(row.subject),
            positive: row.positive,
            line: row.line,
            given_at: row.given_at,
        }
    }
}

pub async fn insert(tx: &mut Tx, feedback: &Feedback) -> Result<()> {
    sqlx::query!(
        "insert into feedback (order_id, author, subject, positive, line, given_at) values ($1, $2, $3, $4, $5, $6)",
        feedback.order.0,
        feedback.author.0,
        feedback.subject.0,
        feedback.positive,
        feedback.line,
        feedback.given_at
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Returns the feedback of both parties of an order.
pub async fn of_order(tx: &mut Tx, order: OrderId) -> Result<Vec<Feedback>> {
    let rows = sqlx::query_as!(
        Row,
        "select order_id, author, subject, positive, line, given_at, null::text as nickname from feedback where order_id = $1",
        order.0
    )
    .fetch_all(tx.connection())
    .await?;
    Ok(rows.into_iter().map(Feedback::from).collect())
}

/// Returns a page of the feedback about a user, newest first, with the public nicknames of the authors, and the total number.
pub async fn about(
    tx: &mut Tx,
    subject: UserId,
    offset: i64,
    limit: i64,
) -> Result<(Vec<(Feedback, Option<String>)>, i64)> {
    let total = sqlx::query_scalar!(r#"select count(*) as "many!" from feedback where subject = $1"#, subject.0)
        .fetch_one(tx.connection())
        .await?;
    let rows = sqlx::query_as!(
        Row,
        "select f.order_id, f.author, f.subject, f.positive, f.line, f.given_at, u.nickname
         from (select * from feedback where subject = $1 order by given_at desc, order_id offset $2 limit $3) f
         join users u on u.id = f.author order by f.given_at desc, f.order_id",
        subject.0,
        offset,
        limit
    )
    .fetch_all(tx.connection())
    .await?;
    let page = rows.into_iter().map(|mut row| {
        let nickname = row.nickname.take();
        (row.into(), nickname)
    });
    Ok((page.collect(), total))
}

/// How many traders said what about a user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FeedbackCounts {
    pub positive: i64,
    pub negative: i64,
}

/// Counts the authors of feedback about a user. Each counts once, with the newest mark, so that two accounts that trade with each
/// other again and again count once.
pub async fn counts(tx: &mut Tx, subject: UserId) -> Result<FeedbackCounts> {
    let row = sqlx::query!(
        r#"select count(*) filter (where positive) as "positive!", count(*) filter (where not positive) as "negative!"
           from (select distinct on (author) positive from feedback where subject = $1 order by author, given_at desc) newest"#,
        subject.0
    )
    .fetch_one(tx.connection())
    .await?;
    Ok(FeedbackCounts { positive: row.positive, negative: row.negative })
}
