//! The dependencies of all use cases: the database, the clock and the source of IDs.

use std::sync::{Arc, OnceLock};

use chrono::Utc;
use domain::clock::{Reading, Timestamp};
use domain::ids::IdSource;
use store::{Store, Tx};
use tokio::sync::Notify;
use uuid::Uuid;

use crate::Result;
use crate::files::LinkKey;
use crate::memory::reference_data;
use crate::memory::versions::Versions;

/// The machine's clock. Only [`SystemTime`] reads the real clock.
pub trait MachineTime: Send + Sync {
    fn now(&self) -> Timestamp;
}

#[derive(Debug, Clone, Copy, Default)]
pub struct SystemTime;

impl MachineTime for SystemTime {
    fn now(&self) -> Timestamp {
        Utc::now()
    }
}

/// The source of the product's time.
#[derive(Clone)]
pub enum Clock {
    /// The machine's clock, in production.
    Machine(Arc<dyn MachineTime>),
    /// The machine's clock, shifted or stopped by a database row, in development, tests and demos.
    Shared(Arc<dyn MachineTime>),
}

/// The dependencies of all use cases. Cheap to clone.
#[derive(Clone)]
pub struct Context {
    pub store: Store,
    clock: Clock,
    ids: Arc<dyn IdSource>,
    reference_data: Arc<reference_data::Cache>,
    committed: Arc<Notify>,
    pub(crate) versions: Arc<Versions>,
    pub(crate) link_key: Arc<OnceLock<LinkKey>>,
}

impl Context {
    pub fn new(store: Store, clock: Clock, ids: Arc<dyn IdSource>) -> Self {
        Self {
            store,
            clock,
            ids,
            reference_data: Arc::default(),
            committed: Arc::default(),
            versions: Arc::default(),
            link_key: Arc::default(),
        }
    }

    /// Begins a transaction and returns it with the current time, which the whole transaction uses.
    pub async fn begin(&self) -> Result<(Tx, Timestamp)> {
        let tx = self.store.begin().await?;
        self.with_now(tx).await
    }

    /// Begins a transaction that only reads, and in which all statements see the same state of the database.
    pub(crate) async fn begin_snapshot(&self) -> Result<(Tx, Timestamp)> {
        let tx = self.store.begin_snapshot().await?;
        self.with_now(tx).await
    }

    async fn with_now(&self, mut tx: Tx) -> Result<(Tx, Timestamp)> {
        let now = match &self.clock {
            Clock::Machine(machine) => Reading::Running { shift: chrono::Duration::zero() }.now(machine.now()),
            Clock::Shared(machine) => store::clock::read(&mut tx).await?.now(machine.now()),
        };
        // The database stores microseconds: truncate, so that a timestamp is the same when it is read back.
        Ok((tx, truncate_to_micros(now)))
    }

    /// Returns the reference data as of the transaction's current statement.
    pub(crate) async fn reference_data(&self, tx: &mut Tx) -> store::Result<reference_data::Current> {
        self.reference_data.current(tx).await
    }

    /// Returns the machine's time, which the product's clock does not affect.
    pub fn machine_now(&self) -> Timestamp {
        let (Clock::Machine(machine) | Clock::Shared(machine)) = &self.clock;
        truncate_to_micros(machine.now())
    }

    pub async fn now(&self) -> Result<Timestamp> {
        match &self.clock {
            // Needs no connection.
            Clock::Machine(_) => Ok(self.machine_now()),
            Clock::Shared(_) => Ok(self.alone().await?.1),
        }
    }

    /// Like [`Self::begin`], but each statement is a transaction of its own.
    pub(crate) async fn alone(&self) -> Result<(Tx, Timestamp)> {
        let tx = self.store.alone().await?;
        self.with_now(tx).await
    }

    /// Tells the reader of the change feed that this process has committed changes.
    pub(crate) fn has_committed(&self) {
        self.committed.notify_one();
    }

    /// Waits for the next call of [`Self::has_committed`], unless one has happened since the last wait.
    pub(crate) async fn committed(&self) {
        self.committed.notified().await;
    }

    /// Returns ten random bytes, different on every call.
    pub(crate) fn random(&self) -> [u8; 10] {
        self.ids.random()
    }

    /// Creates an ID. IDs sort by `now`.
    pub fn fresh(&self, now: Timestamp) -> Uuid {
        self.ids.fresh(now)
    }
}

fn truncate_to_micros(timestamp: Timestamp) -> Timestamp {
    Timestamp::from_timestamp_micros(timestamp.timestamp_micros()).unwrap_or(timestamp)
}
