//! Deadlines: extends them by outages, and acts on those that have passed.

use crate::{Next, Result, Worker};

/// Extends deadlines by past outages, then acts on everything that is due. Nothing is due while the chain is not being
/// read: the awaited event may already be in a block that has not been read.
pub async fn step(worker: &Worker) -> Result<Next> {
    let moved = app::outages::move_deadlines(&worker.context).await?;
    if moved > 0 {
        tracing::warn!(moved, "extended deadlines by the duration of an outage");
    }
    if app::outages::may_act(&worker.context).await? {
        app::timers::run(&worker.context).await?;
    }
    // A row that was not processed is due again immediately, so always rest.
    Ok(Next::Rest)
}
