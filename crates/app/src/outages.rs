//! Times in which the platform itself was down: they move every deadline.
//!
//! The heart beats whenever the chain was read up to its newest block. Nobody watching, Postgres or the node gone: each
//! stops it. When it beats again after a silence, the silence is recorded once, by whoever comes first, and every deadline
//! is moved by as much of it as it ran through. A deadline keeps from when it runs, so nothing is taken out twice: a move
//! that was interrupted is simply done again.
//!
//! Planned maintenance ([`crate::maintenance`]) is an outage too. Outages may overlap: they are taken out in the order in
//! which they began, and only once none of them goes on, so that no time is taken out twice and none is forgotten.
//!
//! The silence is measured by the machine's time, because the product's may be put forward on purpose. What is taken out is
//! never more than what passed in the product's.

use chrono::Duration;
use domain::clock::Timestamp;
use store::Tx;
use store::outages::{self, Heartbeat};

use crate::trading::CommandKind;
use crate::{Context, Result, maintenance, timers};

/// Whose heartbeat it is: the reader of the chain's.
const PART: &str = "watcher";
/// A longer silence is an outage.
pub const OUTAGE_AFTER: Duration = Duration::seconds(30);
/// Deadlines have an effect only so long after a heartbeat: what they wait for might be in a block that nobody read.
pub const FRESH_FOR: Duration = Duration::seconds(5);
/// How many deadlines are moved together.
const SET: i64 = 64;

/// The chain was read up to its newest block. Says how long nobody had done so, if that was an outage.
pub async fn beat(context: &Context) -> Result<Option<Duration>> {
    let (mut tx, now) = context.begin().await?;
    let machine = context.machine_now();
    let last = outages::lock_heartbeat(&mut tx, PART).await?;
    let lost = last.map_or(Duration::zero(), |last| lost(last, now, machine));
    if lost > Duration::zero() {
        outages::record(&mut tx, PART, before(now, lost), now).await?;
    }
    // Two machines never agree to the second: the later of two is kept. A clock that was put right is believed.
    let machine_at = match last {
        Some(last) if last.machine_at.signed_duration_since(machine) <= OUTAGE_AFTER => last.machine_at.max(machine),
        _ => machine,
    };
    outages::beat(&mut tx, PART, Heartbeat { at: now, machine_at }).await?;
    tx.commit().await?;
    Ok((lost > Duration::zero()).then_some(lost))
}

/// How much of the product's time an outage that ends now has taken; nothing if there was none.
fn lost(last: Heartbeat, now: Timestamp, machine: Timestamp) -> Duration {
    let silence = machine.signed_duration_since(last.machine_at);
    if silence <= OUTAGE_AFTER {
        return Duration::zero();
    }
    silence.min(now.signed_duration_since(last.at)).max(Duration::zero())
}

fn before(now: Timestamp, span: Duration) -> Timestamp {
    now.checked_sub_signed(span).unwrap_or(Timestamp::MIN_UTC)
}

/// Moves every deadline by the outages that were recorded and by which not all were moved yet. Says how many it moved.
/// Several may do it at once.
pub async fn move_deadlines(context: &Context) -> Result<usize> {
    let (mut tx, now) = context.begin().await?;
    let closed = maintenance::record(&mut tx, now).await?;
    let unmoved = outages::unmoved(&mut tx).await?;
    let silent = silence(context, &mut tx, now).await? > Duration::zero();
    tx.commit().await?;
    // What goes on may have begun before what is over. Nobody is charged for it meanwhile.
    if closed || silent {
        return Ok(0);
    }
    let mut moved = 0_usize;
    for outage in unmoved {
        let (from, until) = (outage.from, outage.until);
        let mut last = None;
        loop {
            let (mut tx, _) = context.begin().await?;
            let orders = store::orders::with_deadlines(&mut tx, last, SET).await?;
            tx.rollback().await?;
            let Some(&newest) = orders.last() else { break };
            last = Some(newest);
            let set = orders.into_iter().map(|id| CommandKind::OrderStood { id, from, until }).collect();
            moved = moved.saturating_add(timers::carry_out(context, set).await?);
        }
        let mut last = None;
        loop {
            let (mut tx, _) = context.begin().await?;
            let adverts = store::adverts::with_deadlines(&mut tx, last, SET).await?;
            tx.rollback().await?;
            let Some(&newest) = adverts.last() else { break };
            last = Some(newest);
            let set = adverts.into_iter().map(|id| CommandKind::AdvertStood { id, from, until }).collect();
            moved = moved.saturating_add(timers::carry_out(context, set).await?);
        }
        let (mut tx, now) = context.begin().await?;
        outages::set_moved(&mut tx, outage.id, now).await?;
        tx.commit().await?;
    }
    Ok(moved)
}

/// Whether deadlines may have an effect now: the chain was read just now, the product is not closed, and every outage was
/// taken out of them.
pub async fn may_act(context: &Context) -> Result<bool> {
    let (mut tx, now) = context.begin().await?;
    let machine = context.machine_now();
    let beats = outages::heartbeat(&mut tx, PART)
        .await?
        .is_some_and(|last| machine.signed_duration_since(last.machine_at) <= FRESH_FOR);
    Ok(beats && !maintenance::deadlines_wait(&mut tx, now).await?)
}

/// The outages that are not in the deadlines yet, in their order: those that are being moved, and those that go on now.
/// Until they are, whoever looks at a deadline takes them out first.
pub(crate) async fn standstills(
    context: &Context,
    tx: &mut Tx,
    now: Timestamp,
) -> store::Result<Vec<(Timestamp, Timestamp)>> {
    let unmoved = outages::unmoved(tx).await?;
    let mut found: Vec<_> = unmoved.into_iter().map(|outage| (outage.from, outage.until)).collect();
    found.extend(maintenance::taken(tx, now).await?);
    let silent = silence(context, tx, now).await?;
    if silent > Duration::zero() {
        found.push((before(now, silent), now));
    }
    found.sort_unstable();
    Ok(found)
}

/// How much of the product's time the outage that goes on now has taken; nothing if there is none.
async fn silence(context: &Context, tx: &mut Tx, now: Timestamp) -> store::Result<Duration> {
    let last = outages::heartbeat(tx, PART).await?;
    Ok(last.map_or(Duration::zero(), |last| lost(last, now, context.machine_now())))
}
