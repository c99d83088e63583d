//! What concerns only payouts: the references of their legs, and stops.

use app::orders::Size;
use app::commands::CommandKind;
use domain::funding::FundingTarget;
use domain::ids::PayoutId;
use domain::ledger::VaultAsset;
use domain::money::Amount;
use domain::orders::{Order, OrderCommand, Proofs, State};
use store::payouts::{NewLeg, NewPayout, Purpose};
use uuid::Uuid;
use worker::Next;

use super::trading::{place, takes_orders};
use crate::draws::Draws;
use crate::world::{Part, Process, unexplained};
use crate::{Result, World, invariants};

super::actions! {
    "reserve references on two servers", 6, reserve_references;
    "stop payouts of a coin", 16, stop;
}

/// An alarm stops the payouts of a coin as soon as some are owed, pairs if possible. The worker goes on with other coins.
async fn stop(world: &mut World, draws: &mut Draws) -> Result<()> {
    order_on_automatic_adverts(world, draws).await?;
    accept_automatic_orders(world).await?;
    fund_automatic_orders(world);
    world.confirm_blocks();
    while world.work(Process::Second, Part::Watcher).await? == Next::Immediately {}
    let asset = *draws.pick(&[world.market.mec, world.market.usdt]).expect("a coin");
    let stopped = app::chain::stop_payouts(&world.servers[1], asset, "simulated").await;
    stopped.map_err(|error| unexplained("stopping payouts", &error))?;
    world.work(Process::Second, Part::Payouts).await.map(drop)
}

async fn order_on_automatic_adverts(world: &mut World, draws: &mut Draws) -> Result<()> {
    let (_, adverts) = world.open_trades();
    let online = adverts.into_iter().filter(|advert| advert.terms.automatic && takes_orders(advert));
    let mut orders = Vec::new();
    for advert in online {
        let taker = draws.pick(&world.users).expect("a user").user.id;
        if taker != advert.terms.owner {
            let order = place(world, &advert, taker, Size::Quantity(advert.remaining), advert.terms.price);
            orders.push(world.commands.trade(taker, CommandKind::PlaceOrder(order)));
        }
    }
    world.submit(orders, None).await?;
    invariants::after_step(world).await
}

async fn accept_automatic_orders(world: &mut World) -> Result<()> {
    let (orders, _) = world.open_trades();
    let waiting = orders
        .into_iter()
        .filter(|order| order.terms.automatic() && matches!(order.state, State::AwaitingAcceptance { .. }));
    let accept = |order: Order, world: &mut World| {
        let act = OrderCommand::Accept;
        let what = CommandKind::order(order.id, order.version, act, Proofs::ALL);
        world.commands.trade(order.terms.advertiser, what)
    };
    let accepts = waiting.map(|order| accept(order, world)).collect();
    world.submit(accepts, None).await?;
    invariants::after_step(world).await
}

fn fund_automatic_orders(world: &mut World) {
    let requests: Vec<_> = world.mirror.requests.values().copied().collect();
    for request in requests {
        let FundingTarget::Order(order) = request.target else { continue };
        if world.mirror.orders.get(&order).is_some_and(|order| order.terms.automatic()) {
            let person = &world.user(request.vault_asset.vault).user;
            let (vault, bound) = (person.vault, person.bound.expect("a bound address"));
            world.send(world.token(request.vault_asset.asset), bound, vault, request.shortfall());
        }
    }
}

/// Two servers create payouts at about the same time, and both die before they commit.
async fn reserve_references(world: &mut World, draws: &mut Draws) -> Result<()> {
    let (first, second) = (payouts(world, draws, 2), payouts(world, draws, 1));
    world.reserve_on_two_servers(&first, &second).await
}

/// Payouts with at least this many legs in total.
fn payouts(world: &World, draws: &mut Draws, least: usize) -> Vec<NewPayout> {
    let legs = least + draws.below(5);
    (0..legs).map(|_| payout(world, draws)).collect()
}

fn payout(world: &World, draws: &mut Draws) -> NewPayout {
    let person = &draws.pick(&world.users).expect("a user").user;
    let vault_asset = VaultAsset { vault: person.id, asset: world.market.mec };
    let leg = NewLeg {
        vault_asset,
        custody_index: person.custody_index,
        recipient: person.bound.expect("a bound address"),
        amount: Amount::ONE,
        source: vault_asset.temporary(),
    };
    let id = Uuid::from_u64_pair(draws.number(), draws.number());
    NewPayout { id: PayoutId(id), purpose: Purpose::Withdrawal, subject: id, legs: vec![leg] }
}
