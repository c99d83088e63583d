//! Blocks, reorganizations, recipients that refuse coins, and tokens that lie.

use chain::scripted::Wrote;
use domain::chain::{Address, Reference, Token};
use testkit::market::USDT_CONTRACT;

use crate::draws::Draws;
use crate::{Result, World};

super::actions! {
    "mine", 220, mine;
    "reorganize", 25, reorganize;
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
    let lost = world.script.scheduled_in_newest(depth);
    world.script.rewind(depth, draws.chance(30));
    world.reorganized = true;
    world.counts.add("reorganizations", 1);
    world.counts.add("blocks replaced", depth);
    world.lost.extend(lost.into_iter().filter(|(_, from, ..)| *from != NOBODY));
    // A new chain is at least as long when nodes adopt it.
    for _ in 0..=depth {
        world.script.mine();
    }
    Ok(())
}

async fn drop_sent_transactions(world: &mut World, _draws: &mut Draws) -> Result<()> {
    world.script.forget_sent();
    Ok(())
}

async fn refuse_coins(world: &mut World, draws: &mut Draws) -> Result<()> {
    let person = &draws.pick(&world.users).expect("a user").person;
    world.script.refuse(person.bound.expect("a bound address"), true);
    Ok(())
}

async fn accept_coins(world: &mut World, _draws: &mut Draws) -> Result<()> {
    world.everybody_accepts_coins();
    Ok(())
}

/// An officer voids the reference of a leg that waits, often one of a pair.
async fn void(world: &mut World, draws: &mut Draws) -> Result<()> {
    let pairs = world.owed_beside("owed").await;
    let legs = if pairs.is_empty() || draws.chance(40) { world.owed().await } else { pairs };
    if let Some(reference) = draws.pick(&legs) {
        world.script.void(Reference(*reference));
        world.counts.add("voids", 1);
    }
    Ok(())
}

/// The contract of a token logs a transfer without moving anything.
async fn lie(world: &mut World, draws: &mut Draws) -> Result<()> {
    let person = &draws.pick(&world.users).expect("a user").person;
    let from = person.bound.expect("a bound address");
    let amount = testkit::market::usdt("25");
    world.script.write(Wrote::transfer(Token::Erc20(USDT_CONTRACT), from, person.vault, amount));
    world.lied.insert((person.vault, Token::Erc20(USDT_CONTRACT)));
    world.counts.add("lies of tokens", 1);
    Ok(())
}
