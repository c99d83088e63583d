//! What must hold after every step, and at the end.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use domain::chain::{Address, Token};
use domain::ids::{AdvertId, OrderId};
use domain::money::Amount;
use sqlx::Row as _;
use store::vault_stops::Cause;
use testkit::market::log_faults;

use crate::world::Judged;
use crate::{Bug, Result, World, payments};

/// How long readers may take to receive the last events.
const PATIENCE: Duration = Duration::from_secs(30);

/// After every step: the ledger balances and agrees with the adverts, orders and funding requests that have changed, and
/// with the chain; states have followed the table; limits, reputation and the numbers of events are as they should be; and
/// only what was stored first was sent and paid, pairs together.
pub(crate) async fn after_step(world: &mut World) -> Result<()> {
    let touched = world.mirror.update(&mut world.inspector, &world.market.database.store).await;
    for id in &touched.orders {
        let order = &world.mirror.orders[id];
        world.seen.add(&(id, order.version, order.state.into_str()));
    }
    for id in &touched.adverts {
        let advert = &world.mirror.adverts[id];
        world.seen.add(&(id, advert.version, advert.state.into_str()));
    }
    if !touched.wrong.is_empty() {
        return Err(Bug(touched.wrong.join("\n")));
    }
    losses_stop_payouts(world, &touched.reverted)?;
    logs_follow_the_orders(world, &touched.orders).await?;
    payments::check(world).await?;
    acknowledged_is_recorded(world)?;
    vaults_held_what_the_ledger_says(world).await
}

/// If a reorganization removes anything that was final, a deposit or a payout, the payouts of all coins and NFTs stop.
fn losses_stop_payouts(world: &World, reverted: &[String]) -> Result<()> {
    let assets = [world.market.mec, world.market.usdt, world.album.base.id];
    let goes_on = assets.into_iter().find(|coin| !world.mirror.stopped.contains(coin));
    match goes_on.filter(|_| !reverted.is_empty()) {
        Some(asset) => Err(Bug(format!("payouts of {asset:?} go on after a reorganization has removed {reverted:?}"))),
        None => Ok(()),
    }
}

/// The log of each order that has changed is numbered without gaps, its hashes form a chain, and each transition is in it.
async fn logs_follow_the_orders(world: &World, orders: &BTreeSet<OrderId>) -> Result<()> {
    let mut tx = world.market.database.store.begin().await.expect("a transaction");
    for id in orders {
        let faults = log_faults(&mut tx, &world.mirror.orders[id]).await;
        if !faults.is_empty() {
            return Err(Bug(faults.join("\n")));
        }
    }
    tx.rollback().await.expect("an open transaction");
    Ok(())
}

/// At the newest final block that was read, no vault held less than the ledger says. Skips a block that a reorganization
/// has removed meanwhile, vaults that are stopped because the ledger has refused a part of what happened in them,
/// vaults that may hold too little because a token has lied, and NFTs that their album has taken.
async fn vaults_held_what_the_ledger_says(world: &mut World) -> Result<()> {
    let mut tx = world.market.database.store.begin().await.expect("a transaction");
    let chain = store::catalog::escrow_chain(&mut tx).await.expect("a chain").expect("a chain");
    let block = match chain.confirmed {
        Some(number) => store::blocks::at(&mut tx, chain.id, number).await.expect("a block"),
        None => None,
    };
    let custody = store::ledger::custody_by_vault(&mut tx).await.expect("custody");
    let stopped = store::vault_stops::of(&mut tx, Cause::Refused).await.expect("stops");
    tx.rollback().await.expect("an open transaction");
    let Some(block) = block else { return Ok(()) };
    let behind: Vec<_> = stopped.into_iter().map(|at| (world.user(at.vault).user.vault, at.asset)).collect();
    let told: Vec<_> = custody
        .into_iter()
        .filter(|(vault, asset, _)| !behind.contains(&(*vault, *asset)))
        .filter(|(vault, asset, _)| {
            let token = world.token(*asset);
            !world.uncovered.contains(&(*vault, token)) && !world.mirror.seized.contains(&token)
        })
        .collect();
    let holders: Vec<_> = told.iter().map(|(vault, asset, _)| (*vault, world.token(*asset))).collect();
    let node = world.script.node();
    let Ok(holdings) = chain::holdings::at_block(&node, block.hash, &holders).await else { return Ok(()) };
    for ((vault, asset, says), held) in told.into_iter().zip(holdings) {
        if let Ok(held) = held
            && held < says
        {
            let number = block.number;
            return Err(Bug(format!(
                "vault {vault} held {held:?} of {asset:?} at block {number}, the ledger says {says:?}"
            )));
        }
    }
    Ok(())
}

