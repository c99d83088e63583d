//! Users who place orders all the time do not hold up ingestion.

use std::collections::BTreeMap;
use std::time::Duration;

use domain::ids::UserId;
use store::Tx;
use testkit::market::{Market, mec, usdt};

/// More than the attempts of ingestion.
const LANES: usize = 10;

/// Locks a user, as a command of that user does.
async fn locks(market: &Market, user: UserId) -> Tx {
    let (mut tx, _) = market.context.begin().await.unwrap();
    store::users::lock(&mut tx, &[user]).await.unwrap();
    tx
}

/// Returns once so many transactions wait for a lock, or the task has ended.
async fn wait_for<T>(market: &Market, waiting: i64, task: &tokio::task::JoinHandle<T>) {
    let query = "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    while market.count(query).await != waiting && !task.is_finished() {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_order_placed_during_each_attempt_does_not_hold_up_ingestion() {
    let market = Market::open().await;
    let mut chain = market.chain().await;
    let (mut buyers, mut adverts) = (BTreeMap::new(), Vec::new());
    for _ in 0..=LANES {
        let (buyer, seller) = (market.trader().await, market.trader().await);
        adverts.push(seller.posts(seller.mec_for_usdt("10", "2.5").automatic()).await.unwrap());
        chain.brings(&seller, market.mec, mec("10")).await;
        buyers.insert(buyer.id(), buyer);
    }
    let coins: Vec<_> = buyers.values().map(|buyer| chain.coins(buyer, market.usdt, usdt("10"))).collect();
    chain.mines_coins(coins).await;
    chain.mines(1).await;
    // Ingestion locks the first buyer before the others, so it has read all rows and locked nobody while it waits here.
    let (first, _) = buyers.pop_first().unwrap();
    let mut busy = locks(&market, first).await;
    let ingestion = tokio::spawn(async move {
        chain.mines(1).await;
        chain
    });
    let mut orders = Vec::new();
    for (buyer, advert) in buyers.values().zip(&adverts) {
        wait_for(&market, 1, &ingestion).await;
        if ingestion.is_finished() {
            break;
        }
        orders.push(buyer.orders(*advert, "4").await.unwrap());
        let next = tokio::spawn({
            let market = market.clone();
            async move { locks(&market, first).await }
        });
        wait_for(&market, 2, &ingestion).await;
        busy.commit().await.unwrap();
        busy = next.await.unwrap();
    }
    busy.commit().await.unwrap();
    let mut chain = ingestion.await.unwrap();
    assert_eq!(orders.len(), 3, "two conflicts, and one attempt that locks the users first");
    for order in orders {
        assert_eq!(market.state(order).await, "RELEASING", "the deposit funded the order");
    }
    let credited = i64::try_from(LANES + 1).unwrap();
    let deposits = format!("select count(*) from deposits where asset_id = {}", market.usdt.0);
    assert_eq!(market.count(&deposits).await, credited);
    chain.settles().await;
    market.is_sound().await;
}
