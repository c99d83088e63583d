//! The load of `order_lives`: concurrent users who live through orders from placing to the end.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use serde::Deserialize;
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::audit::Acknowledged;
use crate::http::{Client, request};
use crate::sealing::Sealing;
use crate::stats::Latencies;
use crate::world::{World, advert_id, owner, price, token};

/// The quantity of each order, in whole coins.
const QUANTITY: &str = "20";
/// The pause before a command is repeated that the server was too busy for.
const PAUSE: Duration = Duration::from_millis(20);

/// How a confirmation is authorized.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Password {
    /// Not at all: the naive handler asks for none.
    None,
    /// Encrypted with a nonce that is known beforehand.
    KnownNonce,
    /// Encrypted with a nonce that is fetched, as browsers do.
    FetchedNonce,
}

/// What the load consists of.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plan {
    pub(crate) world: World,
    /// The number of concurrent users: connections with one request at a time.
    pub(crate) users: u32,
    /// Whether all orders are for one advert, rather than spread over all of them.
    pub(crate) hot: bool,
    pub(crate) password: Password,
    /// The transitions per second to attempt; as many as possible without it.
    pub(crate) pace: Option<f64>,
    /// The time before the measurement.
    pub(crate) warm_up: Duration,
    pub(crate) time: Duration,
}

impl Plan {
    /// As many transitions as possible, on all adverts, measured from the first on.
    pub(crate) fn full(world: World, users: u32, time: Duration) -> Self {
        Self { world, users, hot: false, password: Password::KnownNonce, pace: None, warm_up: Duration::ZERO, time }
    }
}

/// What happened in the measured time, and what the clients know of all their orders.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) latencies: Latencies,
    /// Commands that the server refused because it was too busy. They were repeated.
    pub(crate) busy: usize,
    pub(crate) acknowledged: Vec<Acknowledged>,
    /// Commands whose last response was none, or a failure.
    pub(crate) unanswered: usize,
    /// Other refusals, by their code: there must be none.
    pub(crate) refusals: BTreeMap<String, usize>,
    /// The longest time without any response of success.
    pub(crate) longest_silence: Duration,
}

struct Load {
    plan: Plan,
    address: SocketAddr,
    sealing: Option<Sealing>,
    lives: AtomicU64,
    /// The number of commands that have been assigned a time by [`Plan::pace`].
    paced: AtomicU64,
    /// In microseconds since `start`: the last success, and the longest time between two.
    last_success: AtomicU64,
    silence: AtomicU64,
    start: Instant,
    begin: Instant,
    end: Instant,
}

impl Load {
    /// Waits for the time of the next command, and returns it. Latencies count from then, so that a command that had to
    /// wait for a free user does not look fast.
    async fn turn(&self) -> Instant {
        let Some(pace) = self.plan.pace else { return Instant::now() };
        let number = u32::try_from(self.paced.fetch_add(1, Ordering::Relaxed)).unwrap_or(u32::MAX);
        let due = self.start.checked_add(Duration::from_secs_f64(f64::from(number) / pace)).unwrap_or(self.end);
        tokio::time::sleep_until(due.min(self.end).into()).await;
        due
    }

    fn succeeded(&self, now: Instant) {
        let now = u64::try_from(now.duration_since(self.start).as_micros()).unwrap_or(u64::MAX);
        let last = self.last_success.fetch_max(now, Ordering::Relaxed);
        self.silence.fetch_max(now.saturating_sub(last), Ordering::Relaxed);
    }
}

/// Runs the load.
pub(crate) async fn run(address: SocketAddr, plan: Plan) -> anyhow::Result<Outcome> {
    let sealing = match plan.password {
        Password::None => None,
        Password::KnownNonce | Password::FetchedNonce => {
            Some(Sealing::fetch(&mut Client::connect(address).await?).await?)
        }
    };
    let start = Instant::now();
    let begin = start.checked_add(plan.warm_up).context("time")?;
    let end = begin.checked_add(plan.time).context("time")?;
    let load = Arc::new(Load {
        plan,
        address,
        sealing,
        lives: AtomicU64::new(0),
        paced: AtomicU64::new(0),
        last_success: AtomicU64::new(0),
        silence: AtomicU64::new(0),
        start,
        begin,
        end,
    });
    let mut users = JoinSet::new();
    for _ in 0..plan.users {
        users.spawn(User::live(Arc::clone(&load)));
    }
    let mut all = Outcome::default();
    while let Some(one) = users.join_next().await {
        let one = one??;
        all.latencies.merge(one.latencies);
        all.busy = all.busy.saturating_add(one.busy);
        all.unanswered = all.unanswered.saturating_add(one.unanswered);
        all.acknowledged.extend(one.acknowledged);
        for (code, count) in one.refusals {
            let sum = all.refusals.entry(code).or_default();
            *sum = sum.saturating_add(count);
        }
    }
    if !all.refusals.is_empty() {
        bail!("the server refused commands: {:?}", all.refusals);
    }
    all.latencies.sort();
    all.longest_silence = Duration::from_micros(load.silence.load(Ordering::Relaxed));
    Ok(all)
}

