//! Computes the reference prices of the pairs from completed trades.

use crate::{Next, Result, Worker};

pub async fn step(worker: &Worker) -> Result<Next> {
    worker.reference_prices.keep(&worker.context).await?;
    Ok(Next::Rest)
}
