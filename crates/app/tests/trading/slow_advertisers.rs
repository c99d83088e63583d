//! Advertisers who do not answer takers, and sellers who confirm late: what others see of it, and when the platform takes them
//! offline.

use app::adverts::is_online;
use app::commands::{Actor, Command, CommandKind, execute};
use app::deadlines::maintenance;
use app::market::hall;
use domain::ids::OrderId;
use domain::refusal::Refusal;
use domain::reputation::Record;
use domain::users::OfflineCause;
use testkit::market::officers::plan_maintenance;
use testkit::market::{Trader, mec, minutes};
use testkit::noon;

use crate::Stage;
use crate::outages::Platform;

impl Stage {
    async fn takers(&self, count: usize) -> Vec<Trader> {
        let mut takers = Vec::new();
        for _ in 0..count {
            takers.push(self.market.trader().await);
        }
        takers
    }

    /// Lets Anna miss an order of a taker.
    async fn misses(&self, taker: &Trader) -> OrderId {
        let order = taker.orders(self.advert, "1").await.unwrap();
        self.market.waits(minutes(5)).await;
        self.market.clock_strikes().await;
        assert_eq!(self.market.state(order).await, "CANCELLED");
        self.market.is_sound().await;
        order
    }

    async fn online(&self) -> bool {
        let (user, advert) = (self.anna.id(), self.market.advert_state(self.advert).await);
        let online = is_online(&self.market.context, user).await.unwrap();
        assert_eq!(advert, if online { "ONLINE" } else { "OFFLINE" });
        online
    }

    async fn cause(&self) -> Option<OfflineCause> {
        let mut tx = self.market.database.store.begin().await.unwrap();
        store::users::read(&mut tx, &[self.anna.id()]).await.unwrap().pop().unwrap().offline_cause
    }

    /// Returns the number of messages that tell Anna a status.
    async fn status_messages(&self, status: &str) -> i64 {
        let rows = format!(
            "select count(*) from outbox_events where user_id = '{}' and kind = 'ORDER_STATUS_CHANGE' and body = '\"{status}\"'",
            self.anna.id()
        );
        self.market.count(&rows).await
    }

    /// Returns the record of Anna that takers see.
    async fn record(&self) -> Record {
        hall::one(&self.market.context, None, self.advert).await.unwrap().record
    }
}

#[tokio::test]
async fn three_takers_in_a_row_whom_nobody_answers_take_the_adverts_offline() {
    let mut stage = Stage::set().await;
    let other = stage.anna.posts(stage.anna.mec_for_krw("5", "1000")).await.unwrap();
    stage.chain.brings(&stage.anna, stage.market.mec, mec("5")).await;
    let takers = stage.takers(4).await;
    stage.misses(&takers[0]).await;
    stage.misses(&takers[1]).await;
    assert!(stage.online().await);
    stage.misses(&takers[2]).await;
    assert!(!stage.online().await);
    assert_eq!(stage.market.advert_state(other).await, "OFFLINE", "all adverts go offline");
    assert_eq!((stage.status_messages("38").await, stage.status_messages("37").await), (1, 0));
    assert_eq!(stage.cause().await, Some(OfflineCause::MissedAcceptances));
    assert_eq!(takers[3].orders(stage.advert, "1").await, Err(Refusal::AdvertiserOffline));

    stage.anna.switches(true).await.unwrap();
    assert!(stage.online().await);
    assert_eq!(stage.cause().await, None);
    takers[3].orders(stage.advert, "1").await.unwrap();
}

