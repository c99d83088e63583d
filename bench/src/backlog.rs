//! Waits for the work on a backlog.

use std::time::{Duration, Instant};

const PAUSE: Duration = Duration::from_millis(5);
/// The time after which a backlog is given up.
pub(crate) const PATIENCE: Duration = Duration::from_mins(3);

/// Waits until a count has reached `many`, but not forever. Returns when, and the count.
pub(crate) async fn reached(count: impl AsyncFn() -> anyhow::Result<i64>, many: i64) -> anyhow::Result<(Instant, i64)> {
    let began = Instant::now();
    loop {
        let counted = count().await?;
        if counted >= many || began.elapsed() > PATIENCE {
            return Ok((Instant::now(), counted));
        }
        tokio::time::sleep(PAUSE).await;
    }
}
