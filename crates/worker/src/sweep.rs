//! Deletes expired data (sessions, codes, challenges, responses to old commands, old changes) and restores reputation when a new
//! month begins.

use crate::{Next, Result, Worker};

pub async fn step(worker: &Worker) -> Result<Next> {
    let forgotten = app::identity::sweep(&worker.context).await?;
    let answers = app::idempotency::expire(&worker.context).await?;
    let changes = app::changes::expire(&worker.context).await?;
    let restored = app::reputation::restore(&worker.context).await?;
    if restored > 0 {
        tracing::info!(restored, "restored reputation for the new month");
    }
    tracing::debug!(forgotten, answers, changes, "deleted expired data");
    Ok(Next::Rest)
}
