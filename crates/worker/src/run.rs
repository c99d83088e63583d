use std::future::Future;
use std::time::Duration;

use app::chain::VAULTS_AT_ONCE;
use tokio_util::sync::CancellationToken;

use crate::{
    Error, Next, Result, Worker, backfill, emails, metadata, payouts, pictures, reconcile, references, stops, sweep,
    timers, watch,
};

/// Runs all parts until `stop` is canceled. Drops the steps in progress, which is harmless: the next start repeats
/// them.
pub async fn run(worker: Worker, stop: CancellationToken) {
    let rest = worker.settings.rest;
    let (slow, slowest) = (rest.saturating_mul(20), rest.saturating_mul(1_200));
    let round = reconcile::Round::default();
    tokio::join!(
        repeat("watcher", &worker, rest, &stop, watch::step),
        repeat("backfill", &worker, rest, &stop, backfill::step),
        repeat("payouts", &worker, rest, &stop, payouts::step),
        repeat("timers", &worker, rest, &stop, timers::step),
        repeat("reconciliation", &worker, slow, &stop, |worker| reconcile_paced(worker, &round)),
        repeat("reference prices", &worker, slow, &stop, references::step),
        repeat("stops", &worker, slow, &stop, stops::show),
        repeat("metadata", &worker, rest, &stop, metadata::step),
        repeat("pictures", &worker, rest, &stop, pictures::step),
        repeat("emails", &worker, slow, &stop, emails::step),
        repeat("sweep", &worker, slowest, &stop, sweep::step),
    );
}

/// Compares the next page of vaults, then waits for as long as the page may take.
async fn reconcile_paced(worker: &Worker, round: &reconcile::Round) -> Result<Next> {
    let next = reconcile::next(worker, round).await?;
    if next == Next::Immediately {
        let rate = worker.settings.vaults_per_second.max(1);
        tokio::time::sleep(Duration::from_secs(VAULTS_AT_ONCE.into()).checked_div(rate).unwrap_or_default()).await;
    }
    Ok(next)
}

async fn repeat<'a, F>(
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
            // A step that has lost its connection may wait forever. Dropping it rolls its transaction back, and the
            // next step reads the database again.
            done = tokio::time::timeout(worker.settings.step_limit, step(worker)) => done.unwrap_or(Err(Error::TooLong)),
        };
        let pause = match step {
            Ok(next) => {
                if std::mem::take(&mut failing) {
                    tracing::info!(task = name, "recovered");
                }
                match next {
                    Next::Immediately => Duration::ZERO,
                    Next::Rest => rest,
                }
            }
            Err(error) => {
                metrics::counter!("mec2c_worker_failures_total", "task" => name).increment(1);
                if !std::mem::replace(&mut failing, true) {
                    tracing::warn!(task = name, %error, "a step failed; retrying");
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
