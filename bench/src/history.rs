//! The load of `order_lives` after a long history, next to the same load without one.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::Context as _;

use crate::machine::load_average;
use crate::order_lives::{Measured, product};
use crate::orders::Plan;
use crate::results::Figure;
use crate::stand::{Stand, say};
use crate::stats::{median, per_second};
use crate::world::{HashCost, SMALL, World};

/// [`SMALL`], with a hundred thousand finished orders of one advertiser, to whom the hot advert
/// belongs.
const OLD: World = World { name: "world_old", ..SMALL };
const ADVERTISER: &str = include_str!("../sql/old.sql");
const USERS: u32 = 64;
const PAUSE: Duration = Duration::from_millis(100);

pub(crate) async fn run(stand: &mut Stand) -> anyhow::Result<Vec<Figure>> {
    let load_before = load_average();
    stand.fill(SMALL).await?;
    let orders = fill(stand).await?;
    let mut figures = Vec::new();
    for (hot, spread) in [(false, "260 adverts"), (true, "one hot advert, of the advertiser with the history")] {
        let mut without = vec![measure(stand, SMALL, hot).await?];
        let mut with = Vec::new();
        for _ in 0..stand.rounds() {
            with.push(measure(stand, OLD, hot).await?);
            without.push(measure(stand, SMALL, hot).await?);
        }
        say(&format!("{spread}: {:.0} transitions/s, without history {:.0}", median(&with), median(&without)));
        figures.push(Figure {
            target: "history".to_owned(),
            name: format!("{orders} finished orders; {spread}, {USERS} users"),
            value: median(&with),
            unit: "transitions/s".to_owned(),
            yardstick: "the same load without history".to_owned(),
            yardstick_value: median(&without),
            ratio: median(&with) / median(&without),
            details: BTreeMap::new(),
            load_before,
        });
    }
    Ok(figures)
}

/// Adds the history to a copy of the small world. Returns the number of its orders.
async fn fill(stand: &mut Stand) -> anyhow::Result<u32> {
    let path = stand.root.join("bench/history.sql");
    let history = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let (users, orders, takers, adverts) =
        if stand.quick { (100_000, 10_000, 1000, 3000) } else { (100_000, 100_000, 3000, 10_000) };
    stand.postgres.create_database(OLD.name, Some(SMALL.name)).await?;
    read_chain(stand).await?;
    let parameters: Vec<_> = [("users", users), ("orders", orders), ("takers", takers), ("adverts", adverts)]
        .map(|(name, value)| format!("set history.{name} = '{value}';"))
        .into();
    let at = Stand::now().to_rfc3339();
    let statements = format!("{} set history.at = '{at}'; {history}", parameters.join(" "));
    stand.postgres.execute(OLD.name, &statements).await?;
    stand.postgres.execute(OLD.name, ADVERTISER).await?;
    stand.postgres.execute(OLD.name, "vacuum (analyze)").await?;
    stand.filled_by_hand(OLD);
    Ok(orders)
}

/// Lets the worker read the chain, so that the history refers to blocks that exist.
async fn read_chain(stand: &Stand) -> anyhow::Result<()> {
    let running = stand.product.start(&stand.postgres, OLD.name, &stand.node).await?;
    let pool = stand.postgres.pool(OLD.name, 1).await?;
    let confirmed = "select coalesce(max(confirmed_number), 0) from chains";
    while sqlx::query_scalar::<_, i64>(confirmed).fetch_one(&pool).await? == 0 {
        tokio::time::sleep(PAUSE).await;
    }
    pool.close().await;
    running.stop().await
}

async fn measure(stand: &mut Stand, world: World, hot: bool) -> anyhow::Result<f64> {
    let plan = Plan { hot, warm_up: stand.warm_up(), ..Plan::full(world, USERS, stand.time()) };
    let outcome = product(stand, HashCost::Minimal, plan, &mut Measured::default()).await?;
    Ok(per_second(outcome.latencies.count(), plan.time))
}
