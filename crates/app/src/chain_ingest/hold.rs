//! Locks the users whom a step of ingestion concerns, before any of their other rows.
//!
//! Normally the rows are found first and the users locked then, all at once and in order of their IDs. If users place
//! orders in between, the step is crowded: it concerns counterparties whom it has not locked, and it must be tried again.
//! Users who place orders all the time must not hold up ingestion for everybody. So after a few crowded attempts, the
//! users whom the blocks name are locked first. Their adverts and orders no longer change then, and neither do the
//! counterparties, who are found under the lock.

use std::collections::BTreeSet;

use domain::ids::UserId;
use store::Tx;
use store::payouts::PayoutLeg;

use super::crowded;
use super::step::{self, Step};
use crate::Result;
use crate::engine::unit_of_work::Keys;

/// How an attempt locks users.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hold {
    /// Finds the rows, and then locks all users.
    AllAtOnce,
    /// Locks the users whom the blocks name, finds the rows, and then locks the counterparties.
    NamedFirst,
}

/// The rows that an attempt may change.
#[derive(Clone, Copy)]
pub(super) enum Rows<'a> {
    /// Those of a step with these payout legs.
    OfStep(&'a Step, &'a [PayoutLeg]),
    /// The adverts and orders of the named users that wait for coins.
    Waiting,
}

impl Rows<'_> {
    /// Returns the keys of the rows and of all related rows.
    async fn find(self, tx: &mut Tx, named: &BTreeSet<UserId>) -> Result<Keys> {
        let mut keys = match self {
            Self::OfStep(step, legs) => step.keys(tx, legs).await?,
            Self::Waiting => {
                let mut keys = Keys { people: named.clone(), ..Keys::default() };
                step::waiting(tx, &mut keys).await?;
                keys
            }
        };
        keys.complete(tx).await?;
        Ok(keys)
    }
}

/// How often a step is tried before the named users are locked first.
const ALL_AT_ONCE: usize = 2;
const NAMED_FIRST: usize = 6;
/// How often the locks of one attempt are released to take more in order. Each time, a counterparty was busy who had not
/// been found before.
const ROUNDS: usize = 64;

impl Hold {
    /// Returns how to lock users in each attempt.
    pub(super) fn attempts() -> impl Iterator<Item = Self> {
        std::iter::repeat_n(Self::AllAtOnce, ALL_AT_ONCE).chain(std::iter::repeat_n(Self::NamedFirst, NAMED_FIRST))
    }

    /// Counts an attempt that was crowded.
    pub(super) fn was_crowded(self) {
        let locked = match self {
            Self::AllAtOnce => "all_at_once",
            Self::NamedFirst => "named_first",
        };
        tracing::info!(locked, "users traded between the reading and the locking of their rows; trying again");
        metrics::counter!("mec2c_ingestion_crowded_total", "locked" => locked).increment(1);
    }

    /// Locks all users whom the step concerns, and returns them.
    pub(super) async fn step(self, tx: &mut Tx, step: &Step) -> Result<BTreeSet<UserId>> {
        let legs = store::payouts::legs(tx, &step.references()).await?;
        self.people(tx, step.named(&legs), Rows::OfStep(step, &legs)).await
    }

    /// Locks the users of the rows, and returns them. They include all `named` users.
    pub(super) async fn people(self, tx: &mut Tx, named: BTreeSet<UserId>, rows: Rows<'_>) -> Result<BTreeSet<UserId>> {
        if self == Self::AllAtOnce {
            let keys = rows.find(tx, &named).await?;
            store::people::lock(tx, &ids(&keys.people)).await?;
            return Ok(keys.people);
        }
        metrics::counter!("mec2c_ingestion_named_first_total").increment(1);
        let mut people = named.clone();
        for _ in 0..ROUNDS {
            tx.mark().await?;
            store::people::lock(tx, &ids(&people)).await?;
            let keys = rows.find(tx, &named).await?;
            let missing: BTreeSet<_> = keys.people.difference(&people).copied().collect();
            // Waiting for users out of order could deadlock, so nobody is waited for here.
            let all = store::people::try_lock(tx, &ids(&missing)).await?;
            people.extend(missing);
            if all {
                tx.keep().await?;
                return Ok(people);
            }
            tx.roll_back_to_mark().await?;
        }
        Err(crowded())
    }
}

fn ids(people: &BTreeSet<UserId>) -> Vec<UserId> {
    people.iter().copied().collect()
}
