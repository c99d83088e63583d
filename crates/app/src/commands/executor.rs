//! Executes users' commands in sets: a commit serves every command that arrived while the previous one ran.
//!
//! Commands run in a few lanes. All commands on the adverts of one user run in the same lane, so that sets of different
//! lanes rarely wait for each other's rows. The lane only affects the speed: the locks in the database keep concurrent
//! sets apart, also those of other processes.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::sync::Arc;

use domain::funding::FundingTarget;
use domain::ids::{AdvertId, UserId};
use domain::refusal::Refusal;
use quick_cache::sync::Cache;
use uuid::Uuid;

use super::views::View;
use super::{Actor, Command, CommandKind, Outcome, execute_with_views};
use crate::engine::batch::Batch;
use crate::{Context, Error, Result};

/// The number of lanes: while one set waits for its commit, another is decided.
const LANES: usize = 3;
/// The number of adverts and orders that are remembered.
const MAX_REMEMBERED_COMMANDS: usize = 100_000;

/// Executes commands of concurrent users together. Cheap to clone.
#[derive(Clone)]
pub struct Executor {
    context: Context,
    lanes: Arc<[Batch<Command, Outcome>]>,
    hasher: RandomState,
    recent: Arc<Cache<Uuid, Fixed>>,
}

impl Executor {
    pub fn new(context: Context) -> Self {
        let lane = |_| {
            let context = context.clone();
            Batch::new(move |set: Vec<Command>| {
                let context = context.clone();
                async move { execute_with_views(&context, &set).await }
            })
        };
        let lanes = (0..LANES).map(lane).collect();
        Self { context, lanes, hasher: RandomState::new(), recent: Arc::new(Cache::new(MAX_REMEMBERED_COMMANDS)) }
    }

    /// Executes a command. The outcome contains the advert or order after the command.
    pub async fn execute(&self, command: Command) -> Outcome {
        let outcome = match self.lane(&command) {
            Some(lane) => lane.run(command).await,
            None => Err(Error::Internal("no lane".to_owned())),
        };
        let outcome = outcome.unwrap_or_else(|error| Outcome { reply: Err(error), view: None });
        self.remember(&outcome);
        outcome
    }

    /// Returns the number of decimals of an advert's base and of its quote.
    pub async fn decimals_of(&self, advert: AdvertId) -> Result<(u8, u8)> {
        if let Some(fixed) = self.recent.get(&advert.0) {
            return Ok(fixed.decimals);
        }
        let mut tx = self.context.store.alone().await?;
        let (owner, decimals) = store::adverts::fixed(&mut tx, advert).await?.ok_or(Refusal::AdvertMissing)?;
        self.recent.insert(advert.0, Fixed { owner, decimals });
        Ok(decimals)
    }

    fn lane(&self, command: &Command) -> Option<&Batch<Command, Outcome>> {
        let subject = subject(command);
        let owner = self.recent.get(&subject).map_or(subject, |fixed| fixed.owner.0);
        let lanes = u64::try_from(self.lanes.len()).ok()?;
        self.lanes.get(usize::try_from(self.hasher.hash_one(owner).checked_rem(lanes)?).ok()?)
    }

    fn remember(&self, outcome: &Outcome) {
        match &outcome.view {
            Some(View::Advert(view)) => {
                let terms = &view.advert.terms;
                let decimals = (terms.base.decimals, terms.quote.decimals);
                self.recent.insert(view.advert.id.0, Fixed { owner: terms.owner, decimals });
            }
            Some(View::Order(view)) => {
                let terms = &view.order.terms;
                let decimals = (terms.base.decimals, terms.quote.decimals);
                self.recent.insert(view.order.id.0, Fixed { owner: terms.advertiser, decimals });
            }
            None => {}
        }
    }
}

/// Returns the ID of the advert, order or user that determines the lane.
fn subject(command: &Command) -> Uuid {
    match &command.what {
        CommandKind::PostAdvert(_) | CommandKind::Switch { .. } => match &command.actor {
            Actor::User { user, .. } => user.0,
            Actor::System => Uuid::nil(),
        },
        CommandKind::PlaceOrder(order) => order.advert.0,
        CommandKind::Advert { id, .. }
        | CommandKind::AdvertDue(id)
        | CommandKind::AdvertOutage { id, .. }
        | CommandKind::FundFromBalance { target: FundingTarget::Advert(id), .. } => id.0,
        CommandKind::Order { id, .. }
        | CommandKind::OrderDue(id)
        | CommandKind::OrderOutage { id, .. }
        | CommandKind::FundFromBalance { target: FundingTarget::Order(id), .. } => id.0,
    }
}

/// What never changes about an advert and its orders.
#[derive(Debug, Clone, Copy)]
struct Fixed {
    /// The owner of the advert.
    owner: UserId,
    /// The decimals of base and quote.
    decimals: (u8, u8),
}
