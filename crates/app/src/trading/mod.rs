//! Trading: adverts and orders, asked of in sets.
//!
//! A set is loaded and locked, each command decided in memory by the domain's rules in the order in which it came, and
//! everything written at once. If that fails, the set is halved until the command that it fails for runs alone: one
//! command never fails its neighbours. A person's command is remembered with its answer in the same commit; sent again, it is answered the same.

mod command;
pub(crate) mod draft;
pub(crate) mod offer;
mod open;
mod view;
pub(crate) mod world;

use std::collections::BTreeMap;

use domain::adverts;
use domain::claims::Holder;
use domain::ids::UserId;
use domain::orders;
use domain::refusal::Refusal;
use store::commands::{self, Record};

pub(crate) use open::quantity_at;

pub use command::{Answer, Asker, Command, PlaceOrder, PostAdvert, Size, What};
pub use view::{
    AdvertView, ClaimView, OrderView, PayoutLegView, PayoutView, SeenPayment, advert, adverts_of, decimals_of,
    is_online, mark_read, order, orders_of, pairs,
};

use crate::{Context, Error, Result, maintenance};
use draft::Draft;
use world::{Keys, World};

/// What came of one command of a set. An error means that this command changed nothing.
pub type Reply = Result<Answer>;

/// Carries out some commands, each with its own reply, in the order in which they came.
///
/// A set that fails is rolled back and halved until whatever made it fail stands alone: a row that makes no sense, or a
/// statement that the database refuses, fails only the commands that need it. While the database is gone all fail.
pub async fn execute(context: &Context, set: &[Command]) -> Vec<Reply> {
    let mut replies = Vec::with_capacity(set.len());
    // The parts that are still to be carried out; the next one is the last.
    let mut parts = vec![set];
    while let Some(part) = parts.pop() {
        let failure = match attempt(context, part).await {
            Ok(decided) => {
                replies.extend(decided.into_iter().map(|reply| reply.map_err(Error::from)));
                continue;
            }
            Err(failure) => failure,
        };
        match (failure, part) {
            (Failure::Gone(what), _) => {
                replies.resize_with(set.len(), || Err(Error::Unavailable { what }));
                break;
            }
            (_, []) => {}
            (failure, [command]) => replies.push(alone(context, command, failure).await),
            (_, several) => {
                let (first, rest) = several.split_at(several.len().div_euclid(2));
                parts.extend([rest, first]);
            }
        }
    }
    replies
}

/// How often a command is tried anew after the database has refused it: the second time it sees what was in its way.
const ATTEMPTS: u32 = 3;

/// What comes of a command that failed by itself.
async fn alone(context: &Context, command: &Command, mut failure: Failure) -> Reply {
    for _ in 0..ATTEMPTS {
        if !matches!(failure, Failure::Store(store::Error::Refused { .. } | store::Error::Conflict)) {
            break;
        }
        match attempt(context, std::slice::from_ref(command)).await {
            Ok(mut decided) => {
                let reply = decided.pop().ok_or_else(|| Error::Internal("a set without a reply".to_owned()))?;
                return reply.map_err(Error::from);
            }
            Err(next) => failure = next,
        }
    }
    Err(match failure {
        Failure::Gone(what) => Error::Unavailable { what },
        Failure::Store(error) if error.is_refused_by(store::claims::ONE_OPEN) => Refusal::ClaimOpen.into(),
        Failure::Store(error) => {
            if let store::Error::Row { table, row, why } = &error {
                tracing::error!(table, row, why, "a command needs a row that makes no sense");
            }
            error.into()
        }
        Failure::Defect(error) => error,
    })
}

/// What the rules say to one command of a set.
type Decided = std::result::Result<Answer, Refusal>;

/// Why a set was rolled back.
enum Failure {
    /// What every command needs cannot be reached.
    Gone(&'static str),
    /// A row that makes no sense, a statement that was refused, another transaction in the way.
    Store(store::Error),
    /// A defect of ours.
    Defect(Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::Unavailable { what } => Self::Gone(what),
            other => Self::Defect(other),
        }
    }
}

impl From<store::Error> for Failure {
    fn from(error: store::Error) -> Self {
        match error {
            store::Error::Unavailable(_) => Error::from(error).into(),
            other => Self::Store(other),
        }
    }
}

