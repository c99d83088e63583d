//! Connections and transactions.

use std::time::Duration;

use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{Connection, PgConnection, PgPool, Postgres, Transaction};

use crate::Result;

#[derive(Clone)]
pub struct Options {
    /// `postgres://user:password@host:port/database`.
    pub url: String,
    /// The maximum number of connections.
    pub connections: u32,
    /// How long to wait for a free connection.
    pub patience: Duration,
    /// A connection that was used more recently is not tested before it is used again, which saves a round trip. It
    /// fails if PostgreSQL has closed it since.
    pub untested: Duration,
}

impl std::fmt::Debug for Options {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Options").field("connections", &self.connections).finish_non_exhaustive()
    }
}

/// The time after which PostgreSQL ends a connection whose transaction executes nothing. Longer than a step of the worker,
/// which asks the node while it holds a transaction.
const IDLE_TIMEOUT: Duration = Duration::from_secs(150);

#[derive(Debug, Clone)]
pub struct Store {
    pool: PgPool,
}

/// A transaction. Dropping it without a commit rolls it back.
#[derive(Debug)]
pub struct Tx {
    inner: Inner,
}

#[derive(Debug)]
enum Inner {
    Transaction(Transaction<'static, Postgres>),
    /// Each statement is a transaction of its own.
    Alone(PoolConnection<Postgres>),
}

impl Store {
    /// Creates a pool that connects on demand, so that the database may start later.
    pub fn connect(options: &Options) -> Result<Self> {
        Self::connect_until_abandoned(options, IDLE_TIMEOUT)
    }

    /// Does the same. A transaction that executes nothing for `abandoned` ends: if a process stops in the middle of a
    /// transaction, its locks would otherwise hold up the commands of a whole lane.
    pub fn connect_until_abandoned(options: &Options, abandoned: Duration) -> Result<Self> {
        let target: PgConnectOptions = options
            .url
            .parse::<PgConnectOptions>()?
            .application_name("mec2c")
            .options([("idle_in_transaction_session_timeout", abandoned.as_millis().to_string())]);
        let untested = options.untested;
        let pool = PgPoolOptions::new()
            .max_connections(options.connections)
            .acquire_timeout(options.patience)
            .test_before_acquire(false)
            .before_acquire(move |connection, meta| {
                Box::pin(async move {
                    if meta.idle_for >= untested {
                        connection.ping().await?;
                    }
                    Ok(true)
                })
            })
            .connect_lazy_with(target);
        Ok(Self { pool })
    }

    /// Migrates the schema and its data. Several processes can safely call it at the same time.
    pub async fn migrate(&self) -> Result<()> {
        schema::MIGRATIONS.run(&self.pool).await?;
        let mut tx = self.begin().await?;
        crate::payment_methods::put_forms(&mut tx, &crate::payment_methods::shipped()?).await?;
        tx.commit().await
    }

    /// Begins a transaction. The isolation level is *read committed*: callers lock the rows on which they depend.
    ///
    /// Rows are locked `for no key update`: keys never change, so inserting a row that refers to a locked row (a
    /// transfer to its user, a payout to its chain) need not wait for the lock. Otherwise, a transaction that inserts
    /// such a row before it takes a lock could deadlock with a transaction that takes the lock first.
    pub async fn begin(&self) -> Result<Tx> {
        Ok(Tx { inner: Inner::Transaction(self.pool.begin().await?) })
    }

    /// Begins a transaction that only reads, and in which all statements see the same state of the database.
    pub async fn begin_snapshot(&self) -> Result<Tx> {
        let begun = self.pool.begin_with("begin isolation level repeatable read, read only").await?;
        Ok(Tx { inner: Inner::Transaction(begun) })
    }

    /// Returns a connection on which each statement is a transaction of its own, for loops that read a single statement
    /// again and again. A commit or rollback does nothing.
    pub async fn alone(&self) -> Result<Tx> {
        Ok(Tx { inner: Inner::Alone(self.pool.acquire().await?) })
    }

    /// Returns the maximum number of connections.
    pub fn connections(&self) -> u32 {
        self.pool.options().get_max_connections()
    }

    pub async fn ping(&self) -> Result<()> {
        sqlx::query!("select 1 as one").fetch_one(&self.pool).await?;
        Ok(())
    }

    /// Returns whether all connections wait for work. A dropped transaction is rolled back in the background.
    pub fn is_idle(&self) -> bool {
        usize::try_from(self.pool.size()).is_ok_and(|size| self.pool.num_idle() == size)
    }

    pub async fn close(&self) {
        self.pool.close().await;
    }
}

impl Tx {
    pub async fn commit(self) -> Result<()> {
        match self.inner {
            Inner::Transaction(transaction) => Ok(transaction.commit().await?),
            Inner::Alone(_) => Ok(()),
        }
    }

    pub async fn rollback(self) -> Result<()> {
        match self.inner {
            Inner::Transaction(transaction) => Ok(transaction.rollback().await?),
            Inner::Alone(_) => Ok(()),
        }
    }

    /// Sets a savepoint for [`Self::roll_back_to_mark`]. A transaction can have one at a time.
    pub async fn mark(&mut self) -> Result<()> {
        Ok(sqlx::raw_sql("savepoint mark").execute(self.connection()).await.map(drop)?)
    }

    /// Releases the savepoint and keeps the changes made since.
    pub async fn keep(&mut self) -> Result<()> {
        Ok(sqlx::raw_sql("release savepoint mark").execute(self.connection()).await.map(drop)?)
    }

    /// Rolls back to the savepoint and releases it, even after the database has refused a statement. Also releases the
    /// locks taken since the savepoint.
    pub async fn roll_back_to_mark(&mut self) -> Result<()> {
        let statements = "rollback to savepoint mark; release savepoint mark";
        Ok(sqlx::raw_sql(statements).execute(self.connection()).await.map(drop)?)
    }

    pub(crate) fn connection(&mut self) -> &mut PgConnection {
        match &mut self.inner {
            Inner::Transaction(transaction) => transaction,
            Inner::Alone(connection) => connection,
        }
    }
}
