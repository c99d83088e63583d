//! Hashes passwords with Argon2id behind a bounded queue. In a flood of logins, requests wait or are refused, and
//! trading continues.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};
use chrono::Duration;
use domain::refusal::Refusal;
use tokio::sync::Semaphore;

use crate::{Error, Result};

/// The cost of a hash and the length of the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HashSettings {
    /// In kibibytes.
    pub memory: u32,
    /// The number of passes over the memory.
    pub passes: u32,
    /// The number of concurrent computations.
    pub at_once: usize,
    /// The number of requests that may wait.
    pub waiting: usize,
}

impl Default for HashSettings {
    fn default() -> Self {
        // 19 MiB and two passes, as OWASP recommends.
        Self { memory: 19 * 1024, passes: 2, at_once: 2, waiting: 64 }
    }
}

#[derive(Clone)]
pub struct Hasher {
    params: Params,
    turn: Arc<Semaphore>,
    queue: Arc<AtomicUsize>,
    most: usize,
    /// Hash to check against if there is no account, so that the response takes the same time.
    nobody: Arc<str>,
}

struct Place(Arc<AtomicUsize>);

impl Drop for Place {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

impl Hasher {
    /// Creates a hasher with an empty queue.
    pub fn new(settings: HashSettings) -> Result<Self> {
        let params = Params::new(settings.memory, settings.passes, 1, None).map_err(Error::internal)?;
        let argon = Argon2::new(Algorithm::Argon2id, Version::V0x13, params.clone());
        let nobody = argon.hash_password_with_salt(b"nobody", &[0; 16]).map_err(Error::internal)?.to_string();
        Ok(Self {
            params,
            turn: Arc::new(Semaphore::new(settings.at_once.max(1))),
            queue: Arc::default(),
            most: settings.at_once.max(1).saturating_add(settings.waiting),
            nobody: nobody.into(),
        })
    }

    /// Hashes a password. The result is a text that includes the parameters of the hash function.
    pub(crate) async fn hash(&self, password: String, salt: [u8; 16]) -> Result<String> {
        let argon = Argon2::new(Algorithm::Argon2id, Version::V0x13, self.params.clone());
        self.run(move || argon.hash_password_with_salt(password.as_bytes(), &salt).map(|hash| hash.to_string()))
            .await?
            .map_err(Error::internal)
    }

    /// Returns whether a password matches a hash. Without a hash, takes the same time and returns `false`.
    pub(crate) async fn is(&self, password: String, hash: Option<String>) -> Result<bool> {
        let known = hash.is_some();
        let hash = hash.unwrap_or_else(|| self.nobody.to_string());
        let same =
            self.run(move || Argon2::default().verify_password(password.as_bytes(), hash.as_str()).is_ok()).await?;
        Ok(same && known)
    }

    async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
        let place = Place(Arc::clone(&self.queue));
        if self.queue.fetch_add(1, Ordering::AcqRel) >= self.most {
            return Err(Refusal::TooMany { retry_after: Duration::seconds(1) }.into());
        }
        let _turn = self.turn.acquire().await.map_err(Error::internal)?;
        let done = tokio::task::spawn_blocking(work).await.map_err(Error::internal);
        drop(place);
        done
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quick(waiting: usize) -> Hasher {
        Hasher::new(HashSettings { memory: 8, passes: 1, at_once: 1, waiting }).unwrap()
    }

    #[tokio::test]
    async fn a_password_is_known_again_and_another_is_not() {
        let hasher = quick(4);
        let hash = hasher.hash("Right1!x".into(), [1; 16]).await.unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=8,t=1,p=1$"), "{hash}");
        assert!(hasher.is("Right1!x".into(), Some(hash.clone())).await.unwrap());
        assert!(!hasher.is("Wrong1!x".into(), Some(hash)).await.unwrap());
        assert!(!hasher.is("nobody".into(), None).await.unwrap());
    }

    #[tokio::test]
    async fn who_finds_the_queue_full_is_sent_away() {
        let hasher = quick(1);
        let turn = Arc::clone(&hasher.turn).acquire_owned().await.unwrap();
        let first = tokio::spawn({
            let hasher = hasher.clone();
            async move { hasher.hash("a".into(), [1; 16]).await }
        });
        let second = tokio::spawn({
            let hasher = hasher.clone();
            async move { hasher.hash("b".into(), [1; 16]).await }
        });
        while hasher.queue.load(Ordering::Acquire) < 2 {
            tokio::task::yield_now().await;
        }
        let third = hasher.hash("c".into(), [1; 16]).await;
        assert!(matches!(third, Err(Error::Refused(Refusal::TooMany { .. }))));
        drop(turn);
        assert!(first.await.unwrap().is_ok() && second.await.unwrap().is_ok());
        assert!(hasher.hash("d".into(), [1; 16]).await.is_ok());
    }
}