#[tokio::test]
async fn three_orders_that_pass_in_one_set_take_the_adverts_offline_and_the_fourth_does_not_count() {
    let stage = Stage::set().await;
    let takers = stage.takers(4).await;
    for taker in &takers {
        taker.orders(stage.advert, "1").await.unwrap();
    }
    stage.market.waits(minutes(5)).await;
    assert_eq!(stage.market.clock_strikes().await, 4);
    assert!(!stage.online().await);
    assert_eq!((stage.status_messages("38").await, stage.status_messages("37").await), (1, 0));
    assert_eq!(stage.market.advert(stage.advert).await.remaining, mec("10"));
    // The fourth order passed while Anna was offline, so two others are not enough.
    stage.anna.switches(true).await.unwrap();
    let others = stage.takers(3).await;
    stage.misses(&others[0]).await;
    stage.misses(&others[1]).await;
    assert!(stage.online().await);
    stage.misses(&others[2]).await;
    assert!(!stage.online().await);
}

#[tokio::test]
async fn one_taker_never_takes_the_adverts_offline() {
    let stage = Stage::set().await;
    let other = stage.market.trader().await;
    for taker in [&stage.ben, &stage.ben, &stage.ben, &other, &stage.ben, &other] {
        stage.misses(taker).await;
    }
    assert!(stage.online().await);
    assert_eq!(stage.status_messages("38").await, 0);
}

#[tokio::test]
async fn the_same_three_takers_do_not_take_the_adverts_offline_twice_a_day() {
    let stage = Stage::set().await;
    let takers = stage.takers(3).await;
    for taker in &takers {
        stage.misses(taker).await;
    }
    stage.anna.switches(true).await.unwrap();
    for taker in &takers {
        stage.misses(taker).await;
    }
    assert!(stage.online().await);
    stage.market.waits(minutes(24 * 60)).await;
    for taker in &takers {
        stage.misses(taker).await;
    }
    assert!(!stage.online().await);
}

#[tokio::test]
async fn an_order_that_the_advertiser_answers_ends_the_row() {
    for accepts in [true, false] {
        let stage = Stage::set().await;
        let takers = stage.takers(4).await;
        stage.misses(&takers[0]).await;
        stage.misses(&takers[1]).await;
        let order = stage.ben.orders(stage.advert, "1").await.unwrap();
        if accepts {
            stage.anna.accepts(order).await.unwrap();
            stage.ben.cancels(order).await.unwrap();
        } else {
            stage.anna.rejects(order).await.unwrap();
        }
        stage.misses(&takers[2]).await;
        stage.misses(&takers[3]).await;
        assert!(stage.online().await);
        stage.misses(&takers[0]).await;
        assert!(!stage.online().await);
    }
}

#[tokio::test]
async fn takers_who_cancel_in_time_take_nobody_offline() {
    let stage = Stage::set().await;
    for taker in stage.takers(3).await {
        let order = taker.orders(stage.advert, "1").await.unwrap();
        stage.market.waits(minutes(4)).await;
        taker.cancels(order).await.unwrap();
    }
    assert!(stage.online().await);
    assert_eq!(stage.record().await.acceptance_ppm(), None);
}

#[tokio::test]
async fn a_taker_who_gives_up_before_the_clock_comes_counts_like_the_clock() {
    let stage = Stage::set().await;
    for taker in stage.takers(3).await {
        assert!(stage.online().await);
        let order = taker.orders(stage.advert, "1").await.unwrap();
        stage.market.waits(minutes(5)).await;
        taker.cancels(order).await.unwrap();
    }
    assert!(!stage.online().await);
    assert_eq!(stage.status_messages("38").await, 1);
}

#[tokio::test]
async fn automatic_orders_neither_count_nor_end_the_row() {
    let mut stage = Stage::set().await;
    let automatic = stage.anna.posts(stage.anna.mec_for_usdt("10", "250").automatic()).await.unwrap();
    stage.chain.brings(&stage.anna, stage.market.mec, mec("10")).await;
    let takers = stage.takers(3).await;
    stage.misses(&takers[0]).await;
    stage.misses(&takers[1]).await;
    let order = stage.ben.orders(automatic, "1").await.unwrap();
    stage.ben.cancels(order).await.unwrap();
    assert_eq!(stage.record().await.acceptance_ppm(), Some(0));
    stage.misses(&takers[2]).await;
    assert!(!stage.online().await);
    assert_eq!(stage.market.advert_state(automatic).await, "OFFLINE");
}

