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

/// Runs the migrations from `from` up to `until`.
async fn run(connection: &mut PgConnection, from: i64, until: i64) {
    for migration in schema::MIGRATIONS.iter().filter(|one| (from..=until).contains(&one.version)) {
        sqlx::raw_sql(migration.sql.clone()).execute(&mut *connection).await.unwrap();
    }
}

#[tokio::test]
async fn what_officers_did_before_the_audit_log_is_in_it_in_order_of_time() {
    let server = std::env::var("DATABASE_URL").expect("DATABASE_URL must name a database; use scripts/with-postgres");
    let name = format!("history_{}", std::process::id());
    let mut admin = PgConnection::connect(&server).await.unwrap();
    admin.execute(sqlx::AssertSqlSafe(format!("create database {name}"))).await.unwrap();
    let (before, _) = server.rsplit_once('/').unwrap();
    let mut connection = PgConnection::connect(&format!("{before}/{name}")).await.unwrap();
    run(&mut connection, 1, 96).await;
    connection
        .execute(
            "insert into assets (code, kind, decimals) values ('AAA', 'fiat', 2), ('BBB', 'fiat', 2);
             insert into pairs (base_asset, quote_asset, enabled, fee_rate_ppm, fee_minimum, min_total, max_total,
                                price_band_ppm, price_decimals, acceptance_seconds, advert_deposit_seconds,
                                order_deposit_seconds, payment_seconds, confirmation_seconds, grace_seconds, chain_types)
                 select min(id), max(id), true, 0, 0, 1, 1, 1, 2, 60, 60, 60, 60, 60, 60, '{}' from assets;
             insert into maintenance_plans (starts_at, ends_at, officer, reason, at) values
                 ('2026-01-05 02:00Z', '2026-01-05 04:00Z', 'olga', 'a disk', '2026-01-04Z'),
                 (null, null, 'olga', 'not needed', '2026-01-05Z');
             insert into reference_price_acts (pair_id, price, officer, reason, at)
                 select id, 250000000, 'oleg', 'the news', '2026-01-03Z' from pairs;
             insert into pair_acts (pair_id, setting, before, after, officer, reason, at)
                 select id, 'fee_rate', '0', '0.001', 'oleg', 'the season', '2026-01-02Z' from pairs;
             insert into officer_acts (officer, act, asset_id, reason, at)
                 select 'ada', 'resume', min(id), 'whole again', '2026-01-01Z' from assets;",
        )
        .await
        .unwrap();
    run(&mut connection, 97, i64::MAX).await;
    let lines: Vec<String> = sqlx::query_scalar(
        "select concat_ws(' ', officer, action, subject_kind, details::text, reason) from audit_log order by id",
    )
    .fetch_all(&mut connection)
    .await
    .unwrap();
    assert_eq!(
        lines,
        [
            "ada resume asset {} whole again",
            r#"oleg set_pair pair {"after": "0.001", "before": "0", "setting": "fee_rate"} the season"#,
            r#"oleg set_reference pair {"after": "2.5"} the news"#,
            r#"olga plan_maintenance platform {"from": "2026-01-05T02:00:00Z", "until": "2026-01-05T04:00:00Z"} a disk"#,
            "olga end_maintenance platform {} not needed",
        ]
    );
    connection.close().await.unwrap();
    admin.execute(sqlx::AssertSqlSafe(format!("drop database {name}"))).await.unwrap();
}
