//! Blocks, reorganizations, recipients that refuse coins, and tokens that lie.

use std::collections::BTreeSet;

use chain::node::Node as _;
use chain::scripted::Wrote;
use domain::chain::{Address, Reference, Token};
use domain::money::Amount;
use testkit::market::{CONFIRMATIONS, USDT_CONTRACT};

use crate::draws::Draws;
use crate::world::Process;
use crate::{Result, World, invariants};

super::actions! {
    "mine", 220, mine;
    "reorganize", 25, reorganize;
    "remove a final payout", 14, remove_a_final_payout;
    "return a deposit as a lie", 14, return_a_deposit_as_a_lie;
    "drop sent transactions", 6, drop_sent_transactions;
    "refuse coins", 6, refuse_coins;
    "accept coins", 10, accept_coins;
    "void a payout", 10, void;
    "log a transfer that did not happen", 4, lie;
}

/// The sender of coins that come from elsewhere.
const NOBODY: Address = Address([0; 20]);
/// The deepest reorganization.
const DEEPEST: usize = 64;

async fn mine(world: &mut World, draws: &mut Draws) -> Result<()> {
    for _ in 0..=draws.below(4) {
        world.script.mine();
    }
    Ok(())
}

/// Replaces the newest blocks, mostly few of them. The transactions of users in them are lost.
async fn reorganize(world: &mut World, draws: &mut Draws) -> Result<()> {
    let depth = 1 + if draws.chance(85) { draws.below(4) } else { draws.below(DEEPEST) };
    rewind(world, draws, depth);
    grow(world, depth);
    Ok(())
}

/// Removes the newest blocks. Returns the transfers of users in them.
fn rewind(world: &mut World, draws: &mut Draws, depth: usize) -> Vec<(Token, Address, Address, Amount)> {
    let lost = world.script.scheduled_in_newest(depth);
    world.script.rewind(depth, draws.chance(30));
    world.reorganized = true;
    world.counts.add("reorganizations", 1);
    world.counts.add("blocks replaced", depth);
    let lost: Vec<_> = lost.into_iter().filter(|(_, from, ..)| *from != NOBODY).collect();
    world.lost.extend(lost.iter().copied());
    let into = lost.iter().map(|(token, _, to, _)| (*to, *token));
    world.uncovered.extend(into.filter(|vault| world.lied.contains(vault)));
    lost
}

/// Mines the blocks that replace the removed ones: a new chain is longer when nodes adopt it.
fn grow(world: &World, depth: usize) {
    for _ in 0..=depth {
        world.script.mine();
    }
}

/// Pays what is owed after all deposits, and then replaces the blocks of these payouts, which contain no deposit.
async fn remove_a_final_payout(world: &mut World, draws: &mut Draws) -> Result<()> {
    world.confirm_blocks();
    world.catch_up(Process::Second).await?;
    invariants::after_step(world).await?;
    world.resume_payouts().await?;
    world.catch_up(Process::Second).await?;
    let newest = "select coalesce(max(block_number), 0) from settlements where confirmed_at is not null
                  and outcome in ('paid', 'voided')
                  and block_number > (select coalesce(max(block_number), 0) from deposits where revoked_at is null)";
    if let Some(depth) = depth_of(world, newest).await {
        rewind(world, draws, depth);
        grow(world, depth);
        world.counts.add("final payouts removed", 1);
    }
    Ok(())
}

/// Replaces the blocks from the newest credited deposit of a token on. The token logs the same transfers again in the new
/// blocks, but some of them without moving anything.
async fn return_a_deposit_as_a_lie(world: &mut World, draws: &mut Draws) -> Result<()> {
    let newest = "select coalesce(max(block_number), 0) from deposits join assets on assets.id = asset_id
                  where revoked_at is null and position is not null and contract is not null";
    let Some(depth) = depth_of(world, newest).await else { return Ok(()) };
    let vaults: BTreeSet<_> = world.users.iter().map(|user| user.user.vault).collect();
    let lost = rewind(world, draws, depth);
    for (token, from, to, amount) in lost.into_iter().filter(|(token, _, to, _)| *token != Token::Native && vaults.contains(to)) {
        if draws.chance(70) {
            world.script.write(Wrote::transfer(token, from, to, amount));
            world.lied.insert((to, token));
            world.counts.add("lies of tokens", 1);
        } else {
            world.send(token, from, to, amount);
        }
    }
    // All of it is final when a worker reads it.
    grow(world, depth + usize::try_from(CONFIRMATIONS).expect("small"));
    Ok(())
}

/// How many of the newest blocks a reorganization replaces that removes a block: the newest one that the query finds.
async fn depth_of(world: &mut World, block: &'static str) -> Option<usize> {
    let block = u64::try_from(world.count(block).await).expect("a height");
    let head = world.script.node().head().await.expect("a healthy node");
    let depth = usize::try_from((head + 1).checked_sub(block)?).expect("small");
    (block > 0 && depth <= DEEPEST).then_some(depth)
}

async fn drop_sent_transactions(world: &mut World, _draws: &mut Draws) -> Result<()> {
    world.script.forget_sent();
    Ok(())
}

async fn refuse_coins(world: &mut World, draws: &mut Draws) -> Result<()> {
    let person = &draws.pick(&world.users).expect("a user").user;
    world.script.refuse(person.bound.expect("a bound address"), true);
    Ok(())
}

async fn accept_coins(world: &mut World, _draws: &mut Draws) -> Result<()> {
    world.everybody_accepts_coins();
    Ok(())
}

/// An officer voids the reference of a leg that waits, often one of a pair.
async fn void(world: &mut World, draws: &mut Draws) -> Result<()> {
    let pairs = world.owed_in_pairs().await;
    let legs = if pairs.is_empty() || draws.chance(40) { world.owed().await } else { pairs };
    if let Some(reference) = draws.pick(&legs) {
        world.script.void(Reference(*reference));
        world.counts.add("voids", 1);
    }
    Ok(())
}

/// The contract of a token logs a transfer without moving anything.
async fn lie(world: &mut World, draws: &mut Draws) -> Result<()> {
    let person = &draws.pick(&world.users).expect("a user").user;
    let from = person.bound.expect("a bound address");
    let amount = testkit::market::usdt("25");
    world.script.write(Wrote::transfer(Token::Erc20(USDT_CONTRACT), from, person.vault, amount));
    world.lied.insert((person.vault, Token::Erc20(USDT_CONTRACT)));
    world.counts.add("lies of tokens", 1);
    Ok(())
}