/// A command is recorded if and only if it was executed, and the row exists that it has created.
fn acknowledged_is_recorded(world: &mut World) -> Result<()> {
    for Judged { intent, executed } in std::mem::take(&mut world.commands.judged) {
        let recorded = world.mirror.keys.contains(&(intent.user(), intent.key().to_owned()));
        if recorded != executed.is_some() {
            return Err(Bug(format!("{intent:?}: recorded {recorded}, reply {executed:?}")));
        }
        let exists = match (intent.creates(), executed.and_then(|response| response.id)) {
            (Some("adverts"), Some(id)) => world.mirror.adverts.contains_key(&AdvertId(id)),
            (Some("orders"), Some(id)) => world.mirror.orders.contains_key(&OrderId(id)),
            _ => true,
        };
        if !exists {
            return Err(Bug(format!("{intent:?} was acknowledged and has created nothing")));
        }
    }
    Ok(())
}

/// At the end, in addition: nothing is open or owed, the chain holds what the ledger says, everyone has received
/// exactly what was paid to them, and every command was executed once.
pub(crate) async fn at_rest(world: &mut World) -> Result<()> {
    after_step(world).await?;
    if let Some(wrong) = world.market.inspect(&mut world.inspector).await {
        return Err(Bug(wrong));
    }
    for (what, query) in [
        (
            "wrong numbers of unread messages",
            "select count(*) from conversations c join orders o on o.id = c.order_id
             where unread <> (select count(*) from order_log l where l.order_id = o.id and l.number > c.read_to
                              and l.kind <> 'SYSTEM' and l.author <> case when (o.taker = c.user_id) = (o.side = 'SELL')
                                                                          then 'BUYER' else 'SELLER' end)",
        ),
        ("open orders", "select count(*) from orders where is_open"),
        ("open adverts", "select count(*) from adverts where is_open"),
        ("open funding requests", "select count(*) from funding_requests where state = 'open'"),
        ("legs owed", "select count(*) from payout_legs where state = 'owed'"),
        ("stopped vaults", "select count(*) from vault_stops"),
        (
            "hours or days whose sums are wrong",
            "select count(*) from (
                 select pair_id, period, date_trunc(period::text, settled_at, 'UTC') as start, count(*) as trades,
                        sum(quantity) as quantity, sum(total) as total, max(price) as high, min(price) as low,
                        (array_agg(price order by settled_at, id))[1] as open,
                        (array_agg(price order by settled_at desc, id desc))[1] as close
                 from orders cross join unnest(enum_range(null::trade_period)) period
                 where state = 'COMPLETED' group by 1, 2, 3
             ) o full join pair_periods p using (pair_id, period, start)
             where (o.trades, o.quantity, o.total, o.high, o.low, o.open, o.close)
                   is distinct from (p.trades, p.quantity, p.total, p.high, p.low, p.open, p.close)",
        ),
    ] {
        let count = world.count(query).await;
        if count != 0 {
            return Err(Bug(format!("{count} {what} at the end")));
        }
    }
    for (kind, query) in [
        ("adverts", "select count(*) from adverts"),
        ("orders", "select count(*) from orders"),
        ("withdrawals", "select count(*) from payouts where purpose = 'withdrawal'"),
    ] {
        let (rows, known) = (world.count(query).await, world.commands.created.get(kind).map_or(0, BTreeMap::len));
        if usize::try_from(rows) != Ok(known) {
            return Err(Bug(format!("{rows} {kind} exist, {known} were acknowledged")));
        }
    }
    vaults_hold_what_the_ledger_says(world).await?;
    owners_of_nfts_are_known(world).await?;
    recipients_were_paid_once(world).await?;
    let events = world.count("select count(*) from outbox_events").await;
    for reader in 0..world.tails.len() {
        // A transaction in another database of the server can hold back the newest events.
        let began = Instant::now();
        loop {
            world.read_events(reader).await?;
            let received: i64 = world.received[reader].values().sum();
            if received == events {
                break;
            }
            if received > events || began.elapsed() > PATIENCE {
                return Err(Bug(format!("of {events} events, a reader received {received}")));
            }
            tokio::task::yield_now().await;
        }
    }
    Ok(())
}

