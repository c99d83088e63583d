//! How wrong guesses at a secret slow down further ones.
//!
//! Guesses are counted for the secret and the network they come from, and, from networks from which the account has never
//! logged in, for all of those together. So a stranger locks the owner out only where the owner has never been, and guesses
//! that come from many networks are stopped all the same. An e-mail without an account is counted as one that has one:
//! otherwise the lock-out would tell which is which.

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

/// A secret that is guessed at.
#[derive(Debug, Clone, Copy)]
pub(super) enum Secret<'a> {
    /// The login password of whoever has the e-mail, if anybody has.
    Login(&'a str),
    /// A person's security password.
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

/// A guess that was counted as wrong, until it turns out to be right.
#[derive(Debug)]
pub(super) struct Guess {
    here: Counter,
    /// Nothing where the account has logged in before.
    strange: Option<Counter>,
    /// The guesses left before the next lock-out, if this one is wrong.
    pub(super) left: u32,
}

impl Guess {
    /// Counts a guess as wrong, before anybody looks whether it is: many guesses at once are counted one by one. Refused
    /// during a lock-out, and not counted then.
    pub(super) async fn count(
        tx: &mut Tx,
        secret: Secret<'_>,
        owner: Option<UserId>,
        network: &str,
        now: Timestamp,
    ) -> Result<Self> {
        let subject = secret.subject();
        let here = Counter { subject, place: digest(&[b"network", network.as_bytes()]) };
        // Asked of nobody as well, so that it takes as long.
        let known = guesses::is_known(tx, owner.unwrap_or(UserId(Uuid::nil())), network).await?;
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

    /// The guess was right: whoever sits there is the owner. Of the guesses from strange networks only this one is taken
    /// back, for the others were not theirs.
    pub(super) async fn right(self, tx: &mut Tx, now: Timestamp) -> Result<()> {
        guesses::forget(tx, self.here).await?;
        if let Some(counter) = self.strange {
            let attempts = guesses::lock(tx, counter, now).await?.right();
            guesses::write(tx, counter, attempts, attempts.forgotten_at(now)).await?;
        }
        Ok(())
    }
}

/// Forgets the guesses at a secret that has been replaced.
pub(super) async fn forget(tx: &mut Tx, secret: Secret<'_>) -> Result<()> {
    Ok(guesses::forget_all(tx, &secret.subject()).await?)
}

/// Remembers that an account logged in from a network.
pub(super) async fn remember_network(tx: &mut Tx, user: UserId, network: &str, now: Timestamp) -> Result<()> {
    if network.is_empty() {
        return Ok(());
    }
    let day_ago = now.checked_sub_signed(Duration::days(1)).unwrap_or(now);
    Ok(guesses::remember(tx, user, network, now, day_ago, NEW_NETWORKS_A_DAY).await?)
}

/// Whether an account has logged in from a network; nobody has from anywhere.
pub(super) async fn is_known(tx: &mut Tx, user: Option<UserId>, network: &str) -> Result<bool> {
    Ok(guesses::is_known(tx, user.unwrap_or(UserId(Uuid::nil())), network).await?)
}
