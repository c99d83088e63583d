//! The polls that the specification asks of each visible client: user info every 4 s, unfinished orders every 8 s.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use crate::audit;
use crate::hall::hello;
use crate::http::get;
use crate::machine::load_average;
use crate::orders;
use crate::reads::{self, Plan, Requests};
use crate::results::Figure;
use crate::stand::{Stand, say};
use crate::stats::median;
use crate::world::{LARGE, LESS, World, token, user_id};

/// The requests per second of one client.
const PER_CLIENT: f64 = 1.0 / 4.0 + 1.0 / 8.0;
const CLIENTS_WANTED: f64 = 100_000.0;
const CLIENTS: u64 = 100_000;
const FEW_CLIENTS: u64 = 1_000;
/// How long clients poll before the measurement: long enough that each has sent both polls. Clients that stay connected repeat
/// polls whose responses are known.
const FIRST_POLLS: Duration = Duration::from_mins(10);
const FEW_FIRST_POLLS: Duration = Duration::from_secs(10);

pub(crate) async fn run(stand: &mut Stand) -> anyhow::Result<Vec<Figure>> {
    let load_before = load_average();
    let world = if stand.quick { LESS } else { LARGE };
    stand.fill(world).await?;
    let running = stand.start_in_place(world).await?;
    // Some of the clients have unfinished orders.
    let trading =
        orders::Plan { password: orders::Password::FetchedNonce, ..orders::Plan::full(world, 16, stand.time()) };
    let since = Stand::now();
    let traded = orders::run(running.api, trading).await?;
    let clients = if stand.quick { FEW_CLIENTS } else { CLIENTS };
    let time = if stand.quick { FEW_FIRST_POLLS } else { FIRST_POLLS };
    let plan = Plan { connections: 64, depth: 1, warm_up: Duration::ZERO, time };
    let first = reads::run(running.api, plan, polls(world, clients)).await?;
    say(&format!("{:.0} first polls/s", first.rate));
    let mut hellos = vec![hello(stand, &running).await?];
    let (mut rates, mut p50, mut p99) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..stand.rounds() {
        let plan = Plan { connections: 64, depth: 1, warm_up: stand.warm_up(), time: stand.time() };
        let outcome = reads::run(running.api, plan, polls(world, clients)).await?;
        let enough_for = outcome.rate / PER_CLIENT;
        let slowest = outcome.latencies.percentile(99);
        say(&format!("{:.0} polls/s, enough for {enough_for:.0} clients, p99 {slowest:.1} ms", outcome.rate));
        rates.push(outcome.rate);
        p50.push(outcome.latencies.percentile(50));
        p99.push(slowest);
        hellos.push(hello(stand, &running).await?);
    }
    running.stop().await?;
    let pool = stand.postgres.pool(world.name, 1).await?;
    audit::check(&pool, since, &traded.acknowledged, traded.unanswered).await?;
    pool.close().await;
    let enough_for = median(&rates) / PER_CLIENT;
    Ok(vec![Figure {
        target: "polls".to_owned(),
        name: format!("{} users in the database", world.users),
        value: enough_for,
        unit: "clients".to_owned(),
        yardstick: "100,000 clients".to_owned(),
        yardstick_value: CLIENTS_WANTED,
        ratio: enough_for / CLIENTS_WANTED,
        details: BTreeMap::from([
            ("requests/s".to_owned(), median(&rates)),
            ("÷ /health/live".to_owned(), median(&rates) / median(&hellos)),
            ("p50 ms".to_owned(), median(&p50)),
            ("p99 ms".to_owned(), median(&p99)),
        ]),
        load_before,
    }])
}

/// Two requests for user info to one for unfinished orders, of one client after the other.
pub(crate) fn polls(world: World, clients: u64) -> Requests {
    Arc::new(move |number| {
        let client = number
            .wrapping_mul(7919)
            .checked_rem(clients.min(world.users.saturating_sub(world.sellers)))
            .unwrap_or_default();
        let user = client.saturating_add(world.sellers).saturating_add(1);
        let path = if number.is_multiple_of(3) {
            "/api/c2c/deal/order/page?finish=false&page=1&size=10".to_owned()
        } else {
            format!("/api/user/info/{}", user_id(user))
        };
        get(&path, &token(user))
    })
}
