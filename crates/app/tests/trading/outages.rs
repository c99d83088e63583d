//! Outages: each deadline is extended once by the time lost, so no user misses a deadline because of an outage.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use app::commands::CommandKind;
use app::deadlines::outages::{self, FRESH_FOR, OUTAGE_AFTER};
use app::{Clock, Context, MachineTime};
use chrono::{DateTime, Duration};
use domain::clock::{Reading, Timestamp};
use domain::ids::OrderId;
use testkit::market::{Contents, Market, mec, minutes};
use testkit::{Ids, noon};
use tokio::task::JoinSet;

use crate::Stage;

pub(crate) const TICK: Duration = Duration::microseconds(1);

/// A machine's clock that tests set.
#[derive(Clone)]
pub(crate) struct Hands(Arc<AtomicI64>);

impl MachineTime for Hands {
    fn now(&self) -> Timestamp {
        DateTime::from_timestamp_micros(self.0.load(Ordering::SeqCst)).unwrap()
    }
}

impl Hands {
    pub(crate) fn pass(&self, span: Duration) {
        self.0.fetch_add(span.num_microseconds().unwrap(), Ordering::SeqCst);
    }
}

/// A stage whose platform can be up or down.
pub(crate) struct Platform {
    pub(crate) stage: Stage,
    pub(crate) hands: Hands,
}

impl Platform {
    pub(crate) async fn new() -> Self {
        let hands = Hands(Arc::new(AtomicI64::new(noon().timestamp_micros())));
        let mut market = Market::open().await;
        let clock = Clock::Shared(Arc::new(hands.clone()));
        market.context = Context::new(market.database.store.clone(), clock, Arc::new(Ids));
        let platform = Self { stage: Stage::on(market).await, hands };
        platform.clock(Reading::Running { shift: Duration::zero() }).await;
        assert_eq!(platform.beats().await, None);
        platform
    }

    /// Changes the product's clock.
    async fn clock(&self, reading: Reading) {
        let mut tx = self.stage.market.database.store.begin().await.unwrap();
        store::clock::set(&mut tx, reading).await.unwrap();
        tx.commit().await.unwrap();
    }

    pub(crate) async fn beats(&self) -> Option<Duration> {
        outages::beat(&self.stage.market.context).await.unwrap()
    }

    /// Lets the platform run until a timestamp, with regular heartbeats.
    pub(crate) async fn lives_until(&self, timestamp: Timestamp) {
        while self.hands.now() < timestamp {
            self.hands.pass(timestamp.signed_duration_since(self.hands.now()).min(OUTAGE_AFTER));
            assert_eq!(self.beats().await, None);
        }
    }

    /// Simulates an outage.
    async fn is_down(&self, span: Duration) {
        self.hands.pass(span);
        assert_eq!(self.beats().await, Some(span));
    }

    /// Runs one step of the worker for deadlines.
    pub(crate) async fn turns(&self) {
        let context = &self.stage.market.context;
        outages::move_deadlines(context).await.unwrap();
        if outages::may_act(context).await.unwrap() {
            app::deadlines::run(context).await.unwrap();
        }
        self.stage.market.is_sound().await;
    }

    pub(crate) async fn deadline(&self, order: OrderId) -> Timestamp {
        self.stage.market.order(order).await.state.deadline().unwrap().at
    }

    pub(crate) async fn recorded(&self) -> i64 {
        self.stage.market.count("select count(*) from outages").await
    }
}

