//! Computes the reference prices of the pairs from completed trades.

use crate::{Next, Result, Worker};

pub async fn step(worker: &Worker) -> Result<Next> {
    app::market::keep_references(&worker.context).await?;
    Ok(Next::Rest)
}
