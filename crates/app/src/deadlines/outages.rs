//! Detects outages, in which the platform is down, and extends deadlines by the time lost.
//!
//! A heartbeat is recorded whenever the chain was read up to its newest block, so it stops if the reader, PostgreSQL or
//! the node is down. The first heartbeat after a long silence records the silence as an outage. Every deadline is then
//! moved by the part of the outage in which it was running. A deadline keeps its start, so an interrupted run can be
//! repeated without moving a deadline twice.
//!
//! Planned maintenance ([`super::maintenance`]) is an outage as well. Outages can overlap. They are applied in order of
//! their start, and only after all of them have ended, so that no time is counted twice or missed.
//!
//! The silence is measured with the machine's clock, because the product's clock can be advanced on purpose. A deadline
//! is never moved by more than the time that has passed on the product's clock.

use chrono::Duration;
use store::Tx;
use store::outages::{self, Heartbeat};

use super::{SET_SIZE, for_each, maintenance};
use crate::commands::CommandKind;
use crate::memory::outages::{before, lost, silence};
use crate::memory::reference_data::Current;
use crate::{Context, Result};

pub use crate::memory::outages::OUTAGE_AFTER;

/// How long after a heartbeat deadlines may take effect. Later, the event that a deadline awaits may already be in a
/// block that has not been read.
pub const FRESH_FOR: Duration = Duration::seconds(5);

/// Records that the chain was read up to its newest block. If this ends an outage, returns its length.
pub async fn beat(context: &Context) -> Result<Option<Duration>> {
    let (mut tx, now) = context.begin().await?;
    let machine = context.machine_now();
    let last = outages::lock_heartbeat(&mut tx).await?;
    let lost = last.map_or(Duration::zero(), |last| lost(last, now, machine));
    if lost > Duration::zero() {
        outages::record(&mut tx, before(now, lost), now).await?;
    }
    // The clocks of two machines differ slightly, so keep the later time. After a larger jump back, a clock was
    // corrected: use the new time.
    let machine_at = match last {
        Some(last) if last.machine_at.signed_duration_since(machine) <= OUTAGE_AFTER => last.machine_at.max(machine),
        _ => machine,
    };
    outages::beat(&mut tx, Heartbeat { at: now, machine_at }).await?;
    tx.commit().await?;
    Ok((lost > Duration::zero()).then_some(lost))
}

/// Moves every deadline by the recorded outages that were not applied yet. Returns the number of moved deadlines. Safe
/// to run concurrently.
pub async fn move_deadlines(context: &Context) -> Result<usize> {
    let (mut tx, now) = context.begin().await?;
    let closed = maintenance::record(&mut tx, now).await?;
    let unmoved = outages::unmoved(&mut tx).await?;
    let silent = silence(context, outages::heartbeat(&mut tx).await?, now) > Duration::zero();
    tx.commit().await?;
    // A current outage may have begun before a finished outage, so wait until it ends. Deadlines do not take effect in
    // the meantime.
    if closed || silent {
        return Ok(0);
    }
    let mut moved = 0_usize;
    for outage in unmoved {
        let (from, until) = (outage.from, outage.until);
        let orders = async |tx: &mut Tx, _, last| store::orders::with_deadlines(tx, last, SET_SIZE).await;
        let orders = for_each(context, orders, |id| CommandKind::OrderOutage { id, from, until }).await?;
        let adverts = async |tx: &mut Tx, _, last| store::adverts::with_deadlines(tx, last, SET_SIZE).await;
        let adverts = for_each(context, adverts, |id| CommandKind::AdvertOutage { id, from, until }).await?;
        moved = moved.saturating_add(orders).saturating_add(adverts);
        let (mut tx, now) = context.begin().await?;
        outages::set_moved(&mut tx, outage.id, now).await?;
        tx.commit().await?;
    }
    Ok(moved)
}

/// Returns whether deadlines may take effect now: the chain was read recently, the product is open, and every outage
/// has been applied.
pub async fn may_act(context: &Context) -> Result<bool> {
    let (mut tx, now) = context.begin().await?;
    let machine = context.machine_now();
    let Current { data, heartbeat, .. } = context.reference_data(&mut tx).await?;
    let beats = heartbeat.is_some_and(|last| machine.signed_duration_since(last.machine_at) <= FRESH_FOR);
    Ok(beats && !data.deadlines_wait(now))
}
