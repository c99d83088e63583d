//! Checks security passwords, for concurrent commands together.
//!
//! A check counts the password as a wrong guess, compares it with its hash, and uncounts it if it is right. Concurrent
//! checks share the transactions that count and uncount. The same password of the same user from the same network is one
//! guess, however many concurrent commands it protects: an advertiser may confirm many orders at once.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use domain::ids::UserId;
use domain::refusal::Refusal;
use sha2::{Digest, Sha256};
use store::identity::{accounts, secrets};
use tokio::sync::OnceCell;

use super::guesses::{self, Attempt, Guess, Secret};
use super::sealed::{Decrypted, unreadable};
use super::{Device, Identity, Sealed};
use crate::engine::batch::Batch;
use crate::engine::idempotency::IdempotencyKey;
use crate::{Context, Error, Result};

/// A password to check.
struct Typed {
    user: UserId,
    network: String,
    decrypted: Decrypted,
}

/// A counted guess, which concurrent commands may share.
struct Check {
    typed: String,
    hash: String,
    guess: Guess,
    right: OnceCell<bool>,
}

/// What is guessed: the user, the network and the hash of the password.
type Guessed = (UserId, String, [u8; 32]);

impl Typed {
    fn guessed(&self) -> Guessed {
        (self.user, self.network.clone(), Sha256::digest(&self.decrypted.secret).into())
    }
}

/// The checks that are not finished.
type Running = Arc<Mutex<HashMap<Guessed, Weak<Check>>>>;

/// The sets in which security passwords are checked.
pub(super) struct SecurityPasswords {
    counting: Batch<Typed, Result<Arc<Check>>>,
    uncounting: Batch<Guess, Result<()>>,
}

impl SecurityPasswords {
    pub(super) fn new(context: &Context) -> Self {
        let (counting, uncounting) = (context.clone(), context.clone());
        let running = Running::default();
        Self {
            counting: Batch::new(move |set: Vec<Typed>| {
                let (context, running) = (counting.clone(), Arc::clone(&running));
                async move {
                    let size = set.len();
                    count(&context, &running, set).await.unwrap_or_else(|error| vec![Err(error); size])
                }
            }),
            uncounting: Batch::new(move |set: Vec<Guess>| {
                let context = uncounting.clone();
                async move { vec![uncount(&context, &set).await; set.len()] }
            }),
        }
    }
}

/// Uses up the nonces of passwords, and counts the passwords as wrong guesses. Also uses up the nonces of refused ones.
async fn count(context: &Context, running: &Running, set: Vec<Typed>) -> Result<Vec<Result<Arc<Check>>>> {
    let (mut tx, now) = context.begin().await?;
    let uses: Vec<_> = set.iter().filter_map(|typed| typed.decrypted.nonce_use(now)).collect();
    let used = secrets::use_nonces(&mut tx, &uses, now, None).await?;
    let users: Vec<_> = set.iter().map(|typed| typed.user).collect();
    let hashes: BTreeMap<_, _> = accounts::security_hashes(&mut tx, &users).await?.into_iter().collect();
    let hash_of = |typed: &Typed| {
        if typed.decrypted.nonce_use(now).is_none_or(|nonce_use| !used.contains(&nonce_use)) {
            return Err(unreadable());
        }
        let hash = hashes.get(&typed.user).ok_or(Refusal::SessionInvalid)?;
        Ok(hash.clone().ok_or(Refusal::SecurityPasswordMissing)?)
    };
    let requests: Vec<_> = set.iter().map(|typed| (typed, typed.guessed(), hash_of(typed))).collect();

    let mut checks: HashMap<Guessed, std::result::Result<Arc<Check>, Refusal>> = HashMap::new();
    let mut new: HashMap<&Guessed, (&Typed, &String)> = HashMap::new();
    for (typed, guessed, hash) in &requests {
        let Ok(hash) = hash else { continue };
        let running = lock(running).get(guessed).and_then(Weak::upgrade);
        match running.filter(|check| check.hash == *hash) {
            Some(check) => drop(checks.insert(guessed.clone(), Ok(check))),
            None => drop(new.insert(guessed, (typed, hash))),
        }
    }
    let new: Vec<_> = new.into_iter().collect();
    let attempts: Vec<_> = new
        .iter()
        .map(|(_, (typed, _))| Attempt {
            secret: Secret::Security(typed.user),
            owner: Some(typed.user),
            network: &typed.network,
            device: None,
        })
        .collect();
    let counted = if attempts.is_empty() { Vec::new() } else { guesses::count(&mut tx, &attempts, now).await? };
    tx.commit().await?;

    let mut running = lock(running);
    running.retain(|_, check| check.strong_count() > 0);
    for ((guessed, (typed, hash)), guess) in new.into_iter().zip(counted) {
        let check = guess.map(|guess| {
            let typed = typed.decrypted.secret.clone();
            Arc::new(Check { typed, hash: hash.clone(), guess, right: OnceCell::new() })
        });
        if let Ok(check) = &check {
            running.insert(guessed.clone(), Arc::downgrade(check));
        }
        checks.insert(guessed.clone(), check);
    }
    drop(running);
    let missing = || Error::Internal("a guess that was not counted".to_owned());
    Ok(requests
        .iter()
        .map(|(_, guessed, hash)| {
            hash.clone()?;
            Ok(checks.get(guessed).cloned().ok_or_else(missing)??)
        })
        .collect())
}

fn lock(running: &Running) -> MutexGuard<'_, HashMap<Guessed, Weak<Check>>> {
    running.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn uncount(context: &Context, right: &[Guess]) -> Result<()> {
    let (mut tx, now) = context.begin().await?;
    guesses::uncount(&mut tx, right, now).await?;
    Ok(tx.commit().await?)
}

impl Identity {
    /// Refuses a wrong security password. Repeated failures lead to a lockout.
    ///
    /// Must be called before the protected command, which then runs in a separate transaction.
    pub async fn check_security_password(
        &self,
        key: &IdempotencyKey,
        user: UserId,
        sealed: &Sealed,
        device: &Device,
    ) -> Result<()> {
        let decrypted = self.decrypt(sealed, key.command_of(user.0)).await?;
        let typed = Typed { user, network: device.network(), decrypted };
        let check = self.security_passwords.counting.run(typed).await??;
        let right = check.right.get_or_try_init(|| async {
            let right = self.hasher.is(check.typed.clone(), Some(check.hash.clone())).await?;
            if right {
                self.security_passwords.uncounting.run(check.guess).await??;
            }
            Ok::<_, Error>(right)
        });
        if *right.await? { Ok(()) } else { Err(Refusal::SecurityPasswordWrong { left: check.guess.left }.into()) }
    }
}
