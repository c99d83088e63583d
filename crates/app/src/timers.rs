//! What the clock brings: deadlines of adverts and orders, found by looking at the rows.

use crate::trading::{self, Asker, Command, What};
use crate::{Context, Result};

/// How many rows are looked at together.
const SET: i64 = 64;

/// Lets everything happen that is due by now. Says how many rows changed.
///
/// A row that is due and cannot go on yet (a transfer on its way holds it back) changes nothing and is looked at again
/// the next time.
pub async fn run(context: &Context) -> Result<usize> {
    let (mut tx, now) = context.begin().await?;
    let orders = store::orders::due(&mut tx, now, SET).await?;
    let adverts = store::adverts::due(&mut tx, now, SET).await?;
    tx.rollback().await?;
    let commands = orders.into_iter().map(What::OrderDue).chain(adverts.into_iter().map(What::AdvertDue));
    let set: Vec<_> = commands.map(|what| Command { asker: Asker::System, what }).collect();
    if set.is_empty() {
        return Ok(0);
    }
    let replies = trading::execute(context, &set).await?;
    Ok(replies.into_iter().flatten().count())
}
