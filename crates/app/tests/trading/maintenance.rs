//! Planned maintenance: no deadline takes effect during it, and each deadline is extended by the time lost, even if the
//! plan changes.

use app::commands::CommandKind;
use app::deadlines::maintenance::{self, MaintenanceDecision};
use app::deadlines::outages;
use chrono::Duration;
use domain::clock::Timestamp;
use domain::ids::OrderId;
use domain::refusal::Refusal;
use testkit::market::minutes;
use testkit::market::officers::{end_maintenance, plan_maintenance};
use testkit::noon;

use crate::outages::{Platform, TICK};

fn minute(count: i64) -> Timestamp {
    noon().checked_add_signed(minutes(count)).unwrap()
}

fn decision() -> MaintenanceDecision {
    MaintenanceDecision { officer: "olga".into(), reason: "a new disk".to_owned() }
}

impl Platform {
    async fn plans(&self, from: Timestamp, until: Timestamp) {
        plan_maintenance(&self.stage.market.context, from, until, &decision()).await.unwrap();
    }

    async fn reopens(&self) -> bool {
        end_maintenance(&self.stage.market.context, &decision()).await.unwrap().is_some()
    }

    async fn closed(&self) -> bool {
        let now = self.stage.market.now().await;
        let closings = maintenance::closings(&self.stage.market.context).await.unwrap();
        closings.iter().any(|closing| maintenance::covers(closing, now))
    }

    async fn state(&self, order: OrderId) -> &'static str {
        self.stage.market.state(order).await
    }

    /// Lets the platform run until a timestamp, then runs one step of the worker.
    async fn comes_to(&self, timestamp: Timestamp) {
        self.lives_until(timestamp).await;
        self.turns().await;
    }
}

const WAITS: &str = "AWAITING_ACCEPTANCE";

#[tokio::test]
async fn a_deadline_that_passes_in_the_window_is_moved_by_all_of_the_window_behind_it() {
    let platform = Platform::new().await;
    // The product is closed from minute 3 to minute 63, so no user can accept the order.
    let order = platform.stage.ordered("1").await;
    platform.plans(minute(3), minute(63)).await;
    platform.comes_to(minute(3) - TICK).await;
    assert!(!platform.closed().await);
    assert_eq!(platform.deadline(order).await, minute(5), "a plan moves nothing yet");
    for timestamp in [minute(3), minute(5), minute(6), minute(63) - TICK] {
        platform.comes_to(timestamp).await;
        assert!(platform.closed().await);
        assert_eq!(platform.state(order).await, WAITS, "{timestamp}");
        assert!(!outages::may_act(&platform.stage.market.context).await.unwrap());
        // Views show the remaining time, which is still two minutes, as when the product closed.
        let seen = platform.stage.ben.sees(order).await.unwrap();
        assert_eq!(seen.order.state.deadline().unwrap().at, timestamp + minutes(2));
    }
    platform.comes_to(minute(63)).await;
    assert!(!platform.closed().await);
    assert_eq!((platform.state(order).await, platform.deadline(order).await), (WAITS, minute(65)));
    platform.comes_to(minute(65) - TICK).await;
    assert_eq!(platform.state(order).await, WAITS);
    platform.comes_to(minute(65)).await;
    assert_eq!(platform.state(order).await, "CANCELLED");
    let record = "select count(*) from outages where part = 'maintenance' and ended_at - began_at = interval '1 hour' and moved_at is not null";
    assert_eq!((platform.recorded().await, platform.stage.market.count(record).await), (1, 1));
}

#[tokio::test]
async fn maintenance_includes_its_start_and_excludes_its_end() {
    // The deadline is at minute 5. The maintenance begins one microsecond later, at the same time, or one microsecond
    // earlier.
    for (start, at_five, later) in
        [(TICK, "CANCELLED", None), (Duration::zero(), WAITS, Some(60)), (-TICK, WAITS, Some(60))]
    {
        let platform = Platform::new().await;
        let order = platform.stage.ordered("1").await;
        platform.plans(minute(5) + start, minute(65) + start).await;
        platform.comes_to(minute(5)).await;
        assert_eq!(platform.state(order).await, at_five, "{start}");
        let Some(moved) = later else { continue };
        platform.comes_to(minute(65) + start).await;
        if start.is_zero() {
            assert_eq!(platform.state(order).await, "CANCELLED", "the deadline is the first moment after the window");
        } else {
            assert_eq!((platform.state(order).await, platform.deadline(order).await), (WAITS, minute(5 + moved)));
        }
        platform.comes_to(minute(5 + moved)).await;
        assert_eq!(platform.state(order).await, "CANCELLED", "{start}");
    }
}

#[tokio::test]
async fn nothing_of_the_clock_happens_in_the_window_though_it_was_asked_before() {
    let platform = Platform::new().await;
    let order = platform.stage.ordered("1").await;
    platform.lives_until(minute(5)).await;
    // The worker checked that deadlines may take effect, and then the product closed.
    assert!(outages::may_act(&platform.stage.market.context).await.unwrap());
    platform.plans(minute(0), minute(10)).await;
    platform.stage.market.system(CommandKind::OrderDue(order)).await.unwrap();
    assert_eq!(platform.state(order).await, WAITS);
    // The maintenance is over, but no deadline has been moved yet.
    platform.lives_until(minute(12)).await;
    platform.stage.market.system(CommandKind::OrderDue(order)).await.unwrap();
    assert_eq!(platform.state(order).await, WAITS);
    platform.turns().await;
    assert_eq!(platform.state(order).await, "CANCELLED");
    let record = "select count(*) from outages where ended_at - began_at = interval '5 minutes'";
    assert_eq!(platform.stage.market.count(record).await, 1, "closed from the fifth minute on, when it was decided");
}

