//! The demo world: people, a year of trades, and adverts that wait for a visitor.
//!
//! Everything in it came about as it does for everybody: accounts by the pass and a code by mail, trades by the product's
//! commands, coins by transactions that the worker read from the chain and paid there. Only time is made: the story plays
//! on the stopped clock, from a year ago to now.

mod accounts;
mod acting;
mod page;
mod people;
mod prices;
mod script;
mod stage;

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::Context as _;
use chain::signer::LocalSigner;
use chrono::{Duration, SubsecRound as _, Utc};
use domain::clock::{Timestamp, after};
use futures::future::try_join_all;
use store::Store;

use crate::pass_emulator::PassEmulator;
use crate::people::Person;
use crate::product::Surroundings;
use crate::rpc::Node;
use accounts::{Desk, Trader};
use acting::Actors;
use people::{Name, PEOPLE, Who};
use stage::Stage;

pub(crate) use page::print;

/// How long the accounts take, at the beginning of the story.
const REGISTERING: Duration = Duration::hours(2);
/// When the order that waits was paid, before the end.
const WAITING_SINCE: Duration = Duration::minutes(3);
/// After how many trades the progress is told.
const TOLD_EVERY: usize = 20;

/// When the story of a world that is made now begins: its chain may not begin later.
pub(crate) fn beginning(now: Timestamp) -> Timestamp {
    after(now, -script::LENGTH)
}

/// What the story needs of the world.
pub(crate) struct Ground<'a> {
    /// The product's database, empty but for what `migrate` writes.
    pub(crate) store: Store,
    /// The chain, with the contracts on it. Nobody else makes blocks meanwhile.
    pub(crate) node: Node,
    /// Its people.
    pub(crate) people: Vec<Person>,
    /// The key that settles.
    pub(crate) settler: LocalSigner,
    /// The pass.
    pub(crate) pass: &'a PassEmulator,
    /// What else is around.
    pub(crate) around: &'a Surroundings,
    /// Where the mails are read.
    pub(crate) mail_page: u16,
}

/// Tells the story. A world in which it was not told to its end is of no use.
pub(crate) async fn fill(ground: Ground<'_>) -> anyhow::Result<()> {
    let end = Utc::now().trunc_subsecs(0);
    let rounds = script::story(end)?;
    let trades = script::trades(&rounds);
    let Ground { store, node, people, settler, pass, around, mail_page } = ground;

    let stage = Stage::open(store, node, Arc::new(settler), after(beginning(end), REGISTERING)).await?;
    let desk = Desk::open(stage.context.clone(), pass, around, mail_page)?;
    let traders = register(&desk, &people, pass).await?;
    tell(&format!("{} people have accounts", traders.len()));

    let mut actors = Actors::gather(stage, traders).await?;
    let mut open = Vec::new();
    let (mut done, mut told) = (0_usize, 0_usize);
    for round in &rounds {
        open = actors.play(round, &open).await.with_context(|| format!("the round of {}", round.at))?;
        done = done.saturating_add(script::trades(std::slice::from_ref(round)));
        if done >= told.saturating_add(TOLD_EVERY) {
            told = done;
            tell(&format!("{done} of {trades} trades, {}", round.at.format("%-d %B %Y")));
        }
    }
    actors.leave_waiting(&script::WAITING, &open, after(end, -WAITING_SINCE)).await?;
    actors.stage.close(Utc::now()).await
}

async fn register(desk: &Desk<'_>, people: &[Person], pass: &PassEmulator) -> anyhow::Result<BTreeMap<Name, Trader>> {
    desk.make_key().await?;
    let one = async |who: &'static Who| {
        let person = people.get(who.account).context("the chain has too few accounts")?;
        pass.introduce(person.address, who.first_name(), who.region, who.kyc)?;
        let trader = desk.register(who, person.address).await;
        Ok::<_, anyhow::Error>((who.name, trader.with_context(|| format!("{} got no account", who.nickname))?))
    };
    Ok(try_join_all(PEOPLE.iter().map(one)).await?.into_iter().collect())
}

/// A line of progress, in the manner of the supervisor's own.
fn tell(what: &str) {
    println!("  {:<14} {what} …", "demo world");
}