/// Carries out a set in one transaction: all of it, or nothing.
async fn attempt(context: &Context, set: &[Command]) -> std::result::Result<Vec<Decided>, Failure> {
    let (mut tx, now) = context.begin().await?;
    let mut keys = Keys::default();
    for command in set {
        command.keys(&mut keys);
        if let (Asker::Person { user, .. }, What::Switch { .. }) = (&command.asker, &command.what) {
            keys.adverts.extend(store::adverts::open_of(&mut tx, *user).await?);
        }
    }
    let mut world = World::load(context, &mut tx, now, keys).await?;
    if set.iter().any(|command| matches!(command.what, What::AdvertDue(_) | What::OrderDue(_))) {
        world.deadlines_wait = maintenance::deadlines_wait(&mut tx, now).await?;
    }
    // After the locks: an equal command that was under way has been remembered by now.
    let mut replayed = remembered(&mut tx, set).await?;
    let facts = open::Facts::load(&mut tx, &world, set).await?;
    let free = offer::Free::load(&mut tx, &world, set).await?;

    let mut replies = Vec::with_capacity(set.len());
    let mut fresh = Vec::new();
    for command in set {
        let reply = match command.replay(&replayed) {
            Some(reply) => reply,
            None => match decide(&world, &facts, &free, command).and_then(|decided| facts.admits(command, decided)) {
                Ok((draft, answer)) => {
                    world.accept(draft);
                    if let Some(record) = command.record(answer)? {
                        replayed.insert((record.user, record.key.clone()), record.clone());
                        fresh.push(record);
                    }
                    Ok(answer)
                }
                Err(refusal) => Err(refusal),
            },
        };
        replies.push(reply);
    }
    world.write(&mut tx).await.map_err(|error| match error {
        world::WriteError::Store(error) => Failure::from(error),
        world::WriteError::Other(error) => Failure::Defect(error),
    })?;
    commands::remember(&mut tx, &fresh, now).await?;
    tx.commit().await?;
    Ok(replies)
}

async fn remembered(
    tx: &mut store::Tx,
    set: &[Command],
) -> std::result::Result<BTreeMap<(UserId, String), Record>, Failure> {
    let keys: Vec<_> = set
        .iter()
        .filter_map(|command| match &command.asker {
            Asker::Person { user, key, .. } => Some((*user, key.as_str())),
            Asker::System => None,
        })
        .collect();
    let records = commands::find(tx, &keys).await?;
    Ok(records.into_iter().map(|record| ((record.user, record.key.clone()), record)).collect())
}

