//! Executes sets of commands. A set has a unit of work, and each command has its changes.
//!
//! The modules [`crate::adverts`] and [`crate::orders`] and the crate `domain` decide how a command changes an advert
//! or order.
//!
//! A set's rows are loaded and locked, each command is decided in memory in the order of arrival, and all changes are
//! written at once. If that fails, the set is halved until the failing command runs alone, so a command never makes
//! another command fail. A user's command is recorded with its response in the same commit; a repeated command gets the
//! recorded response.

pub(crate) mod changes;
mod command;
mod executor;
pub(crate) mod fund_from_balance;
pub(crate) mod funding_requests;
pub(crate) mod opening;
pub(crate) mod requirements;
pub(crate) mod unit_of_work;
mod views;

use std::collections::BTreeMap;

use domain::adverts;
use domain::direct_payment::{hash_key, reference_key};
use domain::files::{Attachment, FileKind, Purpose, check_list};
use domain::funding::FundingTarget;
use domain::ids::{FileId, OrderId, UserId};
use domain::orders;
use domain::refusal::Refusal;
use store::idempotency::{self, Record};
use store::payments::Report;

pub use command::{Actor, Command, CommandKind};
pub use executor::Executor;
pub use requirements::missing_to_post;
pub use views::View;

use crate::idempotency::Response;
use crate::{Context, Error, Result};
use changes::CommandChanges;
use opening::OpeningInputs;
use unit_of_work::{Keys, UnitOfWork};

/// The result of one command of a set. A command that returns an error has changed nothing.
pub type Reply = Result<Response>;

/// The reply to a command, and what its response shows.
#[derive(Debug)]
pub struct Outcome {
    pub reply: Reply,
    /// The advert or order after the command, or its current state if the command was sent for an outdated version.
    /// `None` if the set did not load it.
    pub view: Option<View>,
}

/// Executes commands in order and returns a reply for each.
///
/// A set that fails is rolled back and halved until the failing command runs alone. Therefore a corrupt row, or a
/// statement that the database refuses, fails only the commands that need it. If the database is unavailable, all
/// commands fail.
pub async fn execute(context: &Context, set: &[Command]) -> Vec<Reply> {
    outcomes(context, set, Shows::Nothing).await.into_iter().map(|outcome| outcome.reply).collect()
}

/// Does the same as [`execute`] and returns what the responses show.
pub async fn execute_with_views(context: &Context, set: &[Command]) -> Vec<Outcome> {
    outcomes(context, set, Shows::Views).await
}

/// Whether a set loads what the responses to its commands show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shows {
    Nothing,
    Views,
}

async fn outcomes(context: &Context, set: &[Command], shows: Shows) -> Vec<Outcome> {
    let mut outcomes = Vec::with_capacity(set.len());
    // The remaining parts, in reverse order.
    let mut parts = vec![set];
    while let Some(part) = parts.pop() {
        let failure = match attempt(context, part, shows).await {
            Ok(decided) => {
                outcomes.extend(decided);
                continue;
            }
            Err(failure) => failure,
        };
        match (failure, part) {
            (Failure::Gone(what), _) => {
                outcomes.resize_with(set.len(), || Outcome { reply: Err(Error::Unavailable { what }), view: None });
                break;
            }
            (_, []) => {}
            (failure, [command]) => {
                let outcome = alone(context, command, failure, shows).await;
                outcomes.push(outcome.unwrap_or_else(|error| Outcome { reply: Err(error), view: None }));
            }
            (_, several) => {
                let (first, rest) = several.split_at(several.len().div_euclid(2));
                parts.extend([rest, first]);
            }
        }
    }
    outcomes
}

/// How often a command is retried if the database refuses it. A retry sees the rows that caused the conflict.
const ATTEMPTS: u32 = 3;

/// Retries a command that failed alone, and returns the final outcome.
async fn alone(context: &Context, command: &Command, mut failure: Failure, shows: Shows) -> Result<Outcome> {
    for _ in 0..ATTEMPTS {
        if !matches!(failure, Failure::Store(store::Error::Refused { .. } | store::Error::Conflict)) {
            break;
        }
        match attempt(context, std::slice::from_ref(command), shows).await {
            Ok(mut decided) => {
                return decided.pop().ok_or_else(|| Error::Internal("a set without a reply".to_owned()));
            }
            Err(next) => failure = next,
        }
    }
    match &failure {
        Failure::Store(error) if error.is_refused_by(store::funding::ONE_OPEN) => {
            return Err(Refusal::FundingRequestOpen.into());
        }
        Failure::Store(store::Error::Row { table, row, why }) => {
            tracing::error!(table, row, why, "a command needs a corrupt row");
        }
        _ => {}
    }
    Err(failure.into())
}

