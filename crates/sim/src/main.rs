//! `sim`: runs simulations, finds failing seeds and shrinks them. Needs a PostgreSQL in `DATABASE_URL`.

#![allow(clippy::print_stdout, reason = "a command's output")]
#![allow(clippy::large_futures, reason = "only a few exist at a time")]

use std::num::NonZero;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use clap::{Args, Parser, Subcommand};
use sim::{Failure, Kept, Plan, Report, Size, run, run_and_keep, shrink};
use tracing_subscriber::EnvFilter;

/// The number of seeds, unless a number of seeds or orders is asked for.
const SEEDS: u64 = 100;

/// Simulates the product from a seed, with faults.
#[derive(Parser)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Runs seeds until a number of orders was placed, or until one fails.
    Run {
        #[command(flatten)]
        scale: Scale,
        /// The first seed.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// The number of seeds. By default 100, or as many as the number of orders needs.
        #[arg(long)]
        seeds: Option<u64>,
        /// Stops after this number of orders.
        #[arg(long)]
        orders: Option<u64>,
        /// The number of seeds at once. By default, one for each core.
        #[arg(long)]
        jobs: Option<NonZero<usize>>,
        /// The number of attempts to shorten a failing run.
        #[arg(long, default_value_t = 60)]
        shrink: usize,
    },
    /// Repeats a run.
    Replay {
        #[command(flatten)]
        scale: Scale,
        #[arg(long)]
        seed: u64,
        /// The numbers of the steps that are taken, such as 3,7-9. All by default.
        #[arg(long)]
        keep: Option<Kept>,
        /// Runs this command afterwards, with the database in `DATABASE_URL`.
        #[arg(long)]
        then: Option<String>,
    },
}

#[derive(Args)]
struct Scale {
    /// The number of users. By default, it depends on the seed.
    #[arg(long)]
    users: Option<usize>,
    /// The largest number of commands at once. By default, it depends on the seed.
    #[arg(long)]
    burst: Option<usize>,
    /// The number of steps of each seed.
    #[arg(long, default_value_t = 300)]
    steps: usize,
}

impl Scale {
    fn plan(&self, seed: u64, kept: Option<Kept>) -> Plan {
        let Size { users, burst } = Size::of(seed);
        let size = Size { users: self.users.unwrap_or(users), burst: self.burst.unwrap_or(burst) };
        Plan { seed, size, steps: self.steps, kept }
    }
}

fn main() -> ExitCode {
    match Cli::parse().command {
        Command::Run { scale, seed, seeds, orders, jobs, shrink } => {
            let jobs = jobs.or_else(|| std::thread::available_parallelism().ok()).map_or(1, NonZero::get);
            let seeds = seeds.unwrap_or(if orders.is_some() { u64::MAX } else { SEEDS });
            many(&Search { scale, first: seed, seeds, orders: orders.unwrap_or(u64::MAX) }, jobs, shrink)
        }
        Command::Replay { scale, seed, keep, then } => alone(replay(&scale.plan(seed, keep), then)),
    }
}

/// Runs a future on a runtime with one thread, so that it always runs in the same order.
fn alone<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    #[expect(clippy::expect_used, reason = "without a runtime there is nothing to run")]
    runtime.expect("a runtime").block_on(future)
}

struct Search {
    scale: Scale,
    first: u64,
    seeds: u64,
    /// The number of orders after which no more seeds are started.
    orders: u64,
}

/// What the threads have found.
#[derive(Default)]
struct Found {
    started: u64,
    total: Report,
    failure: Option<(Plan, Failure)>,
}

impl Search {
    /// The next plan, unless enough has been run.
    fn next(&self, found: &Mutex<Found>) -> Option<Plan> {
        let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
        let enough = found.started >= self.seeds || found.total.counts.get("orders") >= self.orders;
        if enough || found.failure.is_some() {
            return None;
        }
        found.started = found.started.saturating_add(1);
        Some(self.scale.plan(self.first.saturating_add(found.started).saturating_sub(1), None))
    }

    /// Runs seeds until there are no more, or until one fails.
    fn work(&self, found: &Mutex<Found>, began: Instant) {
        while let Some(plan) = self.next(found) {
            let outcome = alone(run(&plan));
            let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
            match outcome {
                Ok(report) => {
                    println!(
                        "seed {}: {} orders, {} faults; {:.0} s so far",
                        plan.seed,
                        report.counts.get("orders"),
                        report.faults(),
                        began.elapsed().as_secs_f64()
                    );
                    found.total = found.total.plus(&report);
                }
                Err(failure) => found.failure = Some((plan, failure)),
            }
        }
    }
}

fn many(search: &Search, jobs: usize, attempts: usize) -> ExitCode {
    let began = Instant::now();
    let found = Mutex::new(Found::default());
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| search.work(&found, began));
        }
    });
    let found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    print(&found.total, began);
    let Some((plan, failure)) = found.failure else { return ExitCode::SUCCESS };
    println!("seed {} failed: {failure:#?}\nrepeat it with: {}", plan.seed, plan.command());
    if attempts > 0 {
        println!("shortening it …");
        let (short, failure) = alone(shrink(&plan, failure, attempts));
        println!("{failure:#?}\nshortest: {}", short.command());
    }
    ExitCode::FAILURE
}

async fn replay(plan: &Plan, then: Option<String>) -> ExitCode {
    tracing_subscriber::fmt().with_env_filter(EnvFilter::from_default_env()).with_writer(std::io::stderr).init();
    let began = Instant::now();
    for (number, step) in plan.steps().filter(|_| plan.kept.is_some()) {
        println!("step {number}: {}", step.name());
    }
    let (outcome, database) = run_and_keep(plan).await;
    if let Some(then) = then {
        let done = std::process::Command::new("sh").arg("-c").arg(then).env("DATABASE_URL", database).status();
        println!("{done:?}");
    }
    match outcome {
        Ok(report) => {
            print(&report, began);
            ExitCode::SUCCESS
        }
        Err(failure) => {
            println!("{failure:#?}");
            ExitCode::FAILURE
        }
    }
}

fn print(report: &Report, began: Instant) {
    let seconds = began.elapsed().as_secs_f64();
    for (what, count) in &report.counts.0 {
        println!("{count:>9}  {what}");
    }
    let mut actions: Vec<_> = report.actions.iter().collect();
    actions.sort_by_key(|(_, (_, time))| std::cmp::Reverse(*time));
    for (name, (count, time)) in actions {
        println!("{count:>9}  {:>8.1} s  {name}", time.as_secs_f64());
    }
    let per_second = |count: u64| f64::from(u32::try_from(count).unwrap_or(u32::MAX)) / seconds;
    println!(
        "{} seeds and {} steps in {seconds:.0} s; per second: {:.2} seeds, {:.1} orders, {:.1} faults; digest {:016x}",
        report.seeds,
        report.steps,
        per_second(report.seeds),
        per_second(report.counts.get("orders")),
        per_second(report.faults()),
        report.digest,
    );
}
