//! Keeps the hall current.

use std::time::Duration;

use async_trait::async_trait;
use tokio::time::sleep;

use super::Hall;
use super::loading::Changed;
use crate::Result;
use crate::memory::feed::{Change, Follower};

/// The pause after a failure.
const RETRY_PAUSE: Duration = Duration::from_secs(1);
/// How often the start of a new day is noticed.
const DAY_CHECK: Duration = Duration::from_secs(30);

/// What must be read again.
#[derive(Debug, Default)]
pub(super) struct Pending {
    everything: bool,
    changed: Changed,
}

/// Only notes what must be read again, so that other followers need not wait while the hall is loaded.
#[async_trait]
impl Follower for Hall {
    async fn apply(&self, changes: &[Change]) -> Result<()> {
        let mut pending = self.pending();
        for change in changes {
            match change {
                Change::Advert(advert) => drop(pending.changed.adverts.insert(*advert)),
                Change::Profile(user) => drop(pending.changed.users.insert(*user)),
                Change::Reference => pending.changed.reference_data = true,
                Change::User(_) | Change::Session(_) | Change::Trade | Change::Platform | Change::Head => {}
            }
        }
        let any = pending.everything || !pending.changed.is_empty();
        drop(pending);
        if any {
            self.noted.notify_one();
        }
        Ok(())
    }

    async fn reset(&self) -> Result<()> {
        // What was noted before the reset is part of everything.
        *self.pending() = Pending { everything: true, changed: Changed::default() };
        self.noted.notify_one();
        Ok(())
    }
}

impl Hall {
    /// Reads what the change feed reports, for as long as the process runs. Never returns; to stop it, drop the future.
    pub async fn run(&self) {
        loop {
            let worked = match self.catch_up().await {
                Ok(()) => self.start_day().await,
                failed => failed,
            };
            if let Err(error) = worked {
                tracing::warn!(%error, "cannot read the hall; retrying");
                sleep(RETRY_PAUSE).await;
                continue;
            }
            tokio::select! {
                () = self.noted.notified() => {}
                () = sleep(DAY_CHECK) => {}
            }
        }
    }

    /// Reads everything that was noted until now. After an error, the next call reads it again.
    pub async fn catch_up(&self) -> Result<()> {
        loop {
            let Pending { everything, changed } = std::mem::take(&mut *self.pending());
            let worked = if everything { self.load().await } else { self.update(&changed).await };
            if worked.is_err() {
                let mut pending = self.pending();
                pending.everything |= everything;
                pending.changed.add(changed);
            }
            worked?;
            let pending = self.pending();
            if !pending.everything && pending.changed.is_empty() {
                return Ok(());
            }
        }
    }
}