#[derive(Deserialize)]
struct Answer {
    code: String,
    data: serde_json::Value,
}

#[derive(Debug, Clone, Copy)]
struct Order {
    id: Uuid,
    version: i64,
}

struct User {
    load: Arc<Load>,
    client: Client,
    outcome: Outcome,
}

/// The way in which an order ends.
enum Ending {
    Completed,
    Rejected,
    Cancelled,
}

impl User {
    async fn live(load: Arc<Load>) -> anyhow::Result<Outcome> {
        let client = Client::connect(load.address).await?;
        let mut user = Self { load, client, outcome: Outcome::default() };
        while Instant::now() < user.load.end && user.outcome.refusals.is_empty() {
            let life = user.load.lives.fetch_add(1, Ordering::Relaxed);
            if let Some(order) = user.order(life).await? {
                user.outcome.acknowledged.push(Acknowledged { order: order.id, version: order.version });
            }
        }
        Ok(user.outcome)
    }

    /// Lives through one order. Of eight orders, six are completed, one is rejected and one is cancelled. Returns what
    /// the client knows of the order in the end, which comes early if the time is over.
    async fn order(&mut self, life: u64) -> anyhow::Result<Option<Order>> {
        let plan = self.load.plan;
        let world = plan.world;
        let takers = world.users.saturating_sub(world.sellers).max(1);
        let taker = token(life.checked_rem(takers).unwrap_or_default().saturating_add(world.sellers).saturating_add(1));
        let advert = if plan.hot {
            1
        } else {
            life.wrapping_mul(2_654_435_761).checked_rem(world.adverts).unwrap_or_default().saturating_add(1)
        };
        let seller = token(owner(world, advert));
        let ending = match life & 7 {
            0 => Ending::Rejected,
            4 => Ending::Cancelled,
            _ => Ending::Completed,
        };
        let body =
            format!(r#"{{"advertId":"{}","price":"{}","quantity":"{QUANTITY}"}}"#, advert_id(advert), price(advert));
        let Some(mut order) = self.command("/api/c2c/deal/order", &taker, life, "place", &body).await? else {
            return Ok(None);
        };
        let steps: &[(&str, &str)] = match ending {
            Ending::Completed => &[("take", &seller), ("pay", &taker), ("confirm", &seller)],
            Ending::Rejected => &[("cancel", &seller)],
            Ending::Cancelled => &[("cancel", &taker)],
        };
        for (step, token) in steps {
            if Instant::now() >= self.load.end {
                break;
            }
            let version = order.version;
            let body = match *step {
                "pay" => format!(r#"{{"version":{version},"reference":"R-{life}"}}"#),
                "confirm" => self.confirmation(life, version).await?,
                _ => format!(r#"{{"version":{version}}}"#),
            };
            let path = format!("/api/c2c/deal/order/{step}/{}", order.id);
            match self.command(&path, token, life, step, &body).await? {
                Some(next) => order = next,
                None => break,
            }
        }
        Ok(Some(order))
    }

    async fn confirmation(&mut self, life: u64, version: i64) -> anyhow::Result<String> {
        let Some(sealing) = &self.load.sealing else { return Ok(format!(r#"{{"version":{version}}}"#)) };
        let nonce = match self.load.plan.password {
            Password::FetchedNonce => Sealing::nonce(&mut self.client).await?,
            Password::KnownNonce | Password::None => format!("bench-nonce-{life}"),
        };
        Ok(format!(r#"{{"version":{version},"securityCode":{}}}"#, sealing.seal(&nonce)?))
    }

    /// Sends a command until the server answers it. Returns the order, or `None` if there is no such answer in time.
    async fn command(
        &mut self,
        path: &str,
        token: &str,
        life: u64,
        step: &str,
        body: &str,
    ) -> anyhow::Result<Option<Order>> {
        let bytes = request("POST", path, token, &format!("bench-{step}-{life}"), body);
        let first = self.load.turn().await;
        loop {
            let status = self.client.exchange(&bytes).await?;
            let now = Instant::now();
            if status == 200 {
                let answer: Answer = serde_json::from_slice(self.client.body())?;
                let id = answer.data.get("id").and_then(serde_json::Value::as_str).context("an order without an ID")?;
                let version = answer.data.get("version").and_then(serde_json::Value::as_i64).context("no version")?;
                self.load.succeeded(now);
                if now >= self.load.begin && now < self.load.end {
                    self.outcome.latencies.add(now.saturating_duration_since(first));
                }
                return Ok(Some(Order { id: id.parse()?, version }));
            }
            if status < 500 && status != 429 {
                let answer: Answer = serde_json::from_slice(self.client.body())?;
                let what = format!("{step}: {} {}", answer.code, answer.data);
                let count = self.outcome.refusals.entry(what).or_default();
                *count = count.saturating_add(1);
                return Ok(None);
            }
            self.outcome.busy = self.outcome.busy.saturating_add(1);
            if now >= self.load.end {
                self.outcome.unanswered = self.outcome.unanswered.saturating_add(1);
                return Ok(None);
            }
            tokio::time::sleep(PAUSE).await;
        }
    }
}
