//! A deterministic simulation of the whole product below the API: thousands of users, two servers, two workers, a chain
//! with three nodes and a PostgreSQL, with faults at every boundary.
//!
//! A [`Plan`] is a seed and a number of steps. Each step is an [action](actions) with its own random numbers, which it
//! interprets in the state that it finds. After every step, the [invariants] must hold. Steps can therefore be left out:
//! [`shrink`] finds a short sequence that still fails, and a replay of the same plan ends in the same state.

// A simulation that cannot continue has found a bug or is wrong itself.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::missing_panics_doc
)]
#![allow(clippy::large_futures, reason = "only a few exist at a time")]

pub mod actions;
mod draws;
mod invariants;
mod mirror;
mod payments;
mod plan;
mod shrink;
mod states;
mod takers;
mod wire;
mod world;

pub use plan::{Kept, Plan, Size};
pub use shrink::shrink;
pub use world::World;

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::panic::AssertUnwindSafe;
use std::time::{Duration, Instant};

use futures::FutureExt;

/// A broken invariant, or an error that no fault explains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bug(pub String);

pub type Result<T> = std::result::Result<T, Bug>;

/// A failed run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The number of the step in the plan after which the invariants were broken; `None` for the end of the run.
    pub step: Option<usize>,
    pub action: &'static str,
    pub bug: Bug,
}

/// What a successful run did.
#[derive(Debug, Clone, Default)]
pub struct Report {
    pub seeds: u64,
    pub steps: usize,
    pub counts: world::Counts,
    /// How often each action was taken, and how long that took.
    pub actions: BTreeMap<&'static str, (u64, Duration)>,
    /// What was observed, in order: the same in all runs of a plan. A sum of reports has none of it.
    pub observed: Vec<String>,
    /// A hash of everything that was observed.
    pub digest: u64,
}

/// The counts that are faults.
const FAULTS: [&str; 10] = [
    "blocks replaced",
    "database connections lost",
    "lies of nodes",
    "lies of tokens",
    "node faults",
    "outages",
    "servers stalled",
    "voids",
    "workers killed",
    "workers stalled",
];

impl Report {
    /// The sum of two reports.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        let mut counts = self.counts.clone();
        for (what, count) in &other.counts.0 {
            *counts.0.entry(what.clone()).or_default() += count;
        }
        let mut actions = self.actions.clone();
        for (name, (count, time)) in &other.actions {
            let (counted, timed) = actions.entry(name).or_default();
            *counted += count;
            *timed += *time;
        }
        Self {
            seeds: self.seeds + other.seeds,
            steps: self.steps + other.steps,
            counts,
            actions,
            observed: Vec::new(),
            digest: self.digest ^ other.digest,
        }
    }

    pub fn faults(&self) -> u64 {
        FAULTS.iter().map(|fault| self.counts.get(fault)).sum()
    }
}

/// Runs a plan in a new market and removes the market's database.
pub async fn run(plan: &Plan) -> std::result::Result<Report, Failure> {
    let mut world = World::open(plan.size, plan.seed).await;
    let outcome = drive(&mut world, plan).await;
    world.close().await;
    outcome
}

/// Like [`run`], but keeps the database. Returns its URL as well.
pub async fn run_and_keep(plan: &Plan) -> (std::result::Result<Report, Failure>, String) {
    let mut world = World::open(plan.size, plan.seed).await;
    let outcome = drive(&mut world, plan).await;
    (outcome, world.market.database.url.clone())
}

async fn drive(world: &mut World, plan: &Plan) -> std::result::Result<Report, Failure> {
    let mut actions = BTreeMap::new();
    let mut watch = Stopwatch::start();
    for (number, step) in plan.steps() {
        let action = &actions::all()[step.action];
        let done = async {
            action.take(world, step.seed).await?;
            watch.lap(&mut actions, action.name);
            invariants::after_step(world).await
        };
        caught(done).await.map_err(|bug| Failure { step: Some(number), action: action.name, bug })?;
        watch.lap(&mut actions, "check the invariants");
    }
    let end = async {
        world.settle().await?;
        invariants::at_rest(world).await
    };
    caught(end).await.map_err(|bug| Failure { step: None, action: "settle", bug })?;
    watch.lap(&mut actions, "come to rest");
    world.count_end_states();
    let observed = world.seen.take();
    let mut hasher = DefaultHasher::new();
    observed.hash(&mut hasher);
    let (counts, digest) = (world.counts.clone(), hasher.finish());
    Ok(Report { seeds: 1, steps: plan.steps().count(), counts, actions, observed, digest })
}

struct Stopwatch(Instant);

impl Stopwatch {
    fn start() -> Self {
        Self(Instant::now())
    }

    /// Adds the time since the previous lap.
    fn lap(&mut self, actions: &mut BTreeMap<&'static str, (u64, Duration)>, name: &'static str) {
        let (count, time) = actions.entry(name).or_default();
        *count += 1;
        *time += self.0.elapsed();
        self.0 = Instant::now();
    }
}

/// A step that takes longer hangs.
const PATIENCE: Duration = Duration::from_mins(2);

/// Turns a panic or a step that hangs into a bug.
async fn caught(step: impl Future<Output = Result<()>>) -> Result<()> {
    let Ok(done) = tokio::time::timeout(PATIENCE, AssertUnwindSafe(step).catch_unwind()).await else {
        return Err(Bug(format!("did not end within {PATIENCE:?}")));
    };
    done.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        Err(Bug(format!("panic: {}", text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("?"))))
    })
}