/// A vault never holds less than the ledger says. It holds more only if a token has lied:
/// then the platform cannot tell which of its logs are true, and an officer decides.
async fn vaults_hold_what_the_ledger_says(world: &mut World) -> Result<()> {
    let mut tx = world.market.database.store.begin().await.expect("a transaction");
    let custody = store::ledger::custody_by_vault(&mut tx).await.expect("custody");
    tx.rollback().await.expect("an open transaction");
    let coins = [world.market.mec, world.market.usdt];
    let mut owed: BTreeMap<(Address, Token), i128> =
        world.users.iter().flat_map(|user| coins.map(|coin| ((user.user.vault, world.token(coin)), 0))).collect();
    for (token, holder) in world.script.nfts() {
        if world.owner(holder).is_some() {
            owed.insert((holder, token), 0);
        }
    }
    owed.extend(custody.into_iter().map(|(vault, asset, amount)| ((vault, world.token(asset)), amount.units())));
    for ((vault, token), says) in owed {
        let holds = world.script.holding(vault, token).map_or(-1, Amount::units);
        let lied = world.lied.contains(&(vault, token));
        if holds < says || (holds > says && !lied) {
            return Err(Bug(format!("vault {vault} holds {holds} of {token:?}, the ledger says {says}")));
        }
    }
    Ok(())
}

/// The last transfer of each NFT that the platform has recorded went to its owner, unless its contract has lied.
async fn owners_of_nfts_are_known(world: &mut World) -> Result<()> {
    let mut tx = world.market.database.store.begin().await.expect("a transaction");
    let nfts: Vec<_> = world.mirror.nfts.keys().copied().collect();
    let holders = store::nfts::holders(&mut tx, &nfts).await.expect("holders");
    tx.rollback().await.expect("an open transaction");
    let lied: BTreeSet<_> = world.lied.iter().map(|(_, token)| *token).collect();
    let owners = world.script.nfts();
    for (asset, token) in world.mirror.nfts.iter().filter(|(_, token)| !lied.contains(token)) {
        // Nobody has an NFT that is burned.
        let knows = holders.get(asset).filter(|holder| **holder != Address([0; 20]));
        let owner = owners.get(token);
        if knows != owner {
            return Err(Bug(format!("the platform says that {knows:?} has {token:?}, but {owner:?} has it")));
        }
    }
    Ok(())
}

/// The bound address of each user has received exactly the legs that were paid to it: everything else that it received
/// it sent on.
async fn recipients_were_paid_once(world: &mut World) -> Result<()> {
    let query =
        "select recipient, asset_id, sum(amount)::text as sum from payout_legs where state = 'paid' group by 1, 2";
    let rows = sqlx::query(query).fetch_all(&mut world.inspector).await.expect("legs");
    let paid: BTreeMap<(Vec<u8>, i64), i128> = rows
        .into_iter()
        .map(|row| ((row.get(0), row.get(1)), row.get::<String, _>("sum").parse().expect("a number")))
        .collect();
    for place in 0..world.users.len() {
        let bound: Address = world.users[place].user.bound.expect("a bound address");
        for asset in [world.market.mec, world.market.usdt] {
            let due = paid.get(&(bound.as_slice().to_vec(), asset.0)).copied().unwrap_or_default();
            let token: Token = world.token(asset);
            let has = world.script.holding(bound, token).map_or(-1, Amount::units);
            // After a reorganization of final blocks, an attempt from before a redirection may be mined.
            let redirected = world.count_redirected(bound, asset).await;
            if !(due..=due + redirected).contains(&has) {
                let query = "select coalesce(string_agg(l::text, E'\\n'), '') from payout_legs l
                             where recipient = $1 or redirected_from = $1";
                let legs: String = sqlx::query_scalar(query)
                    .bind(bound.as_slice())
                    .fetch_one(&mut world.inspector)
                    .await
                    .expect("legs");
                return Err(Bug(format!("{bound} received {has} of {asset:?}, {due} was paid by\n{legs}")));
            }
        }
    }
    Ok(())
}
