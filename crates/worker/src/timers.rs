//! Extends deadlines by outages, and applies deadlines that have passed.

use chrono::Duration;

use crate::{Next, Result, Worker};

/// How long a due row that must wait, for example for an unconfirmed deposit, is left alone.
const POSTPONE_FOR: Duration = Duration::seconds(5);

/// Extends deadlines by past outages, then applies those that are due. Applies none while the chain is not being read:
/// the event that a deadline awaits may already be in an unread block.
pub async fn step(worker: &Worker) -> Result<Next> {
    if !app::deadlines::has_work(&worker.context).await? {
        return Ok(Next::Rest);
    }
    let moved = app::deadlines::outages::move_deadlines(&worker.context).await?;
    if moved > 0 {
        tracing::warn!(moved, "extended deadlines by the duration of an outage");
    }
    if app::deadlines::outages::may_act(&worker.context).await? {
        app::deadlines::run_with_pause(&worker.context, POSTPONE_FOR).await?;
    }
    Ok(Next::Rest)
}
