#![allow(clippy::unwrap_used, clippy::expect_used)]
//! Runs the migrations on a real PostgreSQL server. This test uses no other crate of the workspace, because
//! `scripts/generate` builds it before `store` can be compiled.

use sqlx::{Connection, Executor as _, PgConnection};

async fn migrated(url: &str) -> i64 {
    let mut connection = PgConnection::connect(url).await.unwrap();
    schema::MIGRATIONS.run(&mut connection).await.unwrap();
    sqlx::query_scalar("select count(*) from _sqlx_migrations where success").fetch_one(&mut connection).await.unwrap()
}

#[tokio::test]
async fn the_migrations_run_on_an_empty_database_and_are_idempotent() {
    let server = std::env::var("DATABASE_URL").expect("DATABASE_URL must name a database; use scripts/with-postgres");
    let name = format!("migrations_{}", std::process::id());
    let mut connection = PgConnection::connect(&server).await.unwrap();
    connection.execute(sqlx::AssertSqlSafe(format!("create database {name}"))).await.unwrap();
    let (before, _) = server.rsplit_once('/').unwrap();
    let url = format!("{before}/{name}");
    let all = i64::try_from(schema::MIGRATIONS.iter().count()).unwrap();
    assert_eq!((migrated(&url).await, migrated(&url).await), (all, all));
    connection.execute(sqlx::AssertSqlSafe(format!("drop database {name}"))).await.unwrap();
}