#[tokio::test]
async fn a_window_that_is_ended_early_moves_what_it_has_taken_and_no_more() {
    let platform = Platform::new().await;
    let order = platform.stage.ordered("1").await;
    platform.plans(minute(3), minute(63)).await;
    platform.comes_to(minute(10)).await;
    assert!(platform.reopens().await);
    assert!(!platform.closed().await && !platform.reopens().await);
    platform.turns().await;
    assert_eq!(platform.deadline(order).await, minute(5 + 7));
    // A plan that is canceled before it begins extends no deadline.
    platform.plans(minute(20), minute(30)).await;
    assert!(platform.reopens().await);
    platform.comes_to(minute(12)).await;
    assert_eq!(platform.state(order).await, "CANCELLED");
    platform.comes_to(minute(31)).await;
    assert_eq!(platform.recorded().await, 1);
}

#[tokio::test]
async fn only_time_that_was_actually_closed_counts_after_maintenance_is_moved() {
    let platform = Platform::new().await;
    let paid = platform.stage.paid("1").await;
    assert_eq!(platform.deadline(paid).await, minute(15));
    // The plan is postponed before it begins, begins, is extended, and is then moved to a later time.
    platform.plans(minute(1), minute(2)).await;
    platform.plans(minute(3), minute(8)).await;
    platform.comes_to(minute(5)).await;
    platform.plans(minute(3), minute(20)).await;
    platform.comes_to(minute(12)).await;
    assert_eq!(platform.deadline(paid).await, minute(15), "while it is closed nothing is moved");
    platform.plans(minute(100), minute(160)).await;
    platform.turns().await;
    assert_eq!(platform.deadline(paid).await, minute(15 + 9), "closed from the third to the twelfth");
    platform.comes_to(minute(24)).await;
    let order = platform.stage.market.order(paid).await;
    let overdue = order.state.deadline().unwrap();
    assert_eq!(overdue.at, minute(24), "it passes before the second window");
    assert!(overdue.notified_at.is_some());
}

#[tokio::test]
async fn an_outage_that_overlaps_the_window_is_taken_out_once() {
    // The worker is down between the given minutes; the product is closed from minute 3 to minute 63.
    for (from, until, lost) in [(1, 10, 62), (10, 20, 60), (50, 80, 77), (1, 80, 79), (63, 70, 67)] {
        let platform = Platform::new().await;
        let order = platform.stage.ordered("1").await;
        platform.plans(minute(3), minute(63)).await;
        platform.comes_to(minute(from)).await;
        // Another worker applies deadlines while the chain is not being read.
        for timestamp in [minute(from) + minutes(2), minute(63), minute(64)] {
            if (minute(from)..minute(until)).contains(&timestamp) {
                platform.hands.pass(timestamp.signed_duration_since(platform.stage.market.now().await));
                platform.turns().await;
            }
        }
        let now = platform.stage.market.now().await;
        platform.hands.pass(minute(until).signed_duration_since(now));
        assert_eq!(platform.beats().await, Some(minutes(until - from)));
        platform.turns().await;
        platform.comes_to(minute(until.max(63))).await;
        assert_eq!(platform.deadline(order).await, minute(5 + lost), "silent from {from} to {until}");
        platform.comes_to(minute(5 + lost) - TICK).await;
        assert_eq!(platform.state(order).await, WAITS);
        platform.comes_to(minute(5 + lost)).await;
        assert_eq!(platform.state(order).await, "CANCELLED");
    }
}

#[tokio::test]
async fn nobody_is_late_by_a_window_before_the_worker_has_moved_anything() {
    let platform = Platform::new().await;
    let stage = &platform.stage;
    let order = stage.accepted("1").await;
    let before = platform.deadline(order).await;
    platform.plans(minute(3), minute(63)).await;
    platform.lives_until(before + minutes(30)).await;
    let charged = stage.ben.reputation().await;
    // The screen has shown the buyer that the deadline is suspended, so the payment counts.
    platform.lives_until(minute(63)).await;
    stage.ben.marks_paid(order).await.unwrap();
    platform.turns().await;
    assert_eq!((stage.ben.reputation().await, platform.state(order).await), (charged, "AWAITING_CONFIRMATION"));
    assert_eq!(platform.deadline(order).await, minute(63 + 15));
}

#[tokio::test]
async fn a_plan_must_lie_ahead_and_is_kept_with_its_author() {
    let platform = Platform::new().await;
    let context = &platform.stage.market.context;
    platform.lives_until(minute(5)).await;
    for (from, until) in [(minute(10), minute(10)), (minute(10), minute(9)), (minute(1), minute(5))] {
        let refused = plan_maintenance(context, from, until, &decision()).await;
        assert!(matches!(refused, Err(app::Error::Refused(Refusal::Invalid { field: "until", .. }))), "{refused:?}");
    }
    assert!(!platform.reopens().await, "nothing was planned");
    platform.plans(minute(10), minute(20)).await;
    assert!(platform.reopens().await);
    let kept = "select count(*) from maintenance_plans where officer = 'olga' and reason = 'a new disk'";
    assert_eq!(platform.stage.market.count(kept).await, 2);
}
