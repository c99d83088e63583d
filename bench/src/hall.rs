//! A page of the hall with its exact total and with filters, next to the smallest possible response and to a database
//! with the ideal index.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use crate::freshness;
use crate::http::get;
use crate::machine::load_average;
use crate::product::Running;
use crate::reads::{self, Plan, Requests};
use crate::results::Figure;
use crate::stand::{Stand, say};
use crate::stats::median;
use crate::world::{LARGE, LESS, MEDIUM, SMALL, World};

const FLAT_TABLE: &str = include_str!("../sql/ideal_hall.sql");
const QUERY: &str = include_str!("../sql/ideal_hall_query.sql");
/// A server that needs longer than this for one page is not asked for many at once, and is given more time.
const SLOW: Duration = Duration::from_millis(400);
const BRISK: Duration = Duration::from_millis(10);
const CLIENTS: u32 = 8;
/// How old a page may be.
const ALLOWED_MS: f64 = 20.0;

pub(crate) async fn run(stand: &mut Stand) -> anyhow::Result<Vec<Figure>> {
    let worlds = if stand.quick { [SMALL, MEDIUM, LESS] } else { [SMALL, MEDIUM, LARGE] };
    let mut figures = Vec::new();
    for world in worlds {
        figures.extend(one(stand, world).await?);
    }
    Ok(figures)
}

async fn one(stand: &mut Stand, world: World) -> anyhow::Result<Vec<Figure>> {
    let load_before = load_average();
    stand.fill(world).await?;
    stand.postgres.execute(world.name, FLAT_TABLE).await?;
    stand.postgres.execute(world.name, "vacuum (analyze) ideal_hall").await?;
    let script = stand.folder.join("ideal_hall_query.sql");
    std::fs::write(&script, QUERY)?;
    let running = stand.start_in_place(world).await?;
    let loading = running.ready_in.as_secs_f64();
    say(&format!("{} adverts: the hall is in memory after {loading:.1} s", world.adverts));
    let (mut pages, mut hellos, mut queries) = (Vec::new(), Vec::new(), Vec::new());
    let (mut p99, mut busy) = (Vec::new(), Vec::new());
    hellos.push(hello(stand, &running).await?);
    for _ in 0..stand.rounds() {
        let outcome = hall(stand, &running).await?;
        say(&format!(
            "{} adverts: {:.1} pages/s, p99 {:.1} ms, {} refused as busy",
            world.adverts,
            outcome.rate,
            outcome.latencies.percentile(99),
            outcome.busy
        ));
        pages.push(outcome.rate);
        busy.push(f64::from(u32::try_from(outcome.busy)?));
        p99.push(outcome.latencies.percentile(99));
        let pgbench = &stand.pgbench;
        queries.push(pgbench.script(&stand.postgres, world.name, &script, CLIENTS, stand.time()).await?);
        hellos.push(hello(stand, &running).await?);
    }
    let freshness = freshness(stand, &running, world, load_before).await?;
    running.stop().await?;
    stand.audit(world.name).await?;
    stand.postgres.execute(world.name, "drop table ideal_hall").await?;
    let details = BTreeMap::from([
        ("p99 ms".to_owned(), median(&p99)),
        ("refused as busy".to_owned(), median(&busy)),
        ("s until the hall is in memory".to_owned(), loading),
    ]);
    let figure = |yardstick: &str, values: &[f64]| Figure {
        target: "hall".to_owned(),
        name: format!("{} adverts ÷ {yardstick}", world.adverts),
        value: median(&pages),
        unit: "pages/s".to_owned(),
        yardstick: yardstick.to_owned(),
        yardstick_value: median(values),
        ratio: median(&pages) / median(values),
        details: details.clone(),
        load_before,
    };
    let speed = [figure("/health/live", &hellos), figure("the query with the ideal index", &queries)];
    Ok(speed.into_iter().chain(freshness).collect())
}

/// Measures how soon the hall shows a change, unless a page takes too long.
async fn freshness(stand: &Stand, running: &Running, world: World, load_before: f64) -> anyhow::Result<Option<Figure>> {
    if reads::once(running.api, &pages()(0)).await? > SLOW {
        return Ok(None);
    }
    let latencies = freshness::measure(running, if stand.quick { 5 } else { 50 }).await?;
    let p99 = latencies.percentile(99);
    say(&format!("a change is visible after {:.1} ms, p99 {p99:.1} ms", latencies.percentile(50)));
    Ok(Some(Figure {
        target: "hall".to_owned(),
        name: format!("{} adverts, p99 of the time from a commit until a page shows it", world.adverts),
        value: p99,
        unit: "ms".to_owned(),
        yardstick: "20 ms".to_owned(),
        yardstick_value: ALLOWED_MS,
        ratio: p99 / ALLOWED_MS,
        details: BTreeMap::from([("p50 ms".to_owned(), latencies.percentile(50))]),
        load_before,
    }))
}

/// Measures the smallest possible response of the same server.
pub(crate) async fn hello(stand: &Stand, running: &Running) -> anyhow::Result<f64> {
    let plan = Plan { connections: 64, depth: 8, warm_up: Duration::from_secs(1), time: stand.time() };
    let request = get("/health/live", "");
    let rate = reads::run(running.internal, plan, Arc::new(move |_| request.clone())).await?.rate;
    say(&format!("/health/live: {rate:.0} requests/s"));
    Ok(rate)
}

async fn hall(stand: &Stand, running: &Running) -> anyhow::Result<reads::Outcome> {
    let requests = pages();
    let once = reads::once(running.api, &requests(0)).await?;
    let (connections, depth, time) = match once {
        once if once > SLOW => (2, 1, stand.time().saturating_mul(3)),
        once if once > BRISK => (16, 1, stand.time()),
        _ => (64, 4, stand.time()),
    };
    reads::run(running.api, Plan { connections, depth, warm_up: stand.warm_up(), time }, requests).await
}

/// First pages with all filters, for different totals.
fn pages() -> Requests {
    Arc::new(|number| {
        let total = number.checked_rem(31).unwrap_or_default().saturating_add(10);
        get(
            &format!(
                "/api/c2c/advert/page?side=SELL&base=MEC&quote=KRW&methods%5B0%5D=bankCard&region=KR&certified=true&sort=price&\
                 amount={total}000&page=1&size=20"
            ),
            "",
        )
    })
}
