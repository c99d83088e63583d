use std::future::Future;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::{Error, Next, Result, Worker, payouts, reconcile, references, stops, sweep, timers, watch};

/// Runs all parts until `stop` is canceled. Steps in progress are dropped, which is harmless: the next start repeats
/// them.
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
            // A step whose connection is lost may wait forever. Dropping it rolls back what it began; the next step
            // starts from the database.
            done = tokio::time::timeout(worker.settings.step_limit, step(worker)) => done.unwrap_or(Err(Error::TooLong)),
        };
        let pause = match step {
            Ok(pace) => {
                if std::mem::take(&mut failing) {
                    tracing::info!(part = name, "recovered");
                }
                match pace {
                    Next::Immediately => Duration::ZERO,
                    Next::Rest => rest,
                }
            }
            Err(error) => {
                metrics::counter!("mec2c_worker_failures_total", "part" => name).increment(1);
                if !std::mem::replace(&mut failing, true) {
                    tracing::warn!(part = name, %error, "a step failed; retrying");
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
