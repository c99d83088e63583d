//! Trading: adverts and orders, asked of in sets.
//!
//! A set is loaded and locked, each command decided in memory by the domain's rules in the order in which it came, and
//! everything written at once. If that fails, the set is halved until the command that it fails for runs alone: one
//! command never fails its neighbours. A person's command is remembered with its answer in the same commit; sent again, it is answered the same.

pub(crate) mod changes;
mod command;
pub(crate) mod fund_from_balance;
mod open;
pub(crate) mod unit_of_work;
mod view;

use std::collections::BTreeMap;

use domain::adverts;
use domain::funding::FundingTarget;
use domain::ids::UserId;
use domain::orders;
use domain::refusal::Refusal;
use store::idempotency::{self, Record};

pub(crate) use open::quantity_at;

pub use command::{Actor, Command, CommandKind, PlaceOrder, PostAdvert, Size};
pub use view::{
    AdvertView, FundingView, OrderView, PayoutLegView, PayoutView, SeenPayment, advert, adverts_of, decimals_of,
    is_online, mark_read, order, orders_of, pairs,
};

use crate::idempotency::Response;
use crate::{Context, Error, Result, maintenance};
use changes::CommandChanges;
use unit_of_work::{Keys, UnitOfWork};

/// What came of one command of a set. An error means that this command changed nothing.
pub type Reply = Result<Response>;

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
                replies.extend(decided);
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
                return decided.pop().ok_or_else(|| Error::Internal("a set without a reply".to_owned()))?;
            }
            Err(next) => failure = next,
        }
    }
    Err(match failure {
        Failure::Gone(what) => Error::Unavailable { what },
        Failure::Store(error) if error.is_refused_by(store::funding::ONE_OPEN) => Refusal::FundingRequestOpen.into(),
        Failure::Store(error) => {
            if let store::Error::Row { table, row, why } = &error {
                tracing::error!(table, row, why, "a command needs a row that makes no sense");
            }
            error.into()
        }
        Failure::Defect(error) => error,
    })
}

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
async fn attempt(context: &Context, set: &[Command]) -> std::result::Result<Vec<Reply>, Failure> {
    let (mut tx, now) = context.begin().await?;
    let mut keys = Keys::default();
    for command in set {
        command.keys(&mut keys);
        if let (Actor::Person { user, .. }, CommandKind::Switch { .. }) = (&command.actor, &command.what) {
            keys.adverts.extend(store::adverts::open_of(&mut tx, *user).await?);
        }
    }
    let mut work = UnitOfWork::load(context, &mut tx, now, keys).await?;
    if set.iter().any(|command| matches!(command.what, CommandKind::AdvertDue(_) | CommandKind::OrderDue(_))) {
        work.deadlines_wait = maintenance::deadlines_wait(&mut tx, now).await?;
    }
    // After the locks: an equal command that was under way has been remembered by now.
    let mut replayed = remembered(&mut tx, set).await?;
    let inputs = open::OpeningInputs::load(&mut tx, &work, set).await?;
    let free = fund_from_balance::Free::load(&mut tx, &work, set).await?;

    let mut replies = Vec::with_capacity(set.len());
    let mut fresh = Vec::new();
    for command in set {
        let reply = match command.replay(&replayed) {
            Some(reply) => reply,
            None => match decide(&work, &inputs, &free, command).and_then(|decided| inputs.admits(command, decided)) {
                Ok((changes, response)) => {
                    work.accept(changes);
                    if let Some(record) = command.record(response) {
                        replayed.insert((record.user, record.key.clone()), record.clone());
                        fresh.push(record);
                    }
                    Ok(response)
                }
                Err(refusal) => Err(refusal.into()),
            },
        };
        replies.push(reply);
    }
    work.write(&mut tx).await.map_err(|error| match error {
        unit_of_work::WriteError::Store(error) => Failure::from(error),
        unit_of_work::WriteError::Other(error) => Failure::Defect(error),
    })?;
    idempotency::insert(&mut tx, &fresh, now).await?;
    tx.commit().await?;
    Ok(replies)
}

async fn remembered(
    tx: &mut store::Tx,
    set: &[Command],
) -> std::result::Result<BTreeMap<(UserId, String), Record>, Failure> {
    let keys: Vec<_> = set
        .iter()
        .filter_map(|command| match &command.actor {
            Actor::Person { user, key, .. } => Some((*user, key.key.as_str())),
            Actor::System => None,
        })
        .collect();
    let records = idempotency::find(tx, &keys).await?;
    Ok(records.into_iter().map(|record| ((record.user, record.key.clone()), record)).collect())
}

