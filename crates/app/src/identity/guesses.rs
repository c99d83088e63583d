//! Counts wrong guesses at secrets, and refuses further guesses during a lockout.
//!
//! Guesses are counted per secret and network. Guesses from networks in which the account has never logged in are also
//! counted together, which stops an attacker who guesses from many networks. A stranger can therefore lock the owner
//! out only in networks that the owner has never used. Guesses for email addresses without an account are counted in
//! the same way, because otherwise a lockout would reveal which addresses have accounts.

use chrono::Duration;
use domain::clock::Timestamp;
use domain::identity::password::{Attempts, BackOff, FROM_ONE_NETWORK, FROM_STRANGE_NETWORKS, NEW_NETWORKS_A_DAY};
use domain::ids::UserId;
use domain::refusal::Refusal;
use store::Tx;
use store::identity::guesses::{self, Counter};
use uuid::Uuid;

use crate::Result;
use crate::idempotency::digest;

/// A secret that can be guessed.
#[derive(Debug, Clone, Copy)]
pub(super) enum Secret<'a> {
    /// The login password for an email address, whether it has an account or not.
    Login(&'a str),
    /// The security password of a user.
    Security(UserId),
}

impl Secret<'_> {
    fn subject(self) -> [u8; 32] {
        match self {
            Self::Login(email) => digest(&[b"login", email.as_bytes()]),
            Self::Security(user) => digest(&[b"security", user.0.as_bytes()]),
        }
    }
}

/// A guess that counts as wrong until [`Guess::right`] is called.
#[derive(Debug)]
pub(super) struct Guess {
    here: Counter,
    /// The counter of guesses from unknown networks; `None` if the account has logged in from this network before.
    strange: Option<Counter>,
    /// The number of guesses left before the next lockout, if this guess is wrong.
    pub(super) left: u32,
}

impl Guess {
    /// Counts a guess as wrong before it is checked, so that concurrent guesses are counted one by one. During a
    /// lockout, refuses the guess without counting it.
    pub(super) async fn count(
        tx: &mut Tx,
        secret: Secret<'_>,
        owner: Option<UserId>,
        network: &str,
        now: Timestamp,
    ) -> Result<Self> {
        let subject = secret.subject();
        let here = Counter { subject, place: digest(&[b"network", network.as_bytes()]) };
        // Run the query even without an account, so that the response takes the same time.
        let known = is_known(tx, owner, network).await?;
        let strange = (!known).then(|| Counter { subject, place: digest(&[b"strange networks"]) });
        let counters = [Some((here, FROM_ONE_NETWORK)), strange.map(|counter| (counter, FROM_STRANGE_NETWORKS))];
        let mut counted: Vec<(Counter, BackOff, Attempts)> = Vec::new();
        let mut wait = Duration::zero();
        for (counter, back_off) in counters.into_iter().flatten() {
            let attempts = guesses::lock(tx, counter, now).await?;
            if let Err(Refusal::TooMany { retry_after }) = attempts.check(now) {
                wait = wait.max(retry_after);
            }
            counted.push((counter, back_off, attempts));
        }
        if wait > Duration::zero() {
            return Err(Refusal::TooMany { retry_after: wait }.into());
        }
        let mut left = u32::MAX;
        for (counter, back_off, attempts) in counted {
            let wrong = attempts.wrong(back_off, now);
            guesses::write(tx, counter, wrong, wrong.forgotten_at(now)).await?;
            left = left.min(wrong.left(back_off));
        }
        Ok(Self { here, strange, left })
    }

    /// Uncounts a right guess. Resets the counter of its network, but removes only this guess from the counter of
    /// unknown networks, because the other guesses there may come from an attacker.
    pub(super) async fn right(self, tx: &mut Tx, now: Timestamp) -> Result<()> {
        guesses::forget(tx, self.here).await?;
        if let Some(counter) = self.strange {
            let attempts = guesses::lock(tx, counter, now).await?.right();
            guesses::write(tx, counter, attempts, attempts.forgotten_at(now)).await?;
        }
        Ok(())
    }
}

/// Deletes the counters of a secret that was replaced.
pub(super) async fn forget(tx: &mut Tx, secret: Secret<'_>) -> Result<()> {
    Ok(guesses::forget_all(tx, &secret.subject()).await?)
}

/// Records that an account logged in from a network.
pub(super) async fn remember_network(tx: &mut Tx, user: UserId, network: &str, now: Timestamp) -> Result<()> {
    if network.is_empty() {
        return Ok(());
    }
    let day_ago = now.checked_sub_signed(Duration::days(1)).unwrap_or(now);
    Ok(guesses::remember(tx, user, network, now, day_ago, NEW_NETWORKS_A_DAY).await?)
}

/// Returns whether an account has logged in from a network; `false` without an account.
pub(super) async fn is_known(tx: &mut Tx, user: Option<UserId>, network: &str) -> Result<bool> {
    Ok(guesses::is_known(tx, user.unwrap_or(UserId(Uuid::nil())), network).await?)
}
