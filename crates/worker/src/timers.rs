//! Extends deadlines by outages, and applies deadlines that have passed.

use crate::{Next, Result, Worker};

/// Extends deadlines by past outages, then applies those that are due. Applies none while the chain is not being read:
/// the event that a deadline awaits may already be in an unread block.
pub async fn step(worker: &Worker) -> Result<Next> {
    let moved = app::outages::move_deadlines(&worker.context).await?;
    if moved > 0 {
        tracing::warn!(moved, "extended deadlines by the duration of an outage");
    }
    if app::outages::may_act(&worker.context).await? {
        app::timers::run(&worker.context).await?;
    }
    // A row that could not be processed is due again immediately, so always rest.
    Ok(Next::Rest)
}
