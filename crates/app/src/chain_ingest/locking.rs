//! Stage 5: locks the users whom the effects of a range concern, before any of their other rows.
//!
//! Normally the rows are found first and the users locked then, all at once and in order of their IDs. If users place
//! orders in between, the attempt is in conflict with trading: the effects concern counterparties who are not locked, and the
//! range must be tried again.
//! Users who place orders all the time must not hold up ingestion for everybody. So after a few conflicts, the
//! users whom the blocks name are locked first. Their adverts and orders no longer change then, and neither do the
//! counterparties, who are found under the lock.

use std::collections::BTreeSet;

use domain::ids::UserId;
use store::Tx;
use store::payouts::PayoutLeg;

use super::effects::{RangeEffects, add_awaiting_coins};
use crate::Result;
use crate::engine::unit_of_work::Keys;

/// How an attempt locks users.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum UserLocking {
    /// Finds the rows, and then locks all users.
    AllAtOnce,
    /// Locks the users whom the blocks name, finds the rows, and then locks the counterparties.
    NamedFirst,
}

/// The rows that an attempt may change.
#[derive(Clone, Copy)]
pub(super) enum Rows<'a> {
    /// Those of effects with these payout legs.
    OfEffects(&'a RangeEffects, &'a [PayoutLeg]),
    /// The adverts and orders of the named users that wait for coins.
    AwaitingCoins,
}

impl Rows<'_> {
    /// Returns the keys of the rows and of all related rows.
    async fn find(self, tx: &mut Tx, named: &BTreeSet<UserId>) -> Result<Keys> {
        let mut keys = match self {
            Self::OfEffects(effects, legs) => effects.keys(tx, legs).await?,
            Self::AwaitingCoins => {
                let mut keys = Keys { users: named.clone(), ..Keys::default() };
                add_awaiting_coins(tx, &mut keys).await?;
                keys
            }
        };
        keys.complete(tx).await?;
        Ok(keys)
    }
}

/// How often a range is tried before the named users are locked first.
const ATTEMPTS_ALL_AT_ONCE: usize = 2;
const ATTEMPTS_NAMED_FIRST: usize = 6;
/// How often the locks of one attempt are released to take more in order. Each time, a counterparty was busy who had not
/// been found before.
const LOCK_ROUNDS: usize = 64;

impl UserLocking {
    /// Returns how to lock users in each attempt.
    pub(super) fn attempts() -> impl Iterator<Item = Self> {
        std::iter::repeat_n(Self::AllAtOnce, ATTEMPTS_ALL_AT_ONCE)
            .chain(std::iter::repeat_n(Self::NamedFirst, ATTEMPTS_NAMED_FIRST))
    }

    /// Counts an attempt that was in conflict with trading.
    pub(super) fn count_conflict(self) {
        let locked = match self {
            Self::AllAtOnce => "all_at_once",
            Self::NamedFirst => "named_first",
        };
        tracing::info!(locked, "users traded between the reading and the locking of their rows; trying again");
        metrics::counter!("mec2c_ingestion_conflicts_total", "locked" => locked).increment(1);
    }

    /// Locks all users whom the effects concern, and returns them.
    pub(super) async fn lock_concerned(self, tx: &mut Tx, effects: &RangeEffects) -> Result<BTreeSet<UserId>> {
        let legs = store::payouts::legs(tx, &effects.references()).await?;
        self.lock(tx, effects.named_users(&legs), Rows::OfEffects(effects, &legs)).await
    }

    /// Locks the users of the rows, and returns them. They include all `named` users.
    pub(super) async fn lock(self, tx: &mut Tx, named: BTreeSet<UserId>, rows: Rows<'_>) -> Result<BTreeSet<UserId>> {
        if self == Self::AllAtOnce {
            let keys = rows.find(tx, &named).await?;
            store::users::lock(tx, &ids(&keys.users)).await?;
            return Ok(keys.users);
        }
        metrics::counter!("mec2c_ingestion_named_first_total").increment(1);
        let mut users = named.clone();
        for _ in 0..LOCK_ROUNDS {
            tx.mark().await?;
            store::users::lock(tx, &ids(&users)).await?;
            let keys = rows.find(tx, &named).await?;
            let missing: BTreeSet<_> = keys.users.difference(&users).copied().collect();
            // Waiting for users out of order could deadlock, so nobody is waited for here.
            let all = store::users::try_lock(tx, &ids(&missing)).await?;
            users.extend(missing);
            if all {
                tx.keep().await?;
                return Ok(users);
            }
            tx.roll_back_to_mark().await?;
        }
        Err(store::Error::Conflict.into())
    }
}

fn ids(users: &BTreeSet<UserId>) -> Vec<UserId> {
    users.iter().copied().collect()
}
