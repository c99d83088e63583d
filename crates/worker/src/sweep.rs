//! Forgets what has expired: sessions, codes, challenges.

use crate::{Pace, Result, Worker};

/// Forgets once.
pub async fn step(worker: &Worker) -> Result<Pace> {
    let forgotten = app::identity::sweep(&worker.context).await?;
    tracing::debug!(forgotten, "what had expired was forgotten");
    Ok(Pace::Rest)
}
