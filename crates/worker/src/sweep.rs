//! Deletes expired data (sessions, codes, challenges, responses to old commands, old changes, unused files) and restores reputation when a new
//! month begins.

use crate::{Next, Result, Worker};

pub async fn step(worker: &Worker) -> Result<Next> {
    let forgotten = app::identity::sweep(&worker.context).await?;
    let answers = app::engine::idempotency::expire(&worker.context).await?;
    let changes = app::memory::feed::expire(&worker.context).await?;
    let files = match &worker.files {
        Some(store) => app::files::sweep(&worker.context, store.as_ref()).await?,
        None => 0,
    };
    let restored = app::reputation::restore(&worker.context).await?;
    if restored > 0 {
        tracing::info!(restored, "restored reputation for the new month");
    }
    tracing::debug!(forgotten, answers, changes, files, "deleted expired data");
    Ok(Next::Rest)
}