pub(crate) enum Failure {
    /// A resource that every command needs is unavailable.
    Gone(&'static str),
    /// A corrupt row, a refused statement, or a conflict with another transaction.
    Store(store::Error),
    /// A bug in the product.
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

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Gone(what) => Self::Unavailable { what },
            Failure::Store(error) => error.into(),
            Failure::Defect(error) => error,
        }
    }
}

/// Executes a whole set in one transaction. On failure, writes nothing.
async fn attempt(context: &Context, set: &[Command], shows: Shows) -> std::result::Result<Vec<Outcome>, Failure> {
    let (mut tx, now) = context.begin().await?;
    let mut keys = Keys::default();
    for command in set {
        command.keys(&mut keys);
    }
    let mut switched: Vec<_> = set.iter().filter_map(Command::switches).collect();
    let unanswered: Vec<_> = set.iter().filter_map(Command::may_miss_acceptance).collect();
    switched.extend(store::orders::late_advertisers(&mut tx, &unanswered, now).await?);
    if !switched.is_empty() {
        keys.adverts.extend(store::adverts::open_of(&mut tx, &switched).await?);
    }
    let mut work = UnitOfWork::load(context, &mut tx, now, keys).await?;
    // Read after locking: by now, a concurrent command with the same idempotency key has been recorded.
    let mut replayed = remembered(&mut tx, set).await?;
    let opening = OpeningInputs::load(&mut tx, &work, set).await?;
    let free = fund_from_balance::Free::load(&mut tx, &work, set).await?;

    let mut replies = Vec::with_capacity(set.len());
    let mut fresh = Vec::new();
    for command in set {
        let reply = match command.replay(&replayed) {
            Some(reply) => reply,
            None => match decide(&work, &opening, &free, command) {
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
    work.write(&mut tx).await?;
    idempotency::insert(&mut tx, &fresh, now).await?;
    let views = match shows {
        Shows::Views => views::load(&mut tx, &work, set, &replies).await?,
        Shows::Nothing => vec![None; set.len()],
    };
    tx.commit().await?;
    context.changed(&work.changes());
    Ok(replies.into_iter().zip(views).map(|(reply, view)| Outcome { reply, view }).collect())
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

/// Decides one command, considering the changes of the commands before it.
fn decide(
    work: &UnitOfWork,
    opening: &OpeningInputs,
    free: &fund_from_balance::Free,
    command: &Command,
) -> std::result::Result<(CommandChanges, Response), Refusal> {
    let actor = match &command.actor {
        Actor::Person { user, .. } => Some(*user),
        Actor::System => None,
    };
    let mut changes = CommandChanges { actor, ..CommandChanges::default() };
    let person = || actor.ok_or(Refusal::SessionInvalid);
    let response = match &command.what {
        CommandKind::PostAdvert(wanted) => crate::adverts::post(&mut changes, work, opening, person()?, wanted)?,
        CommandKind::PlaceOrder(wanted) => {
            crate::orders::place(&mut changes, work, (opening, free), person()?, wanted)?
        }
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
        CommandKind::Order { id, seen, act, proofs, accepted_cost } => {
            changes.accepted_cost = *accepted_cost;
            let order = work.without_standstills(changes.order(work, *id)?);
            let user = person()?;
            let held_until = work.person(user)?.hold(work.now);
            let by = orders::OrderCaller { user, seen: *seen, proofs: *proofs, held_until };
            match orders::decide(&order, &by, act, &work.order_inputs(&order))? {
                orders::OrderDecision::Done(done) => {
                    let version = done.order.version;
                    attach(&mut changes, work, by.user, (*id, act))?;
                    changes.reports.extend(report(*id, act));
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
            crate::adverts::switch(&mut changes, work, person()?, *online)?;
            Response { id: None, version: 0 }
        }
        CommandKind::AdvertDue(id) => {
            let advert = changes.advert(work, *id)?;
            if !work.deadlines_wait() && advert.due_at().is_some_and(|at| work.now >= at) {
                changes.advert_event(work, *id, &adverts::Event::WindowPassed)?;
            }
            Response { id: Some(id.0), version: changes.advert(work, *id)?.version }
        }
        CommandKind::OrderDue(id) => {
            let order = changes.order(work, *id)?;
            if let Some(event) = order.due(work.now).filter(|_| !work.deadlines_wait()) {
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
    opening.admits(command, &changes)?;
    Ok((changes, response))
}

/// Returns what a command reports of the order's payment.
fn report(order: OrderId, act: &orders::OrderCommand) -> Option<Report> {
    let orders::OrderCommand::MarkPaid { hash, reference, .. } = act else { return None };
    let hash = hash.as_deref().and_then(hash_key);
    let reference = reference.as_deref().and_then(reference_key);
    (hash.is_some() || reference.is_some()).then_some(Report { order, hash, reference })
}

/// Attaches the files of a command to its order.
fn attach(
    changes: &mut CommandChanges,
    work: &UnitOfWork,
    user: UserId,
    (order, act): (OrderId, &orders::OrderCommand),
) -> std::result::Result<(), Refusal> {
    let mut add = |purpose, files: &Vec<FileId>, kind, field, most| {
        if files.is_empty() {
            return Ok(());
        }
        check_list(files, most, field)?;
        work.check_files(user, files, kind, field)?;
        changes.details.files.extend(work.file_references(files));
        changes.attached.push((files.clone(), Attachment::Order { order, purpose }));
        Ok(())
    };
    match act {
        orders::OrderCommand::MarkPaid { receipts, .. } => {
            add(Purpose::Receipt, receipts, FileKind::Image, "receipts", orders::MAX_RECEIPTS)
        }
        orders::OrderCommand::Appeal { evidence, .. } | orders::OrderCommand::AddEvidence(evidence) => {
            let orders::NewEvidence { pictures, videos } = evidence;
            add(Purpose::Evidence, pictures, FileKind::Image, "pictures", orders::MAX_EVIDENCE_PICTURES)?;
            add(Purpose::Evidence, videos, FileKind::Video, "videos", orders::MAX_EVIDENCE_VIDEOS)
        }
        _ => Ok(()),
    }
}

impl Command {
    fn keys(&self, keys: &mut Keys) {
        if let Actor::Person { user, .. } = &self.actor {
            keys.people.insert(*user);
        }
        match &self.what {
            CommandKind::PostAdvert(_) => keys.advert_counts = true,
            CommandKind::Switch { .. } => {}
            CommandKind::Advert { id, .. }
            | CommandKind::AdvertDue(id)
            | CommandKind::AdvertStood { id, .. }
            | CommandKind::FundFromBalance { target: FundingTarget::Advert(id), .. } => {
                keys.adverts.insert(*id);
            }
            CommandKind::PlaceOrder(order) => {
                keys.adverts.insert(order.advert);
                keys.order_counts = true;
            }
            CommandKind::Order { id, act, .. } => {
                keys.orders.insert(*id);
                // Longer lists are refused.
                match act {
                    orders::OrderCommand::MarkPaid { receipts, .. } => {
                        keys.files.extend(receipts.iter().take(orders::MAX_RECEIPTS));
                    }
                    orders::OrderCommand::Appeal { evidence, .. } | orders::OrderCommand::AddEvidence(evidence) => {
                        keys.files.extend(evidence.pictures.iter().take(orders::MAX_EVIDENCE_PICTURES));
                        keys.files.extend(evidence.videos.iter().take(orders::MAX_EVIDENCE_VIDEOS));
                    }
                    _ => {}
                }
            }
            CommandKind::OrderDue(id)
            | CommandKind::OrderStood { id, .. }
            | CommandKind::FundFromBalance { target: FundingTarget::Order(id), .. } => {
                keys.orders.insert(*id);
            }
        }
    }

    /// Returns the user whom the command sets online or offline.
    fn switches(&self) -> Option<UserId> {
        match (&self.actor, &self.what) {
            (Actor::Person { user, .. }, CommandKind::Switch { .. }) => Some(*user),
            _ => None,
        }
    }

    /// Returns the order that the command may cancel because its advertiser has not answered, which may take the advertiser
    /// offline.
    fn may_miss_acceptance(&self) -> Option<OrderId> {
        match &self.what {
            CommandKind::OrderDue(id) | CommandKind::Order { id, act: orders::OrderCommand::Cancel, .. } => Some(*id),
            _ => None,
        }
    }

    /// Returns the recorded response to this command if it was executed before.
    fn replay(&self, remembered: &BTreeMap<(UserId, String), Record>) -> Option<Reply> {
        let Actor::Person { user, key } = &self.actor else { return None };
        Some(key.replay(remembered.get(&(*user, key.key.clone()))?).map_err(Error::from))
    }

    fn record(&self, response: Response) -> Option<Record> {
        let Actor::Person { user, key } = &self.actor else { return None };
        Some(key.record(*user, response))
    }
}