#[tokio::test]
async fn every_deadline_is_moved_by_the_time_that_it_lost() {
    let platform = Platform::new().await;
    let (stage, down) = (&platform.stage, minutes(7));
    let waits = stage.ordered("1").await;
    let accepted = stage.accepted("1").await;
    let paid = stage.paid("1").await;
    let carl = stage.market.trader().await;
    let advert = carl.posts(carl.mec_for_krw("10", "1000")).await.unwrap();
    let creating = || async move {
        match stage.market.advert(advert).await.state {
            domain::adverts::State::Creating { deadline } => deadline.at,
            other => panic!("{other:?}"),
        }
    };
    let before = (platform.deadline(waits).await, platform.deadline(accepted).await, platform.deadline(paid).await);
    assert_eq!(
        (before, creating().await),
        ((noon() + minutes(5), noon() + minutes(16), noon() + minutes(15)), noon() + minutes(30))
    );

    platform.is_down(down).await;
    platform.turns().await;
    let after = (platform.deadline(waits).await, platform.deadline(accepted).await, platform.deadline(paid).await);
    assert_eq!(after, (before.0 + down, before.1 + down, before.2 + down));
    assert_eq!(creating().await, noon() + minutes(30) + down);
    assert_eq!(stage.market.state(waits).await, "AWAITING_ACCEPTANCE", "no user could accept");
    platform.turns().await;
    assert_eq!(platform.deadline(waits).await, before.0 + down, "once");
    let record =
        "select count(*) from outages where ended_at - began_at = interval '7 minutes' and moved_at is not null";
    assert_eq!((platform.recorded().await, stage.market.count(record).await), (1, 1));
    let told = "select count(*) from outbox_events where body->>'notice' = 'DEADLINE_MOVED'";
    assert_eq!(stage.market.count(told).await, 7, "both sides of three orders, and the advert's owner");
    let urgent = format!("{told} and category = 'ACTION_NEEDED'");
    assert_eq!(stage.market.count(&urgent).await, 0, "a restart of the platform emails no one");

    platform.is_down(minutes(2)).await;
    platform.turns().await;
    assert_eq!(platform.deadline(waits).await, before.0 + down + minutes(2), "a second outage is added");
}

#[tokio::test]
async fn a_moved_deadline_passes_at_its_new_time() {
    for (offset, state) in [(-TICK, "AWAITING_ACCEPTANCE"), (Duration::zero(), "CANCELLED"), (TICK, "CANCELLED")] {
        let platform = Platform::new().await;
        platform.lives_until(noon() + minutes(1)).await;
        let order = platform.stage.ordered("1").await;
        platform.lives_until(noon() + minutes(3)).await;
        platform.is_down(minutes(60)).await;
        platform.turns().await;
        platform.lives_until(noon() + minutes(6) + minutes(60) + offset).await;
        platform.turns().await;
        assert_eq!(platform.stage.market.state(order).await, state, "{offset}");
    }
}

#[tokio::test]
async fn what_began_while_it_was_down_is_moved_by_what_was_left_of_that() {
    let platform = Platform::new().await;
    platform.hands.pass(minutes(4));
    let order = platform.stage.ordered("1").await;
    assert_eq!(platform.deadline(order).await, noon() + minutes(9));
    platform.hands.pass(minutes(6));
    assert_eq!(platform.beats().await, Some(minutes(10)));
    platform.turns().await;
    assert_eq!(platform.deadline(order).await, noon() + minutes(15));
}

#[tokio::test]
async fn a_short_silence_is_no_outage() {
    for (silence, outage) in [(OUTAGE_AFTER, None), (OUTAGE_AFTER + TICK, Some(OUTAGE_AFTER + TICK))] {
        let platform = Platform::new().await;
        let order = platform.stage.ordered("1").await;
        platform.hands.pass(silence);
        assert_eq!(platform.beats().await, outage);
        platform.turns().await;
        assert_eq!(platform.deadline(order).await, noon() + minutes(5) + outage.unwrap_or_default());
    }
}

#[tokio::test]
async fn a_clock_that_is_put_forward_is_no_outage() {
    let platform = Platform::new().await;
    let order = platform.stage.ordered("1").await;
    platform.clock(Reading::Running { shift: Duration::days(1) }).await;
    assert_eq!(platform.beats().await, None);
    platform.turns().await;
    assert_eq!(platform.stage.market.state(order).await, "CANCELLED");
    assert_eq!(platform.recorded().await, 0);
}

#[tokio::test]
async fn no_more_is_taken_out_than_passed_in_either_time() {
    let platform = Platform::new().await;
    let at = platform.hands.now();
    platform.clock(Reading::Stopped { at }).await;
    platform.hands.pass(minutes(60));
    assert_eq!(platform.beats().await, None, "the product's clock was stopped");
    platform.clock(Reading::Running { shift: Duration::days(1) }).await;
    platform.hands.pass(minutes(2));
    assert_eq!(platform.beats().await, Some(minutes(2)), "it was advanced during the silence");
    platform.clock(Reading::Running { shift: -Duration::days(1) }).await;
    platform.hands.pass(minutes(2));
    assert_eq!(platform.beats().await, None, "it was set back during the silence");
}

#[tokio::test]
async fn a_corrected_machine_clock_is_used() {
    let platform = Platform::new().await;
    platform.hands.pass(Duration::seconds(-20));
    assert_eq!(platform.beats().await, None, "two machines that differ a little");
    platform.hands.pass(Duration::seconds(20));
    assert_eq!(platform.beats().await, None);
    platform.hands.pass(minutes(-60));
    assert_eq!(platform.beats().await, None, "an hour back");
    platform.is_down(minutes(3)).await;
}

