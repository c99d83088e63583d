//! Applies each deadline as the worker does: one microsecond before its time, at its time, and later.

use app::commands::CommandKind;
use chrono::Duration;
use domain::clock::Timestamp;
use domain::ids::OrderId;
use domain::orders::{Action, CancelReason};
use domain::refusal::Refusal;
use testkit::market::{Market, mec, minutes};
use testkit::noon;

use crate::{Stage, forbidden};

const TICK: Duration = Duration::microseconds(1);

impl Stage {
    async fn look_at(&self, order: OrderId, timestamp: Timestamp) -> &'static str {
        self.market.at(timestamp).await;
        self.market.system(CommandKind::OrderDue(order)).await.unwrap();
        self.market.is_sound().await;
        self.market.state(order).await
    }

    async fn told(&self, order: OrderId) -> bool {
        self.market.order(order).await.state.deadline().unwrap().notified_at.is_some()
    }

    async fn reason(&self, order: OrderId) -> CancelReason {
        self.market.order(order).await.state.cancelled().unwrap().reason
    }
}

#[tokio::test]
async fn an_advert_without_its_escrow_ends_when_its_window_has_passed() {
    for (offset, state) in [(-TICK, "CREATING"), (Duration::zero(), "CANCELLED"), (TICK, "CANCELLED")] {
        let market = Market::open().await;
        let anna = market.trader().await;
        market.chain().await;
        let advert = anna.posts(anna.mec_for_krw("10", "1000")).await.unwrap();
        market.at(noon() + minutes(30) + offset).await;
        market.system(CommandKind::AdvertDue(advert)).await.unwrap();
        assert_eq!(market.advert_state(advert).await, state, "{offset}");
        market.is_sound().await;
    }
}

#[tokio::test]
async fn an_order_that_nobody_accepts_is_cancelled_at_once() {
    for (offset, state) in [(-TICK, "AWAITING_ACCEPTANCE"), (Duration::zero(), "CANCELLED"), (TICK, "CANCELLED")] {
        let stage = Stage::set().await;
        let order = stage.ordered("4").await;
        assert_eq!(stage.look_at(order, noon() + minutes(5) + offset).await, state, "{offset}");
        if state == "CANCELLED" {
            assert_eq!(stage.reason(order).await, CancelReason::AcceptanceOverdue);
            assert_eq!((stage.anna.reputation().await, stage.ben.reputation().await), (100, 100));
            assert_eq!(stage.market.advert(stage.advert).await.remaining, mec("10"));
        } else {
            stage.anna.accepts(order).await.unwrap();
        }
    }
}

#[tokio::test]
async fn nobody_accepts_after_the_deadline_though_the_clock_is_late() {
    let stage = Stage::set().await;
    let order = stage.ordered("4").await;
    stage.market.at(noon() + minutes(5)).await;
    assert_eq!(stage.anna.accepts(order).await, Err(forbidden(Action::Accept)));
    assert_eq!(stage.anna.rejects(order).await, Err(forbidden(Action::Reject)));
    stage.market.clock_strikes().await;
    assert_eq!(stage.market.state(order).await, "CANCELLED");
}

#[tokio::test]
async fn a_late_payment_is_told_and_then_cancelled_after_the_grace() {
    let stage = Stage::set().await;
    let order = stage.accepted("4").await;
    let deadline = noon() + minutes(16);
    assert_eq!(stage.look_at(order, deadline - TICK).await, "AWAITING_PAYMENT");
    assert!(!stage.told(order).await);
    assert_eq!(stage.look_at(order, deadline).await, "AWAITING_PAYMENT");
    assert!(stage.told(order).await);
    assert_eq!(stage.anna.cancels(order).await, Err(forbidden(Action::Cancel)), "the grace runs");
    assert_eq!(stage.look_at(order, deadline + minutes(10) - TICK).await, "AWAITING_PAYMENT");
    assert_eq!(stage.anna.cancels(order).await, Err(forbidden(Action::Cancel)));
    assert_eq!(stage.look_at(order, deadline + minutes(10)).await, "CANCELLED");
    assert_eq!(stage.reason(order).await, CancelReason::PaymentOverdue);
    assert_eq!(stage.market.advert(stage.advert).await.remaining, mec("10"));
    let rows = "select count(*) from reputation_changes where cause = 'PAYMENT_OVERDUE' and change = 0";
    assert_eq!(stage.market.count(rows).await, 1, "it counts against the buyer");
}

#[tokio::test]
async fn the_grace_runs_from_when_the_buyer_was_told() {
    let stage = Stage::set().await;
    let order = stage.accepted("4").await;
    let told = noon() + minutes(40);
    assert_eq!(stage.look_at(order, told).await, "AWAITING_PAYMENT", "the worker was away: first the buyer is told");
    assert_eq!(stage.look_at(order, told + minutes(10) - TICK).await, "AWAITING_PAYMENT");
    assert_eq!(stage.look_at(order, told + minutes(10)).await, "CANCELLED");
}

#[tokio::test]
async fn the_seller_may_cancel_a_late_payment_after_the_grace() {
    let stage = Stage::set().await;
    let order = stage.accepted("4").await;
    stage.look_at(order, noon() + minutes(16)).await;
    stage.market.at(noon() + minutes(26)).await;
    stage.anna.cancels(order).await.unwrap();
    assert_eq!(stage.reason(order).await, CancelReason::PaymentOverdue);
    assert_eq!(stage.anna.reputation().await, 100);
}

