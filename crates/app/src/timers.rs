//! Applies the deadlines of adverts and orders that are due.

use crate::trading::{self, Actor, Command, CommandKind};
use crate::{Context, Error, Result};

/// The number of rows per transaction.
const SET: i64 = 64;

/// Applies all deadlines that are due. Returns the number of rows that were processed successfully.
///
/// A row that is due but must wait, for example for an unconfirmed deposit, does not change and is processed again in
/// the next run. It does not block others: every due row is processed.
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

/// Executes commands of the system as a set. A command that fails because of a bug is logged and does not block others.
/// Returns the number of successful commands.
pub(crate) async fn carry_out(context: &Context, set: Vec<CommandKind>) -> Result<usize> {
    let set: Vec<_> = set.into_iter().map(|what| Command { actor: Actor::System, what }).collect();
    let mut done = 0_usize;
    for (reply, command) in trading::execute(context, &set).await.into_iter().zip(&set) {
        match reply {
            Ok(_) => done = done.saturating_add(1),
            Err(Error::Refused(_)) => {}
            Err(Error::Internal(cause)) => tracing::error!(cause, what = ?command.what, "a clock command failed"),
            Err(error @ Error::Unavailable { .. }) => return Err(error),
        }
    }
    Ok(done)
}
