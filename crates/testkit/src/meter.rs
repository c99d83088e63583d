//! Counts what a step of the product costs PostgreSQL, on a server of its own.
//!
//! Every count is exact and the same in each run. This takes a server that nobody else uses: what a statement writes to the
//! WAL depends on when others make a checkpoint, and on which old rows they may still see.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use sqlx::{Connection, PgConnection, Row};

use crate::Database;

/// The server counts statements, also those that functions execute, and calls of functions. It makes no checkpoint on its own,
/// because the next value of a sequence after a checkpoint costs more.
const COUNTING: &str = "-c shared_preload_libraries=pg_stat_statements -c pg_stat_statements.track=all \
                        -c track_functions=all -c checkpoint_timeout=1d";

/// A PostgreSQL that ends with the test.
#[derive(Debug)]
pub struct Server {
    process: Child,
    pub url: String,
}

impl Server {
    /// Starts a server that counts statements.
    pub fn start() -> Self {
        // The command prints the URL and waits until this process closes its input, also by ending.
        let mut process = Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../scripts/with-postgres"))
            .args(["sh", "-c", "echo \"$DATABASE_URL\"; cat"])
            .env("POSTGRES_OPTIONS", COUNTING)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("scripts/with-postgres");
        let mut url = String::new();
        let output = process.stdout.take().expect("the output of scripts/with-postgres");
        BufReader::new(output).read_line(&mut url).expect("the URL of the server");
        assert!(!url.is_empty(), "scripts/with-postgres started no server");
        Self { process, url: url.trim().to_owned() }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.process.stdin.take());
        // Ignore the error: the process may already have exited.
        let _ = self.process.wait();
    }
}

/// What a step has cost.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cost {
    pub transactions: i64,
    /// The statements that the product has sent, without those that begin and end transactions.
    pub statements: i64,
    /// The statements that triggers and functions have executed, without the foreign-key look-ups.
    pub inner_statements: i64,
    /// The bytes of the WAL records of all statements, without those of the commits.
    pub wal_bytes: i64,
    /// The rows of each table that were inserted, updated and deleted.
    pub rows: BTreeMap<String, [i64; 3]>,
    /// The calls of each trigger function.
    pub triggers: BTreeMap<String, i64>,
    /// The rows that PostgreSQL has looked up because of foreign keys. `pg_stat_statements` does not tell their tables apart.
    pub look_ups: i64,
}

/// Counters of a database.
#[derive(Debug)]
pub struct Meter {
    connection: PgConnection,
}

/// The counters of tables and functions, which only grow.
#[derive(Debug)]
struct Counters {
    rows: BTreeMap<String, [i64; 3]>,
    triggers: BTreeMap<String, i64>,
}

impl Meter {
    /// Begins to count on a database whose server was started by [`Server::start`].
    pub async fn of(database: &Database) -> Self {
        database.execute("create schema meter; create extension pg_stat_statements schema meter").await;
        let mut connection = PgConnection::connect(&database.url).await.expect("the database");
        sqlx::raw_sql("set pg_stat_statements.track = none; set track_functions = none")
            .execute(&mut connection)
            .await
            .expect("a connection that is not counted");
        Self { connection }
    }

    /// Runs a step that leaves no transaction open, and counts what it costs.
    pub async fn counts<T>(&mut self, step: impl Future<Output = T>) -> (T, Cost) {
        self.end_others().await;
        let before = self.counters().await;
        sqlx::query("select meter.pg_stat_statements_reset()").execute(&mut self.connection).await.expect("a reset");
        let result = step.await;
        self.end_others().await;
        let after = self.counters().await;
        let mut cost = self.statements().await;
        for (table, counts) in after.rows {
            let [inserted, updated, deleted] = before.rows.get(&table).copied().unwrap_or_default();
            let counts = [counts[0] - inserted, counts[1] - updated, counts[2] - deleted];
            if counts != [0; 3] {
                cost.rows.insert(table, counts);
            }
        }
        for (function, calls) in after.triggers {
            let calls = calls - before.triggers.get(&function).copied().unwrap_or_default();
            if calls != 0 {
                cost.triggers.insert(function, calls);
            }
        }
        (result, cost)
    }

    /// Ends all other connections of the database, because a connection reports the rows that it has written when it ends. Pools
    /// connect again.
    async fn end_others(&mut self) {
        let others = "select count(pg_terminate_backend(pid)) from pg_stat_activity
                      where datname = current_database() and pid <> pg_backend_pid()";
        while sqlx::query_scalar::<_, i64>(others).fetch_one(&mut self.connection).await.expect("a number") > 0 {
            tokio::task::yield_now().await;
        }
    }

    async fn counters(&mut self) -> Counters {
        let rows = sqlx::query("select relname::text, n_tup_ins, n_tup_upd, n_tup_del from pg_stat_user_tables")
            .fetch_all(&mut self.connection)
            .await
            .expect("the counters of tables");
        let triggers = sqlx::query(
            "select f.funcname::text, f.calls from pg_stat_user_functions f join pg_proc p on p.oid = f.funcid
             where p.prorettype = 'trigger'::regtype",
        )
        .fetch_all(&mut self.connection)
        .await
        .expect("the counters of functions");
        Counters {
            rows: rows.iter().map(|row| (row.get(0), [row.get(1), row.get(2), row.get(3)])).collect(),
            triggers: triggers.iter().map(|row| (row.get(0), row.get(1))).collect(),
        }
    }

    /// Returns the part of the cost that the statements tell. Panics if the server writes images of whole pages, whose size and
    /// number differ between runs.
    async fn statements(&mut self) -> Cost {
        let statements = sqlx::query(
            "select toplevel, query, calls, wal_bytes::bigint, wal_fpi from meter.pg_stat_statements
             where dbid = (select oid from pg_database where datname = current_database())",
        )
        .fetch_all(&mut self.connection)
        .await
        .expect("the statements");
        let mut cost = Cost::default();
        for statement in &statements {
            let (sent, text): (bool, &str) = (statement.get(0), statement.get(1));
            let (calls, wal_bytes, page_images): (i64, i64, i64) =
                (statement.get(2), statement.get(3), statement.get(4));
            assert_eq!(page_images, 0, "the server must not write full page images: {text}");
            let text = text.to_lowercase();
            let looks_up = text.contains(" from only \"public\".") && text.contains(" for key share of x");
            match (sent, looks_up) {
                (false, true) => cost.look_ups += calls,
                (false, false) => cost.inner_statements += calls,
                (true, _) if text.starts_with("begin") => cost.transactions += calls,
                (true, _) if ["commit", "rollback"].contains(&text.as_str()) => {}
                // `sqlx` looks up types, once per connection.
                (true, _) if text.contains("pg_catalog") => {}
                (true, _) => cost.statements += calls,
            }
            if sent {
                cost.wal_bytes += wal_bytes;
            }
        }
        cost
    }
}
