//! The demo world: users, a year of trades, open adverts and an order for a visitor, an open appeal, and officers.
//!
//! Everything is created as by users: accounts with the pass and a code by mail, trades with the product's commands,
//! and coins with transactions that the worker reads and pays on the chain. Only time is simulated: the script runs on
//! a stopped clock, from a year ago until now.

mod accounts;
mod acting;
mod dispute;
mod gallery;
mod officers;
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

/// The duration of all registrations at the start of the script.
const REGISTERING: Duration = Duration::hours(2);
/// The time between the alleged payment of the disputed order and the end of the script.
const DISPUTED_SINCE: Duration = Duration::minutes(13);
/// The time between the payment of the order left for a visitor and the end of the script.
const WAITING_SINCE: Duration = Duration::minutes(3);
/// The time before a round in which nothing else happens and NFTs are traded.
const GALLERY_TAKES: Duration = Duration::hours(2);
/// The time after which NFTs are brought into custody that nobody sells.
const KEPT_AFTER: Duration = Duration::minutes(10);
/// The number of trades after which progress is printed.
const TOLD_EVERY: usize = 20;

/// Returns the time at which the script of a new demo world begins. The chain must not begin later.
pub(crate) fn beginning(now: Timestamp) -> Timestamp {
    after(now, -script::LENGTH)
}

/// The parts of the environment that the script uses.
pub(crate) struct Ground<'a> {
    /// The product's database, as `migrate` leaves it.
    pub(crate) store: Store,
    /// The chain, with the contracts deployed. No other process mines blocks meanwhile.
    pub(crate) node: Node,
    pub(crate) people: Vec<Person>,
    pub(crate) settler: LocalSigner,
    pub(crate) pass: &'a PassEmulator,
    pub(crate) around: &'a Surroundings,
    /// The port of the mail sink's page.
    pub(crate) mail_page: u16,
}

/// Plays the whole script. If it is interrupted, the environment must be created again.
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
    let calm = script::calm(&rounds, GALLERY_TAKES);
    let (last_calm, sales) = calm.split_last().context("the script has no calm hours")?;
    let sales: BTreeMap<_, _> = sales.iter().rev().copied().zip(gallery::SOLD.iter().rev()).collect();
    for (number, round) in rounds.iter().enumerate() {
        if let Some((garden, buyer)) = sales.get(&number) {
            actors.sell(garden, *buyer, after(round.at, -GALLERY_TAKES)).await.context("a sale of an NFT")?;
        }
        if number == *last_calm {
            let (gardens, at): (Vec<_>, _) = (gallery::FOR_SALE.iter().collect(), after(round.at, -GALLERY_TAKES));
            actors.put_up(&gardens, at).await.context("NFTs for sale")?;
            actors.keep(&gallery::KEPT, after(at, KEPT_AFTER)).await.context("NFTs in custody")?;
        }
        open = actors.play(round, &open).await.with_context(|| format!("the round of {}", round.at))?;
        done = done.saturating_add(script::trades(std::slice::from_ref(round)));
        if done >= told.saturating_add(TOLD_EVERY) {
            told = done;
            tell(&format!("{done} of {trades} trades, {}", round.at.format("%-d %B %Y")));
        }
    }
    desk.officers(&around.console_key_file).await?;
    let files = dispute::files(&actors.stage.context, &around.files_folder)?;
    actors.leave_disputed(&script::DISPUTED, &open, after(end, -DISPUTED_SINCE), &files).await?;
    actors.leave_waiting(&script::WAITING, &open, after(end, -WAITING_SINCE)).await?;
    actors.stage.close(Utc::now()).await
}

async fn register(desk: &Desk<'_>, people: &[Person], pass: &PassEmulator) -> anyhow::Result<BTreeMap<Name, Trader>> {
    desk.make_key().await?;
    let one = async |who: &'static Who| {
        let person = people.get(who.account).context("the chain has too few accounts")?;
        pass.introduce(person.address, who.first_name(), who.region, who.kyc)?;
        let trader = desk.register(who, person.address).await;
        Ok::<_, anyhow::Error>((who.name, trader.with_context(|| format!("cannot register {}", who.nickname))?))
    };
    Ok(try_join_all(PEOPLE.iter().map(one)).await?.into_iter().collect())
}

/// Prints a line of progress in the supervisor's format.
fn tell(what: &str) {
    println!("  {:<14} {what} …", "demo world");
}
