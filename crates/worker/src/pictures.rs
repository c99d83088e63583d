//! Compares the pictures of orders with earlier ones.

use crate::{Next, Result, Worker};

pub async fn step(worker: &Worker) -> Result<Next> {
    let compared = app::files::compare(&worker.context).await?;
    if compared == 0 {
        return Ok(Next::Rest);
    }
    tracing::debug!(compared, "compared pictures");
    Ok(Next::Immediately)
}