/// Decides one command on the world as the commands before it left it.
fn decide(
    world: &World,
    facts: &open::Facts,
    free: &offer::Free,
    command: &Command,
) -> std::result::Result<(Draft, Answer), Refusal> {
    let mut draft = Draft::default();
    let person = || match &command.asker {
        Asker::Person { user, .. } => Ok(*user),
        Asker::System => Err(Refusal::SessionInvalid),
    };
    let answer = match &command.what {
        What::PostAdvert(wanted) => open::advert(&mut draft, world, facts, person()?, wanted)?,
        What::PlaceOrder(wanted) => open::order(&mut draft, world, facts, person()?, wanted)?,
        What::Advert { id, seen, act } => {
            let advert = draft.advert(world, *id)?;
            let by = adverts::By { user: person()?, seen: *seen };
            match adverts::decide(&advert, &by, act, &world.advert_facts(&advert))? {
                adverts::Outcome::Done(done) => {
                    let version = done.advert.version;
                    draft.advert_changed(world, done.advert, done.effects)?;
                    Answer { id: Some(id.0), version }
                }
                adverts::Outcome::AlreadyDone => Answer { id: Some(id.0), version: advert.version },
            }
        }
        What::Order { id, seen, act, password_verified } => {
            if matches!(act, orders::Act::MarkPaid { receipts, .. } if !receipts.is_empty()) {
                // Nothing can be uploaded yet: whatever these name, it is no picture of a receipt.
                return Err(Refusal::Invalid { field: "receipts", reason: "no such file" });
            }
            let order = world.without_standstills(draft.order(world, *id)?);
            let by = orders::By { user: person()?, seen: *seen, password_verified: *password_verified };
            match orders::decide(&order, &by, act, &world.order_facts(&order))? {
                orders::Outcome::Done(done) => {
                    let version = done.order.version;
                    draft.order_changed(world, done.order, done.effects)?;
                    Answer { id: Some(id.0), version }
                }
                orders::Outcome::AlreadyDone => Answer { id: Some(id.0), version: order.version },
            }
        }
        What::Offer { holder, amount } => offer::offer(&mut draft, world, free, person()?, *holder, *amount)?,
        What::Switch { online } => {
            switch(&mut draft, world, person()?, *online)?;
            Answer { id: None, version: 0 }
        }
        What::AdvertDue(id) => {
            let advert = draft.advert(world, *id)?;
            if !world.deadlines_wait && advert.due_at().is_some_and(|at| world.now >= at) {
                draft.advert_event(world, *id, &adverts::Event::WindowPassed)?;
            }
            Answer { id: Some(id.0), version: draft.advert(world, *id)?.version }
        }
        What::OrderDue(id) => {
            let order = draft.order(world, *id)?;
            if let Some(event) = order.due(world.now).filter(|_| !world.deadlines_wait) {
                draft.order_event(world, *id, &event)?;
            }
            Answer { id: Some(id.0), version: draft.order(world, *id)?.version }
        }
        What::AdvertStood { id, from, until } => {
            draft.advert_event(world, *id, &adverts::Event::Outage { from: *from, until: *until })?;
            Answer { id: Some(id.0), version: draft.advert(world, *id)?.version }
        }
        What::OrderStood { id, from, until } => {
            draft.order_event(world, *id, &orders::Event::Outage { from: *from, until: *until })?;
            Answer { id: Some(id.0), version: draft.order(world, *id)?.version }
        }
    };
    Ok((draft, answer))
}

/// Turns a person's switch; all their adverts follow it. Running orders go on. Whoever goes offline is told, in all their
/// windows: they may have done it, or logged out, in another.
fn switch(draft: &mut Draft, world: &World, user: UserId, online: bool) -> std::result::Result<(), Refusal> {
    let was_online = world.person(user)?.online;
    draft.switches.push((user, online));
    if was_online && !online {
        draft.news.push(draft::set_offline(user));
    }
    let mine: Vec<_> =
        world.adverts.values().filter(|advert| advert.terms.owner == user).map(|advert| advert.id).collect();
    for advert in mine {
        draft.advert_event(world, advert, &adverts::Event::Switched { online })?;
    }
    Ok(())
}

impl Command {
    fn keys(&self, keys: &mut Keys) {
        if let Asker::Person { user, .. } = &self.asker {
            keys.people.insert(*user);
        }
        match &self.what {
            What::PostAdvert(_) | What::Switch { .. } => {}
            What::Advert { id, .. }
            | What::AdvertDue(id)
            | What::AdvertStood { id, .. }
            | What::Offer { holder: Holder::Advert(id), .. } => {
                keys.adverts.insert(*id);
            }
            What::PlaceOrder(order) => {
                keys.adverts.insert(order.advert);
            }
            What::Order { id, .. }
            | What::OrderDue(id)
            | What::OrderStood { id, .. }
            | What::Offer { holder: Holder::Order(id), .. } => {
                keys.orders.insert(*id);
            }
        }
    }

    /// The answer that was given to this very command, if it was carried out before.
    fn replay(&self, remembered: &BTreeMap<(UserId, String), Record>) -> Option<Decided> {
        let Asker::Person { user, key, fingerprint } = &self.asker else { return None };
        let record = remembered.get(&(*user, key.clone()))?;
        if record.fingerprint != *fingerprint {
            return Some(Err(Refusal::KeyReused));
        }
        Some(serde_json::from_value(record.answer.clone()).map_err(|_| Refusal::KeyReused))
    }

    fn record(&self, answer: Answer) -> Result<Option<Record>> {
        let Asker::Person { user, key, fingerprint } = &self.asker else { return Ok(None) };
        let answer = serde_json::to_value(answer).map_err(|error| Error::Internal(error.to_string()))?;
        Ok(Some(Record { user: *user, key: key.clone(), fingerprint: *fingerprint, answer }))
    }
}
