//! The worker's parts: alone, two at once, killed and stalled.

use chain::scripted::Method;

use crate::draws::Draws;
use crate::wire::Fault;
use crate::world::{Part, Process};
use crate::{Result, World};

super::actions! {
    "work", 420, work;
    "kill a worker", 40, kill;
    "kill a worker at a node", 40, kill_at_a_node;
    "stall a worker", 30, stall;
    "catch up", 60, catch_up;
}

fn part(draws: &mut Draws) -> Part {
    let weight = |part: &Part| match part {
        Part::Watcher | Part::Payouts => 10,
        Part::Timers => 6,
        Part::Reconciliation => 2,
        Part::References | Part::Stops | Part::Sweep => 1,
    };
    Part::ALL[draws.weighted(Part::ALL.iter().map(weight))]
}

/// The number of database requests within which a fault usually happens in a step.
const REQUESTS: usize = 40;

async fn work(world: &mut World, draws: &mut Draws) -> Result<()> {
    let process = if draws.chance(50) { Process::First } else { Process::Second };
    let part = part(draws);
    world.work(process, part).await.map(drop)
}

async fn kill(world: &mut World, draws: &mut Draws) -> Result<()> {
    let fault = if draws.chance(50) { Fault::CutBefore } else { Fault::CutAfter };
    let requests = u32::try_from(draws.below(REQUESTS)).expect("small");
    let part = part(draws);
    world.work_and_die(part, fault, requests).await
}

/// A worker dies when a node has handled a request: mostly, when the node has taken a signed transaction.
async fn kill_at_a_node(world: &mut World, draws: &mut Draws) -> Result<()> {
    let (part, method, requests) =
        if draws.chance(70) { (Part::Payouts, Some(Method::Send), 3) } else { (part(draws), None, REQUESTS) };
    let requests = u32::try_from(draws.below(requests)).expect("small");
    world.work_and_die_at_a_node(part, method, requests).await
}

async fn stall(world: &mut World, draws: &mut Draws) -> Result<()> {
    let requests = u32::try_from(draws.below(REQUESTS)).expect("small");
    let (stalled, meanwhile) = (part(draws), [part(draws), part(draws), part(draws)]);
    world.work_and_stall(stalled, requests, &meanwhile).await
}

/// A worker reads the chain to its head and pays everything that can be paid.
async fn catch_up(world: &mut World, _draws: &mut Draws) -> Result<()> {
    world.catch_up(Process::Second).await
}