#[tokio::test]
async fn planned_maintenance_makes_nobody_miss_an_order() {
    let platform = Platform::new().await;
    let stage = &platform.stage;
    let minute = |minute| noon().checked_add_signed(minutes(minute)).unwrap();
    let takers = stage.takers(3).await;
    let mut orders = Vec::new();
    for taker in &takers {
        orders.push(taker.orders(stage.advert, "1").await.unwrap());
    }
    let decision = maintenance::MaintenanceDecision { officer: "olga".into(), reason: "a new disk".to_owned() };
    plan_maintenance(&stage.market.context, minute(1), minute(61), &decision).await.unwrap();
    for at in [1, 5, 61, 65] {
        platform.lives_until(minute(at)).await;
        platform.turns().await;
    }
    for order in orders {
        assert_eq!(stage.market.state(order).await, "CANCELLED");
    }
    assert!(stage.online().await);
    assert_eq!(stage.record().await.acceptance_ppm(), None);
}

#[tokio::test]
async fn takers_see_how_many_orders_were_accepted_and_how_many_confirmations_were_late() {
    let mut stage = Stage::set().await;
    let record = stage.record().await;
    assert_eq!((record.acceptance_ppm(), record.late), (None, 0));
    // One in time, one late.
    for (waits, late) in [(14, 0), (15, 1)] {
        let order = stage.paid("1").await;
        stage.market.waits(minutes(waits)).await;
        stage.anna.confirms(order).await.unwrap();
        stage.chain.settles().await;
        assert_eq!(stage.market.state(order).await, "COMPLETED");
        let record = stage.record().await;
        assert_eq!(record.late, late);
    }
    let rejected = stage.ordered("1").await;
    stage.anna.rejects(rejected).await.unwrap();
    let ben = stage.ben.clone();
    stage.misses(&ben).await;
    let expected = |record: Record| (record.accepted, record.unaccepted, record.confirmations, record.late);
    assert_eq!(expected(stage.record().await), (2, 2, 2, 1));
    // Ben was the taker, who neither accepts nor confirms.
    let (user, now) = (stage.ben.id(), stage.market.now().await);
    let mut tx = stage.market.database.store.begin().await.unwrap();
    let since = now.checked_sub_signed(domain::reputation::PERIOD).unwrap();
    let of_ben = store::market::records(&mut tx, &[user], since).await.unwrap()[0].1;
    assert_eq!(expected(of_ben), (0, 0, 0, 0));
    drop(tx);
    // The oldest day is read from the orders themselves.
    stage.market.at(noon() + domain::reputation::PERIOD).await;
    assert_eq!(expected(stage.record().await), (2, 2, 2, 1));
    stage.market.waits(minutes(24 * 60)).await;
    assert_eq!(expected(stage.record().await), (0, 0, 0, 0));
}

#[tokio::test]
async fn two_workers_take_an_advertiser_offline_once() {
    let stage = Stage::set().await;
    let mut due = Vec::new();
    for taker in stage.takers(3).await {
        due.push(CommandKind::OrderDue(taker.orders(stage.advert, "1").await.unwrap()));
    }
    stage.market.waits(minutes(5)).await;
    let system = |what| Command { actor: Actor::System, what };
    let set: Vec<_> = due.into_iter().map(system).collect();
    let (one, other) = (stage.market.context.clone(), stage.market.reconnected().context);
    let (first, second) = tokio::join!(execute(&one, &set), execute(&other, &set));
    assert!(first.iter().chain(&second).all(Result::is_ok));
    assert!(!stage.online().await);
    assert_eq!(stage.status_messages("38").await, 1);
}
