//! Which statements order transitions and polls execute, how often, and how long they take, according to `pg_stat_statements`.

use std::time::Duration;

use sqlx::{PgPool, Row as _};

use crate::orders;
use crate::polls::polls;
use crate::reads;
use crate::stand::{COPY, Stand, say};
use crate::world::{HashCost, SMALL};

const SHOWN: usize = 45;
const RESET: &str = "select pg_stat_statements_reset()";
/// The characters of a statement that are printed.
const WIDTH: usize = 150;

pub(crate) async fn run(stand: &mut Stand) -> anyhow::Result<()> {
    let running = stand.start(SMALL, HashCost::Minimal).await?;
    stand.postgres.execute(COPY, "create extension pg_stat_statements").await?;
    let pool = stand.postgres.pool(COPY, 1).await?;
    println!("profile: server {}, worker {:?}", running.server_pid()?, running.worker_pid()?);
    let time = stand.time().saturating_mul(2);
    let plan = orders::Plan::full(SMALL, 64, time);
    sqlx::query(RESET).execute(&pool).await?;
    let outcome = orders::run(running.api, plan).await?;
    print(&pool, "transition", outcome.latencies.count()).await?;
    let plan = reads::Plan { connections: 16, depth: 1, warm_up: Duration::ZERO, time };
    sqlx::query(RESET).execute(&pool).await?;
    let outcome = reads::run(running.api, plan, polls(SMALL, SMALL.users)).await?;
    print(&pool, "poll", outcome.latencies.count()).await?;
    pool.close().await;
    running.stop().await
}

/// Prints the statements that took the most time since the last reset, those of the worker included.
async fn print(pool: &PgPool, what: &str, count: usize) -> anyhow::Result<()> {
    let count = f64::from(u32::try_from(count)?);
    let rows = sqlx::query(
        "select calls::float8, total_exec_time, rows::float8, regexp_replace(query, '\\s+', ' ', 'g')
         from pg_stat_statements s join pg_database d on d.oid = s.dbid where d.datname = $1
         order by total_exec_time desc",
    )
    .bind(COPY)
    .fetch_all(pool)
    .await?;
    let (mut calls, mut time, mut lines) = (0.0, 0.0, Vec::new());
    for row in rows {
        let (of_calls, of_time, of_rows): (f64, f64, f64) = (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
        calls += of_calls;
        time += of_time;
        let query: String = row.try_get::<String, _>(3)?.chars().take(WIDTH).collect();
        let (each, ms) = (of_calls / count, of_time / count);
        lines.push(format!("  {each:6.2} {ms:8.3} {:8.3} {:7.1}  {query}", of_time / of_calls, of_rows / of_calls));
    }
    say(&format!("{count} times a {what}; for each {:.1} statements that take {:.2} ms", calls / count, time / count));
    println!("  calls and ms per {what}, ms and rows per call");
    for line in lines.iter().take(SHOWN) {
        println!("{line}");
    }
    Ok(())
}
