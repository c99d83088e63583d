//! Connections and transactions.

use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{PgConnection, PgPool, Postgres, Transaction};

use crate::Result;

/// How to reach the database.
#[derive(Clone)]
pub struct Options {
    /// `postgres://user:password@host:port/database`.
    pub url: String,
    /// The most connections to hold.
    pub connections: u32,
    /// How long to wait for a free connection before giving up.
    pub patience: Duration,
}

impl std::fmt::Debug for Options {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Options").field("connections", &self.connections).finish_non_exhaustive()
    }
}

/// The database.
#[derive(Debug, Clone)]
pub struct Store {
    pool: PgPool,
}

/// A transaction. Dropped without a commit, it leaves no trace.
#[derive(Debug)]
pub struct Tx {
    inner: Transaction<'static, Postgres>,
}

impl Store {
    /// A pool of connections, made as they are needed: the database need not be there yet.
    pub fn connect(options: &Options) -> Result<Self> {
        let target: PgConnectOptions = options.url.parse::<PgConnectOptions>()?.application_name("mec2c");
        let pool = PgPoolOptions::new()
            .max_connections(options.connections)
            .acquire_timeout(options.patience)
            .connect_lazy_with(target);
        Ok(Self { pool })
    }

    /// Brings the schema and the data that comes with it up to date. Several processes may call it at once.
    pub async fn migrate(&self) -> Result<()> {
        schema::MIGRATIONS.run(&self.pool).await?;
        let mut tx = self.begin().await?;
        crate::payment_methods::put_forms(&mut tx, &crate::payment_methods::shipped()?).await?;
        tx.commit().await
    }

    /// Begins a transaction (read committed; the rows that matter are locked).
    ///
    /// Rows are locked `for no key update`: keys never change, and a row that refers to a locked one (a transfer to its
    /// person, a payout to its chain) need not wait for it. Else whoever writes such a row before locking would close a
    /// circle with whoever locks first.
    pub async fn begin(&self) -> Result<Tx> {
        Ok(Tx { inner: self.pool.begin().await? })
    }

    /// Whether the database answers.
    pub async fn ping(&self) -> Result<()> {
        sqlx::query!("select 1 as one").fetch_one(&self.pool).await?;
        Ok(())
    }

    /// Lets go of all connections.
    pub async fn close(&self) {
        self.pool.close().await;
    }
}

impl Tx {
    /// Makes everything that was written final.
    pub async fn commit(self) -> Result<()> {
        Ok(self.inner.commit().await?)
    }

    /// Forgets everything that was written.
    pub async fn rollback(self) -> Result<()> {
        Ok(self.inner.rollback().await?)
    }

    /// Marks a point to which [`Self::roll_back_to_mark`] returns. There is one mark at a time.
    pub async fn mark(&mut self) -> Result<()> {
        Ok(sqlx::raw_sql("savepoint mark").execute(self.connection()).await.map(drop)?)
    }

    /// Keeps what was written since the mark, and forgets the mark.
    pub async fn keep(&mut self) -> Result<()> {
        Ok(sqlx::raw_sql("release savepoint mark").execute(self.connection()).await.map(drop)?)
    }

    /// Forgets what was written since the mark, also after the database has refused a statement, and the mark with it. Rows
    /// that were locked since are free again.
    pub async fn roll_back_to_mark(&mut self) -> Result<()> {
        let statements = "rollback to savepoint mark; release savepoint mark";
        Ok(sqlx::raw_sql(statements).execute(self.connection()).await.map(drop)?)
    }

    pub(crate) fn connection(&mut self) -> &mut PgConnection {
        &mut self.inner
    }
}
