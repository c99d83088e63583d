//! The worker is killed and restarted later. Every deadline moves once, by the length of the outage.

use std::sync::Arc;

use app::{Clock, Context, SystemTime};
use chrono::Duration;
use domain::clock::Reading;
use domain::deadline::Deadline;
use domain::ids::OrderId;
use testkit::Ids;

use crate::platform::Platform;
use crate::process::until;

impl Platform {
    /// Switches the platform to the machine's clock, for users and programs alike.
    async fn on_the_machines_time(mut self) -> Self {
        let store = self.market.database.store.clone();
        self.market.context = Context::new(store, Clock::Shared(Arc::new(SystemTime)), Arc::new(Ids));
        let mut tx = self.market.database.store.begin().await.unwrap();
        store::clock::set(&mut tx, Reading::Running { shift: Duration::zero() }).await.unwrap();
        tx.commit().await.unwrap();
        self
    }

    async fn deadline(&self, order: OrderId) -> Deadline {
        *self.market.order(order).await.state.deadline().unwrap()
    }

    async fn outages(&self) -> i64 {
        self.market.count("select count(*) from outages where moved_at is not null").await
    }
}

#[tokio::test]
async fn a_worker_that_was_killed_is_followed_by_two_and_deadlines_move_once() {
    let platform = Platform::new().await.on_the_machines_time().await;
    let worker = platform.worker().await;
    let (_, advert) = platform.seller_online().await;
    let order = platform.market.trader().await.orders(advert, "4").await.unwrap();
    let before = platform.deadline(order).await;
    worker.kill().await;
    assert_eq!(platform.outages().await, 0);

    // Simulate ten minutes without waiting: make the last heartbeat older.
    let earlier =
        "update heartbeats set at = at - interval '10 minutes', machine_at = machine_at - interval '10 minutes'";
    platform.market.sql(earlier).await;
    let _workers = (platform.worker().await, platform.worker().await);
    until("the outage is recorded and every deadline moved", async || platform.outages().await > 0).await;

    let began = "select (extract(epoch from began_at) * 1000000)::bigint from outages";
    let ended = "select (extract(epoch from ended_at) * 1000000)::bigint from outages";
    let lasted = platform.market.count(ended).await - platform.market.count(began).await;
    assert!(lasted >= Duration::minutes(10).num_microseconds().unwrap(), "{lasted}");
    let after = platform.deadline(order).await;
    assert_eq!(after.since.timestamp_micros(), platform.market.count(ended).await);
    assert_eq!(after.at - before.at, after.since - before.since, "by what it lost: it began while nobody watched");
    assert_eq!(platform.market.order(order).await.version, 2, "once");
    // Both workers have sent a heartbeat, but only one outage is recorded.
    let beat = "select (extract(epoch from at) * 1000000)::bigint from heartbeats";
    let seen = platform.market.count(beat).await;
    until("the workers live on", async || platform.market.count(beat).await > seen).await;
    assert_eq!(platform.market.count("select count(*) from outages").await, 1);
    assert_eq!(platform.market.order(order).await.version, 2);
}
