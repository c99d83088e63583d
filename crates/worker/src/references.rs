//! The reference prices of the pairs, out of what was traded.

use crate::{Next, Result, Worker};

/// Keeps those that qualify.
pub async fn step(worker: &Worker) -> Result<Next> {
    app::market::keep_references(&worker.context).await?;
    Ok(Next::Rest)
}
