//! What the clock brings: deadlines of adverts and orders, found by looking at the rows.

use crate::trading::{self, Actor, Command, CommandKind};
use crate::{Context, Error, Result};

/// How many rows are looked at together.
const SET: i64 = 64;

/// Lets everything happen that is due by now. Says how many rows were looked at with success.
///
/// A row that is due and cannot go on yet (a transfer on its way holds it back) changes nothing and is looked at again
/// the next time. It holds up no other: every row that is due is looked at, set by set.
pub async fn run(context: &Context) -> Result<usize> {
    let mut done = 0_usize;
    let mut last = None;
    loop {
        let (mut tx, now) = context.begin().await?;
        let orders = store::orders::due(&mut tx, now, last, SET).await?;
        tx.rollback().await?;
        let Some(&newest) = orders.last() else { break };
        last = Some(newest);
        let set: Vec<_> = orders.into_iter().map(|(_, order)| CommandKind::OrderDue(order)).collect();
        done = done.saturating_add(carry_out(context, set).await?);
    }
    let mut last = None;
    loop {
        let (mut tx, now) = context.begin().await?;
        let adverts = store::adverts::due(&mut tx, now, last, SET).await?;
        tx.rollback().await?;
        let Some(&newest) = adverts.last() else { break };
        last = Some(newest);
        let set: Vec<_> = adverts.into_iter().map(|(_, advert)| CommandKind::AdvertDue(advert)).collect();
        done = done.saturating_add(carry_out(context, set).await?);
    }
    Ok(done)
}

/// Carries out commands of the system as a set. One that meets a defect is logged and holds up no other. Says how many
/// succeeded.
pub(crate) async fn carry_out(context: &Context, set: Vec<CommandKind>) -> Result<usize> {
    let set: Vec<_> = set.into_iter().map(|what| Command { actor: Actor::System, what }).collect();
    let mut done = 0_usize;
    for (reply, command) in trading::execute(context, &set).await.into_iter().zip(&set) {
        match reply {
            Ok(_) => done = done.saturating_add(1),
            Err(Error::Refused(_)) => {}
            Err(Error::Internal(cause)) => tracing::error!(cause, what = ?command.what, "the clock's command failed"),
            Err(error @ Error::Unavailable { .. }) => return Err(error),
        }
    }
    Ok(done)
}
