//! Order transitions over HTTP, next to TPC-B on the same PostgreSQL. Also with one hot advert (`hot_advert`).

use std::collections::BTreeMap;
use std::net::SocketAddr;

use rustix::process::Signal;
use tokio::process::Command;

use crate::cpu;
use crate::http::Client;
use crate::machine::load_average;
use crate::orders::{self, Password, Plan};
use crate::process::{Process, free_port};
use crate::results::Figure;
use crate::stand::{COPY, Stand, say};
use crate::stats::{median, per_second};
use crate::world::{HashCost, SMALL};
use crate::{audit, pgbench};

const NAIVE_TABLES: &str = include_str!("../sql/naive.sql");

/// One way of loading the server.
#[derive(Debug, Clone, Copy)]
struct Case {
    users: u32,
    hot: bool,
    subject: Subject,
}

/// What handles the commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Subject {
    /// The product, with the lowest cost of password hashes, and with nonces that are known beforehand.
    Product,
    /// The product, with the real cost of password hashes, and with nonces that are fetched.
    ProductWithPasswords,
    /// The naive handler.
    Naive,
}

impl Case {
    fn name(self) -> String {
        let spread = if self.hot { "one hot advert" } else { "260 adverts" };
        let subject = match self.subject {
            Subject::Product => "",
            Subject::ProductWithPasswords => ", real password hashes",
            Subject::Naive => ", naive handler",
        };
        format!("{spread}, {} users{subject}", self.users)
    }
}

/// What the rounds of a case measured.
#[derive(Debug, Default)]
pub(crate) struct Measured {
    rates: Vec<f64>,
    ratios: Vec<f64>,
    pub(crate) details: BTreeMap<String, Vec<f64>>,
}

impl Measured {
    fn add(&mut self, name: &str, value: f64) {
        self.details.entry(name.to_owned()).or_default().push(value);
    }
}

pub(crate) async fn run(stand: &mut Stand) -> anyhow::Result<Vec<Figure>> {
    let load_before = load_average();
    stand.fill(SMALL).await?;
    stand.pgbench.fill(&stand.postgres).await?;
    let cases = cases(stand.quick);
    let mut measured: Vec<Measured> = cases.iter().map(|_| Measured::default()).collect();
    let mut yardsticks = vec![stand.pgbench.tpcb(&stand.postgres, stand.time()).await?];
    for _ in 0..stand.rounds() {
        let mut round = Vec::new();
        for (case, measured) in cases.iter().zip(&mut measured) {
            let rate = one(stand, *case, measured).await?;
            measured.rates.push(rate);
            round.push(rate);
        }
        let before = yardsticks.last().copied().unwrap_or_default();
        let after = stand.pgbench.tpcb(&stand.postgres, stand.time()).await?;
        say(&format!("pgbench: {before:.0} and {after:.0} transactions/s"));
        yardsticks.push(after);
        for (rate, measured) in round.into_iter().zip(&mut measured) {
            measured.ratios.push(rate / f64::midpoint(before, after));
        }
    }
    let yardstick = median(&yardsticks);
    let figures = cases.iter().zip(&measured).map(|(case, measured)| Figure {
        target: "order_lives".to_owned(),
        name: case.name(),
        value: median(&measured.rates),
        unit: "transitions/s".to_owned(),
        yardstick: format!("pgbench TPC-B, scale {}, {} clients", pgbench::SCALE, pgbench::CLIENTS),
        yardstick_value: yardstick,
        ratio: median(&measured.ratios),
        details: measured.details.iter().map(|(name, values)| (name.clone(), median(values))).collect(),
        load_before,
    });
    let mut figures: Vec<_> = figures.collect();
    figures.extend(hot_over_uniform(&cases, &measured, load_before));
    Ok(figures)
}

fn cases(quick: bool) -> Vec<Case> {
    let uniform: &[u32] = if quick { &[16, 64] } else { &[1, 16, 64, 256, 512] };
    let hot: &[u32] = if quick { &[64] } else { &[16, 64, 256, 512] };
    let product = Subject::Product;
    let mut cases: Vec<_> = uniform.iter().map(|&users| Case { users, hot: false, subject: product }).collect();
    cases.extend(hot.iter().map(|&users| Case { users, hot: true, subject: product }));
    cases.push(Case { users: 64, hot: false, subject: Subject::ProductWithPasswords });
    cases.push(Case { users: 64, hot: false, subject: Subject::Naive });
    cases.push(Case { users: 64, hot: true, subject: Subject::Naive });
    cases
}

