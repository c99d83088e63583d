//! A database for each test.

use std::path::Path;
use std::time::Duration;

use sqlx::{AssertSqlSafe, Connection, PgConnection};
use store::Store;
use uuid::Uuid;

/// A migrated database that only one test uses. Tests leave it; later tests drop it, and the server is discarded after the test
/// run.
#[derive(Debug, Clone)]
pub struct Database {
    pub store: Store,
    /// The connection URL, for tests that start another process.
    pub url: String,
}

impl Database {
    /// Creates a copy of the migrated template.
    pub async fn fresh() -> Self {
        let server = std::env::var("DATABASE_URL").expect(
            "DATABASE_URL must name a PostgreSQL server: run `make test` or `scripts/with-postgres cargo test`",
        );
        Self::fresh_on(&server).await
    }

    /// Does the same on another server than that of `DATABASE_URL`.
    pub async fn fresh_on(server: &str) -> Self {
        let mut admin = PgConnection::connect(server).await.expect("a connection to the server in DATABASE_URL");
        let template = template(&mut admin, server).await;
        drop_abandoned(&mut admin).await;
        let name = format!("test_{}_{}", std::process::id(), Uuid::from_bytes(rand::random()).simple());
        run(&mut admin, format!("create database {name} template {template} strategy file_copy")).await;
        admin.close().await.expect("the connection should close");
        let url = with_database(server, &name);
        Self::connect(url)
    }

    fn connect(url: String) -> Self {
        let options = store::Options {
            url: url.clone(),
            connections: 8,
            patience: Duration::from_secs(30),
            untested: Duration::ZERO,
        };
        Self { store: Store::connect(&options).expect("a PostgreSQL URL"), url }
    }

    /// Returns the same database on connections of its own.
    #[must_use]
    pub fn reconnected(&self) -> Self {
        Self::connect(self.url.clone())
    }

    /// Returns the number of rows that all closed connections have read from tables, and of entries from their indexes.
    /// Waits until this is the only connection, because a connection counts what it has read when it closes.
    pub async fn rows_read(&self) -> i64 {
        let others =
            "select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()";
        while self.count(others).await > 0 {
            tokio::task::yield_now().await;
        }
        self.count(
            "select (select sum(seq_tup_read) from pg_stat_user_tables)::bigint
                  + (select sum(idx_tup_read) from pg_stat_user_indexes)::bigint",
        )
        .await
    }

    /// Runs a query that returns one number.
    pub async fn count(&self, query: &str) -> i64 {
        let mut connection = PgConnection::connect(&self.url).await.expect("the test's database");
        sqlx::query_scalar(AssertSqlSafe(query.to_owned())).fetch_one(&mut connection).await.expect("a number")
    }

    /// Drops the database.
    pub async fn remove(self) {
        self.store.close().await;
        let (_, name) = self.url.rsplit_once('/').expect("a URL with a database");
        let server = std::env::var("DATABASE_URL").expect("the server that created it");
        let mut admin = PgConnection::connect(&server).await.expect("a connection to the server in DATABASE_URL");
        run(&mut admin, format!("drop database {name} with (force)")).await;
    }

    /// Executes a statement, to change rows in ways that no command of the product would.
    pub async fn execute(&self, statement: &str) {
        let mut connection = PgConnection::connect(&self.url).await.expect("the test's database");
        run(&mut connection, statement.to_owned()).await;
    }
}

/// Returns the name of the migrated template, and creates it if no test with these migrations has done so.
async fn template(admin: &mut PgConnection, server: &str) -> String {
    let versions = schema::MIGRATIONS.iter().flat_map(|migration| migration.checksum.iter());
    let versions = versions.chain(schema::PAYMENT_METHODS.as_bytes());
    let print =
        versions.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3));
    let name = format!("template_{print:016x}");
    // One test creates the template; all other tests, including those in other processes, wait for the lock.
    run(admin, "select pg_advisory_lock(4711)".to_owned()).await;
    let there = sqlx::query_scalar::<_, bool>("select exists (select from pg_database where datname = $1)")
        .bind(&name)
        .fetch_one(&mut *admin)
        .await
        .expect("the template query");
    if !there {
        let draft = format!("{name}_draft");
        run(admin, format!("drop database if exists {draft} with (force)")).await;
        run(admin, format!("create database {draft}")).await;
        let options = store::Options {
            url: with_database(server, &draft),
            connections: 1,
            patience: Duration::from_secs(30),
            untested: Duration::ZERO,
        };
        let store = Store::connect(&options).expect("a PostgreSQL URL");
        store.migrate().await.expect("the migrations");
        store.close().await;
        run(admin, format!("alter database {draft} rename to {name}")).await;
    }
    run(admin, "select pg_advisory_unlock(4711)".to_owned()).await;
    name
}

/// Drops up to two databases of processes that have ended, so that a test run does not write gigabytes to the disk. Where `/proc`
/// does not tell which processes have ended, drops nothing.
async fn drop_abandoned(admin: &mut PgConnection) {
    if !Path::new("/proc/self").exists() {
        return;
    }
    let databases: Vec<String> =
        sqlx::query_scalar("select datname from pg_database where datname like 'test\\_%\\_%'")
            .fetch_all(&mut *admin)
            .await
            .expect("the list of databases");
    let ended = |name: &&String| {
        let process = name.split('_').nth(1).and_then(|process| process.parse::<u32>().ok());
        process.is_some_and(|process| !Path::new(&format!("/proc/{process}")).exists())
    };
    for name in databases.iter().filter(ended).take(2) {
        // Another test may drop the same database.
        let dropping = AssertSqlSafe(format!("drop database if exists {name} with (force)"));
        if let Err(error) = sqlx::raw_sql(dropping).execute(&mut *admin).await {
            println!("{name} was not dropped: {error}");
        }
    }
}

async fn run(connection: &mut PgConnection, statement: String) {
    sqlx::raw_sql(AssertSqlSafe(statement.clone()))
        .execute(connection)
        .await
        .unwrap_or_else(|error| panic!("{statement}: {error}"));
}

/// Replaces the database in a connection URL.
fn with_database(url: &str, database: &str) -> String {
    let (base, query) = url.split_once('?').map_or((url, None), |(base, query)| (base, Some(query)));
    let server = base.rsplit_once('/').map_or(base, |(server, _)| server);
    query.map_or_else(|| format!("{server}/{database}"), |query| format!("{server}/{database}?{query}"))
}
