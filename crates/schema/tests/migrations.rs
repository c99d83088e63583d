#![allow(clippy::unwrap_used, clippy::expect_used)]
//! The migrations on a real Postgres. This test needs none of our other crates: `scripts/generate` builds it with the
//! program that migrates, before the store can be compiled.

use sqlx::{Connection, Executor as _, PgConnection};

async fn migrated(url: &str) -> i64 {
    let mut connection = PgConnection::connect(url).await.unwrap();
    schema::MIGRATIONS.run(&mut connection).await.unwrap();
    sqlx::query_scalar("select count(*) from _sqlx_migrations where success").fetch_one(&mut connection).await.unwrap()
}

#[tokio::test]
async fn the_migrations_fill_an_empty_database_and_change_nothing_when_they_run_again() {
    let server = std::env::var("DATABASE_URL").expect("DATABASE_URL names a database: scripts/with-postgres");
    let name = format!("migrations_{}", std::process::id());
    let mut connection = PgConnection::connect(&server).await.unwrap();
    connection.execute(sqlx::AssertSqlSafe(format!("create database {name}"))).await.unwrap();
    let (before, _) = server.rsplit_once('/').unwrap();
    let url = format!("{before}/{name}");
    let all = i64::try_from(schema::MIGRATIONS.iter().count()).unwrap();
    assert_eq!((migrated(&url).await, migrated(&url).await), (all, all));
    connection.execute(sqlx::AssertSqlSafe(format!("drop database {name}"))).await.unwrap();
}
