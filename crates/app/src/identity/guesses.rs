//! Counts wrong guesses at secrets, and refuses further guesses during a lockout.
//!
//! Guesses are counted per secret and network. Guesses from networks in which the account has never logged in are also
//! counted together, which stops an attacker who guesses from many networks. Guesses from a device that the account knows
//! are counted for this device alone. A stranger can therefore lock the owner out only on devices and in networks that the
//! owner has never used. Guesses for email addresses without an account are counted in
//! the same way, because otherwise a lockout would reveal which addresses have accounts.

use std::collections::{BTreeMap, BTreeSet};

use chrono::Duration;
use domain::clock::Timestamp;
use domain::identity::password::{FROM_ONE_NETWORK, FROM_STRANGE_NETWORKS, NEW_NETWORKS_A_DAY};
use domain::ids::UserId;
use domain::refusal::Refusal;
use store::Tx;
use store::identity::guesses::{self, Counter};
use uuid::Uuid;

use crate::engine::idempotency::digest;
use crate::{Error, Result};

/// Stands for the user if there is no account.
pub(crate) const NOBODY: UserId = UserId(Uuid::nil());

/// A secret that can be guessed.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Secret<'a> {
    /// The login password for an email address, whether it has an account or not.
    Login(&'a str),
    /// The security password of a user.
    Security(UserId),
    /// The password and the code of an officer, for an email address, whether it has an officer or not.
    Officer(&'a str),
}

impl Secret<'_> {
    fn subject(self) -> [u8; 32] {
        match self {
            Self::Login(email) => digest(&[b"login", email.as_bytes()]),
            Self::Security(user) => digest(&[b"security", user.0.as_bytes()]),
            Self::Officer(email) => digest(&[b"officer", email.as_bytes()]),
        }
    }
}

/// A guess that is to be counted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Attempt<'a> {
    pub(crate) secret: Secret<'a>,
    /// The user whose secret it is, or the officer's ID as one of a user; `None` without an account.
    pub(crate) owner: Option<UserId>,
    /// The network from which the guess comes.
    pub(crate) network: &'a str,
    /// The hash of the device from which the guess comes, if the account knows it.
    pub(crate) device: Option<[u8; 32]>,
}

/// A guess that counts as wrong until [`uncount`] is called.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Guess {
    here: Counter,
    /// The counter of guesses from unknown networks; `None` if the account knows the network or the device.
    strange: Option<Counter>,
    /// The number of guesses left before the next lockout, if this guess is wrong.
    pub(crate) left: u32,
}