/// Runs a case once, on a fresh copy of the world, and checks the invariants. Returns the transitions per second.
async fn one(stand: &mut Stand, case: Case, measured: &mut Measured) -> anyhow::Result<f64> {
    let password = match case.subject {
        Subject::Product => Password::KnownNonce,
        Subject::ProductWithPasswords => Password::FetchedNonce,
        Subject::Naive => Password::None,
    };
    let plan = Plan {
        world: SMALL,
        users: case.users,
        hot: case.hot,
        password,
        pace: None,
        warm_up: stand.warm_up(),
        time: stand.time(),
    };
    let outcome = match case.subject {
        Subject::Product => product(stand, HashCost::Minimal, plan, measured).await?,
        Subject::ProductWithPasswords => product(stand, HashCost::Real, plan, measured).await?,
        Subject::Naive => naive(stand, plan).await?,
    };
    let rate = per_second(outcome.latencies.count(), plan.time);
    let (p50, p99) = (outcome.latencies.percentile(50), outcome.latencies.percentile(99));
    let busy = f64::from(u32::try_from(outcome.busy)?);
    measured.add("p50 ms", p50);
    measured.add("p99 ms", p99);
    measured.add("refused as busy", busy);
    say(&format!("{}: {rate:.0} transitions/s, p50 {p50:.1} ms, p99 {p99:.1} ms, {busy} refused as busy", case.name()));
    Ok(rate)
}

pub(crate) async fn product(
    stand: &mut Stand,
    cost: HashCost,
    plan: Plan,
    measured: &mut Measured,
) -> anyhow::Result<orders::Outcome> {
    let running = stand.start(plan.world, cost).await?;
    let since = Stand::now();
    let used = async || anyhow::Ok([cpu::used(running.server_pid()?)?, cpu::used(stand.postgres.pid()?)?]);
    let before = used().await?;
    let outcome = orders::run(running.api, plan).await?;
    let after = used().await?;
    running.stop().await?;
    let pool = stand.postgres.pool(COPY, 1).await?;
    audit::check(&pool, since, &outcome.acknowledged, outcome.unanswered).await?;
    pool.close().await;
    let time = plan.time.saturating_add(plan.warm_up).as_secs_f64();
    for (name, (before, after)) in ["cores: server", "cores: PostgreSQL"].into_iter().zip(before.into_iter().zip(after))
    {
        measured.add(name, after.saturating_sub(before).as_secs_f64() / time);
    }
    Ok(outcome)
}

async fn naive(stand: &Stand, plan: Plan) -> anyhow::Result<orders::Outcome> {
    stand.postgres.create_database(COPY, None).await?;
    stand.postgres.execute(COPY, NAIVE_TABLES).await?;
    stand.postgres.execute(COPY, "vacuum (analyze)").await?;
    let address = SocketAddr::from(([127, 0, 0, 1], free_port()?));
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["naive", "--database", &stand.postgres.url(COPY), "--listen", &address.to_string()]);
    let mut process = Process::start("naive", &mut command, &stand.folder.join("naive.log"))?;
    process.ready(async || Client::connect(address).await.is_ok()).await?;
    let outcome = orders::run(address, plan).await?;
    process.stop(Signal::TERM).await?;
    Ok(outcome)
}

/// `hot_advert`: for each number of users, the throughput with one hot advert divided by that with all adverts.
fn hot_over_uniform(cases: &[Case], measured: &[Measured], load_before: f64) -> Vec<Figure> {
    let of = |users: u32, hot: bool| {
        let same = |case: &Case| case.users == users && case.hot == hot && case.subject == Subject::Product;
        cases.iter().zip(measured).find(|(case, _)| same(case)).map(|(_, measured)| &measured.rates)
    };
    let hot = cases.iter().filter(|case| case.hot && case.subject == Subject::Product);
    hot.filter_map(|case| {
        let (hot, uniform) = (of(case.users, true)?, of(case.users, false)?);
        let ratios: Vec<_> = hot.iter().zip(uniform).map(|(hot, uniform)| hot / uniform).collect();
        Some(Figure {
            target: "hot_advert".to_owned(),
            name: format!("{} users", case.users),
            value: median(hot),
            unit: "transitions/s".to_owned(),
            yardstick: "the same load over 260 adverts".to_owned(),
            yardstick_value: median(uniform),
            ratio: median(&ratios),
            details: BTreeMap::new(),
            load_before,
        })
    })
    .collect()
}
