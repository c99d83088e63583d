//! Follows the change feed: tells the parts of a process that keep data in memory what has been committed, by this process or
//! any other.

use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use store::changes::{self, Position, Reading};
use store::reference_data::Freshness;
use tokio::time::sleep;

use crate::{Context, Result};

pub use store::changes::Change;

/// The maximum number of changes that are read one by one. A reader that is further behind begins anew.
const MAX_CHANGES: i64 = 20_000;
/// The pause after a failure.
const RETRY_PAUSE: Duration = Duration::from_secs(1);
/// How long changes are kept. A reader that reads nothing for so long begins anew.
const RETENTION: chrono::Duration = chrono::Duration::minutes(5);

/// A part of the process that keeps data in memory.
#[async_trait]
pub trait Follower: Send + Sync {
    /// Reads again what has changed. After an error, [`Self::reset`] is called.
    async fn apply(&self, changes: &[Change]) -> Result<()>;

    /// Reads everything again. Called at the start, after an error, and when changes were missed.
    async fn reset(&self) -> Result<()>;
}

/// How often the feed is read.
#[derive(Debug, Clone, Copy)]
pub struct Pace {
    /// The interval while there are changes.
    pub busy: Duration,
    /// The interval after a time without changes. A commit of this process ends it.
    pub idle: Duration,
    /// How long after the last change the interval becomes `idle`.
    pub busy_for: Duration,
}

impl Default for Pace {
    fn default() -> Self {
        Self { busy: Duration::from_millis(15), idle: Duration::from_millis(500), busy_for: Duration::from_secs(3) }
    }
}

/// A reader of the change feed. Each reader reads all changes independently of other readers.
pub struct Feed {
    context: Context,
    position: Position,
    freshness: Option<Freshness>,
}

impl Feed {
    /// Starts with what is committed from now on.
    pub async fn begin(context: &Context) -> Result<Self> {
        let mut tx = context.store.alone().await?;
        let position = changes::end(&mut tx).await?;
        Ok(Self { context: context.clone(), position, freshness: None })
    }

    /// Returns what was committed since the last call; empty if nothing was. Returns `None` if changes were missed: the
    /// reader must begin anew. After an error, the next call reads the same changes again.
    pub async fn next(&mut self) -> Result<Option<Vec<Change>>> {
        let mut tx = self.context.store.alone().await?;
        let Reading { changes, freshness, position } = changes::since(&mut tx, &self.position, MAX_CHANGES).await?;
        let Some(mut changes) = changes else { return Ok(None) };
        if self.freshness.is_none_or(|known| known.version != freshness.version) {
            changes.push(Change::Reference);
        }
        if self.freshness.is_none_or(|known| known.head != freshness.head) {
            changes.push(Change::Head);
        }
        self.freshness = Some(freshness);
        self.position = position;
        Ok(Some(changes))
    }
}

/// Reads the feed and tells the followers of each change, in the order in which they are listed. Never returns; to stop it,
/// drop the future.
pub async fn follow(context: &Context, followers: &[Arc<dyn Follower>], pace: Pace) {
    let mut following = Following::new(context, followers);
    let mut changed_at = Instant::now();
    let mut failing = false;
    loop {
        let read_at = Instant::now();
        match following.step().await {
            Ok(changed) => {
                if changed {
                    changed_at = read_at;
                }
                if std::mem::take(&mut failing) {
                    tracing::info!("the change feed is being read again");
                }
            }
            Err(error) => {
                if !std::mem::replace(&mut failing, true) {
                    tracing::warn!(%error, "cannot read the change feed; retrying");
                }
                sleep(RETRY_PAUSE).await;
                continue;
            }
        }
        if changed_at.elapsed() < pace.busy_for {
            sleep(pace.busy).await;
            continue;
        }
        tokio::select! {
            () = sleep(pace.idle) => {}
            () = context.committed() => {
                changed_at = Instant::now();
                sleep(pace.busy.saturating_sub(read_at.elapsed())).await;
            }
        }
    }
}

/// The reader of a process, with its followers.
pub struct Following {
    context: Context,
    followers: Vec<Arc<dyn Follower>>,
    /// `None` at the start and after a failure.
    feed: Option<Feed>,
}

impl Following {
    pub fn new(context: &Context, followers: &[Arc<dyn Follower>]) -> Self {
        Self { context: context.clone(), followers: followers.to_vec(), feed: None }
    }

    /// Reads the feed once and tells the followers. Returns whether to expect more changes soon.
    pub async fn step(&mut self) -> Result<bool> {
        let mut feed = match self.feed.take() {
            Some(feed) => feed,
            None => self.begin().await?,
        };
        let at = self.context.machine_now();
        let changes = match feed.next().await {
            Ok(Some(changes)) => changes,
            Ok(None) => return Ok(true),
            Err(error) => {
                self.feed = Some(feed);
                return Err(error);
            }
        };
        self.context.versions.changed(&changes);
        self.context.versions.read(at, feed.freshness.and_then(|freshness| freshness.heartbeat));
        if !changes.is_empty() {
            for follower in &self.followers {
                follower.apply(&changes).await?;
            }
        }
        self.feed = Some(feed);
        // A new block alone is no reason to expect more.
        Ok(changes.iter().any(|change| *change != Change::Head))
    }

    async fn begin(&self) -> Result<Feed> {
        // Begin before the followers read, so that they are told what changes in the meantime.
        let feed = Feed::begin(&self.context).await?;
        self.context.versions.reset();
        for follower in &self.followers {
            follower.reset().await?;
        }
        Ok(feed)
    }
}

/// Deletes old changes. Must be called periodically. Returns the number of deleted changes.
pub async fn expire(context: &Context) -> Result<u64> {
    let mut tx = context.store.begin().await?;
    let deleted = changes::delete_old(&mut tx, context.machine_now(), RETENTION).await?;
    tx.commit().await?;
    Ok(deleted)
}
