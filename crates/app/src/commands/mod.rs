//! Executes the commands of users and of the clock in sets, with the [`crate::engine`].
//!
//! The modules [`crate::adverts`] and [`crate::orders`] and the crate `domain` decide how a command changes an advert
//! or order. A user's command is recorded with its response in the same commit; a repeated command gets the recorded
//! response.

mod command;
mod decide;
mod executor;
mod views;

use std::collections::BTreeMap;

use domain::ids::UserId;
use store::idempotency::{self, Record};

pub use command::{Actor, Command, CommandKind};
pub use executor::Executor;
pub use views::View;

use crate::engine::idempotency::Response;
use crate::engine::opening::OpeningInputs;
use crate::engine::sets::{self, Failure, Transaction};
use crate::engine::unit_of_work::{Keys, UnitOfWork};
use crate::wallet::fund_from_balance::Free;
use crate::{Context, Result};
use decide::decide;

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

/// Executes commands in order and returns a reply for each. A command that fails does not make another one fail
/// ([`crate::engine`]); if the database is unavailable, all commands fail.
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

struct Execution<'a> {
    context: &'a Context,
    shows: Shows,
}

impl Transaction<Command, Outcome> for Execution<'_> {
    async fn attempt(&self, set: &[Command]) -> std::result::Result<Vec<Outcome>, Failure> {
        attempt(self.context, set, self.shows).await
    }
}

async fn outcomes(context: &Context, set: &[Command], shows: Shows) -> Vec<Outcome> {
    let results = sets::execute(set, &Execution { context, shows }).await;
    let outcome = |result: Result<_>| result.unwrap_or_else(|error| Outcome { reply: Err(error), view: None });
    results.into_iter().map(outcome).collect()
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
    let openings: Vec<_> = set.iter().filter_map(Command::opens).collect();
    let accepted: Vec<_> = set.iter().filter_map(Command::accepts).collect();
    let of_users = set.iter().any(|command| command.user().is_some());
    let opening = OpeningInputs::load(&mut tx, &work, (&openings, &accepted), of_users).await?;
    work.assets.add(opening.nfts());
    let offered = set.iter().flat_map(|command| command.offers(&work, &opening)).collect();
    let free = Free::load(&mut tx, offered).await?;

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
            Actor::User { user, key, .. } => Some((*user, key.key.as_str())),
            Actor::System => None,
        })
        .collect();
    let records = idempotency::find(tx, &keys).await?;
    Ok(records.into_iter().map(|record| ((record.user, record.key.clone()), record)).collect())
}