/// Returns for each attempt the counter of its device, if the account knows it, or else that of its network; and that of unknown
/// networks if the account knows neither.
async fn counters_of(tx: &mut Tx, attempts: &[Attempt<'_>]) -> Result<Vec<(Counter, Option<Counter>)>> {
    // Run the query even without an account, so that the response takes the same time.
    let networks: Vec<_> = attempts.iter().map(|attempt| (attempt.owner.unwrap_or(NOBODY), attempt.network)).collect();
    let known: BTreeSet<_> = guesses::known(tx, &networks).await?.into_iter().collect();
    let counters = attempts.iter().zip(networks).map(|(attempt, (owner, network))| {
        let subject = attempt.secret.subject();
        let place = match &attempt.device {
            Some(device) => digest(&[b"device", device]),
            None => digest(&[b"network", network.as_bytes()]),
        };
        let here = Counter { subject, place };
        let known = attempt.device.is_some() || known.contains(&(owner, network.to_owned()));
        (here, (!known).then(|| Counter { subject, place: digest(&[b"strange networks"]) }))
    });
    Ok(counters.collect())
}

/// Returns the number of wrong guesses from the device or network of an attempt. Locks the counters of the attempt until the transaction ends:
/// all of them at once, as [`count`] does, so that attempts do not wait for each other in a circle.
pub(crate) async fn wrong(tx: &mut Tx, attempt: Attempt<'_>, now: Timestamp) -> Result<u32> {
    let counted = counters_of(tx, &[attempt]).await?;
    let counters: BTreeSet<_> = counted.iter().flat_map(|(here, strange)| [Some(*here), *strange]).flatten().collect();
    let states = guesses::lock(tx, &counters.into_iter().collect::<Vec<_>>(), now).await?;
    let here = |counter: &Counter| counted.iter().any(|(here, _)| here == counter);
    Ok(states.into_iter().filter(|(counter, _)| here(counter)).map(|(_, state)| state.wrong).max().unwrap_or(0))
}

/// Counts guesses as wrong before they are checked, so that concurrent guesses are counted one by one. During a lockout,
/// refuses a guess without counting it.
pub(crate) async fn count(
    tx: &mut Tx,
    attempts: &[Attempt<'_>],
    now: Timestamp,
) -> Result<Vec<std::result::Result<Guess, Refusal>>> {
    let counted = counters_of(tx, attempts).await?;
    let counters: BTreeSet<_> = counted.iter().flat_map(|(here, strange)| [Some(*here), *strange]).flatten().collect();
    let counters: Vec<_> = counters.into_iter().collect();
    let mut states: BTreeMap<_, _> = guesses::lock(tx, &counters, now).await?.into_iter().collect();
    let results = counted.into_iter().map(|(here, strange)| {
        let of_guess = [Some((here, FROM_ONE_NETWORK)), strange.map(|counter| (counter, FROM_STRANGE_NETWORKS))];
        let of_guess = || of_guess.iter().flatten();
        let mut wait = Duration::zero();
        for (counter, _) in of_guess() {
            let state = states.get(counter).copied().unwrap_or_default();
            if let Err(Refusal::TooMany { retry_after }) = state.check(now) {
                wait = wait.max(retry_after);
            }
        }
        if wait > Duration::zero() {
            return Err(Refusal::TooMany { retry_after: wait });
        }
        let mut left = u32::MAX;
        for (counter, back_off) in of_guess() {
            let state = states.entry(*counter).or_default();
            *state = state.wrong(*back_off, now);
            left = left.min(state.left(*back_off));
        }
        Ok(Guess { here, strange, left })
    });
    let results: Vec<_> = results.collect();
    let changed: BTreeSet<_> = results.iter().flatten().flat_map(|guess| [Some(guess.here), guess.strange]).collect();
    states.retain(|counter, _| changed.contains(&Some(*counter)));
    guesses::write(tx, &states.into_iter().collect::<Vec<_>>(), now).await?;
    Ok(results)
}

pub(crate) async fn count_one(tx: &mut Tx, attempt: Attempt<'_>, now: Timestamp) -> Result<Guess> {
    let counted = count(tx, &[attempt], now).await?.pop();
    Ok(counted.ok_or_else(|| Error::Internal("a guess without a result".to_owned()))??)
}

/// Uncounts right guesses. Resets the counters of their devices or networks, but removes only these guesses from the counters of
/// unknown networks, because the other guesses there may come from an attacker.
pub(crate) async fn uncount(tx: &mut Tx, right: &[Guess], now: Timestamp) -> Result<()> {
    let counters: BTreeSet<_> = right.iter().flat_map(|guess| [Some(guess.here), guess.strange]).flatten().collect();
    let counters: Vec<_> = counters.into_iter().collect();
    let mut states: BTreeMap<_, _> = guesses::lock(tx, &counters, now).await?.into_iter().collect();
    let here: BTreeSet<_> = right.iter().map(|guess| guess.here).collect();
    states.retain(|counter, _| !here.contains(counter));
    for strange in right.iter().filter_map(|guess| guess.strange) {
        if let Some(state) = states.get_mut(&strange) {
            *state = state.right();
        }
    }
    guesses::forget(tx, &here.into_iter().collect::<Vec<_>>()).await?;
    guesses::write(tx, &states.into_iter().collect::<Vec<_>>(), now).await?;
    Ok(())
}

/// Deletes the counters of a secret that was replaced.
pub(crate) async fn forget(tx: &mut Tx, secret: Secret<'_>) -> Result<()> {
    Ok(guesses::forget_all(tx, &secret.subject()).await?)
}

/// Records that an account logged in from a network.
pub(crate) async fn remember_network(tx: &mut Tx, user: UserId, network: &str, now: Timestamp) -> Result<()> {
    if network.is_empty() {
        return Ok(());
    }
    let day_ago = now.checked_sub_signed(Duration::days(1)).unwrap_or(now);
    Ok(guesses::remember(tx, user, network, now, day_ago, NEW_NETWORKS_A_DAY).await?)
}

/// Returns whether an account has logged in from a network; `false` without an account.
pub(crate) async fn is_known(tx: &mut Tx, user: Option<UserId>, network: &str) -> Result<bool> {
    Ok(!guesses::known(tx, &[(user.unwrap_or(NOBODY), network)]).await?.is_empty())
}