#[tokio::test]
async fn the_buyer_may_pay_until_the_very_end() {
    let stage = Stage::set().await;
    let order = stage.accepted("4").await;
    stage.look_at(order, noon() + minutes(16)).await;
    stage.market.at(noon() + minutes(30)).await;
    stage.ben.marks_paid(order).await.unwrap();
    assert_eq!(stage.look_at(order, noon() + minutes(30)).await, "AWAITING_CONFIRMATION");
}

#[tokio::test]
async fn a_late_confirmation_is_told_and_never_cancelled() {
    let stage = Stage::set().await;
    let order = stage.paid("4").await;
    let deadline = noon() + minutes(15);
    assert_eq!(stage.look_at(order, deadline - TICK).await, "AWAITING_CONFIRMATION");
    assert!(!stage.told(order).await);
    assert_eq!(stage.look_at(order, deadline).await, "AWAITING_CONFIRMATION");
    assert!(stage.told(order).await);
    assert_eq!(stage.market.clock_strikes().await, 0, "nothing is left for the clock");
    assert_eq!(stage.look_at(order, deadline + Duration::days(7) - TICK).await, "AWAITING_CONFIRMATION");
    stage.anna.confirms(order).await.unwrap();
    assert_eq!(stage.market.state(order).await, "RELEASING");
}

#[tokio::test]
async fn a_buyer_who_waited_in_vain_cancels_at_no_cost() {
    let stage = Stage::set().await;
    let order = stage.paid("4").await;
    stage.market.at(noon() + minutes(15)).await;
    stage.ben.cancels(order).await.unwrap();
    assert_eq!(stage.reason(order).await, CancelReason::ConfirmationOverdue);
    assert_eq!(stage.market.count("select count(*) from reputation_changes").await, 0);
}

#[tokio::test]
async fn the_clock_comes_early_late_and_twice_without_harm() {
    let stage = Stage::set().await;
    let order = stage.accepted("4").await;
    let before = stage.market.order(order).await;
    stage.market.system(CommandKind::OrderDue(order)).await.unwrap();
    assert_eq!(stage.market.order(order).await, before, "early");
    stage.market.at(noon() + minutes(16)).await;
    assert_eq!(stage.market.clock_strikes().await, 1);
    let told = stage.market.order(order).await;
    stage.market.system(CommandKind::OrderDue(order)).await.unwrap();
    assert_eq!(stage.market.order(order).await, told, "twice");
    assert_eq!(stage.market.clock_strikes().await, 0);
    stage.ben.cancels(order).await.unwrap();
    stage.market.at(noon() + minutes(60)).await;
    stage.market.system(CommandKind::OrderDue(order)).await.unwrap();
    assert_eq!(stage.reason(order).await, CancelReason::Withdrawn, "late");
}

#[tokio::test]
async fn ten_due_orders_are_looked_at_in_one_set() {
    let stage = Stage::set().await;
    let mut orders = Vec::new();
    for _ in 0..10 {
        orders.push(stage.ordered("0.5").await);
    }
    stage.market.at(noon() + minutes(5)).await;
    assert_eq!(stage.market.clock_strikes().await, 10);
    for order in orders {
        assert_eq!(stage.market.state(order).await, "CANCELLED");
    }
    assert_eq!(stage.market.advert(stage.advert).await.remaining, mec("10"));
    stage.market.is_sound().await;
}

#[tokio::test]
async fn people_cannot_give_the_clock_s_commands_effect_early() {
    let stage = Stage::set().await;
    let order = stage.ordered("4").await;
    let reply = stage.ben.asks(CommandKind::OrderDue(order)).await;
    assert!(reply.is_ok() || reply == Err(Refusal::SessionInvalid));
    assert_eq!(stage.market.state(order).await, "AWAITING_ACCEPTANCE");
}

#[tokio::test]
async fn a_hundred_rows_that_are_held_back_hold_up_no_other() {
    let market = Market::open().await;
    let mut chain = market.chain().await;
    let (mut held, mut coins) = (Vec::new(), Vec::new());
    for _ in 0..100 {
        let seller = market.trader().await;
        held.push(seller.posts(seller.mec_for_krw("10", "1000")).await.unwrap());
        coins.push(chain.coins(&seller, market.mec, mec("10")));
    }
    chain.mines_coins(coins).await;
    market.waits(minutes(1)).await;
    let late = market.trader().await;
    let last = late.posts(late.mec_for_krw("10", "1000")).await.unwrap();
    market.waits(minutes(30)).await;
    market.clock_strikes().await;
    assert_eq!(market.advert_state(last).await, "CANCELLED", "it became due after all the others");
    for advert in held {
        assert_eq!(market.advert_state(advert).await, "CREATING", "its coins are on their way");
    }
    market.is_sound().await;
}

#[tokio::test]
async fn a_row_that_makes_no_sense_holds_up_no_other() {
    let stage = Stage::set().await;
    let (broken, sound) = (stage.ordered("1").await, stage.ordered("1").await);
    stage.market.sql(&format!("update orders set progress = '{{}}' where id = '{broken}'")).await;
    stage.market.at(noon() + minutes(5)).await;
    assert_eq!(stage.market.clock_strikes().await, 1);
    assert_eq!(stage.market.state(sound).await, "CANCELLED");
}