#[tokio::test]
async fn of_many_workers_that_come_back_at_once_one_records_it() {
    let platform = Platform::new().await;
    let order = platform.stage.ordered("1").await;
    let before = platform.stage.market.order(order).await;
    platform.hands.pass(minutes(20));
    let mut workers = JoinSet::new();
    for _ in 0..6 {
        let context = platform.stage.market.context.clone();
        workers.spawn(async move {
            let found = outages::beat(&context).await.unwrap();
            outages::move_deadlines(&context).await.unwrap();
            found
        });
    }
    let found = workers.join_all().await;
    assert_eq!(found.iter().flatten().collect::<Vec<_>>(), [&minutes(20)]);
    let after = platform.stage.market.order(order).await;
    assert_eq!((platform.deadline(order).await, after.version), (noon() + minutes(25), before.version + 1));
    assert_eq!(platform.recorded().await, 1);
}

#[tokio::test]
async fn a_worker_that_dies_while_it_moves_deadlines_is_followed_by_another() {
    let platform = Platform::new().await;
    let (one, other) = (platform.stage.ordered("1").await, platform.stage.ordered("1").await);
    platform.is_down(minutes(20)).await;
    let (from, until) = (noon(), noon() + minutes(20));
    // The worker recorded the outage, moved the deadline of one of the two orders, and was killed.
    platform.stage.market.system(CommandKind::OrderOutage { id: one, from, until }).await.unwrap();
    let context = &platform.stage.market.context;
    assert!(!outages::may_act(context).await.unwrap(), "no deadline has an effect before all are moved");
    platform.turns().await;
    assert!(outages::may_act(context).await.unwrap());
    for order in [one, other] {
        assert_eq!(platform.deadline(order).await, noon() + minutes(25));
        assert_eq!(platform.stage.market.order(order).await.version, 2);
    }
}

#[tokio::test]
async fn nothing_is_due_while_nobody_watches() {
    let platform = Platform::new().await;
    let context = &platform.stage.market.context;
    platform.hands.pass(FRESH_FOR);
    assert!(outages::may_act(context).await.unwrap());
    platform.hands.pass(TICK);
    assert!(!outages::may_act(context).await.unwrap());
    platform.stage.market.sql("delete from heartbeats").await;
    assert!(!outages::may_act(context).await.unwrap(), "there was never a heartbeat");
}

#[tokio::test]
async fn nobody_is_late_while_the_platform_is_down() {
    let platform = Platform::new().await;
    let stage = &platform.stage;
    let order = stage.ordered("1").await;
    platform.lives_until(noon() + minutes(4)).await;
    platform.hands.pass(minutes(10));
    let seen = stage.anna.sees(order).await.unwrap();
    assert_eq!(seen.order.state.deadline().unwrap().at, noon() + minutes(15), "one minute is left, as ten minutes ago");
    stage.anna.accepts(order).await.unwrap();
    platform.hands.pass(minutes(2));
    platform.beats().await;
    platform.turns().await;
    assert_eq!(platform.deadline(order).await, noon() + minutes(14 + 16 + 2), "the payment's clock lost two minutes");
    assert_eq!(stage.market.advert(stage.advert).await.remaining, mec("9"));
}

#[tokio::test]
async fn an_order_that_froze_and_unfroze_during_the_catch_up_loses_none_of_the_outage() {
    for (frozen_after, frozen_for) in [(10, 1), (10, 0), (0, 10)] {
        let mut platform = Platform::new().await;
        let coins = platform.stage.chain.contents_of_newest(3);
        let order = platform.stage.accepted("4").await;
        // The worker is down, and reads the blocks of the outage before its next heartbeat.
        platform.hands.pass(minutes(frozen_after));
        platform.stage.chain.reorganises(3, vec![Contents::default(); 4]).await;
        assert!(platform.stage.market.order(order).await.frozen.is_some());
        platform.hands.pass(minutes(frozen_for));
        platform.stage.chain.mines_blocks(coins).await;
        assert_eq!(platform.stage.market.order(order).await.frozen, None);
        platform.hands.pass(minutes(2));
        let lost = minutes(frozen_after + frozen_for + 2);
        assert_eq!(platform.beats().await, Some(lost));
        platform.turns().await;
        assert_eq!(platform.deadline(order).await, noon() + minutes(16) + lost, "{frozen_after} + {frozen_for}");
    }
}
