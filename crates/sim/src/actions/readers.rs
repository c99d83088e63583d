//! Readers of events, and users who look at their orders.

use app::orders;
use domain::ids::OrderId;

use crate::draws::Draws;
use crate::world::unexplained;
use crate::{Bug, Result, World};

super::actions! {
    "read events", 60, read_events;
    "read events after a stall", 6, read_events_after_a_stall;
    "look at an order", 20, look_at_an_order;
}

async fn read_events(world: &mut World, _draws: &mut Draws) -> Result<()> {
    world.read_events(0).await
}

async fn read_events_after_a_stall(world: &mut World, _draws: &mut Draws) -> Result<()> {
    world.read_events(1).await
}

/// Both parties see the order, and nobody else does.
async fn look_at_an_order(world: &mut World, draws: &mut Draws) -> Result<()> {
    let orders: Vec<_> = world.commands.created.get("orders").into_iter().flat_map(|ids| ids.keys().copied()).collect();
    let Some(order) = draws.pick(&orders).map(|id| OrderId(*id)) else { return Ok(()) };
    let viewer = draws.pick(&world.users).expect("a user").user.id;
    let terms = world.market.order(order).await.terms;
    for user in [terms.advertiser, terms.taker, viewer] {
        let party = terms.party(user).is_some();
        match orders::one(&world.servers[1], user, order).await {
            Ok(_) if party => {}
            Err(app::Error::Refused(_)) if !party => {}
            Ok(_) => return Err(Bug(format!("{user} sees the order {order} of others"))),
            Err(error) => return Err(unexplained("looking at an order", &error)),
        }
    }
    Ok(())
}
