//! Forgets what has expired, sessions, codes, challenges, answers to old commands, and forgives what a month that is over had charged.

use crate::{Next, Result, Worker};

/// Forgets and forgives once.
pub async fn step(worker: &Worker) -> Result<Next> {
    let forgotten = app::identity::sweep(&worker.context).await?;
    let answers = app::idempotency::expire(&worker.context).await?;
    let restored = app::reputation::restore(&worker.context).await?;
    if restored > 0 {
        tracing::info!(restored, "reputation was restored for the month");
    }
    tracing::debug!(forgotten, answers, "what had expired was forgotten");
    Ok(Next::Rest)
}
