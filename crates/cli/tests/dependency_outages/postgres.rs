//! Outages of PostgreSQL.

use serde_json::json;
use testkit::market::mec;

use crate::platform::Platform;
use crate::process::{Got, Process, until};

const READS: [&str; 3] = ["/api/c2c/coin/config", "/api/c2c/deal/order/page", "/api/balance"];

/// Checks the refusal of a call whose dependency is unavailable: the code, when to retry, and no internal details.
fn refused(got: &Got, codes: &[&str]) {
    assert_eq!(got.status, 503, "{got:?}");
    assert!(codes.contains(&got.code().as_str()), "{got:?}");
    assert_eq!(got.json()["data"], serde_json::Value::Null);
    let text = got.text.to_lowercase();
    for inside in ["postgres", "sqlx", "database", "pool", "connect", "sql", "127.0.0.1"] {
        assert!(!text.contains(inside), "{inside}: {got:?}");
    }
}

async fn switches_off(serve: &Process, token: &str) -> Got {
    serve.post("/api/c2c/advert/online?online=false", token, "switch-off-once", &json!({})).await
}

async fn goes_on(platform: &Platform, serve: &Process, token: &str) {
    until("it is ready again", async || serve.ready().await.0).await;
    for path in READS {
        let got = serve.get(path, token).await;
        assert_eq!((got.status, got.code().as_str()), (200, "200"), "{path}: {got:?}");
    }
    assert_eq!(switches_off(serve, token).await.status, 200);
    assert_eq!(switches_off(serve, token).await.status, 200, "the same command again");
    assert_eq!(platform.market.count("select count(*) from idempotency_keys").await, 1);
    assert_eq!(platform.market.count("select count(*) from users where online").await, 0);
}

#[tokio::test]
async fn without_postgres_every_call_says_so_and_goes_on_when_it_is_back() {
    let platform = Platform::new().await;
    let anna = platform.market.trader().await;
    let token = platform.session(&anna).await;
    let serve = platform.serve().await;
    assert_eq!(serve.ready().await, (true, vec![]));
    assert_eq!(serve.get(READS[1], &token).await.status, 200);

    platform.postgres.shut().await;
    assert_eq!(serve.ready().await, (false, vec!["postgres".to_owned()]));
    assert!(serve.lives().await, "it should not need a restart for this");
    for path in READS {
        let got = serve.get(path, &token).await;
        refused(&got, &["503"]);
        assert!(got.head.contains("retry-after: "), "{got:?}");
    }
    refused(&switches_off(&serve, &token).await, &["503"]);
    assert_eq!(platform.market.count("select count(*) from users where online").await, 1, "nothing was done");

    platform.postgres.open().await;
    goes_on(&platform, &serve, &token).await;
}

#[tokio::test]
async fn a_postgres_that_says_nothing_holds_no_call_for_ever() {
    let platform = Platform::new().await;
    let anna = platform.market.trader().await;
    let token = platform.session(&anna).await;
    let serve = platform.serve().await;
    assert_eq!(serve.get(READS[1], &token).await.status, 200);

    platform.postgres.silence().await;
    assert_eq!(serve.ready().await, (false, vec!["postgres".to_owned()]));
    for path in READS {
        refused(&serve.get(path, &token).await, &["503", "1007"]);
    }
    refused(&switches_off(&serve, &token).await, &["503", "1007"]);

    platform.postgres.open().await;
    goes_on(&platform, &serve, &token).await;
}

#[tokio::test]
async fn connections_that_the_database_ends_are_replaced() {
    let platform = Platform::new().await;
    let anna = platform.market.trader().await;
    let token = platform.session(&anna).await;
    let serve = platform.serve().await;
    for path in READS {
        assert_eq!(serve.get(path, &token).await.status, 200);
    }
    let ended = "select count(pg_terminate_backend(pid)) from pg_stat_activity
                 where datname = current_database() and application_name = 'mec2c' and pid <> pg_backend_pid()";
    assert!(platform.market.count(ended).await > 0);
    goes_on(&platform, &serve, &token).await;
}

#[tokio::test]
async fn it_starts_before_postgres_does_and_says_what_it_waits_for() {
    let platform = Platform::new().await;
    let anna = platform.market.trader().await;
    let token = platform.session(&anna).await;
    platform.postgres.shut().await;
    let (serve, worker) = (platform.serve().await, platform.worker().await);
    assert_eq!(serve.ready().await, (false, vec!["postgres".to_owned()]));
    assert_eq!(worker.ready().await, (false, vec!["postgres".to_owned()]));
    platform.postgres.open().await;
    goes_on(&platform, &serve, &token).await;
}

#[tokio::test]
async fn it_ends_when_postgres_comes_and_is_about_another_escrow() {
    let platform = Platform::new().await.told("CHAIN_ESCROW", format!("0x{}", "99".repeat(20)));
    platform.postgres.shut().await;
    let (serve, worker) = (platform.serve().await, platform.worker().await);
    assert!(serve.lives().await && worker.lives().await);
    platform.postgres.open().await;
    assert!(!serve.ends().await && !worker.ends().await);
}

#[tokio::test]
async fn the_worker_waits_for_postgres_and_credits_deposits_once() {
    let platform = Platform::new().await;
    let worker = platform.worker().await;
    let (anna, advert) = platform.seller().await;
    assert_eq!(worker.ready().await, (true, vec![]));

    platform.postgres.shut().await;
    assert_eq!(worker.ready().await, (false, vec!["postgres".to_owned()]));
    assert!(worker.lives().await);
    platform.sends(&anna, mec("10")).await;
    assert_eq!(platform.market.advert_state(advert).await, "CREATING");

    platform.postgres.open().await;
    platform.goes_online(advert).await;
    assert_eq!(platform.market.count("select count(*) from deposits").await, 1);
    platform.market.is_sound().await;
    until("it is ready again", async || worker.ready().await.0).await;
}
