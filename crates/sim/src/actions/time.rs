//! Time passes: while the platform works, while it is down, and while it is closed.

use app::deadlines::maintenance::MaintenanceDecision;
use chrono::Duration;
use testkit::market::officers;

use crate::draws::Draws;
use crate::{Result, World};

super::actions! {
    "wait", 70, wait;
    "wait long", 6, wait_long;
    "outage", 8, outage;
    "plan maintenance", 4, plan_maintenance;
    "end maintenance", 6, end_maintenance;
}

async fn wait(world: &mut World, draws: &mut Draws) -> Result<()> {
    let seconds = if draws.chance(80) { draws.within(1..=45) } else { draws.within(60..=1_200) };
    world.wait(Duration::seconds(seconds)).await;
    Ok(())
}

async fn wait_long(world: &mut World, draws: &mut Draws) -> Result<()> {
    world.wait(Duration::hours(draws.within(1..=40))).await;
    Ok(())
}

/// Nothing runs for a while.
async fn outage(world: &mut World, draws: &mut Draws) -> Result<()> {
    world.hands.advance(Duration::seconds(draws.within(31..=3_600)));
    world.counts.add("outages", 1);
    Ok(())
}

fn decision() -> MaintenanceDecision {
    MaintenanceDecision { officer: "olga".into(), reason: "simulated".to_owned() }
}

async fn plan_maintenance(world: &mut World, draws: &mut Draws) -> Result<()> {
    let from = world.now() + Duration::minutes(draws.within(-5..=30));
    let until = world.now() + Duration::minutes(draws.within(31..=90));
    match officers::plan_maintenance(&world.servers[1], from, until, &decision()).await {
        Ok(()) | Err(app::Error::Refused(_)) => Ok(()),
        Err(error) => Err(crate::world::unexplained("maintenance", &error)),
    }
}

async fn end_maintenance(world: &mut World, _draws: &mut Draws) -> Result<()> {
    world.end_maintenance().await
}
