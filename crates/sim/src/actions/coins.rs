//! Coins that users send to vaults and to each other, and withdrawals.

use domain::assets::AssetId;
use domain::chain::Address;
use domain::money::Amount;
use domain::orders::State;
use domain::trade::Payment;
use testkit::market::{mec, usdt};

use crate::draws::Draws;
use crate::{Result, World};

super::actions! {
    "deposit", 160, deposit;
    "send unexpected coins", 15, send_unexpected_coins;
    "pay outside the platform", 15, pay_outside_the_platform;
    "send lost coins again", 25, send_lost_coins_again;
    "withdraw", 20, withdraw;
    "failing transfer", 5, failing_transfer;
    "transfer without a log", 5, transfer_without_a_log;
    "repay a debt", 15, repay;
}

const STRANGER: Address = Address([0x77; 20]);

/// Users fund their open requests: usually once and exactly, sometimes in parts, with too much, or twice.
async fn deposit(world: &mut World, draws: &mut Draws) -> Result<()> {
    let open: Vec<_> = world.mirror.requests.iter().map(|(id, request)| (*id, *request)).collect();
    world.deposited.retain(|id| world.mirror.requests.contains_key(id));
    for (id, request) in open {
        if draws.chance(if world.deposited.insert(id) { 10 } else { 97 }) {
            continue;
        }
        let missing = request.shortfall();
        let amount = match draws.below(20) {
            0 => missing.mul_div_floor(1, 2).unwrap_or(missing),
            1 => missing.add(missing).unwrap_or(missing),
            2 => missing.saturating_sub(Amount::ONE),
            _ => missing,
        };
        let person = &world.user(request.vault_asset.vault).user;
        let (vault, bound) = (person.vault, person.bound.expect("a bound address"));
        let from = if draws.chance(95) { bound } else { STRANGER };
        let token = world.token(request.vault_asset.asset);
        if !amount.is_zero() {
            world.send(token, from, vault, amount);
            world.counts.add("deposits", 1);
        }
    }
    Ok(())
}

fn any_coin(world: &World, draws: &mut Draws) -> (AssetId, Amount) {
    if draws.chance(50) {
        (world.market.mec, mec(draws.pick(&["0.005", "1", "4", "10"]).expect("an amount")))
    } else {
        (world.market.usdt, usdt(draws.pick(&["0.005", "2.5", "10", "25"]).expect("an amount")))
    }
}

/// A user or a stranger sends coins that nobody asked for.
async fn send_unexpected_coins(world: &mut World, draws: &mut Draws) -> Result<()> {
    let (asset, amount) = any_coin(world, draws);
    let person = &draws.pick(&world.users).expect("a user").user;
    let from = if draws.chance(60) { person.bound.expect("a bound address") } else { STRANGER };
    world.send(world.token(asset), from, person.vault, amount);
    Ok(())
}

/// A buyer pays a manual order on the chain.
async fn pay_outside_the_platform(world: &mut World, draws: &mut Draws) -> Result<()> {
    let (mut orders, _) = world.open_trades();
    while !orders.is_empty() {
        let order = orders.swap_remove(draws.below(orders.len()));
        let Payment::Transfer(receiving) = &order.terms.payment else { continue };
        if matches!(order.state, State::AwaitingPayment { .. })
            && let Ok(to) = receiving.address.parse::<Address>()
        {
            world.send(world.token(order.terms.quote.asset), order.terms.buyer_bound, to, order.terms.total);
            return Ok(());
        }
    }
    Ok(())
}

async fn send_lost_coins_again(world: &mut World, _draws: &mut Draws) -> Result<()> {
    for (token, from, to, amount) in std::mem::take(&mut world.lost) {
        world.send(token, from, to, amount);
    }
    Ok(())
}

async fn withdraw(world: &mut World, draws: &mut Draws) -> Result<()> {
    let free = world.mirror.books.temporary();
    let (user, asset) = match draws.pick(&free) {
        Some(vault_asset) if draws.chance(90) => (vault_asset.vault, vault_asset.asset),
        _ => (draws.pick(&world.users).expect("a user").user.id, any_coin(world, draws).0),
    };
    let token = world.token(asset);
    let intent = world.commands.withdraw(user, asset, token);
    let fault = draws.chance(20).then(|| (crate::wire::Fault::CutAfter, u32::try_from(draws.below(40)).expect("small")));
    world.submit(vec![intent], fault).await
}

/// A transaction that announces a transfer and fails.
async fn failing_transfer(world: &mut World, draws: &mut Draws) -> Result<()> {
    let (asset, amount) = any_coin(world, draws);
    let person = &draws.pick(&world.users).expect("a user").user;
    world.script.failing_transfer(world.token(asset), person.bound.expect("a bound address"), person.vault, amount);
    Ok(())
}

/// A contract sends native coins, which leaves no log.
async fn transfer_without_a_log(world: &mut World, draws: &mut Draws) -> Result<()> {
    let person = &draws.pick(&world.users).expect("a user").user;
    world.script.silent_transfer(person.vault, mec("4"));
    Ok(())
}

/// A user whose vault lacks coins after a reorganization sends them.
async fn repay(world: &mut World, _draws: &mut Draws) -> Result<()> {
    world.repay_debts().await;
    Ok(())
}

