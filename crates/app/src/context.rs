//! What every use case stands on: the database, the clock, and a source of identifiers.

use std::sync::Arc;

use chrono::Utc;
use domain::clock::{Reading, Timestamp};
use domain::ids::IdSource;
use store::{Store, Tx};
use uuid::Uuid;

use crate::Result;

/// What time it is on this machine. Only [`SystemTime`] reads a clock.
pub trait MachineTime: Send + Sync {
    /// The machine's time.
    fn now(&self) -> Timestamp;
}

/// The machine's own clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemTime;

impl MachineTime for SystemTime {
    fn now(&self) -> Timestamp {
        Utc::now()
    }
}

/// How the product knows the time.
#[derive(Clone)]
pub enum Clock {
    /// It is the machine's: production.
    Machine(Arc<dyn MachineTime>),
    /// The database's one row shifts or stops it: development, tests and demonstrations.
    Shared(Arc<dyn MachineTime>),
}

/// What every use case stands on. Cheap to clone.
#[derive(Clone)]
pub struct Context {
    /// The database.
    pub store: Store,
    clock: Clock,
    ids: Arc<dyn IdSource>,
}

impl Context {
    /// Puts the parts together.
    pub fn new(store: Store, clock: Clock, ids: Arc<dyn IdSource>) -> Self {
        Self { store, clock, ids }
    }

    /// Begins a transaction, at the moment which is its time throughout.
    pub async fn begin(&self) -> Result<(Tx, Timestamp)> {
        let mut tx = self.store.begin().await?;
        let now = match &self.clock {
            Clock::Machine(machine) => Reading::Running { shift: chrono::Duration::zero() }.now(machine.now()),
            Clock::Shared(machine) => store::clock::read(&mut tx).await?.now(machine.now()),
        };
        // What the database keeps has microseconds: a moment that is written and read again must be the same.
        Ok((tx, truncate_to_micros(now)))
    }

    /// The machine's time, which nobody moves.
    pub fn machine_now(&self) -> Timestamp {
        let (Clock::Machine(machine) | Clock::Shared(machine)) = &self.clock;
        truncate_to_micros(machine.now())
    }

    /// The product's time.
    pub async fn now(&self) -> Result<Timestamp> {
        let (tx, now) = self.begin().await?;
        tx.rollback().await?;
        Ok(now)
    }

    /// A fresh identifier of the moment.
    pub fn fresh(&self, now: Timestamp) -> Uuid {
        self.ids.fresh(now)
    }
}

fn truncate_to_micros(timestamp: Timestamp) -> Timestamp {
    Timestamp::from_timestamp_micros(timestamp.timestamp_micros()).unwrap_or(timestamp)
}