/// Decides one command on the world as the commands before it left it.
fn decide(
    work: &UnitOfWork,
    inputs: &open::OpeningInputs,
    free: &fund_from_balance::Free,
    command: &Command,
) -> std::result::Result<(CommandChanges, Response), Refusal> {
    let mut changes = CommandChanges::default();
    let person = || match &command.actor {
        Actor::Person { user, .. } => Ok(*user),
        Actor::System => Err(Refusal::SessionInvalid),
    };
    let response = match &command.what {
        CommandKind::PostAdvert(wanted) => open::advert(&mut changes, work, inputs, person()?, wanted)?,
        CommandKind::PlaceOrder(wanted) => open::order(&mut changes, work, inputs, person()?, wanted)?,
        CommandKind::Advert { id, seen, act } => {
            let advert = changes.advert(work, *id)?;
            let by = adverts::AdvertCaller { user: person()?, seen: *seen };
            match adverts::decide(&advert, &by, act, &work.advert_inputs(&advert))? {
                adverts::AdvertDecision::Done(done) => {
                    let version = done.advert.version;
                    changes.advert_changed(work, done.advert, done.effects)?;
                    Response { id: Some(id.0), version }
                }
                adverts::AdvertDecision::AlreadyDone => Response { id: Some(id.0), version: advert.version },
            }
        }
        CommandKind::Order { id, seen, act, password_verified } => {
            if matches!(act, orders::OrderCommand::MarkPaid { receipts, .. } if !receipts.is_empty()) {
                // Nothing can be uploaded yet: whatever these name, it is no picture of a receipt.
                return Err(Refusal::Invalid { field: "receipts", reason: "no such file" });
            }
            let order = work.without_standstills(changes.order(work, *id)?);
            let by = orders::OrderCaller { user: person()?, seen: *seen, password_verified: *password_verified };
            match orders::decide(&order, &by, act, &work.order_inputs(&order))? {
                orders::OrderDecision::Done(done) => {
                    let version = done.order.version;
                    changes.order_changed(work, done.order, done.effects)?;
                    Response { id: Some(id.0), version }
                }
                orders::OrderDecision::AlreadyDone => Response { id: Some(id.0), version: order.version },
            }
        }
        CommandKind::FundFromBalance { target, amount } => {
            fund_from_balance::offer(&mut changes, work, free, person()?, *target, *amount)?
        }
        CommandKind::Switch { online } => {
            switch(&mut changes, work, person()?, *online)?;
            Response { id: None, version: 0 }
        }
        CommandKind::AdvertDue(id) => {
            let advert = changes.advert(work, *id)?;
            if !work.deadlines_wait && advert.due_at().is_some_and(|at| work.now >= at) {
                changes.advert_event(work, *id, &adverts::Event::WindowPassed)?;
            }
            Response { id: Some(id.0), version: changes.advert(work, *id)?.version }
        }
        CommandKind::OrderDue(id) => {
            let order = changes.order(work, *id)?;
            if let Some(event) = order.due(work.now).filter(|_| !work.deadlines_wait) {
                changes.order_event(work, *id, &event)?;
            }
            Response { id: Some(id.0), version: changes.order(work, *id)?.version }
        }
        CommandKind::AdvertStood { id, from, until } => {
            changes.advert_event(work, *id, &adverts::Event::Outage { from: *from, until: *until })?;
            Response { id: Some(id.0), version: changes.advert(work, *id)?.version }
        }
        CommandKind::OrderStood { id, from, until } => {
            changes.order_event(work, *id, &orders::Event::Outage { from: *from, until: *until })?;
            Response { id: Some(id.0), version: changes.order(work, *id)?.version }
        }
    };
    Ok((changes, response))
}

/// Turns a person's switch; all their adverts follow it. Running orders go on. Whoever goes offline is told, in all their
/// windows: they may have done it, or logged out, in another.
fn switch(
    changes: &mut CommandChanges,
    work: &UnitOfWork,
    user: UserId,
    online: bool,
) -> std::result::Result<(), Refusal> {
    let was_online = work.person(user)?.online;
    changes.switches.push((user, online));
    if was_online && !online {
        changes.events.push(changes::set_offline(user));
    }
    let mine: Vec<_> =
        work.adverts.values().filter(|advert| advert.terms.owner == user).map(|advert| advert.id).collect();
    for advert in mine {
        changes.advert_event(work, advert, &adverts::Event::Switched { online })?;
    }
    Ok(())
}

impl Command {
    fn keys(&self, keys: &mut Keys) {
        if let Actor::Person { user, .. } = &self.actor {
            keys.people.insert(*user);
        }
        match &self.what {
            CommandKind::PostAdvert(_) | CommandKind::Switch { .. } => {}
            CommandKind::Advert { id, .. }
            | CommandKind::AdvertDue(id)
            | CommandKind::AdvertStood { id, .. }
            | CommandKind::FundFromBalance { target: FundingTarget::Advert(id), .. } => {
                keys.adverts.insert(*id);
            }
            CommandKind::PlaceOrder(order) => {
                keys.adverts.insert(order.advert);
            }
            CommandKind::Order { id, .. }
            | CommandKind::OrderDue(id)
            | CommandKind::OrderStood { id, .. }
            | CommandKind::FundFromBalance { target: FundingTarget::Order(id), .. } => {
                keys.orders.insert(*id);
            }
        }
    }

    /// The answer that was given to this very command, if it was carried out before.
    fn replay(&self, remembered: &BTreeMap<(UserId, String), Record>) -> Option<Reply> {
        let Actor::Person { user, key } = &self.actor else { return None };
        Some(key.replay(remembered.get(&(*user, key.key.clone()))?).map_err(Error::from))
    }

    fn record(&self, response: Response) -> Option<Record> {
        let Actor::Person { user, key } = &self.actor else { return None };
        Some(key.record(*user, response))
    }
}
