//! Websocket deliveries to many users, and the memory of a connection.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use sqlx::PgPool;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use crate::cpu;
use crate::machine::load_average;
use crate::results::Figure;
use crate::sockets::Socket;
use crate::stand::{COPY, Stand, say};
use crate::stats::{Latencies, median, per_second};
use crate::world::{HashCost, SMALL};

/// How many sockets are being opened at a time.
const AT_ONCE: usize = 64;
/// The messages per user in a burst, below the length of a client's queue.
const BURST: u32 = 16;
/// Clients may send `resume` for a second before they receive events.
const RESUME_WAIT: Duration = Duration::from_secs(2);
const PATIENCE: Duration = Duration::from_mins(2);
const PER_SECOND: f64 = 100_000.0;
const ALLOWED_MS: f64 = 50.0;
const ALLOWED_BYTES: f64 = 4096.0;

/// Sends each user the same number of events, as commands do.
const TELL: &str = "
    with told as (
        update users set last_event = last_event + $2 where custody_index <= $1 returning id, last_event - $2 as before
    )
    insert into outbox_events (user_id, number, kind, body, at)
    select id, before + n, 'ORDER_STATUS_CHANGE', jsonb_build_object('orderId', id, 'notice', 'ORDER_ACCEPTED'), $3
    from told, generate_series(1, $2) n order by n, id";

pub(crate) async fn run(stand: &mut Stand) -> anyhow::Result<Vec<Figure>> {
    let load_before = load_average();
    let many: u32 = if stand.quick { 1000 } else { 15_000 };
    let running = stand.start(SMALL, HashCost::Minimal).await?;
    let pool = stand.postgres.pool(COPY, 1).await?;
    let before = cpu::resident(running.server_pid()?)?;
    let closed = Arc::new(AtomicUsize::new(0));
    let (sender, mut arrivals) = mpsc::unbounded_channel();
    let _listeners = open(running.api, many, &closed, sender).await?;
    tokio::time::sleep(RESUME_WAIT).await;
    let memory =
        cpu::resident(running.server_pid()?)?.saturating_sub(before).checked_div(u64::from(many)).unwrap_or_default();
    say(&format!("{many} connections, {memory} bytes each"));
    let (mut rates, mut slow) = (Vec::new(), Vec::new());
    for _ in 0..stand.rounds() {
        let single = deliver(&pool, many, 1, &mut arrivals).await?;
        slow.push(single.percentile(99));
        let burst = deliver(&pool, many, BURST, &mut arrivals).await?;
        let seconds = Duration::from_secs_f64(burst.percentile(100) / 1000.0);
        rates.push(per_second(burst.count(), seconds));
        say(&format!(
            "{:.0} deliveries/s; one event for each within {:.0} ms (p99)",
            rates.last().copied().unwrap_or_default(),
            single.percentile(99)
        ));
    }
    let closed = closed.load(Ordering::Relaxed);
    anyhow::ensure!(closed == 0, "the run is void: the server closed {closed} sockets");
    running.stop().await?;
    pool.close().await;
    let memory = f64::from(u32::try_from(memory)?);
    let figure = |name: String, value: f64, unit: &str, yardstick: &str, allowed: f64| Figure {
        target: "deliveries".to_owned(),
        name,
        value,
        unit: unit.to_owned(),
        yardstick: yardstick.to_owned(),
        yardstick_value: allowed,
        ratio: value / allowed,
        details: BTreeMap::new(),
        load_before,
    };
    Ok(vec![
        figure(
            format!("{BURST} events for each of {many} users"),
            median(&rates),
            "deliveries/s",
            "100,000/s",
            PER_SECOND,
        ),
        figure(format!("p99, one event for each of {many} users"), median(&slow), "ms", "50 ms", ALLOWED_MS),
        figure("memory of a connection".to_owned(), memory, "bytes", "4 KB", ALLOWED_BYTES),
    ])
}

/// Opens a socket for each of the first users.
async fn open(
    address: std::net::SocketAddr,
    many: u32,
    closed: &Arc<AtomicUsize>,
    arrivals: mpsc::UnboundedSender<Instant>,
) -> anyhow::Result<JoinSet<()>> {
    let mut listeners = JoinSet::new();
    let mut opening = JoinSet::new();
    for user in 1..=u64::from(many) {
        if opening.len() >= AT_ONCE {
            let socket: Socket = opening.join_next().await.context("no socket")???;
            listeners.spawn(socket.listen(Arc::clone(closed), arrivals.clone()));
        }
        opening.spawn(Socket::open(address, user));
    }
    while let Some(socket) = opening.join_next().await {
        listeners.spawn(socket??.listen(Arc::clone(closed), arrivals.clone()));
    }
    Ok(listeners)
}

/// Commits events for all users and waits until they have arrived. Returns the times from the commit to each arrival.
async fn deliver(
    pool: &PgPool,
    users: u32,
    each: u32,
    arrivals: &mut mpsc::UnboundedReceiver<Instant>,
) -> anyhow::Result<Latencies> {
    sqlx::query(TELL).bind(i64::from(users)).bind(i64::from(each)).bind(Stand::now()).execute(pool).await?;
    let committed = Instant::now();
    let mut latencies = Latencies::default();
    for _ in 0..users.saturating_mul(each) {
        let arrival = tokio::time::timeout(PATIENCE, arrivals.recv()).await.context("events did not arrive")?;
        latencies.add(arrival.context("no socket is open")?.saturating_duration_since(committed));
    }
    latencies.sort();
    Ok(latencies)
}
