//! The latency of an order transition at half load, next to the latency of writing to the disk.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::time::Instant;

use crate::machine::load_average;
use crate::order_lives::{Measured, product};
use crate::orders::Plan;
use crate::results::Figure;
use crate::stand::{Stand, say};
use crate::stats::{Latencies, median, per_second};
use crate::world::{HashCost, SMALL};

const USERS: u32 = 64;
/// The size of a page of PostgreSQL's write-ahead log.
const PAGE: usize = 8192;
const WRITES: u32 = 500;

pub(crate) async fn run(stand: &mut Stand) -> anyhow::Result<Vec<Figure>> {
    let load_before = load_average();
    let plan = Plan { warm_up: stand.warm_up(), ..Plan::full(SMALL, USERS, stand.time()) };
    let full = product(stand, HashCost::Minimal, plan, &mut Measured::default()).await?;
    let half = per_second(full.latencies.count(), plan.time) / 2.0;
    let mut disk = vec![fdatasync(&stand.folder)?];
    let mut latencies = Vec::new();
    for _ in 0..stand.rounds() {
        let paced = Plan { pace: Some(half), ..plan };
        let outcome = product(stand, HashCost::Minimal, paced, &mut Measured::default()).await?;
        latencies.push(outcome.latencies);
        disk.push(fdatasync(&stand.folder)?);
    }
    let figures = [50, 99].map(|percent| {
        let ours = median(&latencies.iter().map(|found| found.percentile(percent)).collect::<Vec<_>>());
        // Both percentiles are compared with the usual latency of the disk.
        let yardstick = median(&disk.iter().map(|found| found.percentile(50)).collect::<Vec<_>>());
        say(&format!("p{percent} at {half:.0} transitions/s: {ours:.2} ms, fdatasync {yardstick:.2} ms"));
        Figure {
            target: "order_latency".to_owned(),
            name: format!("p{percent} at half load"),
            value: ours,
            unit: "ms".to_owned(),
            yardstick: "median of `fdatasync` after 8 KiB".to_owned(),
            yardstick_value: yardstick,
            ratio: ours / yardstick,
            details: BTreeMap::from([("transitions/s".to_owned(), half)]),
            load_before,
        }
    });
    Ok(figures.into())
}

/// Measures how long it takes until a page is on the disk.
fn fdatasync(folder: &Path) -> anyhow::Result<Latencies> {
    let path = folder.join("fdatasync");
    let mut file = File::create(&path)?;
    let mut latencies = Latencies::default();
    for _ in 0..WRITES {
        let began = Instant::now();
        file.write_all(&[0; PAGE])?;
        file.sync_data()?;
        latencies.add(began.elapsed());
    }
    std::fs::remove_file(path)?;
    latencies.sort();
    Ok(latencies)
}
