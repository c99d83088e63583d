//! Deadlines: moved by the time in which the platform was down, and then kept.

use crate::{Next, Result, Worker};

/// Moves what is to be moved, and lets everything happen that is due by now. Nothing is due while nobody reads the chain:
/// what a deadline waits for may be in a block that nobody has seen.
pub async fn step(worker: &Worker) -> Result<Next> {
    let moved = app::outages::move_deadlines(&worker.context).await?;
    if moved > 0 {
        tracing::warn!(moved, "deadlines were moved by the time in which the platform was down");
    }
    if app::outages::may_act(&worker.context).await? {
        app::timers::run(&worker.context).await?;
    }
    // A row that is held back is due again at once: rest either way.
    Ok(Next::Rest)
}
