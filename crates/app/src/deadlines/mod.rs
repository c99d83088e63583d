//! Applies the due deadlines of adverts and orders.

pub mod maintenance;
pub mod outages;

use chrono::Duration;
use domain::clock::{Timestamp, after};
use store::Tx;

use crate::commands::{self, Actor, Command, CommandKind};
use crate::{Context, Error, Result};

/// The maximum number of rows per transaction.
pub(crate) const SET_SIZE: i64 = 64;

/// Returns whether [`run`] or [`outages::move_deadlines`] may have anything to do: a deadline is due, an outage was
/// not applied to the deadlines yet, or maintenance has been planned.
pub async fn has_work(context: &Context) -> Result<bool> {
    let (mut tx, now) = context.alone().await?;
    Ok(store::outages::has_work(&mut tx, now).await?)
}

/// Like [`run`], but looks at the rows that must wait again only after a pause.
pub async fn run_with_pause(context: &Context, pause: Duration) -> Result<usize> {
    let now = context.now().await?;
    let done = run(context).await?;
    let (mut tx, _) = context.alone().await?;
    store::orders::postpone(&mut tx, now, after(now, pause)).await?;
    store::adverts::postpone(&mut tx, now, after(now, pause)).await?;
    Ok(done)
}

/// Applies all deadlines that are due. Returns the number of rows that were processed successfully.
///
/// A row that is due but must wait, for example for an unconfirmed deposit, does not change and is processed again in
/// the next run. It does not block other rows.
pub async fn run(context: &Context) -> Result<usize> {
    let orders = async |tx: &mut Tx, now, last| store::orders::due(tx, now, last, SET_SIZE).await;
    let orders = for_each(context, orders, |(_, order)| CommandKind::OrderDue(order)).await?;
    let adverts = async |tx: &mut Tx, now, last| store::adverts::due(tx, now, last, SET_SIZE).await;
    Ok(orders.saturating_add(for_each(context, adverts, |(_, advert)| CommandKind::AdvertDue(advert)).await?))
}

/// Executes a command of the system for each row of a query. The query returns at most [`SET_SIZE`] rows after a given row.
/// Returns the number of successful commands.
pub(crate) async fn for_each<T: Copy>(
    context: &Context,
    rows: impl AsyncFn(&mut Tx, Timestamp, Option<T>) -> store::Result<Vec<T>>,
    command: impl Fn(T) -> CommandKind,
) -> Result<usize> {
    let (mut done, mut last) = (0_usize, None);
    loop {
        let (mut tx, now) = context.begin().await?;
        let rows = rows(&mut tx, now, last).await?;
        tx.rollback().await?;
        let Some(&newest) = rows.last() else { return Ok(done) };
        last = Some(newest);
        done = done.saturating_add(execute_all(context, rows.into_iter().map(&command)).await?);
    }
}

/// Executes commands of the system as a set. Logs commands that fail because of a bug; they do not block other
/// commands. Returns the number of successful commands.
async fn execute_all(context: &Context, set: impl Iterator<Item = CommandKind>) -> Result<usize> {
    let set: Vec<_> = set.map(|what| Command { actor: Actor::System, what }).collect();
    let mut done = 0_usize;
    for (reply, command) in commands::execute(context, &set).await.into_iter().zip(&set) {
        match reply {
            Ok(_) => done = done.saturating_add(1),
            Err(Error::Refused(_)) => {}
            Err(Error::Internal(cause)) => tracing::error!(cause, what = ?command.what, "a clock command failed"),
            Err(error @ Error::Unavailable { .. }) => return Err(error),
        }
    }
    Ok(done)
}
