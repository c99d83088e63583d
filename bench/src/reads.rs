//! The load of queries: connections that keep a number of requests under way.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use tokio::task::JoinSet;

use crate::http::Client;
use crate::stats::{Latencies, per_second};

/// Returns the bytes of the request with a number.
pub(crate) type Requests = Arc<dyn Fn(u64) -> Vec<u8> + Send + Sync>;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Plan {
    pub(crate) connections: u32,
    /// The requests that a connection sends before it reads their responses.
    pub(crate) depth: u32,
    pub(crate) warm_up: Duration,
    pub(crate) time: Duration,
}

#[derive(Debug, Default)]
pub(crate) struct Outcome {
    /// Responses per second.
    pub(crate) rate: f64,
    pub(crate) latencies: Latencies,
    /// Requests that the server refused because it was too busy.
    pub(crate) busy: usize,
}

/// Runs the load. Fails if the server refuses a request for another reason than that it is too busy.
pub(crate) async fn run(address: SocketAddr, plan: Plan, requests: Requests) -> anyhow::Result<Outcome> {
    let begin = Instant::now().checked_add(plan.warm_up).context("time")?;
    let end = begin.checked_add(plan.time).context("time")?;
    let next = Arc::new(AtomicU64::new(0));
    let mut connections = JoinSet::new();
    for _ in 0..plan.connections {
        let (next, requests) = (Arc::clone(&next), Arc::clone(&requests));
        connections.spawn(async move {
            let mut client = Client::connect(address).await?;
            let mut outcome = Outcome::default();
            let mut batch = Vec::new();
            while Instant::now() < end {
                batch.clear();
                for _ in 0..plan.depth {
                    batch.extend(requests(next.fetch_add(1, Ordering::Relaxed)));
                }
                let sent = Instant::now();
                client.send(&batch).await?;
                for _ in 0..plan.depth {
                    let status = client.receive().await?;
                    let now = Instant::now();
                    match status {
                        200 if now >= begin && now < end => outcome.latencies.add(now.duration_since(sent)),
                        200 => {}
                        429 | 500.. => outcome.busy = outcome.busy.saturating_add(1),
                        _ => bail!("status {status}: {}", String::from_utf8_lossy(client.body())),
                    }
                }
            }
            Ok(outcome)
        });
    }
    let mut outcome = Outcome::default();
    while let Some(one) = connections.join_next().await {
        let one = one??;
        outcome.latencies.merge(one.latencies);
        outcome.busy = outcome.busy.saturating_add(one.busy);
    }
    outcome.latencies.sort();
    outcome.rate = per_second(outcome.latencies.count(), plan.time);
    Ok(outcome)
}

/// Returns how long one request takes, whatever the response.
pub(crate) async fn once(address: SocketAddr, request: &[u8]) -> anyhow::Result<Duration> {
    let mut client = Client::connect(address).await?;
    let sent = Instant::now();
    client.exchange(request).await?;
    Ok(sent.elapsed())
}
