//! The processor time of server and worker when nobody trades.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::cpu;
use crate::machine::load_average;
use crate::results::Figure;
use crate::stand::{Stand, say};
use crate::world::{LARGE, LESS};

/// The share of a core that the target allows.
const ALLOWED: f64 = 0.02;

pub(crate) async fn run(stand: &mut Stand) -> anyhow::Result<Vec<Figure>> {
    let load_before = load_average();
    let world = if stand.quick { LESS } else { LARGE };
    stand.fill(world).await?;
    let running = stand.start_in_place(world).await?;
    let (settle, time) = if stand.quick { (5, 10) } else { (30, 60) };
    tokio::time::sleep(Duration::from_secs(settle)).await;
    let worker = running.worker_pid()?.unwrap_or_default();
    let pids = [running.server_pid()?, worker, stand.postgres.pid()?];
    let before = pids.map(|pid| cpu::used(pid).unwrap_or_default());
    tokio::time::sleep(Duration::from_secs(time)).await;
    let after = pids.map(|pid| cpu::used(pid).unwrap_or_default());
    let resident = [running.server_pid()?, worker].map(|pid| cpu::resident(pid).unwrap_or_default());
    running.stop().await?;
    let length = Duration::from_secs(time).as_secs_f64();
    let shares: Vec<_> =
        before.iter().zip(&after).map(|(before, after)| after.saturating_sub(*before).as_secs_f64() / length).collect();
    let [server, worker, postgres] = shares.as_slice() else { anyhow::bail!("three processes") };
    let product = server + worker;
    let [server_mib, worker_mib] =
        resident.map(|bytes| f64::from(u32::try_from(bytes.div_euclid(1024 * 1024)).unwrap_or(u32::MAX)));
    say(&format!(
        "{} users, idle: server {:.1} %, worker {:.1} %, PostgreSQL {:.1} % of a core",
        world.users,
        server * 100.0,
        worker * 100.0,
        postgres * 100.0
    ));
    Ok(vec![Figure {
        target: "idle".to_owned(),
        name: format!("{} users, {} adverts", world.users, world.adverts),
        value: product * 100.0,
        unit: "% of a core".to_owned(),
        yardstick: "2 % of a core".to_owned(),
        yardstick_value: ALLOWED * 100.0,
        ratio: product / ALLOWED,
        details: BTreeMap::from([
            ("server %".to_owned(), server * 100.0),
            ("worker %".to_owned(), worker * 100.0),
            ("PostgreSQL %".to_owned(), postgres * 100.0),
            ("server MiB".to_owned(), server_mib),
            ("worker MiB".to_owned(), worker_mib),
        ]),
        load_before,
    }])
}
