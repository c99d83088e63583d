//! The reference prices of the pairs, out of what was traded.

use crate::{Pace, Result, Worker};

/// Keeps those that qualify.
pub async fn step(worker: &Worker) -> Result<Pace> {
    app::market::keep_references(&worker.context).await?;
    Ok(Pace::Rest)
}
