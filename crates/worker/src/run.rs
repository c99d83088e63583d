//! The loops.

use std::future::Future;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::{Error, Next, Result, Worker, payouts, reconcile, references, stops, sweep, timers, watch};

/// Works until it is told to stop. Whatever is under way is finished or left to the next start; both are harmless.
pub async fn run(worker: Worker, stop: CancellationToken) {
    let rest = worker.settings.rest;
    let (slow, slowest) = (rest.saturating_mul(20), rest.saturating_mul(1_200));
    let round = reconcile::Round::default();
    tokio::join!(
        part("watcher", &worker, rest, &stop, watch::step),
        part("payouts", &worker, rest, &stop, payouts::step),
        part("timers", &worker, rest, &stop, timers::step),
        part("reconciliation", &worker, slow, &stop, |worker| reconcile::next(worker, &round)),
        part("reference prices", &worker, slow, &stop, references::step),
        part("stops", &worker, slow, &stop, stops::show),
        part("sweep", &worker, slowest, &stop, sweep::step),
    );
}

async fn part<'a, F>(
    name: &'static str,
    worker: &'a Worker,
    rest: Duration,
    stop: &CancellationToken,
    step: impl Fn(&'a Worker) -> F,
) where
    F: Future<Output = Result<Next>> + 'a,
{
    let mut failing = false;
    loop {
        let step = tokio::select! {
            () = stop.cancelled() => return,
            // A part that is cut off says nothing, and may do so for ever. What was begun is rolled back; the next step
            // looks at the rows.
            done = tokio::time::timeout(worker.settings.step_limit, step(worker)) => done.unwrap_or(Err(Error::TooLong)),
        };
        let pause = match step {
            Ok(pace) => {
                if std::mem::take(&mut failing) {
                    tracing::info!(part = name, "goes on");
                }
                match pace {
                    Next::Immediately => Duration::ZERO,
                    Next::Rest => rest,
                }
            }
            Err(error) => {
                metrics::counter!("mec2c_worker_failures_total", "part" => name).increment(1);
                if !std::mem::replace(&mut failing, true) {
                    tracing::warn!(part = name, %error, "a step failed; it is tried again");
                }
                worker.settings.rest_after_failure
            }
        };
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(pause) => {}
        }
    }
}
