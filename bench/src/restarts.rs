//! How long a restart interrupts the service: of the server, and of PostgreSQL killed at peak load.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::audit;
use crate::machine::load_average;
use crate::orders::{self, Plan};
use crate::results::Figure;
use crate::stand::{COPY, Stand, say};
use crate::stats::median;
use crate::world::{HashCost, LARGE, MEDIUM, SMALL};

const USERS: u32 = 64;
const SERVER_ALLOWED: f64 = 1.5;
const POSTGRES_ALLOWED: f64 = 6.0;

pub(crate) async fn run(stand: &mut Stand) -> anyhow::Result<Vec<Figure>> {
    let load_before = load_average();
    let figure = |name: &str, allowed: f64, seconds: &[f64]| Figure {
        target: "restarts".to_owned(),
        name: name.to_owned(),
        value: median(seconds),
        unit: "s".to_owned(),
        yardstick: "the allowed time in seconds".to_owned(),
        yardstick_value: allowed,
        ratio: median(seconds) / allowed,
        details: BTreeMap::new(),
        load_before,
    };
    // The large world takes minutes to fill, so it is used only if another measurement has filled it.
    let world = if stand.has(LARGE) { LARGE } else { MEDIUM };
    stand.fill(world).await?;
    let mut starts = Vec::new();
    for _ in 0..3 {
        let running = stand.product.serve(&stand.postgres, world.name, &stand.node).await?;
        starts.push(running.started_in.as_secs_f64());
        running.stop().await?;
    }
    say(&format!("the server answers {:.2} s after its start", median(&starts)));
    let mut silences = Vec::new();
    for _ in 0..stand.rounds() {
        let silence = kill_postgres(stand).await?.as_secs_f64();
        say(&format!("PostgreSQL killed: {silence:.2} s without service"));
        silences.push(silence);
    }
    let name = format!("start of the server, {} adverts", world.adverts);
    Ok(vec![
        figure(&name, SERVER_ALLOWED, &starts),
        figure("PostgreSQL killed at peak load: time without service", POSTGRES_ALLOWED, &silences),
    ])
}

/// Kills PostgreSQL under load and starts it again. Returns the time without service.
async fn kill_postgres(stand: &mut Stand) -> anyhow::Result<Duration> {
    let running = stand.start(SMALL, HashCost::Minimal).await?;
    let since = Stand::now();
    let plan = Plan::full(SMALL, USERS, stand.time().saturating_mul(3));
    let load = tokio::spawn(orders::run(running.api, plan));
    tokio::time::sleep(stand.time()).await;
    stand.postgres.kill().await?;
    stand.postgres.restart().await?;
    let outcome = load.await??;
    running.stop().await?;
    let pool = stand.postgres.pool(COPY, 1).await?;
    audit::check(&pool, since, &outcome.acknowledged, outcome.unanswered).await?;
    pool.close().await;
    Ok(outcome.longest_silence)
}
