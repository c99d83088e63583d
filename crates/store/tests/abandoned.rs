#![allow(clippy::unwrap_used)]
//! Transactions of processes that have stopped.

use std::time::Duration;

use store::{Options, Store, blocks};
use testkit::market::{CHAIN, Market};

#[tokio::test]
async fn the_locks_of_an_abandoned_transaction_do_not_last() {
    let market = Market::open().await;
    let options = Options {
        url: market.database.url.clone(),
        connections: 1,
        patience: Duration::from_secs(30),
        untested: Duration::ZERO,
    };
    let stopped = Store::connect_until_abandoned(&options, Duration::from_millis(200)).unwrap();
    let mut abandoned = stopped.begin().await.unwrap();
    blocks::lock_progress(&mut abandoned, CHAIN).await.unwrap();

    let mut tx = market.database.store.begin().await.unwrap();
    let locked = tokio::time::timeout(Duration::from_secs(30), blocks::lock_progress(&mut tx, CHAIN)).await;
    locked.expect("the lock of the abandoned transaction is still held").unwrap();
    assert!(blocks::lock_progress(&mut abandoned, CHAIN).await.is_err());
}
